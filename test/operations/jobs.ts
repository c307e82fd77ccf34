// Jobs continue when their worker is killed: each effect happens once, and nothing stays locked by the dead worker.

import { randomBytes, randomInt } from 'node:crypto'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { objectPath } from '../../src/core/objects/disk.ts'
import { milliseconds } from './figures.ts'
import { findFaults } from './integrity.ts'
import { startLoad } from './load.ts'
import { type Environment, newPlace, type Place, type Running, said, startCommand, startServer } from './server.ts'
import { newHome } from './writes.ts'

type JobsResult = { faults: string[]; expired: number; sealed: number; untilFreed: number }

const TASKS = ['seal-audit', 'expire-risk-acceptances', 'sweep-objects']
/**
 * Milliseconds from the last kill until everything must be done: a dead worker's jobs are released after ten seconds
 * and a polling interval.
 */
const SETTLED_WITHIN = 40_000

/** Kills one of two workers `rounds` times while jobs are enqueued continuously. */
async function killWorkers(rounds: number): Promise<JobsResult> {
  const place = await newPlace()
  const server = await startServer(place, { words: ['--no-worker'] })
  const client = await place.connect()
  const environment = workerEnvironment(place, client)
  const workers: Running[] = []
  try {
    const home = await newHome({ url: server.url, key: server.key })
    const load = startLoad(home, 2)
    workers.push(await startWorker(environment), await startWorker(environment))
    for (let round = 0; round < rounds; round += 1) {
      await expireSome(client, 50)
      await addOrphan(place)
      for (const task of TASKS) await client.query('select graphile_worker.add_job($1)', [task])
      await delay(randomInt(250))
      const [oldest] = workers.splice(0, 1)
      oldest?.child.kill('SIGKILL')
      workers.push(await startWorker(environment))
    }
    await load.stop()
    await killInTheMiddle(place, client, workers)
    workers.push(await startWorker(environment))
    const untilFreed = await untilSettled(client)
    for (const worker of workers) await stopWorker(worker)
    const faults = [...(await findFaults(place, client, load.journal, null)), ...(await findDoubleEffects(client))]
    const { expired, sealed } = await countEffects(client)
    return { faults, expired, sealed, untilFreed }
  } finally {
    for (const { child } of workers) child.kill('SIGKILL')
    await client.end()
    await server.end('SIGTERM')
    await place.remove()
  }
}

/** A separate worker is given the database by its address, even the embedded one. */
function workerEnvironment(place: Place, { host, port }: Client): Environment {
  const url =
    place.environment.DATABASE_URL || `postgres://merlon@/merlon?host=${encodeURIComponent(host)}&port=${port}`
  return { MERLON_DATA: place.data, DATABASE_URL: url, LOG_LEVEL: 'warn' }
}

async function startWorker(environment: Environment): Promise<Running> {
  const worker = startCommand(['worker'], environment)
  await said(worker, 'The worker is running')
  return worker
}

async function stopWorker(worker: Running): Promise<void> {
  worker.child.kill('SIGTERM')
  const { code, err } = await worker.ended
  if (code !== 0) throw new Error(`A worker ended with ${code}: ${err}`)
}

/** Backdates the end of accepted risks of some findings, which otherwise only time can do. */
async function expireSome(client: Client, count: number): Promise<void> {
  await client.query(
    `update issue set status = 'RISK_ACCEPTED', risk_accepted_until = now() - interval '1 second', tool_name = 'jobs'
     where (company_id, id) in
       (select company_id, id from issue where tool_name = 'a tool' and title like 'batch %' order by id limit $1)`,
    [count],
  )
}

/** A two-day-old file that no row refers to. */
async function addOrphan({ data }: Place): Promise<void> {
  const file = objectPath(join(data, 'objects'), randomBytes(20).toString('hex'))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, 'left behind')
  const then = Date.now() / 1000 - 172_800
  await utimes(file, then, then)
}

/** Kills every worker while one of its jobs is certainly running, because it waits for a lock held here. */
async function killInTheMiddle(place: Place, client: Client, workers: Running[]): Promise<void> {
  const holder = await place.connect()
  await holder.query('begin')
  await holder.query('lock table issue_event in share mode')
  await expireSome(client, 20)
  await client.query(`select graphile_worker.add_job('expire-risk-acceptances')`)
  await untilHeld(client)
  for (const { child } of workers.splice(0)) child.kill('SIGKILL')
  await holder.end()
}

async function untilHeld(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`select from graphile_worker.jobs where locked_at is not null`)
    if (rows.length > 0) return
    await delay(10)
  }
}

/** Milliseconds until no job is running or due, and no accepted risk is past its end. */
async function untilSettled(client: Client): Promise<number> {
  const began = performance.now()
  for (;;) {
    const { rows } = await client.query<{ held: number; left: number }>(
      `select (select count(*)::int from graphile_worker.jobs where locked_at is not null or run_at <= now()) as held,
              (select count(*)::int from issue where status = 'RISK_ACCEPTED' and risk_accepted_until <= now()) as left`,
    )
    const took = performance.now() - began
    if (rows[0]?.held === 0 && rows[0].left === 0) return took
    if (took > SETTLED_WITHIN) throw new Error(`After ${took} ms there are still ${JSON.stringify(rows[0])}`)
    await delay(100)
  }
}

/** Expiries that happened twice, and gaps or forks in the chain of audit records. */
async function findDoubleEffects(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ fault: string }>(
    `select 'Issue ' || issue.id || ' expired ' || count(issue_event.id) || ' times' as fault from issue
     left join issue_event on issue_event.company_id = issue.company_id and issue_event.issue_id = issue.id
       and issue_event.kind = 'SYSTEM' and issue_event.action = 'STATUS_CHANGED'
     where tool_name = 'jobs' group by issue.company_id, issue.id having count(issue_event.id) <> 1
     union all
     select object || ' has ' || count(*) || ' audit records of its expiry' from audit_record
     where operation = 'expire-risk-acceptances' group by object having count(*) <> 1
     union all
     select 'The chain ends at ' || coalesce(max(audit_record.sequence), 0) || ', and its head says ' || coalesce(max(audit_head.sequence), 0)
            || ' with ' || count(distinct audit_record.sequence) || ' links'
     from audit_record left join audit_head on true where audit_record.sequence is not null
     having max(audit_record.sequence) is distinct from max(audit_head.sequence)
         or count(*) <> max(audit_record.sequence) or count(distinct audit_record.sequence) <> count(*)`,
  )
  return rows.map(({ fault }) => fault)
}

async function countEffects(client: Client): Promise<{ expired: number; sealed: number }> {
  const { rows } = await client.query<{ expired: number; sealed: number }>(
    `select (select count(*)::int from issue where tool_name = 'jobs') as expired,
            (select count(*)::int from audit_record where sequence is not null) as sealed`,
  )
  return rows[0] ?? { expired: 0, sealed: 0 }
}

export async function run(rounds: number): Promise<string[]> {
  const { faults, expired, sealed, untilFreed } = await killWorkers(rounds)
  console.log(`${rounds} kills of one of two workers: ${expired} expiries and ${sealed} seals, ${faults.length} faults`)
  console.log(`jobs of workers that were killed in their middle were done ${milliseconds(untilFreed)} later`)
  return faults
}
