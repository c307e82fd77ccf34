// Applies status changes that come from an outside tool, such as a tracker's card, with history and audit records.

import { appendAudits, program } from '../../core/audit.ts'
import type { Trx } from '../../core/db/open.ts'
import type { IssueStatus } from '../../core/db/tables.generated.ts'
import type { Keyring } from '../../core/keyring.ts'
import type { IssueRecord } from './store.ts'
import { insertEvents, updateStatuses } from './store-change.ts'
import { isPersonsWord, requireTransition } from './transitions.ts'

type OutsideWord = {
  /** the sequence of statuses; the last is the resulting one */
  statuses: readonly IssueStatus[]
  reason: string
  /** the author, as the outside tool names them */
  externalAuthor: string | null
  /** the operation in the audit record */
  operation: string
}

/**
 * Applies the statuses to an issue that is locked in `trx`. FAILED_PRECONDITION for a transition that is not permitted; throws for a status
 * that only a person may set here, or that accepts a fix.
 */
export async function recordOutsideWord(
  trx: Trx,
  { auditKey }: Pick<Keyring, 'auditKey'>,
  issue: IssueRecord,
  { statuses, reason, externalAuthor, operation }: OutsideWord,
): Promise<void> {
  const last = statuses.at(-1)
  if (last === undefined) return
  const steps = statuses.map((status, index) => ({ previousStatus: statuses[index - 1] ?? issue.status, status }))
  for (const { previousStatus, status } of steps) {
    if (isPersonsWord(status) || status === 'FIX_ACCEPTED') throw new Error(`An external tool cannot set ${status}`)
    requireTransition(previousStatus, status)
  }
  const { companyId, id } = issue
  await updateStatuses(trx, companyId, [id], { status: last, reason, decidedById: null, riskAcceptedUntil: null })
  const events = steps.map((step) => ({
    issueId: id,
    kind: 'SYSTEM' as const,
    action: 'STATUS_CHANGED',
    externalAuthor,
    reason,
    ...step,
  }))
  await insertEvents(trx, companyId, events)
  const object = `Issue ${id}`
  const before = { status: issue.status, reason: issue.statusReason }
  await appendAudits(trx, auditKey, program(operation), [
    { companyId, object, before, after: { status: last, reason, externalAuthor } },
  ])
}
