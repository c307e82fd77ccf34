// Certificate credits: who may see, grant, spend and cancel them.

import { transaction } from '../../core/db/open.ts'
import { readDomainName } from '../../core/domain-name.ts'
import { badUserInput, conflict, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { requireFuture } from '../../core/moments.ts'
import { audit, auditAll, authorize, authorizeAdministrator, authorizeRecord } from '../access/service.ts'
import type { Context } from '../context.ts'
import * as store from './store.ts'

export type { Credit } from './store.ts'

const MOST_GRANTED = 100

const find = (context: Context, id: Id) => () => store.findCredit(context.db, context.viewer, id)

export async function listCredits(context: Context, companyId: Id, onlyAvailable: boolean): Promise<store.Credit[]> {
  await authorize(context, 'certificates:read', companyId)
  return store.listCredits(context.db, companyId, onlyAvailable)
}

type Grant = { count: number; allowsWildcard: boolean; expiresAt: string | null }

export async function grantCredits(context: Context, companyId: Id, grant: Grant): Promise<store.Credit[]> {
  authorizeAdministrator(context, 'certificates:grant')
  await authorize(context, 'certificates:grant', companyId)
  if (grant.count < 1 || grant.count > MOST_GRANTED) {
    throw badUserInput(`count is from 1 to ${MOST_GRANTED}`, 'input.count')
  }
  requireFuture(grant.expiresAt, 'input.expiresAt')
  return transaction(context.db, async (trx) => {
    const credits = await store.insertCredits(trx, companyId, grant)
    const changes = credits.map((credit) => ({ companyId, object: `SSLCertificateCredit ${credit.id}`, after: credit }))
    await auditAll(trx, context, changes)
    return credits
  })
}

/** Spends a credit on a domain. CONFLICT if it has been spent or canceled, or has expired. */
export async function useCredit(context: Context, id: Id, givenDomain: string): Promise<store.Credit> {
  const before = await authorizeRecord(context, 'certificates:use', 'SSLCertificateCredit', id, find(context, id))
  const domain = readDomainName(givenDomain)
  if (!domain) throw badUserInput('domain is not a full domain name such as www.example.com', 'input.domain')
  if (domain.isWildcard && !before.allowsWildcard) {
    throw badUserInput('This credit does not allow a wildcard', 'input.domain')
  }
  const use = { domain: domain.name, isWildcard: domain.isWildcard, userId: context.viewer.userId }
  return change(context, before, (trx) => store.spendCredit(trx, before, use))
}

/** Cancels a credit that has not been spent; otherwise CONFLICT. */
export async function cancelCredit(context: Context, id: Id): Promise<store.Credit> {
  authorizeAdministrator(context, 'certificates:grant')
  const before = await authorizeRecord(context, 'certificates:grant', 'SSLCertificateCredit', id, find(context, id))
  return change(context, before, (trx) => store.cancelCredit(trx, before))
}

async function change(
  context: Context,
  before: store.Credit,
  step: (trx: Parameters<typeof store.cancelCredit>[0]) => Promise<store.Credit | null>,
): Promise<store.Credit> {
  const { companyId, id } = before
  const after = await transaction(context.db, async (trx) => {
    const changed = await step(trx)
    if (changed) await audit(trx, context, { companyId, object: `SSLCertificateCredit ${id}`, before, after: changed })
    return changed
  })
  if (after) return after
  const now = await store.findCredit(context.db, context.viewer, id)
  if (!now) throw notFound('SSLCertificateCredit', id)
  throw conflict(`The credit is ${now.status.toLowerCase()}`)
}
