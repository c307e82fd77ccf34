// HostB: GitLab, REST v4, on gitlab.com or on an instance of the customer's.

import type { Credential, Settings } from '../kinds.ts'
import { at } from '../paths.ts'
import { rateTable } from '../rates.ts'
import type { Connector } from '../types.ts'
import { openDiff } from './diff.ts'
import { ensureHook, hookByHand, readHook, removeHook } from './hooks.ts'
import { findPullRequests, reportCommit } from './reports.ts'
import { getHead, getProject, listHeads, listOwners, listProjects, NAME } from './repositories.ts'
import { refusal, user } from './schemas.ts'

const instanceOf = ({ instanceUrl }: Pick<Settings, 'instanceUrl'>): string => instanceUrl ?? 'https://gitlab.com'

function authorization(credential: Credential): Record<string, string> {
  if (credential.kind === 'OAUTH') return { authorization: `Bearer ${credential.accessToken}` }
  if (credential.kind === 'TOKEN') return { 'private-token': credential.token }
  throw new Error(`${NAME} has no credential of the kind ${credential.kind}`)
}

function readError(body: unknown): string | null {
  const { message, error_description, error } = refusal.safeParse(body).data ?? {}
  if (typeof message === 'object' && message !== null) {
    return Object.entries(message)
      .map(([field, faults]) => `${field} ${faults.join(', ')}`)
      .join('; ')
  }
  return message ?? error_description ?? error ?? null
}

export const hostB: Connector = {
  type: 'HOST_B',
  name: NAME,
  base: (settings) => `${instanceOf(settings)}/api/v4`,
  rates: rateTable.HOST_B,
  authorization,
  readError,
  oauth: {
    authorizeUrl: (settings) => `${instanceOf(settings)}/oauth/authorize`,
    authorizeFields: { scope: 'api' },
    pkce: true,
    tokenUrl: (settings) => `${instanceOf(settings)}/oauth/token`,
    client: 'body',
  },
  check: async ({ client }) => void (await client.get(at`/user`, user)),
  source: {
    listOwners,
    listProjects,
    getProject,
    getHead,
    listHeads,
    openDiff,
    findPullRequests,
    reportCommit,
    ensureHook,
    hookByHand,
    removeHook,
    readHook,
  },
}
