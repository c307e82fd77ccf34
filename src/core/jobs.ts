// The job queue: tasks enqueued by SQL in the caller's transaction, run by the worker, and retried after a failure or a crash.

import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type JobHelpers, Logger, run, runMigrations, type TaskList, type WorkerEvents } from 'graphile-worker'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Db, Trx } from './db/open.ts'
import type { Log } from './log.ts'
import { freeJobsOfTheDead, type Presence, showPresence } from './presence.ts'
import { dueBy } from './schedules.ts'
import { marksOf, shareSlots } from './shares.ts'

/** The signal comes where the worker has stopped and waited for the job for some seconds: what lasts longer gives way. */
export type WorkerTask = { name: string; cron?: string; run: (payload: unknown, leaving: AbortSignal) => Promise<void> }

/** How many jobs run at once, and which is next: the oldest, or the oldest of a company that has less than its share. */
export type Slots = { count: number; next: 'OLDEST' | 'OLDEST_WITHIN_SHARE' }

export type Worker = {
  /** Waits for the running jobs. */
  stop(): Promise<void>
}

/** Milliseconds between ticks, which start timed tasks and free the jobs of dead workers. */
const TICK = 5_000
/** Minutes that a late tick catches up on; a longer step means that the clock was set, and nothing was due meanwhile. */
const MOST_CAUGHT_UP = 5
const MINUTE = 60_000
/** Milliseconds after a job of a queue at which the next one of the queue is fetched; later ones are found by the poll. */
const SECOND_LOOKS = [20, 200]
/** Milliseconds between polls for jobs that become due; jobs that are due at once are announced by NOTIFY. */
const POLL = 1_000
/** Milliseconds before a worker that ended unexpectedly is restarted. */
const PAUSE = 5_000
/** Milliseconds in which a runner without jobs records how its last ones ended. */
const RECORDING = 5_000

/** A runner of the queue, under way. */
type Running = { presence: Presence; stop(): Promise<void>; ended: Promise<void> }

const quiet = (log: Log) =>
  new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') log[level === 'error' ? 'error' : 'warn'](message)
    else log.debug(message)
  })

/** Migrates the queue's own tables. */
export const migrateJobs = (pool: Pool, log: Log): Promise<void> => runMigrations({ pgPool: pool, logger: quiet(log) })

/**
 * Enqueues a task in the transaction of the fact that it follows from. A task replaces a waiting one with the same `key`; tasks of one `queue`
 * run one after another.
 */
export async function enqueue(trx: Trx, name: string, payload: unknown, key?: string, queue?: string): Promise<void> {
  const [jobKey, queueName] = [key ?? null, queue ?? null]
  await sql`
    select graphile_worker.add_job(
      ${name}, ${JSON.stringify(payload)}::json, queue_name => ${queueName}, job_key => ${jobKey},
      flags => ${marksOf(payload)}::text[])`.execute(trx)
}

/** As enqueue, unless one with the same `key` is waiting or running; one that was given up starts again. */
export async function enqueueOneOf(
  trx: Trx,
  name: string,
  payload: unknown,
  key: string,
  queue: string,
): Promise<void> {
  await sql`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, queue_name => ${queue}, job_key => ${key},
      flags => ${marksOf(payload)}::text[])
    where not exists (select from graphile_worker.jobs where key = ${key} and attempts < max_attempts)`.execute(trx)
}

/** Why the job with this key failed last; null if it did not, or does not exist. */
export async function lastFailure(db: Db, key: string): Promise<string | null> {
  const { rows } = await sql<{ error: string | null }>`
    select left(last_error, 2000) as error from graphile_worker.jobs where key = ${key}`.execute(db)
  return rows[0]?.error ?? null
}

/** As enqueue, after so many seconds; a waiting one with the same `key` keeps its time. */
export async function enqueueIn(
  trx: Trx,
  seconds: number,
  name: string,
  payload: unknown,
  key: string,
  queue?: string,
): Promise<void> {
  await sql`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, queue_name => ${queue ?? null},
      run_at => now() + make_interval(secs => ${seconds}), job_key => ${key}, job_key_mode => 'preserve_run_at',
      flags => ${marksOf(payload)}::text[])`.execute(trx)
}

/**
 * Starts working the queue, and restarts whenever the queue's runner ends unexpectedly. Jobs of a killed worker are given to others within
 * half a minute. A `cron` task (UTC) is enqueued at most once at a time, however many workers there are.
 */
