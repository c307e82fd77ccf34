// The installation that benchmarks measure: the real service as its own process, on a database with a million issues.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { SERVING } from '../bin/serving.mjs'
import { connectToServed } from '../src/core/db/embedded.ts'
import { newKey } from '../src/modules/access/keys.ts'
import { fill } from './generator.ts'

export type Installation = {
  port: number
  key: string
  companyId: string
  assetIds: string[]
  /** Connection settings of the same database, for controls. */
  connection: pg.PoolConfig
  pid: number
  stop: () => Promise<void>
}

const DATA = process.env.MERLON_BENCH_DATA ?? 'data/bench'

/** The benchmarks' own variables must not reach the service, which would report them as unknown settings. */
const isOwn = (name: string): boolean => /^MERLON_(?:BENCH|REPLAY)_/.test(name)

/**
 * Serves the benchmark's data, which is created at the first call and kept; on DATABASE_URL if it is set, otherwise
 * embedded. With `isStarted`, Node gets the options that `npm start` gives it.
 */
export async function openInstallation(
  issues: number,
  { hasWorker = false, isStarted = false } = {},
): Promise<Installation> {
  await mkdir(DATA, { recursive: true })
  const port = 20_000 + (process.pid % 20_000)
  const environment = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOwn(name))),
    PORT: String(port),
    MERLON_DATA: DATA,
    MERLON_REQUESTS_PER_MINUTE: '100000000',
    LOG_LEVEL: 'warn',
  }
  const options = isStarted ? [SERVING] : []
  const service = spawn(
    process.execPath,
    [...options, 'src/cli/main.ts', 'serve', ...(hasWorker ? [] : ['--no-worker'])],
    {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  endWithUs(service)
  await until(service, 'Next:')
  const served = process.env.DATABASE_URL ? null : await connectToServed(DATA)
  const connection = served ? served.connection : { connectionString: process.env.DATABASE_URL }
  const client = new pg.Client(connection)
  await client.connect()
  const { companyId, assetIds } = await fill(client, issues)
  const key = await issueKey(client)
  await client.end()
  return {
    port,
    key,
    companyId,
    assetIds,
    connection,
    pid: service.pid ?? 0,
    async stop() {
      service.kill('SIGTERM')
      await once(service, 'exit')
      await served?.close()
    },
  }
}

/** A key of an ordinary member of the benchmark's company, as a pipeline would have. */
async function issueKey(client: pg.Client): Promise<string> {
  const { key, publicId, hash } = newKey()
  const user = await client.query<{ id: string }>(
    `insert into portal_user (email, name) values ($1, 'Benchmark') returning id`,
    [`${publicId}@bench.test`],
  )
  const userId = user.rows[0]?.id
  await client.query(
    `insert into membership (company_id, user_id, role) select id, $1, 'ANALYST' from company where sid = 'bench'`,
    [userId],
  )
  await client.query(
    `insert into api_key (public_id, hash, user_id, name, scopes) values ($1, $2, $3, 'Benchmark', '{read,write}')`,
    [publicId, hash, userId],
  )
  return key
}

/** Starts one of bench/'s control servers as its own process, and resolves to its port. */
export async function openControl(
  file: string,
  facts: Record<string, unknown>,
): Promise<{ port: number; pid: number; stop: () => Promise<void> }> {
  const control = spawn(process.execPath, [join('bench', file)], {
    env: { ...process.env, BENCH_FACTS: JSON.stringify(facts) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithUs(control)
  const line = await until(control, 'port ')
  return {
    pid: control.pid ?? 0,
    port: Number(/port (\d+)/.exec(line)?.[1]),
    async stop() {
      control.kill('SIGTERM')
      await once(control, 'exit')
    },
  }
}

/** Ends the child with this process, whether that exits normally, with an error or by a signal. */
export function endWithUs(child: ChildProcess): void {
  const end = () => child.kill('SIGTERM')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
}

function until(child: ChildProcess, word: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes(word)) resolve(said)
    })
    child.once('exit', (code) => reject(new Error(`A process of the benchmark ended with ${code}: ${said}`)))
  })
}

/** The resident memory of a process in MiB, if /proc is available. */
export async function residentMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
