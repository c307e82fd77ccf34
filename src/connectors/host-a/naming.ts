// The names of HostA and its repositories in messages.

import { VendorRefused } from '../errors.ts'

export const NAME = 'HostA'

/** The id of a project is `workspace/{uuid}`: repositories may be renamed and keep it. */
export function repositoryPath(projectId: string): { workspace: string; uuid: string } {
  const [owner = '', uuid = '', more] = projectId.split('/')
  if (owner !== '' && uuid !== '' && more === undefined) return { workspace: owner, uuid }
  throw new VendorRefused(NAME, 'INVALID', { detail: 'a project is named workspace/{uuid}' })
}