export async function startWorker(pool: Pool, log: Log, tasks: readonly WorkerTask[], slots: Slots): Promise<Worker> {
  const taskList: TaskList = Object.fromEntries(
    tasks.map((task) => [task.name, (payload: unknown, { abortSignal }: JobHelpers) => task.run(payload, abortSignal)]),
  )
  const start = async (): Promise<Running> => {
    const events: WorkerEvents = new EventEmitter()
    const presence = showPresence(pool, events, log)
    const shutDown = whenShutDown(events)
    lookAgainAfterQueued(events)
    const runner = await run({
      pgPool: pool,
      logger: quiet(log),
      taskList,
      concurrency: slots.count,
      forbiddenFlags: slots.next === 'OLDEST_WITHIN_SHARE' ? shareSlots(events, slots.count) : null,
      noHandleSignals: true,
      pollInterval: POLL,
      crontab: '',
      events,
      // without this handler, a failure to record a failure would be an unhandled rejection, which ends the process
      preset: { worker: { failJobBatchDelay: 0, completeJobBatchDelay: 0 } },
    })
    return { presence, stop: () => runner.stop(), ended: Promise.race([runner.promise, shutDown]) }
  }

  const stopping = new AbortController()
  let running = await start()
  const keepRunning = async () => {
    for (;;) {
      await running.ended.catch((err: unknown) => stopping.signal.aborted || log.error({ err }, 'The worker ended'))
      await running.presence.end()
      await delay(PAUSE, undefined, { signal: stopping.signal })
      running = await startAgain(start, log, stopping.signal)
    }
  }
  const kept = keepRunning().catch(() => {})
  // at once, because a process that is killed again and again would never reach its first tick
  await freeJobsOfTheDead(pool, log).catch((err: unknown) => log.warn({ err }, 'Jobs of the dead could not be freed'))
  const timed = everyMinute(tasks, (name) => enqueueOnce(pool, name))
  const tick = setInterval(() => {
    const failed = (err: unknown) => log.warn({ err }, 'Tasks that are due could not be enqueued')
    timed()
      .then(() => freeJobsOfTheDead(pool, log))
      .catch(failed)
  }, TICK)

  return {
    async stop() {
      stopping.abort()
      clearInterval(tick)
      await Promise.race([running.stop(), running.ended]).catch(() => {})
      await running.presence.end()
      await kept
    },
  }
}

/**
 * Resolves some time after the runner has no job any more. Its own promise stays open for ever after two failures that could not be recorded,
 * because the library counts the second one twice.
 */
async function whenShutDown(events: WorkerEvents): Promise<void> {
  const names = [
    'pool:gracefulShutdown:complete',
    'pool:forcefulShutdown:complete',
    'pool:forcefulShutdown:error',
  ] as const
  await Promise.race(names.map((name) => new Promise<void>((resolve) => events.once(name, () => resolve()))))
  await delay(RECORDING, undefined, { ref: false })
}

/**
 * A worker fetches its next job while it is still completing the last one. If the jobs of a queue run one after another it finds none at that
 * time, and without this the next one would wait for the poll.
 */
function lookAgainAfterQueued(events: WorkerEvents): void {
  const looks = new Set<NodeJS.Timeout>()
  let isEnding = false
  const end = () => {
    isEnding = true
    for (const look of looks) clearTimeout(look)
  }
  events.once('pool:gracefulShutdown', end)
  events.once('pool:forcefulShutdown', end)
  events.once('pool:release', end)
  events.once('pool:create', ({ workerPool }) => {
    events.on('worker:release', end)
    events.on('job:complete', ({ job }) => {
      if (job.job_queue_id === null || isEnding) return
      for (const pause of SECOND_LOOKS) {
        const look = setTimeout(() => {
          looks.delete(look)
          workerPool.nudge(1)
        }, pause).unref()
        looks.add(look)
      }
    })
  })
}

async function startAgain(start: () => Promise<Running>, log: Log, signal: AbortSignal): Promise<Running> {
  for (;;) {
    try {
      return await start()
    } catch (err) {
      log.error({ err }, 'The worker could not be started')
      await delay(PAUSE, undefined, { signal })
    }
  }
}

const enqueueOnce = (pool: Pool, name: string) =>
  pool.query('select graphile_worker.add_job($1, job_key => $1)', [name])

/**
 * A tick: enqueues the tasks that have become due since the last one. The queue's own scheduler is not used: it enqueues every minute that a
 * clock skips (576,000 for one set 400 days ahead), and pauses for an hour if a clock is set back by one.
 */
export function everyMinute(
  tasks: readonly WorkerTask[],
  enqueueTask: (name: string) => Promise<unknown>,
  now: () => number = Date.now,
): () => Promise<void> {
  const timed = tasks.flatMap(({ name, cron }) => (cron ? [{ name, isDue: dueBy(cron) }] : []))
  let last = Math.floor(now() / MINUTE)
  return async () => {
    const minute = Math.floor(now() / MINUTE)
    const passed = minute - last
    if (passed === 0) return
    const first = passed > 0 && passed <= MOST_CAUGHT_UP ? last + 1 : minute
    const due = timed.filter(({ isDue }) => minutesFrom(first, minute).some(isDue))
    for (const { name } of due) await enqueueTask(name)
    last = minute
  }
}

const minutesFrom = (first: number, last: number): Date[] =>
  Array.from({ length: last - first + 1 }, (_, index) => new Date((first + index) * MINUTE))
