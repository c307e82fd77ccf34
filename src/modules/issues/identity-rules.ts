// Identity rules of tools: preview of a rule's effect, who may set one, and the list of them.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { transaction } from '../../core/db/open.ts'
import { decodeCursor, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import { badUserInput } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { readName } from '../../core/text.ts'
import { audit, authorize } from '../access/service.ts'
import { requireAssets } from '../assets/service.ts'
import type { Context } from '../context.ts'
import { compareReplays, countUnlike } from './findings/compare-replays.ts'
import { type IdentityField, identityFields } from './findings/finding.ts'
import { withChangesInPlace } from './findings/in-place.ts'
import { withReports } from './findings/listed.ts'
import { countUnrecognised } from './findings/recognised.ts'
import { replay } from './findings/replay.ts'
import { ruleFor } from './findings/rules.ts'
import * as store from './findings/store-rules.ts'

export type { IdentityRule } from './findings/store-rules.ts'

/** Places that a preview replays. */
const MOST_PLACES = 10_000
/** Rows of reports that a preview replays with them. */
const MOST_REPORTED = 50_000

export type Example = {
  change: 'MERGE' | 'SPLIT'
  issueIds: Id[]
  branch: string | null
  path: string | null
  line: number | null
}

export type Preview = {
  fields: readonly IdentityField[]
  observations: number
  isWhole: boolean
  merges: number
  splits: number
  unrecognised: number
  changedInPlace: number
  unexplained: number
  partlyKept: number
  examples: Example[]
}

/** The distinct kinds of evidence, strongest first; BAD_USER_INPUT if they leave nothing to compare. */
function readFields(given: readonly IdentityField[], argument: string): IdentityField[] {
  const fields = identityFields.filter((field) => given.includes(field))
  if (fields.some((field) => field !== 'RULE')) return fields
  throw badUserInput('A rule counts at least one field beside RULE', argument)
}

const readTool = (toolName: string, argument: string): string => readName(toolName, argument, 500).toLowerCase()

/** Replays the tool's stored reports of an asset under the present rule and under another one; changes nothing. */
export async function previewRule(
  context: Context,
  companyId: Id,
  assetId: Id,
  tool: string,
  given: readonly IdentityField[],
): Promise<Preview> {
  await authorize(context, 'issues:read', companyId)
  await requireAssets(context, companyId, [assetId])
  const toolName = readTool(tool, 'toolName')
  const fields = readFields(given, 'rule.fields')
  const holding = ruleFor(await store.findRules(context.db, companyId, assetId), toolName) ?? identityFields
  const stored = await store.findStoredPlaces(context.db, { companyId, assetId, toolName }, MOST_PLACES + 1)
  const places = stored.slice(-MOST_PLACES)
  const reports = await store.findStoredReports(context.db, companyId, assetId, MOST_REPORTED)
  const { rows: found, changed } = withChangesInPlace(places)
  const rows = withReports(found, reports)
  const before = replay(rows, holding)
  await nextTurn()
  const { merges, splits, differences } = compareReplays(before, replay(rows, fields))
  const unrecognised = countUnrecognised(found, fields)
  const examples = differences.map(({ change, rows: differing }): Example => {
    const shown = differing.flatMap((n) => rows[n] ?? [])
    const last = shown.at(-1)
    const issueIds = [...new Set(shown.map(({ issueId }) => issueId))]
    return { change, issueIds, branch: last?.branch || null, path: last?.path ?? null, line: last?.line ?? null }
  })
  const observations = places.filter(({ observed }) => observed !== null).length
  return {
    fields,
    observations,
    isWhole: stored.length <= MOST_PLACES,
    merges,
    splits,
    unrecognised,
    changedInPlace: changed,
    unexplained: countUnlike(rows, before),
    partlyKept: reports.filter(({ isKept }) => !isKept).length,
    examples,
  }
}

export const pageOfExamples = ({ examples }: Preview, page: PageRequest): Page<Example> => {
  const from = page.after === null ? (page.page - 1) * page.limit : afterOf(page.after, examples.length)
  const shown = examples.slice(from, from + page.limit)
  return pageOf(page, shown, examples.length, () => [from + shown.length])
}

function afterOf(after: string, length: number): number {
  const [from] = decodeCursor(after, 1)
  if (typeof from === 'number' && Number.isInteger(from) && from >= 0 && from <= length) return from
  throw badUserInput('after is not a cursor of this list', 'after')
}

export async function listRules(context: Context, companyId: Id, page: PageRequest): Promise<Page<store.IdentityRule>> {
  await authorize(context, 'issues:read', companyId)
  return store.listRules(context.db, companyId, page)
}

/** Sets the evidence that counts for the tool from now on. Without fields all evidence counts again, and the result is null. */
export async function setRule(
  context: Context,
  { companyId, assetId, toolName: tool }: { companyId: Id; assetId: Id | null; toolName: string },
  given: readonly IdentityField[] | null,
): Promise<store.IdentityRule | null> {
  await authorize(context, 'issues:decide', companyId)
  if (assetId !== null) await requireAssets(context, companyId, [assetId])
  const toolName = readTool(tool, 'input.toolName')
  const fields = given === null ? null : readFields(given, 'input.rule.fields')
  return transaction(context.db, async (trx) => {
    const owner = { companyId, assetId, toolName }
    const before = await store.lockRule(trx, owner)
    if (fields !== null) await store.saveRule(trx, { ...owner, fields, setById: context.viewer.userId })
    else if (before) await store.deleteRule(trx, before)
    await audit(trx, context, {
      companyId,
      object: `IdentityRule ${toolName}${assetId === null ? '' : ` of Asset ${assetId}`}`,
      before: before ? { fields: before.fields } : undefined,
      after: { fields },
    })
    return store.lockRule(trx, owner)
  })
}
