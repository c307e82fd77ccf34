// The checks of requirements: their state from facts, the findings that break them, and what a person waives.

import { transaction } from '../../core/db/open.ts'
import { decodeCursor, offsetOf, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import { badUserInput, failedPrecondition, notFound } from '../../core/errors.ts'
import { type Id, parseId } from '../../core/ids.ts'
import { readText } from '../../core/text.ts'
import { audit, authorizeRecord, loadUsers } from '../access/service.ts'
import { type Context, load } from '../context.ts'
import { openStatuses } from '../issues/service.ts'
import { cwesOf } from './catalogue.ts'
import { type Facts, judge, type Verdict } from './state.ts'
import { type Check, findCheck, lockCheck, updateWaiver, type Waiver } from './store-checks.ts'
import * as facts from './store-facts.ts'

/** What checks of one attack pattern that look at the same assets share. */
type Pattern = facts.Scope & { capecId: number }

const LONGEST_REASON = 10_000

/** The state of a check with its reason; the checks of one request are judged from three statements in all. */
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

export const loadWaivedBy = async (context: Context, { waivedById }: Check) =>
  waivedById === null ? null : load(context, loadUsers, waivedById)

const loadFactsOf = async (context: Context, check: Check): Promise<Facts | null> => {
  const pattern = patternOf(check)
  return pattern === null ? null : load(context, loadFacts, keyOf(pattern))
}

/** The pattern of a check, or null where it has no weakness to look for. */
const patternOf = ({ companyId, projectId, capecId }: Check): Pattern | null =>
  capecId === null || cwesOf(capecId).length === 0 ? null : { companyId, projectId, capecId }

const keyOf = ({ companyId, projectId, capecId }: Pattern): string => JSON.stringify({ companyId, projectId, capecId })

async function loadFacts(context: Context, keys: readonly string[]): Promise<Map<string, Facts>> {
  const questions = keys.map((key, number) => {
    const pattern: Pattern = JSON.parse(key)
    return { ...pattern, number, cwes: cwesOf(pattern.capecId) }
  })
  const findings = await facts.findOpenFindings(context.db, questions, openStatuses)
  const findingsOf = new Map(findings.map((row) => [row.number, row]))
  const quiet = questions.filter(({ number }) => {
    const row = findingsOf.get(number)
    return row !== undefined && row.open + row.accepted === 0
  })
  const evidence = quiet.length === 0 ? [] : await facts.findEvidence(context.db, quiet)
  const evidenceOf = new Map(evidence.map((row) => [row.number, row]))
  const assetsOf = await findAssets(
    context,
    quiet.filter(({ number }) => (evidenceOf.get(number)?.integrations.length ?? 0) > 0),
    evidence.flatMap(({ integrations }) => integrations),
  )
  return new Map(
    questions.map((question) => [
      keyOf(question),
      {
        findings: findingsOf.get(question.number) ?? { open: 0, accepted: 0, worst: null },
        evidence: evidenceOf.get(question.number) ?? { integrations: [], fixedAt: {} },
        assets: assetsOf.get(scopeKey(question)) ?? [],
      },
    ]),
  )
}

const scopeKey = ({ companyId, projectId }: facts.Scope): string => `${companyId}/${projectId ?? ''}`

/** The assets of each scope, read once however many patterns ask about it. */
async function findAssets(
  context: Context,
  questions: readonly facts.Scope[],
  integrations: readonly string[],
): Promise<Map<string, facts.ScopeAsset[]>> {
  const scopes = [...new Map(questions.map((question) => [scopeKey(question), question])).values()]
  if (scopes.length === 0) return new Map()
  const numbered = scopes.map(({ companyId, projectId }, number) => ({ companyId, projectId, number }))
  const assets = await facts.findScopeAssets(context.db, numbered, [...new Set(integrations)])
  const byScope = Map.groupBy(assets, ({ number }) => number)
  return new Map(numbered.map((scope) => [scopeKey(scope), byScope.get(scope.number) ?? []]))
}

type FindingsKey = Pattern & { page: PageRequest }

/** The ids of the open findings that break the check, newest first. */
export async function listFindings(context: Context, check: Check, page: PageRequest): Promise<Page<{ id: Id }>> {
  const pattern = patternOf(check)
  if (pattern === null) return pageOf<{ id: Id }>(page, [], 0, ({ id }) => [id])
  const key: FindingsKey = { ...pattern, page: { ...page, after: page.after && cursorId(page.after) } }
  const answer = await load(context, loadFindings, JSON.stringify(key))
  const rows = (answer?.ids ?? []).map((id) => ({ id }))
  return pageOf(page, rows, answer?.total ?? 0, ({ id }) => [id])
}

async function loadFindings(context: Context, keys: readonly string[]): Promise<Map<string, facts.FindingsAnswer>> {
  const questions = keys.map((key, number) => {
    const { companyId, projectId, capecId, page }: FindingsKey = JSON.parse(key)
    const { limit, after } = page
    return { companyId, projectId, number, cwes: cwesOf(capecId), limit, offset: offsetOf(page), after }
  })
  const answers = await facts.findFindings(context.db, questions, openStatuses)
  return new Map(answers.map((answer) => [keys[answer.number] ?? '', answer]))
}

function cursorId(after: string): Id {
  const [id] = decodeCursor(after, 1)
  return parseId(id ?? '', 'after')
}

/** Waives a check until a moment in the future; a waiver that it has already is replaced. */
export async function waiveCheck(context: Context, id: Id, reason: string, until: string): Promise<Check> {
  const found = await authorizeCheck(context, id)
  const text = readText(reason.trim(), 'input.reason', LONGEST_REASON)
  if (text === '') throw badUserInput('A waiver has a reason', 'input.reason')
  if (Date.parse(until) <= Date.now()) throw badUserInput('until has passed already', 'input.until')
  return setWaiver(context, found, { reason: text, until, userId: context.viewer.userId })
}

/** Ends the waiver of a check; FAILED_PRECONDITION where there is none. */
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
