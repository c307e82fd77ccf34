// The SQL of the domains of tickets.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'

export type TicketDomain = { companyId: Id; id: Id; name: string }

/** The most domains of one company, so that lists of them need no pages. */
export const MOST_DOMAINS = 500

const columns = ['company_id as companyId', 'id', 'name'] as const

export async function listDomains(db: Db, companyId: Id): Promise<TicketDomain[]> {
  return db
    .selectFrom('ticket_domain')
    .select(columns)
    .where('company_id', '=', companyId)
    .orderBy(sql`lower(name)`)
    .limit(MOST_DOMAINS)
    .execute()
}

export async function findDomains(db: Db, viewer: Viewer, ids: readonly Id[]): Promise<TicketDomain[]> {
  const seen = db.selectFrom('ticket_domain').select(columns).where(seenBy(viewer, 'ticket_domain.company_id'))
  return seen.where(sql<boolean>`id = any(${ids}::bigint[])`).execute()
}

export async function findDomain(trx: Trx, companyId: Id, id: Id): Promise<TicketDomain | null> {
  const domains = trx.selectFrom('ticket_domain').select(columns).where('company_id', '=', companyId)
  return (await domains.where('id', '=', id).executeTakeFirst()) ?? null
}

/** Finds a domain by its name, ignoring case. */
export async function findDomainNamed(trx: Trx, companyId: Id, name: string): Promise<TicketDomain | null> {
  const domains = trx.selectFrom('ticket_domain').select(columns).where('company_id', '=', companyId)
  return (await domains.where(sql<boolean>`lower(name) = lower(${name})`).executeTakeFirst()) ?? null
}

export async function countDomains(trx: Trx, companyId: Id): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ticket_domain where company_id = ${companyId}`.execute(trx)
  return rows[0]?.count ?? 0
}

/** Null if the company has a domain of that name, ignoring case. */
export async function insertDomain(trx: Trx, companyId: Id, name: string): Promise<TicketDomain | null> {
  const inserted = await trx
    .insertInto('ticket_domain')
    .values({ company_id: companyId, name })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst()
  return inserted ?? null
}

export async function deleteDomain(trx: Trx, { companyId, id }: TicketDomain): Promise<void> {
  await trx.deleteFrom('ticket_domain').where('company_id', '=', companyId).where('id', '=', id).execute()
}
