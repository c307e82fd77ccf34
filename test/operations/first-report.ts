// The service, or its database, is killed while a first report is written as it is read: nothing stays in part, and then all goes in.

import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { result, sarif } from '../testkit/reports.ts'
import { ask, type Outcome, run, unique } from './client.ts'
import { databasePid, untilReady } from './database-crash.ts'
import { awaitImports } from './integrity.ts'
import { newEmbeddedPlace, type Place, type Server, somePort, startServer } from './server.ts'
import { AT_ONCE_BYTES, type Home, newHome } from './writes.ts'

export type Victim = 'service' | 'database'

/** Rows of several statements. */
const FINDINGS = 4200
/** milliseconds until what a dead worker held is given to another, and some */
const MOST_WAITED = 120_000

const SMALL = sarif(
  Array.from({ length: FINDINGS }, (_, index) => result(index + 1, {}, `src/${index % 100}.js`, index + 1)),
)
/** The same findings, as a report that goes in as a job. */
const LARGE = SMALL.padEnd(AT_ONCE_BYTES + 1)

type Installation = { place: Place; server: Server; port: number; client: Client; home: Home; expected: string }

/** Kills so many times while a report is written that is answered at once, and while one is that is a job; `later`: up to so many milliseconds into it. */
export async function killWhileFirst(victim: Victim, rounds: number, later: number): Promise<string[]> {
  const installation = await install()
  const faults: string[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      faults.push(...(await interruptAnswered(installation, victim, later)))
      faults.push(...(await interruptJob(installation, victim, later)))
    }
  } finally {
    await installation.client.end()
    await installation.server.end('SIGTERM')
    await installation.place.remove()
  }
  return faults
}

/** An installation in which an asset has had the report without a disturbance; `expected` is what it has of it. */
async function install(): Promise<Installation> {
  const place = await newEmbeddedPlace()
  const port = await somePort()
  const server = await startServer(place, { port })
  const home = await newHome({ url: server.url, key: server.key })
  const client = await place.connect()
  await send(home, SMALL)
  const expected = await findingsOf(client, home.assetId)
  return { place, server, port, client, home, expected }
}

async function interruptAnswered(installation: Installation, victim: Victim, later: number): Promise<string[]> {
  const home = await anotherAsset(installation.home)
  const sent = send(home, SMALL)
  await kill(installation, victim, later)
  const outcome = await sent
  const before = await countOf(installation.client, home.assetId)
  const again = await send(home, SMALL)
  return [
    ...told(outcome, victim),
    ...(before === 0 ? [] : [`${before} findings are there of a report that was not answered`]),
    ...(again.kind === 'answered' && again.failures.length === 0 ? [] : [`Sent again: ${JSON.stringify(again)}`]),
    ...(await findDifferences(installation, home.assetId, { created: FINDINGS, unchanged: 0 })),
  ]
}

async function interruptJob(installation: Installation, victim: Victim, later: number): Promise<string[]> {
  const home = await anotherAsset(installation.home)
  await send(home, LARGE)
  await kill(installation, victim, later)
  const before = await countOf(installation.client, home.assetId)
  const { open } = await awaitImports(installation.client, MOST_WAITED)
  const ended = await findDifferences(installation, home.assetId, { created: FINDINGS, unchanged: 0 })
  await send(home, SMALL)
  return [
    ...([0, FINDINGS].includes(before) ? [] : [`${before} findings are there of a job that was killed`]),
    ...(open === 0 ? [] : ['The job has not ended']),
    ...ended,
    ...(await findDifferences(installation, home.assetId, { created: 0, unchanged: FINDINGS })),
  ]
}

/** A service that is killed answers nothing; one whose database is killed says that it may be asked again. */
function told(outcome: Outcome, victim: Victim): string[] {
  if (victim === 'service') return outcome.kind === 'lost' ? [] : [`Answered by the dead: ${JSON.stringify(outcome)}`]
  const [failure] = outcome.kind === 'answered' ? outcome.failures : []
  const isNamed = failure?.extensions.code === 'UNAVAILABLE' && failure.extensions.retryable
  return isNamed ? [] : [`Without a database: ${JSON.stringify(outcome)}`]
}

