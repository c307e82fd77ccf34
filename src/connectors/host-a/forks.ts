// Pull requests from forks: the branch name that stands for one here, its head, and its diff. Only our own repository is ever asked.

import type { VendorClient } from '../client.ts'
import { VendorFailed, VendorRefused } from '../errors.ts'
import { at, type Path } from '../paths.ts'
import type { Session } from '../session.ts'
import type { BranchHead, CommitRange } from '../source-host.ts'
import { NAME, repositoryPath } from './naming.ts'
import { openRequest } from './schemas.ts'

/** The names of git branches have no colon, so a fork's branch cannot be mistaken for one of ours. */
const PREFIX = 'pull-request:'
const NAMED = new RegExp(`^${PREFIX}([1-9]\\d{0,17})$`)

export const branchOfFork = (id: number): string => `${PREFIX}${id}`

/** The number of the pull request that the name stands for; null for a branch. */
export const forkOf = (branch: string): string | null => NAMED.exec(branch)?.[1] ?? null

const read = ({ client }: Pick<Session, 'client'>, projectId: string, id: string) => {
  const { workspace, uuid } = repositoryPath(projectId)
  return client.get(at`/repositories/${workspace}/${uuid}/pullrequests/${id}`, openRequest)
}

/** Whether a verdict is of interest to its readers. */
export async function isOfInterest(session: Session, projectId: string, id: string): Promise<boolean> {
  const { isOpen, isMerged } = await read(session, projectId, id)
  return isOpen || isMerged
}

/** Its head according to our repository, whatever a delivery said; null if it is not open, or not from a fork. */
export async function headOfFork(session: Session, projectId: string, id: string): Promise<BranchHead | null> {
  const { isOpen, isFromFork, commit, target, base } = await read(session, projectId, id)
  return isOpen && isFromFork ? { branch: branchOfFork(Number(id)), commit, parent: base, at: null, target } : null
}

/** Pull requests name commits by their first twelve digits. */
const isSame = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one)

/**
 * The diff of the whole pull request as the vendor names it at our repository, from the commit of its target to its own, which is the
 * only one there is: MISSING between any other two commits.
 */
export async function pathOfForkDiff(session: Session, range: CommitRange, id: string): Promise<Path> {
  const request = await read(session, range.projectId, id)
  if (!isSame(request.base, range.from) || !isSame(request.commit, range.to)) {
    throw new VendorRefused(NAME, 'MISSING', { detail: 'a pull request from a fork is compared with its target alone' })
  }
  return straight(session.client, request.diff, [request.repository, range.projectId])
}

/** `topic` false: between the two commits, not from where they parted. An address of another repository than ours is not asked. */
function straight(client: VendorClient, address: string, ours: readonly string[]): Path {
  const path = client.next(address)
  const url = URL.parse(path.text, 'https://vendor')
  const asked = /^\/2\.0\/repositories\/([^/]+\/[^/]+)\/diff\/./.exec(url?.pathname ?? '')?.[1]?.toLowerCase()
  const isOurs = ours.some((name) => name.split('/').map(encodeURIComponent).join('/').toLowerCase() === asked)
  if (!url || !isOurs) throw new VendorFailed(NAME, 'LED_ELSEWHERE')
  url.searchParams.set('topic', 'false')
  return { ...path, text: url.pathname + url.search }
}
