// The SQL of work items in synchronisation: which are due, their state, and the result of settling them.

import { type RawBuilder, sql } from 'kysely'
import type { TrackerPlace } from '../../connectors/tracker.ts'
import { anyCompany } from '../../core/db/any-company.ts'
import { anyOf } from '../../core/db/any-of.ts'
import { byId } from '../../core/db/by-id.ts'
import { inOrderOf } from '../../core/db/in-order-of.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import type { IssueStatus, SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import type { Configured } from '../integrations/service.ts'
import type { Agreed } from './reconcile.ts'

export type ItemState = 'PENDING' | 'LINKED' | 'MOVED' | 'DELETED'

/** A work item with all that a look at it needs. */
export type Work = {
  companyId: Id
  id: Id
  integrationId: Id
  issueId: Id
  state: ItemState
  /** where its card is; null before it is created */
  place: TrackerPlace | null
  externalId: string | null
  /** the card's state when it was last seen */
  seenState: string | null
  agreedStatus: IssueStatus | null
  agreedState: string | null
  attempts: number
  asked: number
  answered: number
  /** the finding's */
  status: IssueStatus
  assetId: Id
  isMerged: boolean
  /** the configuration of the asset, else of the company; null if it has been deleted */
  configuration: Configured | null
}

/** The integration's configuration for the asset of a finding, else for its company. */
const configurationOf = sql`
  left join lateral (
    select jsonb_build_object('id', own.id::text, 'project', own.project, 'team', own.team, 'board', own.board, 'list', own.list,
      'workItemType', own.work_item_type, 'lane', own.lane, 'statusMappings', own.status_mappings,
      'fieldMappings', own.field_mappings) as words
    from defect_tracker_configuration as own
    where own.company_id = item.company_id and own.integration_id = item.integration_id
      and (own.asset_id is null or own.asset_id = finding.asset_id)
    order by own.asset_id nulls last limit 1) as configuration on true`

/** `items`: a table of work items, or a selection of them. */
const worksOf = (items: RawBuilder<unknown>) => sql`
  select item.company_id as "companyId", item.id, item.integration_id as "integrationId", item.issue_id as "issueId", item.state,
    item.place, item.external_id as "externalId", item.seen_state as "seenState", item.agreed_status as "agreedStatus",
    item.agreed_state as "agreedState", item.attempts, item.asked, item.answered, finding.status, finding.asset_id as "assetId",
    finding.merged_into_id is not null as "isMerged", configuration.words as configuration
  from ${items} as item
  join finding on finding.company_id = item.company_id and finding.id = item.issue_id
  ${configurationOf}`

