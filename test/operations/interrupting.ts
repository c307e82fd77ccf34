// Kills the service, its database, or one database process while a certain statement runs, and returns once all are back.

import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { ask, type Outcome, run, unique } from './client.ts'
import { databasePid, untilReady } from './database-crash.ts'
import { awaitImports } from './integrity.ts'
import { newEmbeddedPlace, type Place, type Server, somePort, startServer } from './server.ts'
import { type Home, newHome } from './writes.ts'

/**
 * What is killed: `backend` is the database process that runs the statement, after which PostgreSQL ends all others and
 * recovers.
 */
export type Victim = 'service' | 'database' | 'backend'

export const victims = ['service', 'database', 'backend'] as const satisfies readonly Victim[]

/** milliseconds until jobs of a dead worker are given to another, with some margin */
export const MOST_WAITED = 120_000

export type Installation = { place: Place; server: Server; port: number; client: Client; home: Home }

/** Runs `work` on a new installation. */
export async function withInstallation<T>(work: (installation: Installation) => Promise<T>): Promise<T> {
  const place = await newEmbeddedPlace()
  const port = await somePort()
  const server = await startServer(place, { port })
  const home = await newHome({ url: server.url, key: server.key })
  const installation = { place, server, port, home, client: await place.connect() }
  try {
    return await work(installation)
  } finally {
    await installation.client.end()
    await installation.server.end('SIGTERM')
    await place.remove()
  }
}

/**
 * The moment to kill: a random time of up to `later` milliseconds into a running statement that contains `doing`. `of`
 * is the work that runs it, which may end before.
 */
type Moment = { doing: string; later: number; of: Promise<unknown> }

/** Resolves to whether it was killed: on a busy machine the work can end before the statement is seen. */
export async function kill(installation: Installation, victim: Victim, { doing, later, of }: Moment): Promise<boolean> {
  const { place, port } = installation
  const backend = await untilDoing(installation.client, doing, of)
  if (backend === null) return false
  await delay(randomInt(later + 1))
  if (victim === 'service') {
    await installation.server.end('SIGKILL')
    installation.server = await startServer(place, { port })
  } else {
    const killed = victim === 'database' ? await databasePid(place) : backend
    const lost = new Promise((resolve) => installation.client.once('end', resolve))
    process.kill(killed, 'SIGKILL')
    await lost
    await untilReady(place, installation.server, killed)
  }
  await installation.client.end().catch(() => {})
  installation.client = await place.connect()
  return true
}

/** Repeats the attempt until a kill has interrupted the work; null means that it did not. */
export async function untilInterrupted(attempt: () => Promise<string[] | null>): Promise<string[]> {
  for (;;) {
    const faults = await attempt()
    if (faults !== null) return faults
  }
}

/** The id of the database process that runs such a statement, once it has written something; null if the work ended before. */
async function untilDoing(client: Client, doing: string, of: Promise<unknown>): Promise<number | null> {
  let isOver = false
  of.then(() => {
    isOver = true
  })
  for (;;) {
    if (isOver) return null
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where pid <> pg_backend_pid() and state = 'active' and backend_xid is not null
         and query like '%' || $1 || '%'`,
      [doing],
    )
    if (rows[0]) return rows[0].pid
    await delay(2)
  }
}

/** A killed service sends no answer; one whose database was killed says that the request can be retried. */
export function told(outcome: Outcome, victim: Victim): string[] {
  if (victim === 'service') return outcome.kind === 'lost' ? [] : [`Answered by the dead: ${JSON.stringify(outcome)}`]
  const [failure] = outcome.kind === 'answered' ? outcome.failures : []
  const isNamed = failure?.extensions.code === 'UNAVAILABLE' && failure.extensions.retryable
  return isNamed ? [] : [`Without a database: ${JSON.stringify(outcome)}`]
}

export async function anotherAsset(home: Home): Promise<Home> {
  const made = await run(
    home.access,
    'mutation ($input: CreateAssetInput!) { createAsset(input: $input) { asset { id } } }',
    { input: { companyId: Number(home.companyId), name: unique('Asset') } },
  )
  return { ...home, assetId: made.createAsset.asset.id }
}

const IMPORT = 'mutation ($input: ImportFindingsInput!) { importFindings(input: $input) { import { id } } }'

export const sendReport = ({ access, companyId, assetId }: Home, report: string): Promise<Outcome> =>
  ask(access, {
    query: IMPORT,
    variables: { input: { companyId, assetId, file: null } },
    file: { path: 'input.file', bytes: Buffer.from(report), filename: 'report.sarif' },
  })

/** Resolves when the report is in, whether before the answer or by a job. */
export async function importReport({ client }: Installation, home: Home, report: string): Promise<void> {
  await sendReport(home, report)
  await awaitImports(client, MOST_WAITED)
}

/** A digest of everything stored about the asset's findings, except for ids and times. */
export async function findingsOf(client: Client, assetId: string): Promise<string> {
  const { rows } = await client.query<{ digest: string }>(
    `select md5(string_agg(said, e'\\n' order by said)) as digest from (
       select concat_ws('|', type, tool_name, rule, title, description, severity, status, path, line, first_line, snippet, place.disposition,
         (select string_agg(concat_ws(' ', past.path, past.line, past.disposition), ',' order by past.id) from occurrence_place as past
          where past.company_id = place.company_id and past.issue_id = place.issue_id),
         (select string_agg(concat_ws(' ', did.disposition, did.is_introduced, did.file_number), ',' order by deploy_id)
          from deploy_finding as did where did.company_id = place.company_id and did.issue_id = place.issue_id),
         (select string_agg(action::text, ',' order by id) from issue_event as event
          where event.company_id = place.company_id and event.issue_id = place.issue_id)) as said
       from finding join occurrence as place on place.company_id = finding.company_id and place.issue_id = finding.id
       where finding.asset_id = $1) as findings`,
    [assetId],
  )
  return rows[0]?.digest ?? ''
}
