// Merge requests from forks: the branch name that stands for one here, and its head. Only our own project is ever asked.

import { at } from '../paths.ts'
import type { Session } from '../session.ts'
import type { BranchHead } from '../source-host.ts'
import { openRequest } from './schemas.ts'

/** The names of git branches have no colon, so a fork's branch cannot be mistaken for one of ours. */
const PREFIX = 'merge-request:'

export const branchOfFork = (iid: number | string): string => `${PREFIX}${iid}`

/** The number of the merge request that the name stands for; null for a branch. */
export const forkOf = (branch: string): string | null => /^merge-request:([1-9]\d{0,17})$/.exec(branch)?.[1] ?? null

/** The ref under which GitLab keeps a fork's commits in the project that the merge request is for. */
export const refOfFork = (iid: string): string => `refs/merge-requests/${iid}/head`

const read = ({ client }: Session, projectId: string, iid: string) =>
  client.get(at`/projects/${projectId}/merge_requests/${iid}`, openRequest)

/** Whether a verdict is of interest to its readers. */
export async function isOfInterest(session: Session, projectId: string, iid: string): Promise<boolean> {
  const { isOpen, isMerged } = await read(session, projectId, iid)
  return isOpen || isMerged
}

/** Its head according to our project, whatever a delivery said; null if it is not open, or not from a fork. */
export async function headOfFork(session: Session, projectId: string, iid: string): Promise<BranchHead | null> {
  const { isOpen, isFromFork, commit, target, base } = await read(session, projectId, iid)
  return isOpen && isFromFork ? { branch: branchOfFork(iid), commit, parent: base, at: null, target } : null
}