export async function findWork(db: Db, companyId: Id, id: Id): Promise<Work | null> {
  const { rows } =
    await sql<Work>`${worksOf(sql`work_item`)} where item.company_id = ${companyId} and item.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** The newest items of an integration, waiting ones first. */
export async function listWorks(db: Db, companyId: Id, integrationId: Id, most: number): Promise<Work[]> {
  const newest = sql`(
    select * from work_item where company_id = ${companyId} and integration_id = ${integrationId} and state <> 'DELETED'
    order by asked > answered desc, id desc limit ${most})`
  const { rows } = await sql<Work>`
    ${worksOf(newest)} order by item.asked > item.answered desc, item.id desc`.execute(db)
  return rows
}

export async function findDue(db: Db, companyId: Id, integrationId: Id, most: number): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select id from work_item
    where company_id = ${companyId} and integration_id = ${integrationId} and asked > answered and due_at <= now()
    order by due_at, id limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The integrations of these companies with items that are due now. */
export async function findDueOf(trx: Trx, companyIds: readonly Id[]): Promise<{ companyId: Id; integrationId: Id }[]> {
  const { rows } = await sql<{ companyId: Id; integrationId: Id }>`
    select distinct integration.company_id as "companyId", integration.id as "integrationId"
    from work_item as item join integration on integration.company_id = item.company_id and integration.id = item.integration_id
    where item.asked > item.answered and item.due_at <= now() and item.company_id = ${anyOf(companyIds)}
      and integration.sealed is not null and integration.broken_since is null`.execute(trx)
  return rows
}

/** Integrations with due items, or not polled for `minutes`; only those whose credential is usable. */
export async function findRestless(db: Db, minutes: number): Promise<{ companyId: Id; integrationId: Id }[]> {
  const { rows } = await sql<{ companyId: Id; integrationId: Id }>`
    select integration.company_id as "companyId", integration.id as "integrationId" from integration
    join (
      select company_id, integration_id from work_item where asked > answered and due_at <= now()
      union
      select company_id, integration_id from defect_tracker_configuration
      where polled_at < now() - make_interval(mins => ${minutes})) as restless
      on restless.company_id = integration.company_id and restless.integration_id = integration.id
    where integration.sealed is not null and integration.broken_since is null`.execute(db)
  return rows
}

/** The result of a look; fields that are left out stay as they are. */
export type Looked = {
  state?: ItemState
  place?: TrackerPlace
  item?: { id: string; url: string | null; state: string; revision: string; changedBy: string | null }
  /** null: cleared, so that the next look sends our status again */
  agreed?: Agreed | null
  /** a sentence for people; null: all is well */
  failure: string | null
  /** how many looks this look's own changes have scheduled */
  own?: number
}

/** Ends a look, which covers all requests made before it began. */
export async function updateLooked(trx: Trx | Db, work: Work, looked: Looked): Promise<void> {
  const { state, place, item, agreed, failure, own = 0 } = looked
  await sql`
    update work_item set
      state = coalesce(${state ?? null}, state),
      place = coalesce(${place ? JSON.stringify(place) : null}::jsonb, place),
      external_id = coalesce(${item?.id ?? null}, external_id),
      url = coalesce(${item?.url ?? null}, url),
      seen_state = coalesce(${item?.state ?? null}, seen_state),
      seen_revision = coalesce(${item?.revision ?? null}, seen_revision),
      seen_by = ${item?.changedBy ?? null},
      agreed_status = case when ${agreed !== undefined} then ${agreed?.status ?? null}::issue_status else agreed_status end,
      agreed_state = case when ${agreed !== undefined} then ${agreed?.state ?? null} else agreed_state end,
      failure = ${failure}, attempts = 0, answered = ${work.asked + own}, due_at = now(), looked_at = now()
    where company_id = ${work.companyId} and id = ${work.id}`.execute(trx)
}

/** Stores how a card is to be created before the request is sent, because the answer may be lost. */
export async function updatePlan(db: Db, work: Work, place: TrackerPlace, { status, state }: Agreed): Promise<void> {
  await sql`
    update work_item set place = ${JSON.stringify(place)}::jsonb, agreed_status = ${status}::issue_status, agreed_state = ${state}
    where company_id = ${work.companyId} and id = ${work.id} and state = 'PENDING'`.execute(db)
}

/** Stores a failed look, and retries it in so many seconds; null: only on a new request. */
export async function updateFailed(db: Db, work: Work, failure: string, seconds: number | null): Promise<void> {
  await sql`
    update work_item set failure = ${failure}, attempts = attempts + 1, looked_at = now(),
      answered = case when ${seconds}::float8 is null then ${work.asked} else answered end,
      due_at = now() + make_interval(secs => coalesce(${seconds}::float8, 0))
    where company_id = ${work.companyId} and id = ${work.id}`.execute(db)
}

/** Schedules looks at cards that differ from when they were last seen. */
export async function askChanged(
  db: Db,
  companyId: Id,
  integrationId: Id,
  items: readonly { id: string; revision: string | null }[],
): Promise<number> {
  if (items.length === 0) return 0
  const { numAffectedRows } = await sql`
    update work_item set asked = asked + 1, due_at = case when attempts = 0 then now() else due_at end
    where company_id = ${anyCompany(companyId)} and state in ('LINKED', 'MOVED') and id = any(array(
      select item.id from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as change (id text, revision text)
      cross join lateral (
        select id, seen_revision from work_item
        where company_id = ${companyId} and integration_id = ${integrationId}
          and ${inOrderOf(sql`external_id`, sql`change.id`)}) as item
      where change.revision is null or item.seen_revision is distinct from change.revision))`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Schedules looks at some items without one for a day, because lists of changes do not include deletions. */
export async function askForgotten(db: Db, companyId: Id, integrationId: Id, most: number): Promise<void> {
  await sql`
    update work_item set asked = asked + 1, due_at = now()
    where company_id = ${companyId} and id in (
      select id from work_item where company_id = ${companyId} and integration_id = ${integrationId}
        and state in ('LINKED', 'MOVED') and looked_at < now() - interval '1 day' and asked = answered
      order by looked_at limit ${most})`.execute(db)
}

/** The fields of a finding that go into its card. */
export type Told = {
  title: string
  description: string
  solution: string | null
  reference: string | null
  category: string | null
  severity: SeverityCategory
  type: string
  toolName: string | null
  assetName: string
  path: string | null
  line: number | null
}

export async function findTold(db: Db, { companyId, issueId }: Work): Promise<Told> {
  const { rows } = await sql<Told>`
    select finding.title, finding.description, finding.solution, finding.reference, finding.category, finding.severity,
      finding.type::text as type, nullif(finding.tool_name, '') as "toolName", asset.name as "assetName", place.path, place.line
    from ${byId(sql`finding`, sql`${companyId}::bigint`, sql`${issueId}::bigint`)} as finding
    join asset on asset.company_id = finding.company_id and asset.id = finding.asset_id
    left join lateral (
      select path, line from occurrence where company_id = finding.company_id and issue_id = finding.id
      order by is_open desc, id desc limit 1) as place on true`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The finding of a work item is gone')
  return row
}
