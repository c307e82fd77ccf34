// Priority and due date of findings, and the company's policy for due dates.

import { transaction } from '../../core/db/open.ts'
import { openStatuses } from '../../core/db/open-issues.ts'
import { badUserInput } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { enqueue } from '../../core/jobs.ts'
import { audit, authorize } from '../access/service.ts'
import { holdCompany } from '../companies/service.ts'
import { type Context, load } from '../context.ts'
import { type IssueKey, keyOf } from '../issues/service.ts'
import { exposureOf, impactOf, type Priority, priorityOf } from './priority.ts'
import { type Sla, slaOf } from './sla.ts'
import * as store from './store.ts'

export { importExploitationData, listExploitationFeeds, listFetched } from './exploitation.ts'

const loadWorths = async (context: Context, keys: readonly IssueKey[]): Promise<Map<string, store.Worth>> =>
  new Map((await store.findWorths(context.db, keys)).map((worth) => [worth.key, worth]))

const loadPublished = async (context: Context, ids: readonly string[]): Promise<Map<string, store.Published>> =>
  new Map((await store.findPublished(context.db, ids)).map((published) => [published.id, published]))

type Named = { companyId: Id; id: Id }

/** When the issue is due; null for one that never is, or that is gone. */
export async function slaOfIssue(context: Context, issue: Named): Promise<Sla | null> {
  const worth = await load(context, loadWorths, keyOf(issue))
  return worth === null ? null : slaOfWorth(worth)
}

type Dates = Pick<store.Worth, 'status' | 'slaStartedAt' | 'slaDueAt' | 'closedAt'>

const slaOfWorth = ({ status, slaStartedAt, slaDueAt, closedAt }: Dates): Sla | null =>
  slaOf({ status, startedAt: slaStartedAt, dueAt: slaDueAt, closedAt }, Date.now())

/** What is known of a finding that was just deleted: it is as severe as it was, and not open. */
const goneWorth = { status: 'FIX_ACCEPTED', epss: null, isKnownExploited: false, vulnerabilityIds: [] } as const
const goneAsset = { exploitability: '', audience: null, businessImpact: '' } as const
const goneDates = { slaStartedAt: null, slaDueAt: null, closedAt: null } as const

/** How pressing the issue is, from what is known now. */
export async function priorityOfIssue(
  context: Context,
  issue: Named & Pick<store.Worth, 'severity'>,
): Promise<Priority> {
  const found = await load(context, loadWorths, keyOf(issue))
  const worth = found ?? { ...goneWorth, ...goneAsset, ...goneDates, key: keyOf(issue), severity: issue.severity }
  return priorityOf({
    isOpen: openStatuses.includes(worth.status),
    severity: worth.severity,
    isKnownExploited: worth.isKnownExploited,
    epss: worth.epss,
    exposure: exposureOf(worth.exploitability, worth.audience),
    impact: impactOf(worth.businessImpact),
    sla: slaOfWorth(worth)?.state ?? null,
  })
}

type Exploitation = Pick<store.Worth, 'epss' | 'isKnownExploited'> & {
  vulnerabilityIds: readonly string[]
  vulnerabilities: store.Published[]
}

/** What is known of the exploitation of the issue's vulnerabilities; nothing of an issue that is gone. */
export async function exploitationOfIssue(context: Context, issue: Named): Promise<Exploitation> {
  const worth = (await load(context, loadWorths, keyOf(issue))) ?? goneWorth
  const { vulnerabilityIds, epss, isKnownExploited } = worth
  const published = await Promise.all(vulnerabilityIds.map((id) => load(context, loadPublished, id)))
  const vulnerabilities = published.filter((each) => each !== null)
  return { vulnerabilityIds, epss, isKnownExploited, vulnerabilities }
}

type SlaPolicy = { companyId: Id; rules: store.SlaRule[] }

export async function getSlaPolicy(context: Context, companyId: Id): Promise<SlaPolicy> {
  await authorize(context, 'scoring:read', companyId)
  return { companyId, rules: await store.findSlaRules(context.db, companyId) }
}

const LONGEST_DAYS = 3650

/**
 * Sets the days of the company until findings are due: those given, and the usual ones for the rest. A job then gives the
 * company's open findings their new dates.
 */
export async function setSlaPolicy(
  context: Context,
  companyId: Id,
  rules: readonly Omit<store.SlaRule, 'isDefault'>[],
): Promise<SlaPolicy> {
  await authorize(context, 'scoring:configure', companyId)
  requireRules(rules)
  return transaction(context.db, async (trx) => {
    await holdCompany(trx, companyId)
    const before = await store.findSlaRules(trx, companyId)
    await store.replaceSlaRules(trx, companyId, rules)
    const after = await store.findSlaRules(trx, companyId)
    await audit(trx, context, { companyId, object: 'SlaPolicy', before: daysOf(before), after: daysOf(after) })
    await enqueue(trx, 'revalue-company', { companyId }, `revalue-company ${companyId}`)
    return { companyId, rules: after }
  })
}

function requireRules(rules: readonly Omit<store.SlaRule, 'isDefault'>[]): void {
  const places = new Set(rules.map(({ severity, businessImpact }) => `${severity} ${businessImpact}`))
  if (places.size < rules.length) throw badUserInput('A severity and an impact have one rule', 'input.rules')
  const wrong = rules.findIndex(({ days }) => days !== null && (days < 1 || days > LONGEST_DAYS))
  if (wrong >= 0) {
    throw badUserInput(`days is a number from 1 to ${LONGEST_DAYS}, or null for never`, `input.rules.${wrong}.days`)
  }
}

const daysOf = (rules: readonly store.SlaRule[]) =>
  Object.fromEntries(rules.map(({ severity, businessImpact, days }) => [`${severity} ${businessImpact}`, days]))
