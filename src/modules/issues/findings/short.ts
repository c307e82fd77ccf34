// The short ways of a single report: of one that comes again, of one that changes nothing, and of one whose finding nobody else changes.

import { sql } from 'kysely'
import { runTogether } from '../../../core/db/together.ts'
import { ApplicationError } from '../../../core/errors.ts'
import type { Id } from '../../../core/ids.ts'
import { auditWhere, may } from '../../access/service.ts'
import type { Context } from '../../context.ts'
import { columnsOf, type IssueRecord, issueFields } from '../store.ts'
import { changeOfIssue } from './changes.ts'
import type { Decision, Recorded } from './decide.ts'
import type { Report } from './input.ts'
import { lockKeysOf } from './locks.ts'
import { decideEntries, type RecordOptions, wantedOf } from './matching.ts'
import { matchOfRepeated, reportAskOf, reportKeyOf } from './report-key.ts'
import { ruleFor } from './rules.ts'
import { isCountable, readScan, type Scan } from './scan.ts'
import { type KnownFinding, lockingOf, stillKnown, type Wanted } from './store-known.ts'
import { findReported } from './store-report.ts'
import { isWritten, nextIssueId, repeatReport, touchFinding, writingOf, writtenOf } from './store-write.ts'
import { isOfMany, spokenOf } from './witnesses.ts'

/** Companies of a viewer that the shortest way looks in. */
const FEW = 10

/** The shortest way: the last report of a finding again, word for word, and nothing has changed since. One statement. */
async function repeat(
  context: Context,
  { ask, finding }: Report,
  shown: readonly (keyof IssueRecord)[] = issueFields,
): Promise<Recorded | null> {
  const { memberships } = context.viewer
  const [reportKey, reportAsk] = [reportKeyOf({ ask, finding }), reportAskOf(ask)]
  if (memberships === null || memberships.size > FEW || reportKey === null) return null
  const permitted: string[] = []
  for (const id of memberships.keys()) {
    if (await may(context, 'issues:write', id)) permitted.push(id)
  }
  const { assetId, scanId } = ask
  const found =
    permitted.length === 0
      ? null
      : await repeatReport(context.db, permitted, { assetId, scanId, reportKey, reportAsk }, columnsOf(shown))
  return found && { ...found, isJoined: false, outcome: 'UNCHANGED', matchedBy: matchOfRepeated(finding) }
}

/** Either the answer, or the scan as far as it was read for one. */
export type Short = { answer: Recorded | ApplicationError; scan: null } | { answer: null; scan: Scan }

/** The short ways of a report, one after the other; without an answer it takes the long one. */
export async function recordShortly(context: Context, report: Report, options: RecordOptions): Promise<Short> {
  const repeated = await repeat(context, report, options.shown)
  if (repeated) return { answer: repeated, scan: null }
  const { ask, finding } = report
  const observation = { finding, place: finding.place, isGone: false }
  const wanted = wantedOf([observation], options.extent)
  const found = await findReported(context.db, context.viewer, ask, wanted)
  const scan = await readScan(context, context.db, ask, found.scan)
  if (scan instanceof ApplicationError) return { answer: scan, scan: null }
  if (scan.isOlder || ruleFor(scan.rules, finding.toolName)) return { answer: null, scan }
  const [decided] = decideEntries([{ n: 0, index: 0, scan, observation }], found.known, options, 0)
  if (!decided || isOfMany(decided.decision)) return { answer: null, scan }
  const answer =
    decided.decision.outcome === 'UNCHANGED'
      ? await touch(context, scan, report, decided.decision)
      : await writeAtOnce(context, scan, report, decided.decision, { wanted, ...found, ...options })
  return answer ? { answer, scan: null } : { answer: null, scan }
}

/** A finding that is reported again as it was: no lock, and one row that changes; null when it is not as it was read. */
async function touch(context: Context, scan: Scan, report: Report, decision: Decision): Promise<Recorded | null> {
  const { known, outcome, matchedBy } = decision
  if (known === null) return null
  const isTouched = await touchFinding(context.db, scan.companyId, {
    occurrenceId: known.occurrenceId,
    path: known.path,
    line: known.line,
    disposition: known.disposition,
    deployId: scan.deployId,
    scanId: scan.scanId,
    commit: scan.commit,
    commitRef: decision.write.place.commitRef,
    isExact: decision.write.place.isExact && isCountable(scan),
    reportKey: reportKeyOf(report),
    reportAsk: reportAskOf(report.ask),
    matchedBy,
    assetId: scan.assetId,
    newestDeployId: scan.newestDeployId,
    breakId: scan.breakId,
    breakAt: scan.breakAt,
    updatedAt: known.updatedAt,
  })
  return isTouched ? { ...alone(issueOf(known)), outcome, matchedBy, branch: scan.branch } : null
}

/** What was read for the decision; an id for a new issue where nothing was known. */
type Read = { wanted: Wanted; known: readonly KnownFinding[]; newId: Id | null }

/**
 * A new or changed finding: the lock, and what is written when under the lock everything still is as it was read, go to the
 * database together. Null when it is not, when another tool may speak of the same, and inside of a larger transaction.
 */
async function writeAtOnce(
  context: Context,
  scan: Scan,
  report: Report,
  decision: Decision,
  { wanted, known, newId, isAudited }: Read & RecordOptions,
): Promise<Recorded | null> {
  if (context.db.isTransaction) return null
  const { companyId, assetId, newestDeployId, branch } = scan
  const isNew = decision.known === null
  const isStill = stillKnown(companyId, assetId, wanted, known)
  const spoken = spokenOf(scan, decision)
  const id = decision.known?.id ?? newId ?? (await nextIssueId(context.db))
  const rows = await runTogether(context.db, [
    lockingOf(companyId, [assetId], lockKeysOf([{ scan, finding: report.finding }])),
    writingOf(
      companyId,
      context.viewer.userId,
      [{ assetId, deployId: newestDeployId }],
      [
        {
          ...decision.write,
          newId: isNew ? id : null,
          reportKey: reportKeyOf(report),
          reportAsk: reportAskOf(report.ask),
        },
      ],
      spoken === null ? isStill : sql`${isStill} and not ${spoken}`,
      isAudited ? auditWhere(context, changeOfIssue(companyId, id, decision), isWritten) : undefined,
    ),
  ])
  const [written] = writtenOf(rows)
  const issue = written?.issue ?? (written && decision.known)
  return issue ? { ...alone(issue), outcome: decision.outcome, matchedBy: decision.matchedBy, branch } : null
}

/** An issue that no other finding stands for. */
const alone = (issue: IssueRecord) => ({ issue, findingId: issue.id, isShared: false, isJoined: false })

/** The issue alone, as the rest of the module knows it: what was read for the matching is more of the same record. */
export const issueOf = (known: KnownFinding): IssueRecord => known
