// The SQL of seals.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { isOpenIssue } from '../../core/db/open-issues.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { SealBackground } from '../api.generated.ts'
import type { Viewer } from '../context.ts'
import type { Standing } from './show.ts'

export type SealFields = {
  background: SealBackground
  domain: string | null
  enabled: boolean
  expiresAt: string | null
}

export type Seal = SealFields & {
  companyId: Id
  id: Id
  publicId: string
  assetId: Id
  issuedAt: string
  updatedAt: string
}

const columns = [
  'company_id as companyId',
  'id',
  'public_id as publicId',
  'asset_id as assetId',
  sql<SealBackground>`background`.as('background'),
  'domain',
  'enabled',
  'issued_at as issuedAt',
  'expires_at as expiresAt',
  'updated_at as updatedAt',
] as const

export async function listSeals(db: Db, companyId: Id, page: PageRequest, assetId: Id | null): Promise<Page<Seal>> {
  const seals = db.selectFrom('seal').select(columns).where('company_id', '=', companyId)
  return newestFirst(db, assetId === null ? seals : seals.where('asset_id', '=', assetId), page, 'seal.id')
}

export async function findSeal(db: Db, viewer: Viewer, id: Id): Promise<Seal | null> {
  const seals = db.selectFrom('seal').select(columns).where(seenBy(viewer, 'seal.company_id'))
  return (await seals.where('id', '=', id).executeTakeFirst()) ?? null
}

export async function lockSeal(trx: Trx, companyId: Id, id: Id): Promise<Seal | null> {
  const seals = trx.selectFrom('seal').select(columns).where('company_id', '=', companyId).where('id', '=', id)
  return (await seals.forUpdate().executeTakeFirst()) ?? null
}

export async function insertSeal(
  trx: Trx,
  seal: Omit<SealFields, 'enabled'> & { companyId: Id; assetId: Id; publicId: string },
): Promise<Seal> {
  return trx
    .insertInto('seal')
    .values({
      company_id: seal.companyId,
      asset_id: seal.assetId,
      public_id: seal.publicId,
      background: seal.background,
      domain: seal.domain,
      expires_at: seal.expiresAt,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function updateSeal(trx: Trx, { companyId, id }: Seal, fields: SealFields): Promise<Seal> {
  const { background, domain, enabled, expiresAt } = fields
  return trx
    .updateTable('seal')
    .set({ background, domain, enabled, expires_at: expiresAt, updated_at: sql`now()` })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function deleteSeal(trx: Trx, { companyId, id }: Seal): Promise<void> {
  await trx.deleteFrom('seal').where('company_id', '=', companyId).where('id', '=', id).execute()
}

const findStandings = async (db: Db, wanted: RawBuilder<boolean>): Promise<Standing[]> => {
  const { rows } = await sql<Standing>`
    select seal.id, seal.public_id as "publicId", seal.background, seal.domain, seal.enabled,
           seal.issued_at as "issuedAt", seal.expires_at as "expiresAt",
           coalesce(seal.expires_at <= now(), false) as "isExpired", asset.name as "assetName",
           date_trunc('second', now()) as at,
           -- from the tally, since the planner would look for it among the worst findings of the company
           (select max(severity) from (
              select issue.severity from finding_tally as issue
              where issue.company_id = seal.company_id and issue.asset_id = seal.asset_id and ${isOpenIssue}
              group by issue.severity having sum(issue.count) > 0) as open) as worst
    from seal join asset on asset.company_id = seal.company_id and asset.id = seal.asset_id
    where ${wanted}`.execute(db)
  return rows
}

export const findSeenStandings = (db: Db, viewer: Viewer, ids: readonly Id[]): Promise<Standing[]> =>
  findStandings(db, sql`${seenBy(viewer, 'seal.company_id')} and seal.id = any(${ids}::bigint[])`)

export async function findPublicStanding(db: Db, publicId: string): Promise<Standing | null> {
  const [standing] = await findStandings(db, sql`seal.public_id = ${publicId}`)
  return standing ?? null
}
