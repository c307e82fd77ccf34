// The SQL of jobs, read through the queue's own view.

import { sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'
import { cursorId, offsetOf, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'

export type JobState = 'WAITING' | 'RUNNING' | 'GIVEN_UP'

export type Job = {
  id: Id
  task: string
  state: JobState
  attempts: number
  maxAttempts: number
  lastError: string | null
  queue: string | null
  runAt: string
  createdAt: string
}

const state = sql<JobState>`case when locked_at is not null then 'RUNNING' when attempts >= max_attempts then 'GIVEN_UP'
  else 'WAITING' end`

const columns = sql`id, task_identifier as task, ${state} as state, attempts, max_attempts as "maxAttempts",
  left(last_error, 2000) as "lastError", queue_name as queue, run_at as "runAt", created_at as "createdAt"`

export async function listJobs(
  db: Db,
  states: readonly JobState[] | null,
  task: string | null,
  page: PageRequest,
): Promise<Page<Job>> {
  const after = page.after === null ? null : cursorId(page.after)
  const matching = sql`graphile_worker.jobs
    where (${states}::text[] is null or ${state} = any(${states}::text[])) and (${task}::text is null or task_identifier = ${task})`
  const { rows } = await sql<Job>`
    select ${columns} from ${matching} and (${after}::bigint is null or id < ${after}::bigint)
    order by id desc limit ${page.limit} offset ${offsetOf(page)}`.execute(db)
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from (select from ${matching} limit 100001) as counted`.execute(db)
  return pageOf(page, rows, counted.rows[0]?.count ?? 0, ({ id }) => [id])
}

export async function findJob(db: Db, id: Id): Promise<Job | null> {
  const { rows } = await sql<Job>`select ${columns} from graphile_worker.jobs where id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** How many jobs are in each state; a state without jobs is missing. */
export async function countJobs(db: Db): Promise<{ state: JobState; count: number }[]> {
  const { rows } = await sql<{ state: JobState; count: number }>`
    select ${state} as state, count(*)::int as count from graphile_worker.jobs group by 1`.execute(db)
  return rows
}

/** For how many seconds the job that waits longest could have been run; 0 if none could. */
export async function findOverdue(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from max(now() - run_at)), 0)::float8 as seconds from graphile_worker.jobs
    where ${state} = 'WAITING' and run_at <= now()`.execute(db)
  return rows[0]?.seconds ?? 0
}

/** Makes the job run now, as if it had never been tried; false if it is running or gone. */
export async function rescheduleJob(db: Db, id: Id): Promise<boolean> {
  const { rows } = await sql`
    select from graphile_worker.reschedule_jobs(array[${id}]::bigint[], run_at => now(), attempts => 0)`.execute(db)
  return rows.length > 0
}
