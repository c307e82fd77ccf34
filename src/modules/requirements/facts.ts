// Gathers the facts that decide the state of checks, for all attack patterns of one request.

import type { Id } from '../../core/ids.ts'
import type { Context } from '../context.ts'
import { openStatuses } from '../issues/service.ts'
import { cwesOf } from './catalogue.ts'
import type { Facts } from './state.ts'
import * as store from './store-facts.ts'

/** Identifies the facts shared by checks with the same attack pattern and the same assets. */
export type Pattern = store.Scope & { capecId: number }

/** The facts about a pattern. `present`: its weaknesses that open findings have, with the number of findings, largest first. */
export type PatternFacts = Facts & { present: ReadonlyMap<number, number> }

export const keyOf = ({ companyId, projectId, capecId }: Pattern): string =>
  JSON.stringify({ companyId, projectId, capecId })

const scopeKey = ({ companyId, projectId }: store.Scope): string => `${companyId}/${projectId ?? ''}`

type Asked = Pattern & { key: string; cwes: ReadonlySet<number> }

const touches = (asked: Asked, cwes: readonly number[]): boolean => cwes.some((id) => asked.cwes.has(id))

/** The facts about each pattern (by keyOf), in at most four statements for any number of patterns. */
export async function loadFacts(context: Context, keys: readonly string[]): Promise<Map<string, PatternFacts>> {
  const asked = keys.map((key): Asked => {
    const pattern: Pattern = JSON.parse(key)
    return { ...pattern, key, cwes: new Set(cwesOf(pattern.capecId)) }
  })
  const found = await countFindings(context, asked)
  const quiet = asked.filter(({ key }) => {
    const facts = found.get(key)
    return facts !== undefined && facts.findings.open + facts.findings.accepted === 0
  })
  const proofs = await gatherProofs(context, quiet)
  return new Map(
    [...found].map(([key, facts]) => [
      key,
      { ...facts, ...(proofs.get(key) ?? { integrations: [], tools: [], assets: [] }) },
    ]),
  )
}

type Counted = Pick<PatternFacts, 'findings' | 'present'>

async function countFindings(context: Context, asked: readonly Asked[]): Promise<Map<string, Counted>> {
  const tallies = await store.tallyFindings(context.db, scopesOf(asked), unionOf(asked), openStatuses)
  const byScope = Map.groupBy(tallies, scopeKey)
  const counted = asked.map((pattern) => {
    const own = (byScope.get(scopeKey(pattern)) ?? []).filter(({ cwes }) => touches(pattern, cwes))
    return { pattern, own, worst: worstOf(own) }
  })
  const named = await nameFindings(
    context,
    counted.flatMap(({ pattern, worst }) => (worst === null ? [] : [{ companyId: pattern.companyId, id: worst }])),
  )
  return new Map(
    counted.map(({ pattern, own, worst }) => {
      const finding = worst === null ? undefined : named.get(worst)
      const shared = (cwes: readonly number[]) => cwes.filter((id) => pattern.cwes.has(id))
      return [
        pattern.key,
        {
          findings: {
            open: sum(own.map(({ open }) => open)),
            accepted: sum(own.map(({ accepted }) => accepted)),
            worst: finding ? { ...finding, cwes: shared(finding.cwes) } : null,
          },
          present: countByWeakness(own.map(({ cwes, open }) => ({ cwes: shared(cwes), open }))),
        },
      ]
    }),
  )
}

function countByWeakness(tallies: readonly Pick<store.Tally, 'cwes' | 'open'>[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { cwes, open } of tallies) {
    if (open === 0) continue
    for (const id of cwes) counts.set(id, (counts.get(id) ?? 0) + open)
  }
  return new Map([...counts].sort((left, right) => right[1] - left[1] || left[0] - right[0]))
}

/** The most severe finding among several counts; of equally severe ones the newest. */
function worstOf(tallies: readonly store.Tally[]): Id | null {
  let worst: store.Tally | null = null
  for (const tally of tallies) {
    if (tally.worstId === null) continue
    const isWorse =
      !worst?.worstId ||
      tally.worstRank > worst.worstRank ||
      (tally.worstRank === worst.worstRank && BigInt(tally.worstId) > BigInt(worst.worstId))
    if (isWorse) worst = tally
  }
  return worst?.worstId ?? null
}

async function nameFindings(context: Context, wanted: readonly { companyId: Id; id: Id }[]) {
  if (wanted.length === 0) return new Map<Id, store.NamedFinding>()
  const companies = [...new Set(wanted.map(({ companyId }) => companyId))]
  const found = await store.findNamed(context.db, companies, [...new Set(wanted.map(({ id }) => id))])
  return new Map(found.map((finding) => [finding.id, finding]))
}

type Proofs = Pick<PatternFacts, 'integrations' | 'tools' | 'assets'>

/** For patterns without a finding: the tools known to detect them, and when these last examined the assets. */
async function gatherProofs(context: Context, quiet: readonly Asked[]): Promise<Map<string, Proofs>> {
  if (quiet.length === 0) return new Map()
  const companies = [...new Set(quiet.map(({ companyId }) => companyId))]
  const reporters = await store.findReporters(context.db, companies, unionOf(quiet))
  const covered = quiet.map((pattern) => {
    const own = reporters.filter(({ companyId, cwes }) => companyId === pattern.companyId && touches(pattern, cwes))
    const integrations = own.map(({ integration }) => integration).filter((name) => name !== null)
    const tools = own.map(({ tool }) => tool).filter((name) => name !== '')
    return { pattern, integrations: [...new Set(integrations)].sort(), tools: [...new Set(tools)].sort() }
  })
  const looked = covered.filter(({ integrations, tools }) => integrations.length + tools.length > 0)
  const assets = await findAssets(
    context,
    looked.map(({ pattern }) => pattern),
    {
      integrations: [...new Set(looked.flatMap(({ integrations }) => integrations))],
      tools: [...new Set(looked.flatMap(({ tools }) => tools))],
    },
  )
  return new Map(
    looked.map(({ pattern, integrations, tools }) => [
      pattern.key,
      {
        integrations,
        tools,
        assets: (assets.get(scopeKey(pattern)) ?? []).map((asset) => {
          const fixes = asset.fixes.filter(({ cwes }) => touches(pattern, cwes))
          return {
            ...asset,
            fixedAt: latest(fixes.map(({ at }) => at)),
            reportedBy: fixes.flatMap(({ scanIds }) => scanIds),
          }
        }),
      },
    ]),
  )
}

async function findAssets(context: Context, asked: readonly Asked[], lookers: store.Lookers) {
  if (asked.length === 0) return new Map<string, store.ScopeAsset[]>()
  return Map.groupBy(await store.findScopeAssets(context.db, scopesOf(asked), lookers), scopeKey)
}

const scopesOf = (asked: readonly Asked[]): store.Scope[] => [
  ...new Map(
    asked.map(({ companyId, projectId }) => [scopeKey({ companyId, projectId }), { companyId, projectId }]),
  ).values(),
]

const unionOf = (asked: readonly Asked[]): number[] => [...new Set(asked.flatMap(({ cwes }) => [...cwes]))]

const latest = (times: readonly string[]): string | null =>
  times.toSorted((left, right) => Date.parse(right) - Date.parse(left))[0] ?? null

function sum(numbers: readonly number[]): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
