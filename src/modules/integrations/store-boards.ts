// The SQL of boards that findings are written to.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'
import type { FieldMapping, StatusMapping } from './mappings.ts'
import type { Named } from './vendor.ts'

export type BoardsDetail = {
  project: Named
  board: Named
  team: Named
  workItemType: string | null
  lane: string | null
  statusMappings: StatusMapping[]
  fieldMappings: FieldMapping[]
}

export type BoardsConfiguration = BoardsDetail & {
  companyId: Id
  id: Id
  integrationId: Id
  /** null: the company's default */
  assetId: Id | null
  createdAt: string
}

const columns = [
  'company_id as companyId',
  'id',
  'integration_id as integrationId',
  'asset_id as assetId',
  sql<Named>`project`.as('project'),
  sql<Named>`board`.as('board'),
  sql<Named>`team`.as('team'),
  'work_item_type as workItemType',
  'lane',
  sql<StatusMapping[]>`status_mappings`.as('statusMappings'),
  sql<FieldMapping[]>`field_mappings`.as('fieldMappings'),
  'created_at as createdAt',
] as const

export async function listConfigurations(db: Db, companyId: Id, page: PageRequest): Promise<Page<BoardsConfiguration>> {
  const own = db.selectFrom('defect_tracker_configuration').select(columns).where('company_id', '=', companyId)
  return newestFirst(db, own, page, 'defect_tracker_configuration.id')
}

export async function findConfiguration(db: Db, viewer: Viewer, id: Id): Promise<BoardsConfiguration | null> {
  const seen = db
    .selectFrom('defect_tracker_configuration')
    .select(columns)
    .where(seenBy(viewer, 'defect_tracker_configuration.company_id'))
  return (await seen.where('id', '=', id).executeTakeFirst()) ?? null
}

export async function insertConfiguration(
  trx: Trx,
  row: Omit<BoardsConfiguration, 'id' | 'createdAt'> & { createdById: Id },
): Promise<BoardsConfiguration> {
  return trx
    .insertInto('defect_tracker_configuration')
    .values({
      company_id: row.companyId,
      integration_id: row.integrationId,
      asset_id: row.assetId,
      project: JSON.stringify(row.project),
      board: JSON.stringify(row.board),
      team: JSON.stringify(row.team),
      work_item_type: row.workItemType,
      lane: row.lane,
      status_mappings: JSON.stringify(row.statusMappings),
      field_mappings: JSON.stringify(row.fieldMappings),
      created_by: row.createdById,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Null when somebody else was first. */
export async function deleteConfiguration(
  trx: Trx,
  { companyId, id }: BoardsConfiguration,
): Promise<BoardsConfiguration | null> {
  const deleted = trx
    .deleteFrom('defect_tracker_configuration')
    .where('company_id', '=', companyId)
    .where('id', '=', id)
  return (await deleted.returning(columns).executeTakeFirst()) ?? null
}
