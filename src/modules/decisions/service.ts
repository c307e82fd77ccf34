// Decisions about every issue that a filter matches: permission, which issues they are, and the job that applies them.

import { transaction } from '../../core/db/open.ts'
import type { IssueStatus } from '../../core/db/tables.generated.ts'
import { badUserInput, conflict, failedPrecondition } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { enqueue } from '../../core/jobs.ts'
import { audit, authorize, authorizeRecord } from '../access/service.ts'
import type { Context } from '../context.ts'
import { type IssueFilters, permittedFrom, readChange } from '../issues/service.ts'
import * as store from './store.ts'

export type { Decision } from './store.ts'

export const DECIDE_TASK = 'decide-on-issues'

/** The most findings of one decision: its transaction keeps all of them locked until the end. */
const MOST = 50_000

type Wish = {
  filters: IssueFilters
  status: IssueStatus
  reason: string | null
  riskAcceptedUntil: string | null
  leaveOthers: boolean
  expectedCount: number | null
}

/**
 * Records a decision on the findings that match the filter now; the worker applies it. BAD_USER_INPUT if there are too many, CONFLICT if
 * their number is not the expected one, FAILED_PRECONDITION if the status of some does not permit it, with their numbers by status.
 */
export async function decideOnIssues(context: Context, companyId: Id, wish: Wish): Promise<store.Decision> {
  await authorize(context, 'issues:write', companyId)
  await authorize(context, 'issues:decide', companyId)
  const { status, reason = null, riskAcceptedUntil = null } = readChange(wish)
  const { filters, leaveOthers, expectedCount } = wish
  const issueIds = await store.findMatching(context.db, companyId, filters, MOST + 1)
  requireRight(issueIds.length, expectedCount)
  const refusals = refusedAmong(await store.countStatuses(context.db, companyId, issueIds), status)
  if (!leaveOthers && refusals.length > 0) {
    throw failedPrecondition(refusalWords(refusals, issueIds.length, status))
  }
  const { userId, email, name, keyId, keyPublicId } = context.viewer
  const saidBy = { userId, email, name, keyId, keyPublicId, request: context.request }
  return transaction(context.db, async (trx) => {
    const isPartial = leaveOthers
    const made = await store.insertDecision(trx, {
      companyId,
      status,
      reason,
      riskAcceptedUntil,
      isPartial,
      issueIds,
      saidBy,
    })
    await audit(trx, context, {
      companyId,
      object: `IssueDecision ${made.id}`,
      after: { status, reason, riskAcceptedUntil, filters, leaveOthers, total: made.total },
    })
    // one after another, because two at a time could wait for each other's locks
    await enqueue(
      trx,
      DECIDE_TASK,
      { companyId, id: made.id },
      `decision ${companyId} ${made.id}`,
      `decisions ${companyId}`,
    )
    return made
  })
}

export const getIssueDecision = (context: Context, id: Id): Promise<store.Decision> =>
  authorizeRecord(context, 'issues:read', 'IssueDecision', id, () => store.findDecision(context.db, context.viewer, id))

/** Throws if there are more findings than one decision may have, or not as many as the caller expected. */
export function requireRight(found: number, expected: number | null): void {
  if (found > MOST) {
    throw badUserInput(`The filters match more than ${MOST} findings, the most for one decision`, 'input.filters')
  }
  if (expected !== null && expected !== found) {
    throw conflict(`The filters now match ${found} findings, not ${expected}: check the list again`)
  }
}

/** The counts of the statuses from which `to` is not permitted; `to` itself is not among them. */
export const refusedAmong = (counts: readonly store.Refusal[], to: IssueStatus): store.Refusal[] =>
  counts.filter(({ from }) => from !== to && !permittedFrom(from).includes(to))

const sum = (counts: readonly store.Refusal[]): number => counts.reduce((all, { count }) => all + count, 0)

function refusalWords(refusals: readonly store.Refusal[], total: number, to: IssueStatus): string {
  const each = refusals.map(({ from, count }) => `${count} from ${from}`).join(', ')
  return `${sum(refusals)} of ${total} findings cannot become ${to}: ${each}`
}
