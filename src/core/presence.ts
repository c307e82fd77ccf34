// Worker presence: each worker holds a database lock while it is connected, so that the jobs of dead workers are detected and freed.

import { setTimeout as delay } from 'node:timers/promises'
import type { WorkerEvents } from 'graphile-worker'
import pg, { type Pool } from 'pg'
import type { Log } from './log.ts'

/** Milliseconds until a lost connection is reopened; far below the age at which jobs are freed. */
const PAUSE = 1_000

/** Keep-alives by which the server ends the session of a vanished machine after 25 seconds; no effect on a Unix socket. */
const NOTICE_THE_GONE = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'

export type Presence = { end(): Promise<void> }

/** Holds the lock of the worker behind `events`, on a connection of its own that is reopened whenever it is lost. */
export function showPresence(pool: Pool, events: WorkerEvents, log: Log): Presence {
  const ending = new AbortController()
  let client: pg.Client | null = null
  const hold = async (id: string) => {
    while (!ending.signal.aborted) {
      client = new pg.Client(pool.options)
      // pg leaves connect() open for ever when the connection is ended meanwhile
      const lost = new Promise((resolve) => client?.once('end', resolve).on('error', () => {}))
      try {
        await Promise.race([client.connect(), lost])
        await client.query(NOTICE_THE_GONE)
        await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [id])
        if (!ending.signal.aborted) await lost
      } catch (err) {
        log.debug({ err }, 'The presence of the worker could not be shown')
      }
      await client.end().catch(() => {})
      await delay(PAUSE, undefined, { signal: ending.signal }).catch(() => {})
    }
  }
  let held: Promise<void> = Promise.resolve()
  events.once('pool:create', ({ workerPool }) => {
    held = hold(workerPool.id)
  })
  return {
    async end() {
      ending.abort()
      await client?.end().catch(() => {})
      await held
    },
  }
}

/**
 * Frees jobs whose worker no longer holds its lock; otherwise they would wait for the queue's timeout of four hours. Ten seconds give a worker
 * time to take its lock, at its start and after a restart of the database.
 */
export async function freeJobsOfTheDead(pool: Pool, log: Log): Promise<void> {
  const { rows } = await pool.query<{ worker: string }>(
    `with holder as materialized (
       select locked_by as worker from graphile_worker.jobs where locked_at is not null
       group by locked_by having max(locked_at) < now() - interval '10 seconds'
     ), dead as materialized (
       select worker from holder where pg_try_advisory_xact_lock(hashtextextended(worker, 0))
     ), freed as materialized (
       select graphile_worker.force_unlock_workers(array(select worker from dead)) from dead limit 1
     )
     select dead.worker from dead left join freed on true`,
  )
  for (const { worker } of rows) log.warn({ worker }, 'A worker died; its jobs are run again')
  if (rows.length > 0) await removeReplaced(pool)
}

/**
 * A job that is replaced while it runs loses its key and its further attempts; the worker removes it at its end. Of a worker that died it
 * would stay for ever, as one that was given up without an error.
 */
const removeReplaced = (pool: Pool) =>
  pool.query(
    `select graphile_worker.complete_jobs(array(
       select id from graphile_worker.jobs
       where locked_at is null and key is null and last_error is null and attempts > 1 and attempts >= max_attempts))`,
  )
