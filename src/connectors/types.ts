// What a connector is: one vendor's addresses, credentials and limits, and what of hosts, scanners and trackers it can do.

import type { FindingType, Row } from '../reports/types.ts'
import type { VendorClient } from './http.ts'
import type { RateRow } from './rates.ts'

export const connectorTypes = ['HOST_A', 'HOST_B', 'SCANNER_A', 'SCANNER_B', 'BOARDS_TRACKER', 'TASK_TRACKER'] as const

export type ConnectorType = (typeof connectorTypes)[number]

/** Settings of an integration; those that its type does not have are null or empty. */
export type Settings = {
  baseUrl: string | null
  region: 'US_1' | 'US_2' | 'EU_1' | 'AU_1' | null
  instanceUrl: string | null
  organizationName: string | null
  workspaceId: string | null
  astScansEnabled: boolean
  /** an exact name or a glob; null: any branch */
  astBranchPattern: string | null
  groupIds: string[]
  workspaceIds: string[]
}

/** A credential that the vendor accepted. */
export type Credential =
  | { kind: 'KEY_PAIR'; accessKey: string; secretKey: string }
  | { kind: 'TOKEN'; token: string }
  | { kind: 'LOGIN'; email: string; token: string }
  /** `expiresAt` is ISO 8601; null: it does not expire */
  | { kind: 'OAUTH'; accessToken: string; refreshToken: string | null; expiresAt: string | null }

/** How people consent at a vendor, and how it exchanges codes and refresh tokens (RFC 6749, 4.1 and 6). */
export type OauthRow = {
  /** the https address where a person consents */
  authorizeUrl: (settings: Settings) => string
  /** further fields of its query, such as a scope */
  authorizeFields?: Readonly<Record<string, string>>
  /** Whether a code is bound to who asked for it, with S256 (RFC 7636). */
  pkce: boolean
  /** the https address of the token endpoint; another origin than `base` may be named here */
  tokenUrl: (settings: Settings) => string
  /** where the client's id and secret stand */
  client: 'basic' | 'body'
  /** further fields of both exchanges, such as a scope */
  fields?: Readonly<Record<string, string>>
}

/** What every capability gets: the client that is bound to one integration's address, credential and limits. */
export type Session = {
  client: VendorClient
  settings: Settings
  /** milliseconds since 1970, for what depends on the time */
  now: () => number
  /** waits so many milliseconds, for what a vendor takes its time over */
  sleep: (milliseconds: number) => Promise<void>
}

export type Connector = {
  type: ConnectorType
  /** as sentences to people name the vendor, such as HostA */
  name: string
  /** The https address under which its paths stand, without a slash at the end. */
  base: (settings: Settings) => string
  rates: RateRow
  /** The headers that prove who calls. */
  authorization: (credential: Credential) => Record<string, string>
  /** headers of every call besides */
  headers?: Readonly<Record<string, string>>
  /** What the vendor says in a refusal; null when it says nothing that a person could use. */
  readError?: (body: unknown) => string | null
  /** Some vendors answer a bad credential with a page to sign in, of status 200, 203 or 302. */
  pageMeansSignIn?: boolean
  /** null: it takes no codes */
  oauth: OauthRow | null
  /** One cheap call that fails when the credential is not accepted. */
  check: (session: Session) => Promise<void>
  source?: SourceHost
  scanner?: Scanner
  tracker?: Tracker
}

/** A page of what the vendor lists; `page` counts from 1. */
export type ListQuery = { search: string | null; page: number; limit: number }

/** `total` is null when the vendor does not tell; nothing is invented. `items` has `limit` entries at most. */
export type Listing<T> = { items: T[]; total: number | null }

export type Named = { id: string; name: string }
/** `branches` is empty where there are none, as in a scanner. */
export type ExternalProject = Named & { branches: string[] }
/** Who owns repositories: a workspace or a group. */
export type Owner = Named & { uuid: string }

/** A call that a vendor made to us, as it came; names of headers in lower case. */
export type HookDelivery = { headers: Readonly<Record<string, string>>; body: Uint8Array; receivedAt: Date }
/** `secret`: the one that the vendor made, where it makes it itself; it is to be kept in the place of ours. */
export type HookRegistration = { hookId: string; isSigned: boolean; secret?: string | null }

/**
 * What a tracker's delivery says. `deliveryId` tells a second delivery of the same event; `project` and `item` are ids at the vendor;
 * `actor` tells our own changes when they come back.
 */
export type HookEvent = {
  deliveryId: string | null
  kind: 'ITEM_CHANGED' | 'ITEM_DELETED' | 'OTHER'
  project: string | null
  item: string | null
  state: string | null
  revision: string | null
  actor: string | null
}

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

