// The domains that tickets are about: the SQL of them, and the one that is meant by an id, a name or nothing.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { badUserInput, failedPrecondition, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'

export type TicketDomain = { companyId: Id; id: Id; name: string }

/** The domain of tickets that name none; made when the first one comes. */
const GENERAL = 'General'

/** Domains of one company, so that lists of them need no pages. */
const MOST_DOMAINS = 500

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

/** The domain as the caller names it: by id, by name (made where there is none) or not at all. */
export async function resolveDomain(
  trx: Trx,
  companyId: Id,
  wanted: { id: Id | null; name: string | null },
): Promise<TicketDomain> {
  if (wanted.id !== null && wanted.name !== null) {
    throw badUserInput('Either domainId or domainName names the domain, not both', 'input.domainName')
  }
  if (wanted.id === null) return findOrInsertDomain(trx, companyId, wanted.name ?? GENERAL)
  const domains = trx.selectFrom('ticket_domain').select(columns).where('company_id', '=', companyId)
  const domain = await domains.where('id', '=', wanted.id).executeTakeFirst()
  if (!domain) throw notFound('TicketDomain', wanted.id)
  return domain
}

async function findOrInsertDomain(trx: Trx, companyId: Id, name: string): Promise<TicketDomain> {
  const find = () =>
    trx
      .selectFrom('ticket_domain')
      .select(columns)
      .where('company_id', '=', companyId)
      .where(sql<boolean>`lower(name) = lower(${name})`)
      .executeTakeFirst()
  const made = (await find()) ?? (await insertDomain(trx, companyId, name)) ?? (await find())
  if (!made) throw new Error('The ticket domain that was just made is gone')
  return made
}

/** Null when the company has one of that name, in any case. */
export async function insertDomain(trx: Trx, companyId: Id, name: string): Promise<TicketDomain | null> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ticket_domain where company_id = ${companyId}`.execute(trx)
  if ((rows[0]?.count ?? 0) >= MOST_DOMAINS) {
    throw failedPrecondition(`The company has ${MOST_DOMAINS} ticket domains, as many as one may have`)
  }
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
