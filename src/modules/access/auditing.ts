// Writes the audit records of other modules' changes, with their author.

import type { RawBuilder } from 'kysely'
import { type Actor, appendAudit, appendAudits, auditing, type Change } from '../../core/audit.ts'
import type { Trx } from '../../core/db/open.ts'
import type { Context } from '../context.ts'

/** Writes the audit record of a change, in its transaction. */
export const audit = (trx: Trx, context: Context, change: Change): Promise<void> =>
  appendAudit(trx, context.keyring.auditKey, actorOf(context), change)

/** As audit, for many changes in one statement. */
export const auditAll = (trx: Trx, context: Context, changes: readonly Change[]): Promise<void> =>
  appendAudits(trx, context.keyring.auditKey, actorOf(context), changes)

/** A change with the request that made it. */
type Made = { context: Context; change: Change }

/** As audit, but as a part of the statement that makes the changes, for changes of several requests: those for which `condition` holds. */
export const auditWhere = (
  { keyring }: Pick<Context, 'keyring'>,
  made: readonly Made[],
  condition: RawBuilder<boolean>,
): RawBuilder<unknown> =>
  auditing(
    keyring.auditKey,
    made.map(({ context, change }) => ({ actor: actorOf(context), change })),
    condition,
  )

const actorOf = ({ viewer, request }: Context): Actor => ({
  userId: viewer.userId,
  keyPublicId: viewer.keyPublicId,
  address: request.address,
  requestId: request.id,
  operation: request.operation,
})
