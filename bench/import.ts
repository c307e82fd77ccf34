// Imports of reports compared with a COPY of the rows that they create: findings a second, and the service's memory meanwhile.

import { openAsBlob } from 'node:fs'
import { appendFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { type Installation, openInstallation, residentMemory } from './installation.ts'
import { processorTime } from './load.ts'
import { namedKind, type ReportKind, writeReport } from './report-files.ts'

/** Each kind of finding has indexes and values of its own. */
const KINDS = (process.env.MERLON_BENCH_REPORTS ?? 'SARIF,Grype').split(',').map(namedKind)

const SIZES = (process.env.MERLON_BENCH_FINDINGS ?? '10000,100000').split(',').map(Number)

/** The number of issues that exist already. */
const ISSUES = Number(process.env.MERLON_BENCH_ISSUES ?? 1_000_000)

export async function run(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'merlon-bench-import-'))
  const installation = await openInstallation(ISSUES, { hasWorker: true, isStarted: true })
  try {
    for (const kind of KINDS) {
      for (const size of SIZES) await measure(installation, directory, kind, size)
    }
  } finally {
    await installation.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function measure(installation: Installation, directory: string, kind: ReportKind, size: number): Promise<void> {
  const file = join(directory, `${size}.${kind}`)
  await writeReport(kind, file, size)
  const { size: bytes } = await stat(file)
  const assetId = await newAsset(installation, size)
  const first = await timedImport(installation, assetId, file)
  const left = await untilQuiet(installation)
  const again = await timedImport(installation, assetId, file)
  await appendFile(file, '\n')
  await untilQuiet(installation)
  const inOthers = await timedImport(installation, assetId, file)
  await untilQuiet(installation)
  const copied = await timedCopy(installation, assetId)
  const rate = (seconds: number) => `${Math.round(size / seconds).toLocaleString('en')} findings/s`
  const micros = (seconds: number) => Math.round((seconds / size) * 1e6)
  const busy = ({ service, database }: Timed) =>
    `${micros(service)} and ${micros(database)} µs of service and database a finding`
  console.log(`${size.toLocaleString('en')} results, ${(bytes / 1024 / 1024).toFixed(0)} MiB of ${kind}`)
  console.log(
    `  new: ${first.seconds.toFixed(1)} s, ${rate(first.seconds)}, ${busy(first)}, memory ${first.before} → ${first.peak} MiB (10,000 a second is wanted)`,
  )
  console.log(`  events and statistics afterwards: ${left.toFixed(1)} s, before the next import begins`)
  console.log(
    `  the same again: ${again.seconds.toFixed(1)} s, ${rate(again.seconds)}, ${busy(again)}, memory ${again.before} → ${again.peak} MiB (30,000 a second is wanted)`,
  )
  console.log(
    `  the same findings in other bytes: ${inOthers.seconds.toFixed(1)} s, ${rate(inOthers.seconds)}, ${busy(inOthers)}, memory ${inOthers.before} → ${inOthers.peak} MiB`,
  )
  console.log(
    `  control, COPY of the ${copied.rows.toLocaleString('en')} rows: ${copied.seconds.toFixed(1)} s; new takes ${(first.seconds / copied.seconds).toFixed(1)} times that`,
  )
}

/** Times in seconds: `seconds` elapsed, `service` and `database` of processor time. Memory in MiB. */
type Timed = { seconds: number; service: number; database: number; before: number; peak: number }

async function timedImport(installation: Installation, assetId: string, file: string): Promise<Timed> {
  const before = Math.round(await residentMemory(installation.pid))
  let peak = before
  const watch = setInterval(async () => {
    peak = Math.max(peak, Math.round(await residentMemory(installation.pid)))
  }, 50)
  const [service, database] = [await processorTime(installation.pid), await databaseTime(installation)]
  const start = performance.now()
  const query = 'mutation ($input: ImportFindingsInput!) { importFindings(input: $input) { import { id } } }'
  const input = { file: null, assetId, companyId: installation.companyId, branchName: 'main', closeAbsent: true }
  const form = new FormData()
  form.set('operations', JSON.stringify({ query, variables: { input } }))
  form.set('map', JSON.stringify({ 0: ['variables.input.file'] }))
  form.set('0', await openAsBlob(file), 'report')
  const { importFindings } = await ask(installation, form)
  for (;;) {
    const body = {
      query: 'query ($id: ID!) { import(id: $id) { status failure { message } } }',
      variables: { id: importFindings.import.id },
    }
    const { import: found } = await ask(installation, JSON.stringify(body))
    if (found.status === 'FAILED') throw new Error(found.failure.message)
    if (found.status === 'SUCCEEDED') break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  clearInterval(watch)
  return {
    seconds: (performance.now() - start) / 1000,
    service: (await processorTime(installation.pid)) - service,
    database: (await databaseTime(installation)) - database,
    before,
    peak,
  }
}

/** Waits until the database has had nothing to do for a second; resolves to the seconds that it still had. */
async function untilQuiet({ connection }: Installation): Promise<number> {
  const client = new pg.Client(connection)
  await client.connect()
  const start = performance.now()
  let busyAt = start
  while (performance.now() - busyAt < 1000) {
    const { rows } = await client.query(
      `select from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()
        or backend_type = 'autovacuum worker' limit 1`,
    )
    if (rows.length > 0) busyAt = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await client.end()
  return (busyAt - start) / 1000
}

/** Processor time so far, in seconds, of the database processes that serve clients; 0 if the database is on another machine. */
async function databaseTime({ connection }: Installation): Promise<number> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  await client.end()
  const times = await Promise.all(rows.map(({ pid }) => processorTime(pid)))
  return times.reduce((sum, time) => sum + time, 0)
}

/**
 * Copies the issues, places and history that the import created, as text and through the client, into tables with the
 * same columns and indexes.
 */
async function timedCopy(installation: Installation, assetId: string): Promise<{ seconds: number; rows: number }> {
  const client = new pg.Client(installation.connection)
  await client.connect()
  let rows = 0
  let seconds = 0
  try {
    const issues = `select id from finding where asset_id = ${Number(assetId)}`
    for (const [table, where] of [
      ['finding', `asset_id = ${Number(assetId)}`],
      ['occurrence', `asset_id = ${Number(assetId)}`],
      ['occurrence_place', `issue_id in (${issues})`],
      ['issue_event', `issue_id in (${issues})`],
    ] as const) {
      const lines: Buffer[] = []
      const out = client.query(copyTo(`copy (select * from ${table} where ${where}) to stdout`))
      for await (const chunk of out) lines.push(chunk)
      await client.query(`create table bench_copy (like ${table} including defaults including indexes)`)
      const start = performance.now()
      const into = client.query(copyFrom('copy bench_copy from stdin'))
      await pipeline(Readable.from(lines, { objectMode: false }), into)
      seconds += (performance.now() - start) / 1000
      rows += into.rowCount
      await client.query('drop table bench_copy')
    }
  } finally {
    await client.end()
  }
  return { seconds, rows }
}

async function newAsset(installation: Installation, size: number): Promise<string> {
  const query = 'mutation ($input: CreateAssetInput!) { createAsset(input: $input) { asset { id } } }'
  const input = { companyId: Number(installation.companyId), name: `import ${size} ${Date.now()}` }
  return (await ask(installation, JSON.stringify({ query, variables: { input } }))).createAsset.asset.id
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read by the query that asked for them
async function ask({ port, key }: Installation, body: string | FormData): Promise<any> {
  const headers: Record<string, string> = { 'x-api-key': key }
  if (typeof body === 'string') headers['content-type'] = 'application/json'
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers, body })
  const { data, errors } = (await response.json()) as { data?: unknown; errors?: { message: string }[] }
  if (errors?.[0]) throw new Error(errors[0].message)
  return data
}
