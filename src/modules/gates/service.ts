// Gates: the verdict on a deploy or a branch by the policy that applies, and the findings behind it.

import type { Page, PageRequest } from '../../core/db/page.ts'
import { notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { authorize } from '../access/service.ts'
import { type Asset, authorizeAsset } from '../assets/service.ts'
import { type Context, load } from '../context.ts'
import { findUnendedOf } from '../imports/service.ts'
import { type IssueRecord, loadIssues } from '../issues/service.ts'
import { findShortfalls, type Shortfall } from '../reviews/service.ts'
import { type Branch, findBranches } from './branches.ts'
import { countFacts } from './counting.ts'
import { type Fact, judge, type Reason, type Rule, type Verdict } from './gate.ts'
import { untilImported } from './imports.ts'
import { findPolicies, type Policy } from './policies.ts'
import * as facts from './store-facts.ts'
import type { JudgedDeploy } from './store-verdicts.ts'
import { importsUnknown, isJudged, type Unknown, unknownOf } from './unknown.ts'
import { sentenceOfVerdict, titleOf } from './words.ts'

export { listBranches } from './branches.ts'
export { deletePolicy, getPolicy, type Policy, setPolicy } from './policies.ts'
export { foundOf, titleOf } from './words.ts'

type Asked = facts.Judged & facts.Reading

/** `isJudged`: false if nothing is known about what was deployed, so that it does not pass. */
export type Gate = {
  judged: facts.Judged & facts.Merging
  policy: Policy
  facts: Fact[]
  isJudged: boolean
  unknown: Unknown[]
  /** the imports of the branch that have not ended */
  unendedImports: readonly Id[]
  sentence: string
} & Verdict

/** Identifies a deploy for loadGates, with everything that its verdict depends on. */
export const gateKey = ({ companyId, id, assetId, branchName, isCarried, lineage, ...diff }: JudgedDeploy): string =>
  JSON.stringify({
    companyId,
    assetId,
    branch: branchName ?? '',
    deployId: id,
    lineage: isCarried ? null : lineage,
    diffState: diff.diffState,
    diffReason: diff.diffReason,
  } satisfies Asked)

/** The gates of deploys, keyed by `gateKey`: at most seven statements, however many deploys and findings there are. */
export async function loadGates(context: Pick<Context, 'db'>, keys: readonly string[]): Promise<Map<string, Gate>> {
  const asked = askedBy(keys)
  return byKey(keys, await judgeAll(context, await withImports(context, asked)))
}

/** As loadGates, without the imports under way: for what is told or stored, and stays when they have ended. */
export async function loadLastingGates(
  context: Pick<Context, 'db'>,
  keys: readonly string[],
): Promise<Map<string, Gate>> {
  return byKey(
    keys,
    await judgeAll(
      context,
      askedBy(keys).map((asked) => ({ ...asked, unendedImports: [] })),
    ),
  )
}

const askedBy = (keys: readonly string[]): Asked[] => keys.map((key) => JSON.parse(key))

const byKey = (keys: readonly string[], gates: readonly Gate[]): Map<string, Gate> =>
  new Map(keys.flatMap((key, index) => (gates[index] ? [[key, gates[index]]] : [])))

type Timely = Asked & Pick<Gate, 'unendedImports'>

/** Looked up before anything is counted: what ends meanwhile may have been counted, what is not named has been. */
async function withImports({ db }: Pick<Context, 'db'>, asked: readonly Asked[]): Promise<Timely[]> {
  const unended = await findUnendedOf(db, asked)
  return asked.map((one, index) => ({ ...one, unendedImports: unended[index] ?? [] }))
}

async function judgeAll(context: Pick<Context, 'db'>, asked: readonly Timely[]): Promise<Gate[]> {
  const policies = await findPolicies(context.db, asked)
  const counted = await countFacts(
    context.db,
    asked.flatMap((judged, index) => (policies[index] ? [{ judged, policy: policies[index] }] : [])),
  )
  const reviews = await findReviews(context, asked)
  return counted.map(({ judged, policy, facts: ofIt }) => {
    const verdict = judge(policy.rules, ofIt)
    const review = (judged.deployId === null ? null : reviews.get(judged.deployId)) ?? null
    const { unendedImports } = judged
    const known = {
      isJudged: isJudged(verdict.decision, judged),
      unknown: [...unknownOf(judged, review, policy.rules), ...importsUnknown(unendedImports)],
    }
    const sentence = sentenceOfVerdict(verdict, policy.scope, nameOf(judged), known)
    return { judged, policy, facts: ofIt, ...verdict, ...known, unendedImports, sentence }
  })
}

/** The incomplete reviews, by the deploy's id. */
async function findReviews({ db }: Pick<Context, 'db'>, asked: readonly Asked[]): Promise<Map<Id, Shortfall>> {
  const deploys = asked.flatMap(({ companyId, deployId }) => (deployId === null ? [] : [{ companyId, id: deployId }]))
  const reviews = deploys.length === 0 ? [] : await findShortfalls(db, deploys)
  return new Map(reviews.map((review) => [review.deployId, review]))
}

function nameOf({ deployId, branch }: facts.Judged): string {
  if (deployId === null) return branch === '' ? 'The unnamed branch' : `Branch ${branch}`
  return branch === '' ? `Deploy ${deployId} on the unnamed branch` : `Deploy ${deployId} on branch ${branch}`
}

/** The findings counted by one reason, the worst first. */
export async function listReasonIssues(
  context: Context,
  { judged }: Gate,
  { rule }: Reason,
  page: PageRequest,
): Promise<Page<IssueRecord>> {
  await authorize(context, 'issues:read', judged.companyId)
  const { collection, metadata } = await facts.listCounted(context.db, judged, [rule], page)
  const issues = await Promise.all(collection.map(({ id }) => load(context, loadIssues, id)))
  return { collection: issues.filter((issue) => issue !== null), metadata }
}

export type GateFinding = { issue: IssueRecord; path: string | null; line: number | null; reasons: Rule[] }

/** The findings behind all reasons of a gate, each once, the worst first. */
export async function listGateFindings(
  context: Context,
  { judged, reasons }: Gate,
  page: PageRequest,
): Promise<Page<GateFinding>> {
  await authorize(context, 'issues:read', judged.companyId)
  const broken = reasons.map(({ rule }) => rule)
  const { collection, metadata } = await facts.listCounted(context.db, judged, broken, page)
  const findings = await Promise.all(
    collection.map(async ({ id, path, line, rules }) => {
      const issue = await load(context, loadIssues, id)
      const ofIt = rules.map((number) => broken[number]).filter((rule) => rule !== undefined)
      return issue === null ? [] : [{ issue, path, line, reasons: ofIt }]
    }),
  )
  return { collection: findings.flat(), metadata }
}

export const reasonTitles = ({ reasons }: GateFinding): string[] => reasons.map(titleOf)

export type GateRun = { asset: Asset; branch: Branch | null; gate: Gate; executionDate: string }

/**
 * The gate of a branch's last deploy or, without a deploy, of its open findings; of the default branch unless one is named. Waits for the
 * imports of the branch that have been sent.
 */
export async function runGate(context: Context, assetId: Id, branchId: Id | null): Promise<GateRun> {
  const asset = await authorizeAsset(context, 'gates:read', assetId)
  const { companyId } = asset
  const named = branchId === null ? null : await requireBranch(context, companyId, assetId, branchId)
  // which branch is the default one may depend on them as well
  await untilImported(context, { companyId, assetId, branch: named?.name ?? null })
  const branch = named ?? (await findBranches(context, companyId, assetId)).find((one) => one.default) ?? null
  const place = { companyId, assetId, branch: branch?.name ?? '' }
  const head = await facts.findHead(context.db, place)
  const [gate] = await judgeAll(context, await withImports(context, [{ ...place, ...head }]))
  if (!gate) throw notFound('Asset', assetId)
  return { asset, branch, gate, executionDate: new Date().toISOString() }
}

async function requireBranch(context: Context, companyId: Id, assetId: Id, branchId: Id): Promise<Branch> {
  const branches = await findBranches(context, companyId, assetId)
  const branch = branches.find(({ id }) => id === branchId)
  if (!branch) throw notFound('Branch', branchId)
  return branch
}
