// The worker's task for issues: returns expired risk acceptances to IDENTIFIED.

import { appendAudits, program } from '../../core/audit.ts'
import { inBatches } from '../../core/batches.ts'
import { type Db, transaction } from '../../core/db/open.ts'
import type { Parts } from '../context.ts'
import type { Task } from '../types.ts'
import type { IssueRecord } from './store.ts'
import { insertEvents, lockExpiredAcceptances, updateStatuses } from './store-change.ts'

const BATCH = 1000

const reopened = {
  status: 'IDENTIFIED',
  reason: 'The risk acceptance has expired',
  decidedById: null,
  riskAcceptedUntil: null,
} as const

/** Sets expired acceptances to IDENTIFIED, with history and audit records, and returns their number. Safe to run twice. */
export const expireRiskAcceptances = (parts: Pick<Parts, 'keyring'> & { db: Db }): Promise<number> =>
  inBatches(BATCH, (most) => expireSome(parts, most))

const expireSome = ({ db, keyring }: Pick<Parts, 'keyring'> & { db: Db }, most: number): Promise<number> =>
  transaction(db, async (trx) => {
    const issues = await lockExpiredAcceptances(trx, most)
    for (const [companyId, own] of Map.groupBy(issues, (issue) => issue.companyId)) {
      const ids = own.map(({ id }) => id)
      await updateStatuses(trx, companyId, ids, reopened)
      await insertEvents(trx, companyId, own.map(expiryOf))
    }
    await appendAudits(trx, keyring.auditKey, program('expire-risk-acceptances'), issues.map(auditOf))
    return issues.length
  })

const expiryOf = (issue: IssueRecord) => ({
  issueId: issue.id,
  kind: 'SYSTEM' as const,
  action: 'STATUS_CHANGED',
  previousStatus: issue.status,
  status: reopened.status,
  reason: reopened.reason,
})

const auditOf = ({ companyId, id, status, riskAcceptedUntil }: IssueRecord) => ({
  companyId,
  object: `Issue ${id}`,
  before: { status, riskAcceptedUntil },
  after: { status: reopened.status, reason: reopened.reason },
})

export const tasks: readonly Task[] = [
  {
    name: 'expire-risk-acceptances',
    cron: '* * * * *',
    run: async (parts) => void (await expireRiskAcceptances(parts)),
  },
]
