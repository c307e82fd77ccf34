// The job queue: what the clock starts, whose jobs are freed, and how many slots a company may hold.

import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openGateway } from '../../test/testkit/gateway.ts'
import { home } from '../../test/testkit/home.ts'
import { everyMinute, startWorker } from './jobs.ts'
import { openLog } from './log.ts'
import { freeJobsOfTheDead, showPresence } from './presence.ts'

const log = openLog('silent')
let pool: pg.Pool
beforeAll(() => {
  pool = new pg.Pool(home().connection)
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
})
afterAll(() => pool.end())

const MINUTE = 60_000
const noon = Date.parse('2026-03-01T12:00:30Z')

function openClock(...crons: string[]) {
  let now = noon
  const enqueued: string[] = []
  const tasks = crons.map((cron) => ({ name: cron, cron, run: async () => {} }))
  const tick = everyMinute(
    tasks,
    async (name) => enqueued.push(name),
    () => now,
  )
  const set = async (minutes: number) => {
    now += minutes * MINUTE
    await tick()
    return enqueued.splice(0)
  }
  return { set }
}

describe('timed tasks', () => {
  test('are enqueued once in each minute that matches', async () => {
    const { set } = openClock('* * * * *', '2 * * * *')

    expect(await set(0)).toEqual([])
    expect(await set(1)).toEqual(['* * * * *'])
    expect(await set(1)).toEqual(['* * * * *', '2 * * * *'])
    expect(await set(0)).toEqual([])
  })

  test('are not missed by a tick that comes a few minutes late, and are enqueued once for them all', async () => {
    const { set } = openClock('* * * * *', '2 * * * *')

    expect(await set(4)).toEqual(['* * * * *', '2 * * * *'])
  })

  test('are enqueued once when the clock is set forward by 400 days', async () => {
    const { set } = openClock('* * * * *', '30 * * * *')

    expect(await set(400 * 24 * 60)).toEqual(['* * * * *'])
  })

  test('go on when the clock is set back by an hour', async () => {
    const { set } = openClock('* * * * *')

    expect(await set(-60)).toEqual(['* * * * *'])
    expect(await set(1)).toEqual(['* * * * *'])
  })

  test('stay due when they could not be enqueued', async () => {
    let now = noon
    let isDown = true
    const enqueued: string[] = []
    const tick = everyMinute(
      [{ name: 'each minute', cron: '* * * * *', run: async () => {} }],
      async (name) => {
        if (isDown) throw new Error('down')
        enqueued.push(name)
      },
      () => now,
    )

    now += MINUTE
    await expect(tick()).rejects.toThrow('down')
    isDown = false
    await tick()

    expect(enqueued).toEqual(['each minute'])
  })
})

describe('jobs of a worker', () => {
  const hold = async (worker: string, seconds: number): Promise<string> => {
    const { rows } = await pool.query<{ id: string }>(`select id from graphile_worker.add_job('nobody-runs-this')`)
    const id = rows[0]?.id ?? ''
    await pool.query(
      `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - make_interval(secs => $2) where id = $3`,
      [worker, seconds, id],
    )
    return id
  }
  const holderOf = async (id: string): Promise<string | null> => {
    const { rows } = await pool.query<{ locked_by: string | null }>(
      'select locked_by from graphile_worker.jobs where id = $1',
      [id],
    )
    return rows[0]?.locked_by ?? null
  }
  const newWorker = () => `pool-${randomBytes(9).toString('hex')}`

  test('that died are freed', async () => {
    const id = await hold(newWorker(), 11)

    await freeJobsOfTheDead(pool, log)

    expect(await holderOf(id)).toBeNull()
  })

  test('that died are freed, and one that was replaced while it ran is gone', async () => {
    const key = `key-${randomBytes(9).toString('hex')}`
    const id = await hold(newWorker(), 11)
    await pool.query('update graphile_worker._private_jobs set key = $1, attempts = 1 where id = $2', [key, id])
    const { rows } = await pool.query<{ id: string }>(
      `select id from graphile_worker.add_job('job-that-replaces', job_key => $1, run_at => now() + interval '1 hour')`,
      [key],
    )

    await freeJobsOfTheDead(pool, log)

    const { rows: left } = await pool.query('select id from graphile_worker.jobs where id = any($1)', [
      [id, rows[0]?.id],
    ])
    expect(left).toEqual(rows)
  })

  test('that lives stay with it', async () => {
    const worker = newWorker()
    const alive = await pool.connect()
    await alive.query('select pg_advisory_lock(hashtextextended($1, 0))', [worker])
    const id = await hold(worker, 11)

    await freeJobsOfTheDead(pool, log)

    expect(await holderOf(id)).toBe(worker)
    alive.release(true)
  })

  test('that has just begun stay with it', async () => {
    const worker = newWorker()
    const id = await hold(worker, 5)

    await freeJobsOfTheDead(pool, log)

    expect(await holderOf(id)).toBe(worker)
  })
})

