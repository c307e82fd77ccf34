// The fast paths of a single report: an exact repeat, one that changes nothing, and one whose finding nobody else changes.

import { ApplicationError } from '../../../core/errors.ts'
import type { Id } from '../../../core/ids.ts'
import type { Context } from '../../context.ts'
import { type IssueRecord, issueFields } from '../store.ts'
import type { Decision, Recorded } from './decide.ts'
import type { Report } from './input.ts'
import { lockKeysOf } from './locks.ts'
import { decideEntries, type RecordOptions, wantedOf } from './matching.ts'
import { matchOfRepeated, reportAskOf, reportKeyOf } from './report-key.ts'
import { ruleFor } from './rules.ts'
import { isCountable, readScan, type Scan } from './scan.ts'
import { findTogether, repeatTogether, writeTogether } from './short-together.ts'
import type { KnownFinding } from './store-known.ts'
import type { Reported } from './store-report.ts'
import { type Sought, soughtOf } from './store-sought.ts'
import { nextIssueId, touchFinding } from './store-write.ts'
import { isComponent } from './twins.ts'
import { isOfMany, spokenOf } from './witnesses.ts'

/** The fastest path: an exact repeat of a finding's last report, with nothing changed since. One statement. */
async function repeat(
  context: Context,
  { ask, finding }: Report,
  shown: readonly (keyof IssueRecord)[] = issueFields,
): Promise<Recorded | null> {
  const reportKey = reportKeyOf({ ask, finding })
  if (reportKey === null) return null
  const reportAsk = reportAskOf(ask)
  const { assetId, scanId } = ask
  const found = await repeatTogether(context, { assetId, scanId, reportKey, reportAsk }, shown)
  return found && { ...found, isJoined: false, outcome: 'UNCHANGED', matchedBy: matchOfRepeated(finding) }
}

/** The answer or, without one, the scan as far as it was read. */
type Short = { answer: Recorded | ApplicationError; scan: null } | { answer: null; scan: Scan }

/** Tries the fast paths of a partial report one after the other; without an answer the report takes the full path. */
export async function recordShortly(context: Context, report: Report, options: RecordOptions): Promise<Short> {
  const repeated = await repeat(context, report, options.shown)
  if (repeated) return { answer: repeated, scan: null }
  const { ask, finding } = report
  const observation = { finding, place: finding.place, isGone: false }
  const sought = soughtOf(wantedOf([observation]))
  const found = await findTogether(context, { ask, sought })
  const scan = await readScan(context, context.db, ask, found.scan)
  if (scan instanceof ApplicationError) return { answer: scan, scan: null }
  const mayBeStated = scan.hasStatements && isComponent(finding.type)
  if (scan.isOlder || mayBeStated || ruleFor(scan.rules, finding.toolName)) return { answer: null, scan }
  const [decided] = decideEntries([{ n: 0, index: 0, scan, observation }], found.known, options, 0)
  if (!decided || isOfMany(decided.decision)) return { answer: null, scan }
  const answer =
    decided.decision.outcome === 'UNCHANGED'
      ? await touch(context, scan, report, decided.decision)
      : await writeAtOnce(context, scan, report, decided.decision, { sought, ...found, ...options })
  return answer ? { answer, scan: null } : { answer: null, scan }
}
/** Records that an unchanged finding was seen again: no lock, one row changed. Null if it changed since it was read. */
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

/** What was read for the decision, and what was searched for. */
type Read = Pick<Reported, 'known' | 'newId'> & { sought: Sought }

/**
 * Writes a new or changed finding if, under its lock, everything is still as it was read. Null if it is not, if another tool may report the
 * same place, if somebody else holds the lock, and inside a larger transaction.
 */
async function writeAtOnce(
  context: Context,
  scan: Scan,
  report: Report,
  decision: Decision,
  { sought, known, newId, isAudited }: Read & RecordOptions,
): Promise<Recorded | null> {
  if (context.db.isTransaction || !isAudited) return null
  const id: Id = decision.known?.id ?? newId ?? (await nextIssueId(context.db))
  const written = await writeTogether({
    context,
    scan,
    decision,
    id,
    write: {
      ...decision.write,
      newId: decision.known === null ? id : null,
      reportKey: reportKeyOf(report),
      reportAsk: reportAskOf(report.ask),
    },
    lockKeys: lockKeysOf([{ scan, finding: report.finding }]),
    sought,
    versions: known.map(({ version }) => version),
    spoken: spokenOf(decision),
  })
  const issue = written?.issue ?? (written && decision.known)
  const { outcome, matchedBy } = decision
  return issue ? { ...alone(issue), outcome, matchedBy, branch: scan.branch } : null
}

/** The answer for an issue without witnesses. */
const alone = (issue: IssueRecord) => ({ issue, findingId: issue.id, isShared: false, isJoined: false })

/** Only the issue's record, without the fields that were read for matching. */
export const issueOf = (known: KnownFinding): IssueRecord => known
