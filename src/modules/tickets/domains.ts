// The domain of a ticket: found by id, by name or by default, and how many a company may have.

import type { Trx } from '../../core/db/open.ts'
import { badUserInput, failedPrecondition, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import * as store from './store-domains.ts'

/** The domain of tickets that name none; created with the first of them. */
const GENERAL = 'General'

/** The domain that the caller names: by id, by name (created if there is none), or not at all. */
export async function resolveDomain(
  trx: Trx,
  companyId: Id,
  wanted: { id: Id | null; name: string | null },
): Promise<store.TicketDomain> {
  if (wanted.id !== null && wanted.name !== null) {
    throw badUserInput('Either domainId or domainName names the domain, not both', 'input.domainName')
  }
  if (wanted.id === null) return findOrMake(trx, companyId, wanted.name ?? GENERAL)
  const domain = await store.findDomain(trx, companyId, wanted.id)
  if (!domain) throw notFound('TicketDomain', wanted.id)
  return domain
}

async function findOrMake(trx: Trx, companyId: Id, name: string): Promise<store.TicketDomain> {
  const find = () => store.findDomainNamed(trx, companyId, name)
  const made = (await find()) ?? (await makeDomain(trx, companyId, name)) ?? (await find())
  if (!made) throw new Error('The ticket domain that was just made is gone')
  return made
}

/** Null if the company has a domain of that name, ignoring case. */
export async function makeDomain(trx: Trx, companyId: Id, name: string): Promise<store.TicketDomain | null> {
  if ((await store.countDomains(trx, companyId)) >= store.MOST_DOMAINS) {
    throw failedPrecondition(`The company has ${store.MOST_DOMAINS} ticket domains, the maximum`)
  }
  return store.insertDomain(trx, companyId, name)
}
