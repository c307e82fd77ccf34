// The SQL of activities, their history and their evidence.

import { sql } from 'kysely'
import { COUNT_LIMIT } from '../../core/db/large-lists.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { ActivityActionType, ActivityStatus } from '../api.generated.ts'
import type { Viewer } from '../context.ts'

export type ActivityText = { title: string; description: string | null; reference: string | null; sort: number | null }

export type Activity = ActivityText & {
  companyId: Id
  id: Id
  requirementId: Id
  status: ActivityStatus
  startedAt: string | null
  finishedAt: string | null
  createdAt: string
  updatedAt: string
}

const columns = [
  'company_id as companyId',
  'id',
  'requirement_id as requirementId',
  'title',
  'description',
  'reference',
  'sort',
  sql<ActivityStatus>`status`.as('status'),
  'started_at as startedAt',
  'finished_at as finishedAt',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const selectActivities = (db: Db) => db.selectFrom('activity').select(columns)

/** The activities of these requirements in the order in which they are listed. */
export async function findActivities(db: Db, viewer: Viewer, requirementIds: readonly Id[]): Promise<Activity[]> {
  return selectActivities(db)
    .where(sql<boolean>`requirement_id = any(${requirementIds}::bigint[])`)
    .where(seenBy(viewer, 'company_id'))
    .orderBy(sql`sort asc nulls last, id asc`)
    .execute()
}

export async function findActivity(db: Db, viewer: Viewer, id: Id): Promise<Activity | null> {
  const found = selectActivities(db).where('id', '=', id).where(seenBy(viewer, 'company_id'))
  return (await found.executeTakeFirst()) ?? null
}

export async function lockActivity(trx: Trx, companyId: Id, id: Id): Promise<Activity | null> {
  const found = selectActivities(trx).where('company_id', '=', companyId).where('id', '=', id).forUpdate()
  return (await found.executeTakeFirst()) ?? null
}

/** The activities of one requirement, locked in the order of their ids. */
export async function lockActivities(trx: Trx, companyId: Id, requirementId: Id): Promise<Activity[]> {
  return selectActivities(trx)
    .where('company_id', '=', companyId)
    .where('requirement_id', '=', requirementId)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Inserts activities in this order in one statement; returns their ids. */
export async function insertActivities(
  trx: Trx,
  companyId: Id,
  requirementId: Id,
  activities: readonly ActivityText[],
): Promise<Id[]> {
  const numbered = activities.map((activity, number) => ({ ...activity, number }))
  const { rows } = await sql<{ id: Id }>`
    insert into activity (company_id, requirement_id, title, description, reference, sort)
    select ${companyId}::bigint, ${requirementId}::bigint, title, description, reference, sort
    from jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb)
      as row(number int, title text, description text, reference text, sort int)
    order by number returning id`.execute(trx)
  return rows.map(({ id }) => id)
}

type ActivityState = ActivityText & Pick<Activity, 'id' | 'status' | 'startedAt' | 'finishedAt'>

/** Updates activities of the company in one statement. */
export async function updateActivities(trx: Trx, companyId: Id, activities: readonly ActivityState[]): Promise<void> {
  await sql`
    update activity a set title = given.title, description = given.description, reference = given.reference,
      sort = given.sort, status = given.status, started_at = given."startedAt", finished_at = given."finishedAt",
      updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(activities)}::jsonb) as given(id bigint, title text, description text,
      reference text, sort int, status text, "startedAt" timestamptz, "finishedAt" timestamptz)
    where a.company_id = ${companyId} and a.id = given.id`.execute(trx)
}

export async function deleteActivities(trx: Trx, companyId: Id, requirementId: Id, ids: readonly Id[]): Promise<void> {
  await sql`
    delete from activity where company_id = ${companyId} and requirement_id = ${requirementId}
    and id = any(${ids}::bigint[])`.execute(trx)
}

type NewEvent = {
  activityId: Id
  action: ActivityActionType
  userId: Id
  previousStatus?: ActivityStatus
  status?: ActivityStatus
  comment?: string | null
}

/** Inserts events into the history in this order; returns their ids. */
export async function insertEvents(trx: Trx, companyId: Id, events: readonly NewEvent[]): Promise<Id[]> {
  const numbered = events.map((event, number) => ({ ...event, number }))
  const { rows } = await sql<{ id: Id }>`
    insert into activity_event (company_id, activity_id, action, user_id, previous_status, status, comment)
    select ${companyId}::bigint, "activityId", action, "userId", "previousStatus", status, comment
    from jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb) as row(number int, "activityId" bigint, action text,
      "userId" bigint, "previousStatus" text, status text, comment text)
    order by number returning id`.execute(trx)
  return rows.map(({ id }) => id)
}

export type ActivityEvent = {
  companyId: Id
  id: Id
  activityId: Id
  createdAt: string
  actionType: ActivityActionType
  userId: Id | null
  previousStatus: ActivityStatus | null
  status: ActivityStatus | null
  comment: string | null
}

/** A page of an activity's history; `after` is the last id of the previous page. */
export type HistoryQuestion = {
  number: number
  companyId: Id
  activityId: Id
  limit: number
  offset: number
  after: Id | null
}

export type HistoryAnswer = { number: number; events: ActivityEvent[]; total: number }

/** The events of each page, newest first, and the total, counted up to COUNT_LIMIT + 1. */
export async function findHistories(db: Db, questions: readonly HistoryQuestion[]): Promise<HistoryAnswer[]> {
  const { rows } = await sql<HistoryAnswer>`
    select asked.number, page.events, counted.total
    from jsonb_to_recordset(${JSON.stringify(questions)}::jsonb) as asked(number int, "companyId" bigint,
      "activityId" bigint, "limit" int, "offset" int, after bigint)
    cross join lateral (
      select coalesce(jsonb_agg(event order by (event ->> 'id')::bigint desc), '[]'::jsonb) as events from (
        select jsonb_build_object('companyId', e.company_id::text, 'id', e.id::text, 'activityId', e.activity_id::text,
          'createdAt', to_char(e.at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'actionType', e.action, 'userId', e.user_id::text,
          'previousStatus', e.previous_status, 'status', e.status, 'comment', e.comment) as event
        from activity_event e
        where e.company_id = asked."companyId" and e.activity_id = asked."activityId"
          and (asked.after is null or e.id < asked.after)
        order by e.id desc limit asked."limit" offset asked."offset") newest) page
    cross join lateral (
      select count(*)::int as total from (
        select 1 from activity_event e
        where e.company_id = asked."companyId" and e.activity_id = asked."activityId"
        limit ${COUNT_LIMIT + 1}) matching) counted`.execute(db)
  return rows
}

/** The number of applicable activities of each project, and how many of them are done. */
export async function countProgress(
  db: Db,
  viewer: Viewer,
  projectIds: readonly Id[],
): Promise<{ projectId: Id; done: number; total: number }[]> {
  const { rows } = await sql<{ projectId: Id; done: number; total: number }>`
    select requirement.project_id as "projectId", count(*) filter (where activity.status = 'DONE')::int as done,
           count(*)::int as total
    from requirement join activity on activity.company_id = requirement.company_id
      and activity.requirement_id = requirement.id
    where requirement.project_id = any(${projectIds}::bigint[]) and ${seenBy(viewer, 'requirement.company_id')}
      and activity.status <> 'NOT_APPLICABLE'
    group by requirement.project_id`.execute(db)
  return rows
}
