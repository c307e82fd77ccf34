// The checks of requirements: their state, computed from facts, the findings that violate them, and waivers.

import { transaction } from '../../core/db/open.ts'
import { cursorId, offsetOf, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import { badUserInput, failedPrecondition, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { requireFuture } from '../../core/moments.ts'
import { readText } from '../../core/text.ts'
import { audit, authorizeRecord, loadUsers } from '../access/service.ts'
import { type Context, load } from '../context.ts'
import { openStatuses } from '../issues/service.ts'
import { cwesOf } from './catalogue.ts'
import { keyOf, loadFacts, type Pattern, type PatternFacts } from './facts.ts'
import { judge, type Verdict } from './state.ts'
import { type Check, findCheck, lockCheck, updateWaiver, type Waiver } from './store-checks.ts'
import { type FindingsAnswer, type FindingsQuestion, findFindings } from './store-facts.ts'

const LONGEST_REASON = 10_000

/** The state of a check with its reason. All checks of one request together take four statements. */
export async function judgeCheck(context: Context, check: Check): Promise<Verdict> {
  const [found, by] = await Promise.all([loadFactsOf(context, check), loadWaivedBy(context, check)])
  const { waivedUntil, waiverReason } = check
  const waiver =
    waivedUntil === null || waiverReason === null
      ? null
      : { reason: waiverReason, until: waivedUntil, by: by?.name ?? null }
  const weaknesses = check.capecId === null ? 0 : cwesOf(check.capecId).length
  return judge({ capecId: check.capecId, weaknesses, waiver }, found, Date.now())
}

export async function countOpenFindings(context: Context, check: Check): Promise<number> {
  return (await loadFactsOf(context, check))?.findings.open ?? 0
}

/** The number of open findings with each weakness of the check, largest first. A finding counts for each of its weaknesses. */
export async function countByWeakness(context: Context, check: Check): Promise<ReadonlyMap<number, number>> {
  return (await loadFactsOf(context, check))?.present ?? new Map()
}

export const loadWaivedBy = async (context: Context, { waivedById }: Check) =>
  waivedById === null ? null : load(context, loadUsers, waivedById)

const loadFactsOf = async (context: Context, check: Check): Promise<PatternFacts | null> => {
  const pattern = patternOf(check)
  return pattern === null ? null : load(context, loadFacts, keyOf(pattern))
}

/** The pattern of a check; null if there is no weakness to look for. */
const patternOf = ({ companyId, projectId, capecId }: Check): Pattern | null =>
  capecId === null || cwesOf(capecId).length === 0 ? null : { companyId, projectId, capecId }

/** The ids of the open findings that violate the check, newest first. */
export async function listFindings(context: Context, check: Check, page: PageRequest): Promise<Page<{ id: Id }>> {
  const facts = await loadFactsOf(context, check)
  const after = page.after && cursorId(page.after)
  if (facts === null || facts.findings.open === 0) return pageOf<{ id: Id }>(page, [], 0, ({ id }) => [id])
  const question: Omit<FindingsQuestion, 'number'> = {
    companyId: check.companyId,
    projectId: check.projectId,
    cwes: [...facts.present.keys()],
    limit: page.limit,
    offset: offsetOf(page),
    after,
  }
  const answer = await load(context, loadFindings, JSON.stringify(question))
  const rows = (answer?.ids ?? []).map((id) => ({ id }))
  return pageOf(page, rows, facts.findings.open, ({ id }) => [id])
}

async function loadFindings(context: Context, keys: readonly string[]): Promise<Map<string, FindingsAnswer>> {
  const questions = keys.map((key, number): FindingsQuestion => ({ ...JSON.parse(key), number }))
  const answers = await findFindings(context.db, questions, openStatuses)
  return new Map(answers.map((answer) => [keys[answer.number] ?? '', answer]))
}

/** Waives a check until a moment in the future, replacing any waiver that it has. */
export async function waiveCheck(context: Context, id: Id, reason: string, until: string): Promise<Check> {
  const found = await authorizeCheck(context, id)
  const text = readText(reason.trim(), 'input.reason', LONGEST_REASON)
  if (text === '') throw badUserInput('A waiver has a reason', 'input.reason')
  requireFuture(until, 'input.until')
  return setWaiver(context, found, { reason: text, until, userId: context.viewer.userId })
}

/** Ends the waiver of a check; FAILED_PRECONDITION if it has none. */
export async function revokeWaiver(context: Context, id: Id): Promise<Check> {
  return setWaiver(context, await authorizeCheck(context, id), null)
}

const authorizeCheck = (context: Context, id: Id): Promise<Check> =>
  authorizeRecord(context, 'requirements:waive', 'Check', id, () => findCheck(context.db, context.viewer, id))

async function setWaiver(context: Context, { companyId, id }: Check, waiver: Waiver | null): Promise<Check> {
  return transaction(context.db, async (trx) => {
    const before = await lockCheck(trx, companyId, id)
    if (!before) throw notFound('Check', id)
    if (waiver === null && before.waivedAt === null) throw failedPrecondition('The check is not waived')
    await updateWaiver(trx, companyId, id, waiver)
    const after = await lockCheck(trx, companyId, id)
    if (!after) throw notFound('Check', id)
    await audit(trx, context, { companyId, object: `Check ${id}`, before, after })
    return after
  })
}