describe('a worker that is stopped', () => {
  test('finishes the job under way, which is done once, and begins no other', async () => {
    const name = `job-${randomBytes(9).toString('hex')}`
    const happened: string[] = []
    const [begun, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const run = async () => {
      happened.push('begun')
      begun.resolve()
      await asked.promise
      // more than an end that waits for nothing would take
      for (let turn = 0; turn < 50; turn += 1) await pool.query('select 1')
      happened.push('ended')
    }
    await pool.query(
      `select graphile_worker.add_job($1, '{"number": 1}'), graphile_worker.add_job($1, '{"number": 2}')`,
      [name],
    )
    const worker = await startWorker(pool, log, [{ name, run }], { count: 1, next: 'OLDEST' })
    await begun.promise

    const stopping = worker.stop().then(() => happened.push('stopped'))
    asked.resolve()
    await stopping

    const { rows } = await pool.query(
      'select attempts, locked_by from graphile_worker.jobs where task_identifier = $1',
      [name],
    )
    expect(happened).toEqual(['begun', 'ended', 'stopped'])
    expect(rows).toEqual([{ attempts: 0, locked_by: null }])
  })
})

describe('a worker that loses its database', () => {
  const open = async () => {
    const gateway = await openGateway()
    const through = new pg.Pool(gateway.connection)
    through.on('error', () => {})
    through.on('connect', (client) => client.on('error', () => {}))
    onTestFinished(async () => {
      await through.end()
      await gateway.close()
    })
    return { gateway, through }
  }

  test('while two jobs fail one after the other and a third goes on, runs both again once the database is back', async () => {
    const { gateway, through } = await open()
    const name = `job-${randomBytes(9).toString('hex')}`
    const [allBegun, back] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const [begun, done]: [number[], number[]] = [[], []]
    const run = async (payload: unknown) => {
      const { number } = payload as { number: number }
      begun.push(number)
      if (begun.length > 3) return void done.push(number)
      if (begun.length === 3) allBegun.resolve()
      await allBegun.promise
      gateway.cut()
      if (number === 3) return back.promise
      await delay(300 * number)
      throw new Error('lost')
    }
    await pool.query(
      `select graphile_worker.add_job($1, json_build_object('number', number)) from generate_series(1, 3) as number`,
      [name],
    )
    const worker = await startWorker(through, log, [{ name, run }], { count: 3, next: 'OLDEST' })
    onTestFinished(() => worker.stop())

    await allBegun.promise
    await delay(1_000)
    gateway.open()
    back.resolve()

    await vi.waitUntil(() => done.length === 2, 40_000)
    expect(done.toSorted()).toEqual([1, 2])
  }, 60_000)

  test('shows no presence any more once it has ended, also while it is connecting', async () => {
    const { gateway, through } = await open()
    const events: WorkerEvents = new EventEmitter()
    gateway.silence()
    const presence = showPresence(through, events, log)
    events.emit('pool:create', { workerPool: { id: 'pool-of-this-test' } } as never)
    await expect.poll(() => gateway.accepted()).toBe(1)

    const ended = presence.end().then(() => 'ended')

    expect(await Promise.race([ended, delay(5_000, 'waiting')])).toBe('ended')
  })
})

describe('slots that companies share', () => {
  /** Jobs of such companies, the oldest first, on eight slots; each goes on until it is ended. */
  const working = async (companies: readonly string[]) => {
    const name = `job-${randomBytes(9).toString('hex')}`
    const running: { companyId: string; end: () => void }[] = []
    const run = async (payload: unknown) => {
      const ended = Promise.withResolvers<void>()
      const job = { companyId: String((payload as { companyId: string }).companyId), end: ended.resolve }
      running.push(job)
      await ended.promise
      running.splice(running.indexOf(job), 1)
    }
    await pool.query(
      `select graphile_worker.add_job($1, json_build_object('companyId', company), flags => array['company ' || company],
         run_at => now() - make_interval(secs => 1000 - n))
       from unnest($2::text[]) with ordinality as wanted (company, n)`,
      [name, companies],
    )
    const worker = await startWorker(pool, log, [{ name, run }], { count: 8, next: 'OLDEST_WITHIN_SHARE' })
    onTestFinished(async () => {
      await pool.query(
        `delete from graphile_worker._private_jobs as job using graphile_worker._private_tasks as task
         where task.id = job.task_id and task.identifier = $1 and job.locked_at is null`,
        [name],
      )
      for (const { end } of running) end()
      await worker.stop()
    })
    return running
  }
  const held = (running: readonly { companyId: string }[]) =>
    Object.fromEntries([...Map.groupBy(running, (job) => job.companyId)].map(([id, jobs]) => [id, jobs.length]))
  const many = (companyId: string) => Array.from({ length: 20 }, () => companyId)

  test('are not all held by whoever has the most and the oldest jobs', async () => {
    const running = await working([...many('1'), ...many('2'), ...many('3'), ...many('4'), ...many('5')])

    await expect.poll(() => running.length).toBe(8)

    expect(held(running)).toEqual({ 1: 4, 2: 2, 3: 1, 4: 1 })
  })

  test('go to who holds fewest when one who holds many ends a job', async () => {
    const running = await working([...many('1'), ...many('2'), ...many('3'), ...many('4'), ...many('5')])
    await expect.poll(() => running.length).toBe(8)

    running.find(({ companyId }) => companyId === '1')?.end()

    await expect.poll(() => held(running)).toEqual({ 1: 3, 2: 2, 3: 1, 4: 1, 5: 1 })
  })

  test('are taken by the next job of a company alone as soon as one of its own ends', async () => {
    const running = await working(many('1'))
    await expect.poll(() => running.length).toBe(4)
    const first = [...running]

    for (const { end } of first) end()

    await expect.poll(() => running.filter((job) => !first.includes(job)).length).toBe(4)
  })
})
