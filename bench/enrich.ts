// New EPSS scores for 100,000 findings, through the job that applies them, beside one UPDATE that writes the scores alone.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { migrateDatabase } from '../src/app.ts'
import { startEmbedded } from '../src/core/db/embedded.ts'
import { openDatabase, transaction } from '../src/core/db/open.ts'
import { openLog } from '../src/core/log.ts'
import { readEpss } from '../src/modules/scoring/feeds.ts'
import { applyFeeds } from '../src/modules/scoring/jobs.ts'
import { replaceEpss } from '../src/modules/scoring/store-feeds.ts'
import { median, timed } from './load.ts'

const FINDINGS = 100_000
const VULNERABILITIES = 300_000
const ROUNDS = 3

export async function run(): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'merlon-bench-enrich-'))
  const database = await startEmbedded({ dataDirectory: data, log: () => {} })
  const { db } = openDatabase({ connection: database.connection, connections: 4, statementTimeout: 0 })
  const client = new pg.Client(database.connection)
  try {
    const log = openLog('warn')
    await migrateDatabase(database.connection, log)
    await client.connect()
    await makeFindings(client)
    const [read, applied, control]: [number[], number[], number[]] = [[], [], []]
    for (let round = 1; round <= ROUNDS; round += 1) {
      const file = epss(round)
      const source = {
        name: 'epss.csv.gz',
        open: async function* () {
          yield file
        },
      }
      read.push(await timed(() => transaction(db, (trx) => replaceEpss(trx, readEpss(source).rows))))
      applied.push(await timed(() => applyFeeds({ db, log })))
      control.push(await timed(() => writeScores(client, round)))
    }
    const seconds = (times: number[]) => `${(median(times) / 1000).toFixed(1)} s`
    console.log(`reading ${VULNERABILITIES} rows of EPSS: ${seconds(read)}`)
    console.log(`applying them to ${FINDINGS} findings: ${seconds(applied)} (under 10 s is wanted)`)
    console.log(`control, one UPDATE of the scores alone: ${seconds(control)}`)
  } finally {
    await client.end()
    await db.destroy()
    await database.stop()
    await rm(data, { recursive: true, force: true })
  }
}

const epss = (round: number): Buffer => {
  const rows = Array.from(
    { length: VULNERABILITIES },
    (_, index) => `CVE-2021-${10_000 + index},${(((index * 7919 * round) % 99_991) / 100_000).toFixed(5)},0.5\n`,
  )
  return gzipSync(`#model_version:bench,score_date:2026-01-01T00:00:00+0000\ncve,epss,percentile\n${rows.join('')}`)
}

async function makeFindings(client: pg.Client): Promise<void> {
  await client.query(`insert into company (label, sid) values ('Benchmark', 'bench')`)
  await client.query(
    `insert into asset (company_id, name) select company.id, 'asset ' || n from company, generate_series(1, 100) n`,
  )
  await client.query(
    `insert into issue (company_id, asset_id, type, rule, title, severity, status, detail, birth_key)
     select a.company_id, a.id, 'SCA_FINDING', 'rule', 'Finding ' || n, 'HIGH', 'CREATED',
            jsonb_build_object('cve', 'CVE-2021-' || 10000 + n % 20000), sha256(('bench ' || n)::bytea)
     from generate_series(1, $1::int) n
     join (select company_id, id, row_number() over (order by id) - 1 as number from asset) a on a.number = n % 100`,
    [FINDINGS],
  )
}

async function writeScores(client: pg.Client, round: number): Promise<void> {
  await client.query('alter table finding disable trigger issue_valued_again')
  await client.query('update issue set epss = $1::float8 / 1000 + id % 100 / 1000.0', [round])
  await client.query('alter table finding enable trigger issue_valued_again')
}
