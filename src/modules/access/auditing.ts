// Writes other modules' changes into the audit records, with who made them.

import type { RawBuilder } from 'kysely'
import { type Actor, appendAudit, appendAudits, auditing, type Change } from '../../core/audit.ts'
import type { Trx } from '../../core/db/open.ts'
import type { Context } from '../context.ts'

/** Writes what was changed into the audit records, in the transaction of the change. */
export const audit = (trx: Trx, context: Context, change: Change): Promise<void> =>
  appendAudit(trx, context.keyring.auditKey, actorOf(context), change)

/** As audit, for many changes in one statement. */
export const auditAll = (trx: Trx, context: Context, changes: readonly Change[]): Promise<void> =>
  appendAudits(trx, context.keyring.auditKey, actorOf(context), changes)

/** As audit, as a part of the statement that changes: it writes where `condition` holds. */
export const auditWhere = (context: Context, change: Change, condition: RawBuilder<boolean>): RawBuilder<unknown> =>
  auditing(context.keyring.auditKey, actorOf(context), [change], condition)

const actorOf = ({ viewer, request }: Context): Actor => ({
  userId: viewer.userId,
  keyPublicId: viewer.keyPublicId,
  address: request.address,
  requestId: request.id,
  operation: request.operation,
})
