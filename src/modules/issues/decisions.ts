// What people decide about issues: status, assignees and deletion.

import { type Trx, transaction } from '../../core/db/open.ts'
import type { IssueStatus } from '../../core/db/tables.generated.ts'
import { badUserInput, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { requireFuture } from '../../core/moments.ts'
import { readText } from '../../core/text.ts'
import { audit, auditAll, authorize, membersByEmail, type User } from '../access/service.ts'
import type { Context } from '../context.ts'
import { lockIssues, whenFree } from './locking.ts'
import { authorizeIssue } from './reading.ts'
import type { IssueRecord } from './store.ts'
import * as store from './store-change.ts'
import { isPersonsWord, requireTransition } from './transitions.ts'

/** A status change with its details. */
export type StatusChange = {
  status: IssueStatus
  reason?: string | null
  /** null: accepted without an end; undefined: an already accepted risk keeps its end */
  riskAcceptedUntil?: string | null
  controlSyncStatusId?: Id | null
  deployId?: Id | null
  externalAuthorIdentifier?: string | null
}

/**
 * Writes a checked status with its history and audit records, for issues of one company that are locked in `trx` and do not have it already.
 * `kind` is who set it: only a PERSON's status is kept as a decision.
 */
export async function recordStatusChange(
  trx: Trx,
  context: Context,
  issues: readonly IssueRecord[],
  kind: 'PERSON' | 'SCAN' | 'SYSTEM',
  change: StatusChange,
): Promise<IssueRecord[]> {
  const [first] = issues
  if (!first) return []
  const { status, reason = null, riskAcceptedUntil } = change
  const ids = issues.map(({ id }) => id)
  const decidedById = kind === 'PERSON' ? context.viewer.userId : null
  const changed = await store.updateStatuses(trx, first.companyId, ids, {
    status,
    reason,
    decidedById,
    riskAcceptedUntil,
  })
  const events = issues.map((issue) => ({
    issueId: issue.id,
    kind,
    action: 'STATUS_CHANGED',
    authorId: context.viewer.userId,
    externalAuthor: change.externalAuthorIdentifier,
    previousStatus: issue.status,
    status,
    reason,
    controlSyncStatusId: change.controlSyncStatusId,
    deployId: change.deployId,
  }))
  await store.insertEvents(trx, first.companyId, events)
  const after = new Map(changed.map((issue) => [issue.id, auditedOf(issue)]))
  const records = issues.map((issue) => ({
    companyId: issue.companyId,
    object: `Issue ${issue.id}`,
    before: auditedOf(issue),
    after: after.get(issue.id),
  }))
  await auditAll(trx, context, records)
  return changed
}

const auditedOf = ({ status, statusReason, riskAcceptedUntil }: IssueRecord) => ({
  status,
  reason: statusReason,
  riskAcceptedUntil,
})

/** Changes the status of one issue; setting the present status changes nothing. */
export async function changeIssueStatus(context: Context, id: Id, change: StatusChange): Promise<IssueRecord> {
  const { companyId } = await authorizeIssue(context, 'issues:write', id)
  const [issue] = await changeStatuses(context, companyId, [id], change, isSaidAnew)
  if (!issue) throw notFound('Issue', id)
  return issue
}

/** Changes many issues of a company, all or none. Issues that already have the status keep its author and its end. */
export async function bulkChangeIssueStatus(
  context: Context,
  companyId: Id,
  ids: readonly Id[],
  change: StatusChange,
): Promise<void> {
  await authorize(context, 'issues:write', companyId)
  await changeStatuses(context, companyId, ids, change, () => false)
}

/** `isAnew` decides whether an issue that already has the status is changed all the same. */
async function changeStatuses(
  context: Context,
  companyId: Id,
  ids: readonly Id[],
  change: StatusChange,
  isAnew: (issue: IssueRecord, change: StatusChange) => boolean,
) {
  if (isPersonsWord(change.status)) await authorize(context, 'issues:decide', companyId)
  const read = readChange(change)
  return whenFree(context.db, async (trx) => {
    const scanId = read.controlSyncStatusId
    const issues = await lockAll(trx, companyId, ids)
    if (scanId) await requireScan(trx, issues, scanId)
    const changing = issues.filter((issue) => issue.status !== read.status || isAnew(issue, read))
    for (const { status } of changing) {
      if (status === read.status) continue
      if (isPersonsWord(status)) await authorize(context, 'issues:decide', companyId)
      requireTransition(status, read.status)
    }
    const isDecision = [read, ...changing].some(({ status }) => isPersonsWord(status))
    const kind = scanId && !isDecision ? 'SCAN' : 'PERSON'
    const changed = new Map(
      (await recordStatusChange(trx, context, changing, kind, read)).map((issue) => [issue.id, issue]),
    )
    return issues.map((issue) => changed.get(issue.id) ?? issue)
  })
}

/** A decision includes its reason and its end, so the same status with another reason or end is a new decision. */
function isSaidAnew(issue: IssueRecord, { status, reason, riskAcceptedUntil }: StatusChange): boolean {
  if (!isPersonsWord(status)) return false
  const moment = (text: string | null | undefined) => (text ? Date.parse(text) : null)
  const hasOtherEnd = riskAcceptedUntil !== undefined && moment(issue.riskAcceptedUntil) !== moment(riskAcceptedUntil)
  return issue.statusReason !== reason || hasOtherEnd
}

/** Reads a change, with the reason as it is stored; BAD_USER_INPUT if its parts contradict each other. */
export function readChange(change: StatusChange): StatusChange {
  const reason = readText(change.reason?.trim() || null, 'input.reason')
  const { status, riskAcceptedUntil, externalAuthorIdentifier = null } = change
  if (isPersonsWord(status) && reason === null) throw badUserInput(`${status} needs a reason`, 'input.reason')
  readText(externalAuthorIdentifier, 'input.externalAuthorIdentifier', 500)
  if (riskAcceptedUntil && status !== 'RISK_ACCEPTED') {
    throw badUserInput('riskAcceptedUntil goes with RISK_ACCEPTED only', 'input.riskAcceptedUntil')
  }
  requireFuture(riskAcceptedUntil, 'input.riskAcceptedUntil')
  return { ...change, reason }
}

/** A scan may speak about its own asset only; NOT_FOUND for a scan of another asset. */
async function requireScan(trx: Trx, issues: readonly IssueRecord[], scanId: Id): Promise<void> {
  for (const { companyId, assetId } of issues) {
    if (!(await store.hasScan(trx, companyId, assetId, scanId))) throw notFound('ControlSyncStatus', scanId)
  }
}

/** The issues of the company with these ids, locked; NOT_FOUND for the first that does not exist. */
async function lockAll(trx: Trx, companyId: Id, ids: readonly Id[]): Promise<IssueRecord[]> {
  const issues = await lockIssues(trx, companyId, ids)
  if (issues.length === ids.length) return issues
  const found = new Set(issues.map(({ id }) => id))
  throw notFound('Issue', ids.find((id) => !found.has(id)) ?? '')
}

export async function deleteIssue(context: Context, id: Id): Promise<IssueRecord> {
  const { companyId } = await authorizeIssue(context, 'issues:delete', id)
  const [issue] = await deleteAll(context, companyId, [id])
  if (!issue) throw notFound('Issue', id)
  return issue
}

/** Deletes issues of a company with their places and history, all or none. */
export async function bulkDeleteIssues(context: Context, companyId: Id, ids: readonly Id[]): Promise<void> {
  await authorize(context, 'issues:delete', companyId)
  await deleteAll(context, companyId, ids)
}

const deleteAll = (context: Context, companyId: Id, ids: readonly Id[]) =>
  whenFree(context.db, async (trx) => {
    const issues = await lockAll(trx, companyId, ids)
    await store.deleteIssues(trx, companyId, ids)
    const records = issues.map((issue) => ({ companyId, object: `Issue ${issue.id}`, before: issue }))
    await auditAll(trx, context, records)
    return issues
  })

/** Replaces the assignees of the issue by these members. */
export async function updateIssueAssignee(
  context: Context,
  id: Id,
  emails: readonly string[],
): Promise<{ issue: IssueRecord; assignees: User[] }> {
  const issue = await authorizeIssue(context, 'issues:write', id)
  const { companyId } = issue
  if (emails.length > 100) throw badUserInput('An issue has at most 100 assignees', 'input.assigneeEmails')
  const assignees = await membersByEmail(context, companyId, emails, 'input.assigneeEmails')
  await transaction(context.db, async (trx) => {
    await lockAll(trx, companyId, [id])
    const userIds = assignees.map((user) => user.id)
    const { added, removed } = await store.replaceAssignees(trx, companyId, id, userIds)
    if (added.length + removed.length === 0) return
    const event = (action: string) => (assigneeId: Id) => ({
      issueId: id,
      kind: 'PERSON' as const,
      action,
      authorId: context.viewer.userId,
      assigneeId,
    })
    await store.insertEvents(trx, companyId, [...removed.map(event('UNASSIGNED')), ...added.map(event('ASSIGNED'))])
    await audit(trx, context, { companyId, object: `Issue ${id}`, before: { removed }, after: { assignees: userIds } })
  })
  return { issue, assignees }
}

export type Analysis = { id: Id; issueId: Id; analyzedById: Id; at: string }

/** Records that the issue was analysed; NOT_FOUND if it belongs to another company than the one named. */
export async function markIssueAsAnalyzed(context: Context, companyId: Id, id: Id): Promise<Analysis> {
  const issue = await authorizeIssue(context, 'issues:write', id)
  if (issue.companyId !== companyId) throw notFound('Issue', id)
  return transaction(context.db, async (trx) => {
    await lockAll(trx, companyId, [id])
    const analysis = await store.insertAnalysis(trx, companyId, id, context.viewer.userId)
    await audit(trx, context, { companyId, object: `Issue ${id}`, after: { analysis: analysis.id } })
    return analysis
  })
}
