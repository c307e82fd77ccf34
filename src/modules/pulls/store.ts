// The SQL of pulls: which projects of scanners are due, what was requested, and how far a pull got.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { AskedBy } from '../imports/service.ts'

type ScannerType = 'SCANNER_A' | 'SCANNER_B'

/** A scanner's project that is linked to an asset, by the id of their association. */
export type Association = { companyId: Id; id: Id; assetId: Id; integrationId: Id; type: ScannerType }

export type PullKey = { companyId: Id; id: Id }

const associated = sql`
  select project.company_id as "companyId", project.id, project.asset_id as "assetId",
    project.integration_id as "integrationId", integration.type
  from external_project as project
  join integration on integration.company_id = project.company_id and integration.id = project.integration_id
    and integration.type in ('SCANNER_A', 'SCANNER_B')`

/** The scanners' projects that are linked to the asset, oldest first. */
export async function findAssociations(db: Db, companyId: Id, assetId: Id): Promise<Association[]> {
  const { rows } = await sql<Association>`
    ${associated} where project.company_id = ${companyId} and project.asset_id = ${assetId} order by project.id`.execute(
    db,
  )
  return rows
}

/** Associations with a usable integration and no pull in progress, with their creators. `isWhole`: a pull of everything is due. */
export async function findDue(db: Db, wholeHours: number, most: number, companyId: Id | null) {
  const { rows } = await sql<Association & { isWhole: boolean; userId: Id; email: string; name: string }>`
    select associated.*, portal_user.id as "userId", portal_user.email, portal_user.name,
      coalesce(pull.whole_at < now() - make_interval(hours => ${wholeHours}::int), true) as "isWhole"
    from (${associated} where integration.sealed is not null and integration.broken_since is null) as associated
    join external_project as project on project.company_id = associated."companyId" and project.id = associated.id
    join portal_user on portal_user.id = project.created_by
    left join scanner_pull as pull on pull.company_id = associated."companyId"
      and pull.external_project_id = associated.id
    where pull.scan_id is null and (${companyId}::bigint is null or associated."companyId" = ${companyId}) order by pull.pulled_at nulls first, associated.id limit ${most}`.execute(
    db,
  )
  return rows
}

/** Pulls that were requested so many hours ago and have not ended. */
export async function findForgotten(db: Db, hours: number): Promise<(Association & { scanId: Id })[]> {
  const { rows } = await sql<Association & { scanId: Id }>`
    select associated.*, pull.scan_id as "scanId"
    from scanner_pull as pull
    join scan on scan.company_id = pull.company_id and scan.id = pull.scan_id
      and scan.created_at < now() - make_interval(hours => ${hours}::int)
    join (${associated}) as associated on associated."companyId" = pull.company_id
      and associated.id = pull.external_project_id`.execute(db)
  return rows
}

type Waiting = { scanId: Id; isWhole: boolean; confirmClose: boolean }

/** The association's run that has not ended, or null. Locks the association, so that no other call can start one. */
export async function lockWaiting(trx: Trx, { companyId, id }: PullKey): Promise<Waiting | null> {
  await sql`
    insert into scanner_pull (company_id, external_project_id) values (${companyId}, ${id}) on conflict do nothing`.execute(
    trx,
  )
  const { rows } = await sql<{ scanId: Id | null; isWhole: boolean; confirmClose: boolean }>`
    select scan_id as "scanId", is_whole as "isWhole", confirm_close as "confirmClose" from scanner_pull
    where company_id = ${companyId} and external_project_id = ${id} for update`.execute(trx)
  const [row] = rows
  return row && row.scanId !== null ? { ...row, scanId: row.scanId } : null
}

export async function saveWaiting(
  trx: Trx,
  { companyId, id }: PullKey,
  waiting: Waiting,
  actor: AskedBy,
): Promise<void> {
  await sql`
    update scanner_pull set scan_id = ${waiting.scanId}, is_whole = ${waiting.isWhole},
      confirm_close = ${waiting.confirmClose}, actor = ${JSON.stringify(actor)}::jsonb, attempts = 0, began_at = null
    where company_id = ${companyId} and external_project_id = ${id}`.execute(trx)
}

/** Lets a pull that has not begun also do what another request asks for. */
export async function widenWaiting(
  trx: Trx,
  { companyId, id }: PullKey,
  { isWhole, confirmClose }: Omit<Waiting, 'scanId'>,
): Promise<void> {
  await sql`
    update scanner_pull set is_whole = is_whole or ${isWhole}::boolean, confirm_close = confirm_close or ${confirmClose}::boolean
    where company_id = ${companyId} and external_project_id = ${id} and began_at is null`.execute(trx)
}

export type Claimed = Association &
  Waiting & {
    externalId: string
    name: string
    actor: AskedBy
    attempts: number
    /** ISO 8601: when this pull began, and when the last complete one did */
    beganAt: string
    pulledAt: string | null
  }

/** Starts, or restarts, the waiting pull; null if there is none. */
export async function claim(db: Db, { companyId, id }: PullKey): Promise<Claimed | null> {
  const { rows } = await sql<Claimed>`
    with claimed as (
      update scanner_pull set attempts = attempts + 1, began_at = coalesce(began_at, now())
      where company_id = ${companyId} and external_project_id = ${id} and scan_id is not null
      returning *)
    select associated.*, project.external_id as "externalId", project.name, claimed.scan_id as "scanId",
      claimed.is_whole or claimed.pulled_at is null as "isWhole", claimed.confirm_close as "confirmClose", claimed.actor, claimed.attempts,
      claimed.began_at as "beganAt", claimed.pulled_at as "pulledAt"
    from claimed
    join (${associated} where project.company_id = ${companyId} and project.id = ${id}) as associated on true
    join external_project as project on project.company_id = ${companyId} and project.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Ends the wait. `hasPulled`: the pull was complete, so the next one continues from when it began. */
export async function finish(trx: Trx, { companyId, id, scanId, isWhole }: Claimed, hasPulled: boolean): Promise<void> {
  await sql`
    update scanner_pull set scan_id = null, actor = null, attempts = 0, began_at = null,
      pulled_at = case when ${hasPulled} then began_at else pulled_at end,
      whole_at = case when ${hasPulled && isWhole} then began_at else whole_at end
    where company_id = ${companyId} and external_project_id = ${id} and scan_id = ${scanId}`.execute(trx)
}
