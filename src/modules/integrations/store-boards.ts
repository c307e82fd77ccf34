// The SQL of the configurations of boards and lists.

import { sql } from 'kysely'
import type { Named } from '../../connectors/session.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'
import type { FieldMapping, StatusMapping } from './mappings.ts'

/** A board is identified by project, team and board; for a list these are null. */
type Spot = { project: Named | null; board: Named | null; team: Named | null; list: Named | null }

type TrackerDetail = {
  workItemType: string | null
  lane: string | null
  statusMappings: StatusMapping[]
  fieldMappings: FieldMapping[]
  /** the lowest severity of findings that get a card automatically; null: none do */
  createFrom: SeverityCategory | null
}

export type TrackerConfiguration = TrackerDetail &
  Spot & {
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
  sql<Named | null>`project`.as('project'),
  sql<Named | null>`board`.as('board'),
  sql<Named | null>`team`.as('team'),
  sql<Named | null>`list`.as('list'),
  'work_item_type as workItemType',
  'lane',
  sql<StatusMapping[]>`status_mappings`.as('statusMappings'),
  sql<FieldMapping[]>`field_mappings`.as('fieldMappings'),
  'create_from as createFrom',
  'created_at as createdAt',
] as const

/** Configurations of boards, or of lists. */
export async function listConfigurations(
  db: Db,
  companyId: Id,
  of: 'BOARDS' | 'LISTS',
  page: PageRequest,
): Promise<Page<TrackerConfiguration>> {
  const own = db.selectFrom('defect_tracker_configuration').select(columns).where('company_id', '=', companyId)
  const asked = own.where('list', of === 'LISTS' ? 'is not' : 'is', null)
  return newestFirst(db, asked, page, 'defect_tracker_configuration.id')
}

export async function findConfiguration(db: Db, viewer: Viewer, id: Id): Promise<TrackerConfiguration | null> {
  const seen = db
    .selectFrom('defect_tracker_configuration')
    .select(columns)
    .where(seenBy(viewer, 'defect_tracker_configuration.company_id'))
  return (await seen.where('id', '=', id).executeTakeFirst()) ?? null
}

export type NewRow = TrackerDetail & Spot & { companyId: Id; integrationId: Id; assetId: Id | null; createdById: Id }

export async function insertConfiguration(trx: Trx, row: NewRow): Promise<TrackerConfiguration> {
  return trx
    .insertInto('defect_tracker_configuration')
    .values({
      company_id: row.companyId,
      integration_id: row.integrationId,
      asset_id: row.assetId,
      project: row.project && JSON.stringify(row.project),
      board: row.board && JSON.stringify(row.board),
      team: row.team && JSON.stringify(row.team),
      list: row.list && JSON.stringify(row.list),
      work_item_type: row.workItemType,
      lane: row.lane,
      status_mappings: JSON.stringify(row.statusMappings),
      field_mappings: JSON.stringify(row.fieldMappings),
      create_from: row.createFrom,
      created_by: row.createdById,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Returns the previous state; null if it was deleted meanwhile. */
export async function updateMappings(
  trx: Trx,
  { companyId, id }: TrackerConfiguration,
  statusMappings: readonly StatusMapping[],
): Promise<TrackerConfiguration | null> {
  const own = trx
    .selectFrom('defect_tracker_configuration')
    .select(columns)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
  const before = await own.forUpdate().executeTakeFirst()
  if (!before) return null
  await trx
    .updateTable('defect_tracker_configuration')
    .set({ status_mappings: JSON.stringify(statusMappings) })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute()
  return before
}

/** Null if somebody else was first. */
export async function deleteConfiguration(
  trx: Trx,
  { companyId, id }: TrackerConfiguration,
): Promise<TrackerConfiguration | null> {
  const deleted = trx
    .deleteFrom('defect_tracker_configuration')
    .where('company_id', '=', companyId)
    .where('id', '=', id)
  return (await deleted.returning(columns).executeTakeFirst()) ?? null
}