type Hooks<Event = HookEvent> = {
  /** Makes the vendor call `url`; the same call twice leaves one hook. Null: the credential may not, and a person does it by hand. */
  ensureHook: (session: Session, hook: HookPlan) => Promise<HookRegistration | null>
  removeHook: (session: Session, hook: { projectId: string | null; hookId: string }) => Promise<void>
  /**
   * Null when the delivery does not prove that it knows the secret; `isSigned` is what the registration said. Pure: no call, no clock
   * of its own.
   */
  readHook: (delivery: HookDelivery, secret: string, isSigned?: boolean) => Event | null
}
export type HookPlan = { projectId: string | null; ownerId: string | null; url: string; secret: string }

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

/** What finds things in assets. */
export type Scanner = {
  listProjects: (session: Session, query: ListQuery) => Promise<Listing<ExternalProject>>
  /** Passes what may be an id of a project, BAD_USER_INPUT otherwise. Pure: the vendor is not asked. */
  requireProjectId: (id: string) => void
  /**
   * What the scanner knows of a project, row by row. Of each observation `originalIssueIdFromTool` is the vendor's own key, the
   * same at each call. A row TRUNCATED says that it is not all.
   */
  pull: (session: Session, ask: PullAsked) => AsyncIterable<Row>
  /** Tells the scanner what a person decided; not there where the vendor offers no way. */
  writeBack?: (session: Session, finding: ExternalRef, decision: ScannerDecision) => Promise<WrittenBack>
}

/** `since` in ISO 8601: what changed from then on, also what was fixed. Null: all that is open, so that what is absent is gone. */
export type PullAsked = { projectId: string; since: string | null }
/** A finding as `pull` told it. */
export type ExternalRef = { projectId: string; key: string; ruleId: string | null; type: FindingType }
/** SENT with what was asked of the vendor; OTHER: it is of another project; UNSUPPORTED with the reason in a sentence. */
export type WrittenBack =
  | { kind: 'SENT'; request: string }
  | { kind: 'OTHER' }
  | { kind: 'UNSUPPORTED'; reason: string }
export type ScannerDecision = {
  status: 'FALSE_POSITIVE' | 'RISK_ACCEPTED' | 'IDENTIFIED'
  reason: string
  /** ISO 8601; null: it has no end */
  expiresAt: string | null
}

/** Where findings become work. */
export type Tracker = Hooks<HookEvent> & {
  listProjects: (
    session: Session,
    query: ListQuery & { organizationName: string | null },
  ) => Promise<Listing<ExternalProject>>
  /** not there where the vendor has no teams */
  listTeams?: (session: Session, projectId: string) => Promise<Named[]>
  listBoards?: (session: Session, projectId: string, teamId: string) => Promise<Named[]>
  /** The place as the vendor names it, with what it leaves open filled in; INVALID or MISSING (VendorRefused) when it is not there. */
  settlePlace: (session: Session, place: TrackerPlace) => Promise<TrackerPlace>
  /** The states that items at the place may have, in the vendor's order. */
  listStates: (session: Session, place: TrackerPlace) => Promise<TrackerState[]>
  /**
   * Makes an item once: one that carries `key` already is answered instead (search before create), also after an answer that was
   * lost.
   */
  createItem: (session: Session, item: NewItem) => Promise<MadeItem>
  /** Null: it is deleted, or nobody may see it any more. */
  readItem: (session: Session, place: TrackerPlace, id: string) => Promise<Item | null>
  /** CONFLICT (VendorRefused) when the item has another revision than `expected`; null: whatever it has. */
  setState: (session: Session, place: TrackerPlace, id: string, state: string, expected: string | null) => Promise<Item>
  /** Items that changed since a time (ISO 8601), oldest first, in batches; of those that are known alone where that is cheaper. */
  changedSince: (
    session: Session,
    place: TrackerPlace,
    since: string,
    isKnown: (id: string) => boolean,
  ) => AsyncIterable<Item[]>
}

/** `project`, `team` and `board` of a boards tracker; of a task tracker `listId` alone. */
export type TrackerPlace = {
  project: Named | null
  team: Named | null
  board: Named | null
  listId: string | null
  workItemType: string | null
  /** the lane of the board, by name */
  lane: string | null
}
export type TrackerState = {
  id: string
  name: string
  color: string | null
  order: number | null
  /** the vendor's word, such as open, custom, done, closed or a category */
  kind: string | null
}
export type NewItem = {
  place: TrackerPlace
  key: string
  title: string
  /** Markdown; a connector turns it into what its vendor shows */
  description: string
  severity: 'NOTIFICATION' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL' | null
  tags: readonly string[]
  /** set after the item is made, where the vendor takes only the first state */
  state: string | null
  fields: Readonly<Record<string, string>>
}
/** A card as it is: `revision` changes with each change of it, `at` is when it last changed. */
export type Item = {
  id: string
  url: string | null
  state: string
  revision: string
  changedBy: string | null
  at: string
  /** false: somebody moved it to another project or list */
  isInPlace: boolean
}
/** `isFound`: it was there already. `refused`: why it could not be given the state, in the vendor's words. */
export type MadeItem = { item: Item; isFound: boolean; refused: string | null }