/** Kills once findings are being written, and answers once all is served again. */
async function kill(installation: Installation, victim: Victim, later: number): Promise<void> {
  const { place, port } = installation
  await untilWriting(installation.client)
  await delay(randomInt(later + 1))
  if (victim === 'service') {
    await installation.server.end('SIGKILL')
    installation.server = await startServer(place, { port })
  } else {
    const killed = await databasePid(place)
    process.kill(killed, 'SIGKILL')
    await untilReady(place, installation.server, killed)
  }
  await installation.client.end().catch(() => {})
  installation.client = await place.connect()
}

async function untilWriting(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      `select from pg_stat_activity where pid <> pg_backend_pid() and state = 'active' and backend_xid is not null
         and query like '%from import_first as %'`,
    )
    if (rows.length > 0) return
    await delay(2)
  }
}

const IMPORT = 'mutation ($input: ImportFindingsInput!) { importFindings(input: $input) { import { id } } }'

const send = ({ access, companyId, assetId }: Home, report: string): Promise<Outcome> =>
  ask(access, {
    query: IMPORT,
    variables: { input: { companyId, assetId, file: null } },
    file: { path: 'input.file', bytes: Buffer.from(report), filename: 'report.sarif' },
  })

async function anotherAsset(home: Home): Promise<Home> {
  const made = await run(
    home.access,
    'mutation ($input: CreateAssetInput!) { createAsset(input: $input) { asset { id } } }',
    { input: { companyId: Number(home.companyId), name: unique('Asset') } },
  )
  return { ...home, assetId: made.createAsset.asset.id }
}

async function countOf(client: Client, assetId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from finding where asset_id = $1',
    [assetId],
  )
  return rows[0]?.count ?? 0
}

/** What is stored of the findings of an asset, without ids and times, as a digest. */
async function findingsOf(client: Client, assetId: string): Promise<string> {
  const { rows } = await client.query<{ digest: string }>(
    `select md5(string_agg(said, e'\\n' order by said)) as digest from (
       select concat_ws('|', type, tool_name, rule, title, description, severity, status, path, line, first_line, snippet,
         (select count(*) from occurrence_place as past where past.company_id = place.company_id and past.issue_id = place.issue_id),
         (select string_agg(action::text, ',' order by id) from issue_event as event
          where event.company_id = place.company_id and event.issue_id = place.issue_id)) as said
       from finding join occurrence as place on place.company_id = finding.company_id and place.issue_id = finding.id
       where finding.asset_id = $1) as findings`,
    [assetId],
  )
  return rows[0]?.digest ?? ''
}

type Came = { created: number; unchanged: number }

/** Whether the last import of the asset came to this, its findings are those of an undisturbed one, and nothing was left beside them. */
async function findDifferences({ client, expected }: Installation, assetId: string, came: Came): Promise<string[]> {
  const { rows } = await client.query<Came & { status: string; staged: number }>(
    `select status, created, unchanged, (select count(*) from import_first)::int + (select count(*) from import_staged)::int as staged
     from import where asset_id = $1 order by id desc limit 1`,
    [assetId],
  )
  const wanted = JSON.stringify({ status: 'SUCCEEDED', ...came, staged: 0 })
  const [found] = rows
  return [
    ...(JSON.stringify(found) === wanted ? [] : [`An import came to ${JSON.stringify(found)} instead of ${wanted}`]),
    ...((await findingsOf(client, assetId)) === expected
      ? []
      : ['The findings are not those of an undisturbed report']),
  ]
}

export async function runTrial(rounds: number): Promise<string[]> {
  const faults: string[] = []
  for (const victim of ['service', 'database'] as const) {
    const found = await killWhileFirst(victim, rounds, 500)
    console.log(`${2 * rounds} kills of the ${victim} while a first report was written: ${found.length} faults`)
    faults.push(...found)
  }
  return faults
}
