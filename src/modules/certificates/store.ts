// The SQL of certificate credits.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { SslCertificateCreditStatus } from '../api.generated.ts'
import type { Viewer } from '../context.ts'

export type Credit = {
  companyId: Id
  id: Id
  status: SslCertificateCreditStatus
  allowsWildcard: boolean
  domain: string | null
  expiresAt: string | null
  usedAt: string | null
  usedById: Id | null
  createdAt: string
}

/** Lists of credits have no pages and show only the newest, this many. */
const MOST_LISTED = 1000

const isSpendable = sql<boolean>`(status = 'AVAILABLE' and (expires_at is null or expires_at > now()))`

const columns = [
  'company_id as companyId',
  'id',
  sql<SslCertificateCreditStatus>`case when status = 'AVAILABLE' and expires_at <= now() then 'EXPIRED' else status end`.as(
    'status',
  ),
  'allows_wildcard as allowsWildcard',
  'domain',
  'expires_at as expiresAt',
  'used_at as usedAt',
  'used_by as usedById',
  'created_at as createdAt',
] as const

export async function listCredits(db: Db, companyId: Id, onlyAvailable: boolean): Promise<Credit[]> {
  const credits = db.selectFrom('ssl_certificate_credit').select(columns).where('company_id', '=', companyId)
  const wanted = onlyAvailable ? credits.where(isSpendable) : credits
  return wanted.orderBy('id', 'desc').limit(MOST_LISTED).execute()
}

export async function findCredit(db: Db, viewer: Viewer, id: Id): Promise<Credit | null> {
  const credits = db
    .selectFrom('ssl_certificate_credit')
    .select(columns)
    .where(seenBy(viewer, 'ssl_certificate_credit.company_id'))
  return (await credits.where('id', '=', id).executeTakeFirst()) ?? null
}

export async function insertCredits(
  trx: Trx,
  companyId: Id,
  grant: { count: number; allowsWildcard: boolean; expiresAt: string | null },
): Promise<Credit[]> {
  const credit = { company_id: companyId, allows_wildcard: grant.allowsWildcard, expires_at: grant.expiresAt }
  return trx
    .insertInto('ssl_certificate_credit')
    .values(Array.from({ length: grant.count }, () => credit))
    .returning(columns)
    .execute()
}

/** Spends the credit if it can be spent; null otherwise. One statement, so that of concurrent callers only one gets it. */
export async function spendCredit(
  trx: Trx,
  { companyId, id }: Credit,
  use: { domain: string; isWildcard: boolean; userId: Id },
): Promise<Credit | null> {
  const spent = await trx
    .updateTable('ssl_certificate_credit')
    .set({ status: 'USED', domain: use.domain, used_at: sql`now()`, used_by: use.userId })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where(isSpendable)
    .where(sql<boolean>`(allows_wildcard or not ${use.isWildcard}::boolean)`)
    .returning(columns)
    .executeTakeFirst()
  return spent ?? null
}

/** Cancels the credit if it can still be spent; null otherwise. */
export async function cancelCredit(trx: Trx, { companyId, id }: Credit): Promise<Credit | null> {
  const canceled = await trx
    .updateTable('ssl_certificate_credit')
    .set({ status: 'CANCELED' })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where(isSpendable)
    .returning(columns)
    .executeTakeFirst()
  return canceled ?? null
}
