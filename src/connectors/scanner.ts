// The interface of a connector to a scanner: lists its projects, pulls its findings, and sends it decisions about them.

import type { FindingType, Row } from '../reports/types.ts'
import type { ExternalProject, Listing, ListQuery, Session } from './session.ts'

/** A scanner of assets. */
export type Scanner = {
  listProjects: (session: Session, query: ListQuery) => Promise<Listing<ExternalProject>>
  /** BAD_USER_INPUT unless the text may be the id of a project. Pure: the vendor is not called. */
  requireProjectId: (id: string) => void
  /**
   * The scanner's findings of a project, row by row. `originalIssueIdFromTool` of an observation is the vendor's own key, the same at each call.
   * A row TRUNCATED says that findings are missing.
   */
  pull: (session: Session, ask: PullAsked) => AsyncIterable<Row>
  /** Sends the scanner a person's decision; undefined if the vendor offers no way. */
  writeBack?: (session: Session, finding: ExternalRef, decision: ScannerDecision) => Promise<WrittenBack>
}

/** `since` (ISO 8601): the findings that changed since then, fixed ones included. Null: all open findings, so that absent ones are gone. */
export type PullAsked = { projectId: string; since: string | null }
/** A finding as `pull` returned it. */
export type ExternalRef = { projectId: string; key: string; ruleId: string | null; type: FindingType }
/** SENT, with what the vendor was asked to do; OTHER: the finding is of another project; UNSUPPORTED, with the reason in a sentence. */
export type WrittenBack =
  | { kind: 'SENT'; request: string }
  | { kind: 'OTHER' }
  | { kind: 'UNSUPPORTED'; reason: string }
export type ScannerDecision = {
  status: 'FALSE_POSITIVE' | 'RISK_ACCEPTED' | 'IDENTIFIED'
  reason: string
  /** ISO 8601; null: no end */
  expiresAt: string | null
}
