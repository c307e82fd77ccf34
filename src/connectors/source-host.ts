// What a connector to a source host does: lists repositories and branches, reads diffs, and shows a gate's verdict.

import type { Hooks } from './hooks.ts'
import type { ExternalProject, Listing, ListQuery, Named, Owner, Session } from './types.ts'

/**
 * What a source host's delivery says: which branches went where, those of pull requests too that were opened. `deliveryId` as in
 * HookEvent, where the proof covers it.
 */
export type SourceEvent = { deliveryId: string | null; moves: BranchMove[] }
/**
 * `before` is null where it is not told; a branch that is gone is left out. `target`: of a pull request from a fork, whose branch is a
 * name that only the connector reads and no branch can have, the branch that it is for.
 */
export type BranchMove = { branch: string; before: string | null; after: string; target?: string }

/** Where repositories are. */
export type SourceHost = Hooks<SourceEvent> & {
  listOwners: (session: Session, query: ListQuery) => Promise<Listing<Owner>>
  listProjects: (session: Session, query: ListQuery & { ownerId: string | null }) => Promise<Listing<ExternalProject>>
  /** The project of this id; MISSING (VendorRefused) when the credential sees none. */
  getProject: (session: Session, projectId: string) => Promise<SourceProject>
  /** Null when there is no such branch, or the pull request from a fork that it names is not open any more. */
  getHead: (session: Session, projectId: string, branch: string) => Promise<BranchHead | null>
  /** Where branches stand, at most so many, those that changed last first where the vendor can tell. */
  listHeads: (session: Session, projectId: string, most: number) => Promise<BranchHead[]>
  /** What changed from one commit to another, in git's format as it comes; MISSING when a commit is not there any more. */
  openDiff: (session: Session, change: CommitRange) => Promise<SourceDiff>
  /** The pull requests whose source the branch is, and those that were merged as the commit. */
  findPullRequests: (session: Session, place: BranchPlace & { commit: string }) => Promise<string[]>
  /** What a person enters at the vendor where the credential may not make the hook. */
  hookByHand: (secret: string) => { secret: string; token: string | null; events: readonly string[] }
  /** Shows a gate's answer at a commit, and at its pull request; the same `key` again replaces what stands there. */
  reportCommit: (session: Session, report: CommitReport) => Promise<void>
}

export type SourceProject = Named & { defaultBranch: string | null }
export type BranchPlace = { projectId: string; branch: string }
/**
 * `parent` is the first one, null for a commit that has none; `at` is when the commit was made (ISO 8601), null where it is not told.
 * Of a pull request from a fork `parent` is where it left the branch that it is for, which is `target`.
 */
export type BranchHead = { branch: string; commit: string; parent: string | null; at: string | null; target?: string }
/** `branch`: whose change it is, where that may be a pull request from a fork. */
export type CommitRange = { projectId: string; from: string; to: string; branch?: string }
/** `leftOut` names, once all was read, files whose change the vendor does not tell. */
export type SourceDiff = { chunks: AsyncIterable<Uint8Array>; leftOut: () => string[] }

export type CommitReport = {
  projectId: string
  branch: string
  commit: string
  /** which of them get a comment */
  pullRequests: readonly string[]
  key: string
  state: 'PENDING' | 'PASSED' | 'FAILED'
  title: string
  /** Markdown */
  summary: string
  url: string
}
