// Findings that tools report, one or many at a time.

import { ApplicationError, badUserInput } from '../../../core/errors.ts'
import { authorizeOwn } from '../../access/service.ts'
import { type Context, load } from '../../context.ts'
import { keyOf, loadPlaces, type Place } from '../beside.ts'
import type { IssueRecord } from '../store.ts'
import type { Report } from './input.ts'
import { type Recorded, type RecordOptions, recordReports } from './record.ts'

export { closeAbsent } from './absent.ts'
export { type RecordedInBulk, recordInBulk } from './bulk.ts'
export { FIELD_COLUMNS, fieldValues } from './copied-fields.ts'
export type { MatchedBy } from './evidence.ts'
export { bucketOf, type Finding, type KeptPlace } from './finding.ts'
export { firstWrite } from './first.ts'
export { holdAsset, holdFreeAsset } from './hold.ts'
export { readCode, readComponent, readExchange } from './input.ts'
export type { Recorded } from './record.ts'
export { recordReports } from './record.ts'
export { keyOfWords, matchOfRepeated, reportAskOf } from './report-key.ts'
export { type ToolRule, underRules } from './rules.ts'
export { findScan, isCountable, type Scan } from './scan.ts'
export { type Settling, settleKept } from './settle.ts'
export { hash64, readSnippet } from './snippet.ts'
export { obeyStatements } from './statements.ts'
export { findRules } from './store-rules.ts'
export type { ScanAsk } from './store-scan.ts'
export { deleteStatements, findConcerned, type NewStatement, upsertStatements } from './store-statements.ts'
export { hasOneTool } from './store-tools.ts'
export { isUsual, usualWorths } from './store-worth.ts'
export type { FindingWrite } from './store-write.ts'
export { takeWords } from './words.ts'

/** Findings in one batch. */
const MOST_IN_BATCH = 500

/** Creates the finding or updates the one that it matches, and reads at least `shown` of its issue. NOT_FOUND for an asset, deploy, run or project of another company. */
export const createOrUpdateFinding = (
  context: Context,
  report: Report,
  shown: readonly (keyof IssueRecord)[],
): Promise<Recorded> => recordOne(context, report, { mode: 'MATCH', extent: 'PARTIAL', isAudited: true, shown })

/** Creates the finding without matching it. */
export const createFinding = (context: Context, report: Report): Promise<Recorded> =>
  recordOne(context, report, { mode: 'CREATE', extent: 'PARTIAL', isAudited: true })

async function recordOne(context: Context, report: Report, options: RecordOptions): Promise<Recorded> {
  const [recorded] = await recordReports(context, [report], options)
  if (recorded === undefined) throw new Error('A report was not answered')
  if (recorded instanceof ApplicationError) throw recorded
  return recorded
}

/** As createOrUpdateFinding for each of `reports`; an entry that could not be read is passed as its error, and returned as such. */
export async function batchCreateOrUpdateFindings(
  context: Context,
  reports: readonly (Report | ApplicationError)[],
): Promise<(Recorded | ApplicationError)[]> {
  authorizeOwn(context, 'issues:write')
  if (reports.length > MOST_IN_BATCH) {
    throw badUserInput(`findings takes at most ${MOST_IN_BATCH} entries`, 'input.findings')
  }
  const readable = reports.flatMap((report, index) => (report instanceof ApplicationError ? [] : [{ report, index }]))
  const options = { mode: 'MATCH', extent: 'PARTIAL', isAudited: true } as const
  const recorded = await recordReports(
    context,
    readable.map(({ report }) => report),
    options,
  )
  const answers = new Map(readable.map(({ index }, at) => [index, recorded[at]]))
  return reports.flatMap((report, index) => (report instanceof ApplicationError ? report : (answers.get(index) ?? [])))
}

/** The finding's earlier places on the branch, oldest first; from the last 100 places on all its branches. */
export async function placesBefore(context: Context, { issue, branch }: Recorded): Promise<Place[]> {
  const places = (await load(context, loadPlaces, keyOf(issue))) ?? []
  return places.filter(({ branchName }) => (branchName ?? '') === branch).slice(0, -1)
}
