// The interface of a connector to a source host: lists repositories and branches, reads diffs, and shows a gate's verdict.

import type { Hooks } from './hooks.ts'
import type { ExternalProject, Listing, ListQuery, Named, Owner, Session } from './session.ts'

/**
 * What a webhook call of a source host says: the branches that moved, and the source branches of pull requests that were opened.
 * `deliveryId` as in HookEvent; null unless the proof covers it.
 */
type SourceEvent = { deliveryId: string | null; moves: BranchMove[] }
/**
 * `before` is null if the host does not say; branches that were deleted are left out. A pull request from a fork has `target`, the branch
 * that it is for; its `branch` is a name that only the connector understands, and that no real branch can have.
 */
export type BranchMove = { branch: string; before: string | null; after: string; target?: string }

/** A host of repositories. */
export type SourceHost = Hooks<SourceEvent> & {
  listOwners: (session: Session, query: ListQuery) => Promise<Listing<Owner>>
  listProjects: (session: Session, query: ListQuery & { ownerId: string | null }) => Promise<Listing<ExternalProject>>
  /** The project of this id; MISSING (VendorRefused) when the credential sees none. */
  getProject: (session: Session, projectId: string) => Promise<SourceProject>
  /** Null when there is no such branch, or the pull request from a fork that it names is not open any more. */
  getHead: (session: Session, projectId: string, branch: string) => Promise<BranchHead | null>
  /** The heads of up to `most` branches; the latest first, if the vendor can sort them so. */
  listHeads: (session: Session, projectId: string, most: number) => Promise<BranchHead[]>
  /** The diff between two commits in git's format, as a stream; MISSING when one of them no longer exists. */
  openDiff: (session: Session, change: CommitRange) => Promise<SourceDiff>
  /** The pull requests from the branch, and those that were merged as the commit. */
  findPullRequests: (session: Session, place: BranchPlace & { commit: string }) => Promise<string[]>
  /** What a person must enter at the vendor if the credential may not create the webhook. */
  hookByHand: (secret: string) => { secret: string; token: string | null; events: readonly string[] }
  /** Shows a gate's verdict on a commit and on its pull requests; the same `key` replaces what was shown before. */
  reportCommit: (session: Session, report: CommitReport) => Promise<void>
}

type SourceProject = Named & { defaultBranch: string | null }
type BranchPlace = { projectId: string; branch: string }
/**
 * `parent` is the first parent, null for a commit without one; `at` is when the commit was made (ISO 8601), null if the host does not say.
 * For a pull request from a fork, `target` is the branch that it is for, and `parent` the commit at which it left that branch.
 */
export type BranchHead = { branch: string; commit: string; parent: string | null; at: string | null; target?: string }
/** `branch` says whose change it is, which matters for pull requests from forks. */
export type CommitRange = { projectId: string; from: string; to: string; branch?: string }
/** Once all chunks were read, `leftOut` names the files whose changes the vendor does not give. */
type SourceDiff = { chunks: AsyncIterable<Uint8Array>; leftOut: () => string[] }

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
