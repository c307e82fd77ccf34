// The job queue: tasks enqueued by SQL in the caller's transaction, run by the worker, again after a failure.

import { Logger, parseCronItems, type Runner, run, runMigrations, type TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Trx } from './db/open.ts'
import type { Log } from './log.ts'

export type WorkerTask = { name: string; cron?: string; run: (payload: unknown) => Promise<void> }

const quiet = (log: Log) =>
  new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') log[level === 'error' ? 'error' : 'warn'](message)
    else log.debug(message)
  })

/** Brings the queue's own tables to the present. */
export const migrateJobs = (pool: Pool, log: Log): Promise<void> => runMigrations({ pgPool: pool, logger: quiet(log) })

/** Enqueues a task in the transaction of the fact it follows from; one with the same `key` replaces the one that waits. */
export async function enqueue(trx: Trx, name: string, payload: unknown, key?: string): Promise<void> {
  await sql`select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, job_key => ${key ?? null})`.execute(
    trx,
  )
}

/** Starts working the queue; `stop` waits for what is under way. */
export async function startWorker(
  pool: Pool,
  log: Log,
  tasks: readonly WorkerTask[],
  concurrency: number,
): Promise<Runner> {
  const taskList: TaskList = Object.fromEntries(
    tasks.map((task) => [task.name, (payload: unknown) => task.run(payload)]),
  )
  const timed = tasks.flatMap(({ name, cron }) => (cron ? [{ task: name, match: cron, identifier: name }] : []))
  return run({
    pgPool: pool,
    logger: quiet(log),
    taskList,
    concurrency,
    noHandleSignals: true,
    pollInterval: 5000,
    parsedCronItems: parseCronItems(timed),
  })
}
