// The SQL of polling trackers: which changes to ask for, since when, and which findings need a card.

import { sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'
import type { IssueStatus, SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import type { Configured } from '../integrations/service.ts'

export async function findKnownIds(db: Db, companyId: Id, integrationId: Id): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select external_id as id from work_item
    where company_id = ${companyId} and integration_id = ${integrationId} and state in ('LINKED', 'MOVED')`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export type Polled = Configured & { seenUntil: string; assetId: Id | null; createFrom: SeverityCategory | null }

export async function findPolled(db: Db, companyId: Id, integrationId: Id): Promise<Polled[]> {
  const { rows } = await sql<Polled>`
    select id, project, team, board, list, work_item_type as "workItemType", lane, status_mappings as "statusMappings",
      field_mappings as "fieldMappings", changes_seen_until as "seenUntil", asset_id as "assetId", create_from as "createFrom"
    from defect_tracker_configuration
    where company_id = ${companyId} and integration_id = ${integrationId} order by id`.execute(db)
  return rows
}

/**
 * `newest`: the time of the newest change seen, by the tracker's clock. If all changes were seen (`isSeen`), the next poll also need not
 * reach back more than an hour by our own clock, so that the time advances even without changes.
 */
export async function updatePolled(
  db: Db,
  companyId: Id,
  id: Id,
  { newest, isSeen }: { newest: string | null; isSeen: boolean },
): Promise<void> {
  await sql`
    update defect_tracker_configuration set polled_at = now(), changes_seen_until = case when ${isSeen}
      then greatest(changes_seen_until, ${newest}::timestamptz, now() - interval '1 hour') else changes_seen_until end
    where company_id = ${companyId} and id = ${id}`.execute(db)
}

const wanted = (companyId: Id, configurationId: Id) => sql`
  from defect_tracker_configuration as own
  join issue on issue.company_id = own.company_id and issue.severity >= own.create_from and issue.created_at >= own.created_at
    and issue.status in ('CREATED', 'IDENTIFIED', 'IN_PROGRESS', 'AWAITING_VALIDATION')
  where own.company_id = ${companyId} and own.id = ${configurationId} and own.create_from is not null
    and (own.asset_id = issue.asset_id or (own.asset_id is null and not exists (
      select from defect_tracker_configuration as other where other.company_id = own.company_id
        and other.integration_id = own.integration_id and other.asset_id = issue.asset_id)))
    and not exists (select from work_item as there where there.company_id = own.company_id
      and there.integration_id = own.integration_id and there.issue_id = issue.id)`

/** Creates items for open findings of the severities that a configuration wants, if they are newer than it; returns how many. */
export async function insertWanted(db: Db, companyId: Id, configurationId: Id, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into work_item (company_id, integration_id, issue_id)
    select own.company_id, own.integration_id, issue.id ${wanted(companyId, configurationId)}
    order by issue.id limit ${most}
    on conflict do nothing`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** The findings for which insertWanted would create items. */
export async function findWanted(
  db: Db,
  companyId: Id,
  configurationId: Id,
  most: number,
): Promise<{ issueId: Id; status: IssueStatus }[]> {
  const { rows } = await sql<{ issueId: Id; status: IssueStatus }>`
    select issue.id as "issueId", issue.status ${wanted(companyId, configurationId)}
    order by issue.id limit ${most}`.execute(db)
  return rows
}
