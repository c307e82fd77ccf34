// Gate policies of companies and assets: which one applies, and who may set and delete them.

import { transaction } from '../../core/db/open.ts'
import { conflict, failedPrecondition } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { audit, authorize } from '../access/service.ts'
import type { GateRuleInput } from '../api.generated.ts'
import { requireAssets } from '../assets/service.ts'
import type { Context } from '../context.ts'
import { askForVerdicts, type Owner } from './asking.ts'
import { builtInRules, type Rule } from './gate.ts'
import { readRules } from './rules.ts'
import * as store from './store.ts'
import type { Scope } from './words.ts'

export type Policy = {
  scope: Scope
  companyId: Id
  /** set for an asset's own policy */
  assetId: Id | null
  rules: readonly Rule[]
  updatedById: Id | null
  updatedAt: string | null
}

/** The policy that applies to each owner, in their order: the asset's, else its company's, else the built-in one. */
export async function findPolicies(db: Context['db'], owners: readonly Owner[]): Promise<Policy[]> {
  const stored = await store.findPolicies(db, owners)
  return owners.map(({ companyId, assetId }) => {
    const ofCompany = stored.filter((policy) => policy.companyId === companyId)
    const holding =
      ofCompany.find((policy) => assetId !== null && policy.assetId === assetId) ??
      ofCompany.find((policy) => policy.assetId === null)
    return holding ? policyOf(holding) : builtIn(companyId)
  })
}

const builtIn = (companyId: Id): Policy => ({
  scope: 'BUILT_IN',
  companyId,
  assetId: null,
  rules: builtInRules,
  updatedById: null,
  updatedAt: null,
})

const policyOf = (stored: store.StoredPolicy): Policy => ({
  ...stored,
  // rules stored before despiteReports existed lack it
  rules: stored.rules.map((rule) => ({ ...rule, despiteReports: rule.despiteReports ?? false })),
  scope: stored.assetId === null ? 'COMPANY' : 'ASSET',
})

async function findPolicy(db: Context['db'], owner: Owner): Promise<Policy> {
  const [policy] = await findPolicies(db, [owner])
  return policy ?? builtIn(owner.companyId)
}

export async function getPolicy(context: Context, owner: Owner): Promise<Policy> {
  await authorizeOwner(context, 'gates:read', owner)
  return findPolicy(context.db, owner)
}

type Given = {
  rules: readonly GateRuleInput[]
  /** The `updatedAt` of the policy to replace, null if there must be none; undefined replaces any. */
  replaces?: string | null | undefined
}

/**
 * Sets the policy of a company or an asset. BAD_USER_INPUT for a faulty rule, CONFLICT if the present policy is not the one to be replaced.
 */
export async function setPolicy(context: Context, owner: Owner, given: Given): Promise<Policy> {
  await authorizeOwner(context, 'gates:write', owner)
  const rules = readRules(given.rules)
  return transaction(context.db, async (trx) => {
    const before = await store.lockPolicy(trx, owner.companyId, owner.assetId)
    if (given.replaces !== undefined && !isOf(before, given.replaces)) throw conflict(WAS_CHANGED)
    const after = await store.savePolicy(trx, { ...owner, rules, updatedById: context.viewer.userId })
    await audit(trx, context, {
      companyId: owner.companyId,
      object: `GatePolicy ${after.id}`,
      before: before ? shown(before) : undefined,
      after: shown(after),
    })
    await askForVerdicts(trx, owner)
    return policyOf(after)
  })
}

/**
 * Deletes the own policy of a company or an asset, and returns the policy that applies instead. FAILED_PRECONDITION if there is none,
 * CONFLICT if it is not the one to be deleted.
 */
export async function deletePolicy(context: Context, owner: Owner, replaces?: string | null): Promise<Policy> {
  await authorizeOwner(context, 'gates:write', owner)
  return transaction(context.db, async (trx) => {
    const before = await store.lockPolicy(trx, owner.companyId, owner.assetId)
    if (!before)
      throw failedPrecondition(`The ${owner.assetId === null ? 'company' : 'asset'} has no policy of its own`)
    if (replaces && !isOf(before, replaces)) throw conflict(WAS_CHANGED)
    await store.deletePolicy(trx, before)
    await audit(trx, context, {
      companyId: owner.companyId,
      object: `GatePolicy ${before.id}`,
      before: shown(before),
    })
    await askForVerdicts(trx, owner)
    return findPolicy(trx, owner)
  })
}

const WAS_CHANGED = 'Somebody else has changed the policy in the meantime: read it again, then set it'

const isOf = (policy: store.StoredPolicy | null, updatedAt: string | null): boolean =>
  (policy && toTheMicrosecond(policy.updatedAt)) === (updatedAt && toTheMicrosecond(updatedAt))

/** A time from the database or a caller, in UTC with six decimals, so that two can be compared as texts. */
const toTheMicrosecond = (moment: string): string =>
  moment.replace(/(?:\.(\d+))?Z$/, (_, digits = '') => `.${digits.padEnd(6, '0')}Z`)

const shown = ({ assetId, rules }: store.StoredPolicy) => ({ assetId, rules })

async function authorizeOwner(
  context: Context,
  action: 'gates:read' | 'gates:write',
  { companyId, assetId }: Owner,
): Promise<void> {
  await authorize(context, action, companyId)
  if (assetId !== null) await requireAssets(context, companyId, [assetId])
}
