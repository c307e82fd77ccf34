// What a connector to a scanner does: lists its projects, pulls its findings, and tells it what was decided about them.

import type { FindingType, Row } from '../reports/types.ts'
import type { ExternalProject, Listing, ListQuery, Session } from './types.ts'

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
