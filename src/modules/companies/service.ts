// Companies: who may see, create, change and delete them.

import { readUrl } from '../../core/address.ts'
import { despiteDeadlocks } from '../../core/db/deadlock.ts'
import { transaction, violates } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { badUserInput, conflict, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { readName } from '../../core/text.ts'
import { audit, authorize, authorizeAdministrator, authorizeOwn } from '../access/service.ts'
import type { Context } from '../context.ts'
import * as store from './store.ts'

export { type Company, type CompanyOrder, holdCompany } from './store.ts'

export const loadCompanies = async (context: Context, ids: readonly string[]): Promise<Map<string, store.Company>> =>
  new Map((await store.findCompanies(context.db, ids)).map((company) => [company.id, company]))

export const loadConfigured = async (context: Context, ids: readonly string[]): Promise<Map<string, boolean>> =>
  new Map((await store.findConfigured(context.db, ids)).map((id) => [id, true]))

/** Whether the installation has any company, for the message at startup. */
export const { hasCompany } = store

export async function listCompanies(
  context: Context,
  page: PageRequest,
  labelPart: string | null,
  order: store.CompanyOrder | null,
): Promise<Page<store.Company>> {
  authorizeOwn(context, 'company:read')
  if (order !== null && page.after !== null) throw badUserInput('after works only in the list’s default order', 'after')
  return store.listCompanies(context.db, context.viewer, page, labelPart, order)
}

export async function getCompany(context: Context, id: Id): Promise<store.Company> {
  await authorize(context, 'company:read', id)
  const [company] = await store.findCompanies(context.db, [id])
  if (!company) throw notFound('Company', id)
  return company
}

type CompanyInput = { label?: string | null; sid?: string | null; brandUrl?: string | null }

export async function createCompany(context: Context, input: CompanyInput & { label: string }): Promise<store.Company> {
  authorizeAdministrator(context, 'company:create')
  const label = readLabel(input.label)
  const brandUrl = readUrl(input.brandUrl, 'input.brandUrl') ?? null
  const values = { label, sid: readSid(input.sid) ?? null, brandUrl }
  return transaction(context.db, async (trx) => {
    const company = await store.insertCompany(trx, values).catch(refuseTakenSid)
    await audit(trx, context, { companyId: company.id, object: `Company ${company.id}`, after: company })
    return company
  })
}

export async function updateCompany(context: Context, id: Id, input: CompanyInput): Promise<store.Company> {
  await authorize(context, 'company:update', id)
  const change = {
    label: input.label === undefined || input.label === null ? undefined : readLabel(input.label),
    sid: readSid(input.sid),
    brandUrl: readUrl(input.brandUrl, 'input.brandUrl'),
  }
  return transaction(context.db, async (trx) => {
    const before = await store.lockCompany(trx, id)
    if (!before) throw notFound('Company', id)
    const after = await store.updateCompany(trx, id, change).catch(refuseTakenSid)
    await audit(trx, context, { companyId: id, object: `Company ${id}`, before, after })
    return after
  })
}

/** Deletes a company with everything in it. `label` must be the company's own, to prevent deleting the wrong one. */
export async function deleteCompany(context: Context, id: Id, label: string): Promise<Id> {
  authorizeAdministrator(context, 'company:delete')
  return despiteDeadlocks(context.db, async (trx) => {
    const before = await store.lockCompany(trx, id)
    if (!before) throw notFound('Company', id)
    if (before.label !== label) throw badUserInput(`The company is called ${before.label}`, 'input.label')
    await context.upward.departWithCompany(trx, context.keyring, id)
    await store.deleteCompany(trx, id)
    await audit(trx, context, { companyId: id, object: `Company ${id}`, before })
    return id
  })
}

const readLabel = (label: string): string => readName(label, 'input.label', 200)

function readSid(sid: string | null | undefined): string | null | undefined {
  if (sid === null || sid === undefined || /^[a-z0-9][a-z0-9-]{0,62}$/.test(sid)) return sid
  throw badUserInput('sid has up to 63 lower-case letters, digits and hyphens', 'input.sid')
}

function refuseTakenSid(error: unknown): never {
  if (violates(error, 'company_sid')) throw conflict('Another company has this sid')
  throw error
}
