// A real server process for a test, with its own data, database and key; it can be killed and started again.

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { SERVING } from '../../bin/serving.mjs'
import { connectToServed } from '../../src/core/db/embedded.ts'

export type Environment = Record<string, string>

/** The place of an installation: a data directory and, with DATABASE_URL, its own database on that server. */
export type Place = {
  data: string
  environment: Environment
  isEmbedded: boolean
  /** A connection of its own to the database that the server uses. */
  connect(): Promise<pg.Client>
  remove(): Promise<void>
}

const newData = () => mkdtemp(join(tmpdir(), 'merlon-operations-'))

/** A new place with the embedded database. */
export const newEmbeddedPlace = async (): Promise<Place> => embeddedPlace(await newData())

/** A new place, on the server of DATABASE_URL if that is set. */
export async function newPlace(): Promise<Place> {
  const data = await newData()
  const url = process.env.DATABASE_URL
  if (!url) return embeddedPlace(data)
  const name = `merlon_operations_${randomBytes(6).toString('hex')}`
  const own = new URL(url)
  own.pathname = `/${name}`
  await runOn(url, `create database ${name}`)
  return {
    data,
    environment: { MERLON_DATA: data, DATABASE_URL: own.href },
    isEmbedded: false,
    connect: () => opened(new pg.Client({ connectionString: own.href })),
    async remove() {
      await runOn(url, `drop database ${name} with (force)`)
      await rm(data, { recursive: true, force: true })
    },
  }
}

/** A place with the embedded database in `data`; removing it removes that directory. */
export function embeddedPlace(data: string): Place {
  return {
    data,
    environment: { MERLON_DATA: data, DATABASE_URL: '' },
    isEmbedded: true,
    async connect() {
      const served = await connectToServed(data)
      const client = new pg.Client(served.connection)
      client.once('end', () => void served.close())
      return opened(client)
    },
    remove: () => rm(data, { recursive: true, force: true }),
  }
}

async function opened(client: pg.Client): Promise<pg.Client> {
  client.on('error', () => {})
  await client.connect()
  return client
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = await opened(new pg.Client({ connectionString: url }))
  await client.query(statement).finally(() => client.end())
}

export type Ended = { code: number | null; signal: NodeJS.Signals | null; out: string; err: string }

export type Running = { child: ChildProcess; ended: Promise<Ended>; said(): string; logged(): string }

/** Starts `merlon <words>` with `environment`, and without the settings of this process. */
export function startCommand(
  words: readonly string[],
  environment: Environment,
  wrap: readonly string[] = [],
): Running {
  const { MERLON_API_KEY: _, DATABASE_URL: __, MERLON_URL: ___, PORT: ____, ...inherited } = process.env
  const [program = '', ...args] = [...wrap, process.execPath, resolve('src/cli/main.ts'), ...words]
  const child = spawn(program, args, {
    env: { ...inherited, XDG_CONFIG_HOME: '/nonexistent', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, out, err }))
  return { child, ended, said: () => out, logged: () => err }
}

/** Runs `merlon <words>` to its end. */
export const runCommand = (words: readonly string[], environment: Environment): Promise<Ended> =>
  startCommand(words, environment).ended

export type Server = Running & {
  url: string
  port: number
  key: string
  /** milliseconds from the start of the process until it serves */
  startTime: number
  /** Sends the signal and waits for the process to end. */
  end(signal: NodeJS.Signals): Promise<Ended>
}

type StartOptions = { words?: string[]; environment?: Environment; wrap?: string[]; port?: number }

/** Separate ranges for each worker of a test run. Otherwise two could choose the same port between probing and using it. */
const PORTS = 20_000 + 1_000 * (Number(process.env.VITEST_POOL_ID ?? 0) % 12)

/** A port that nobody listens on, below the range for outgoing connections, so that it is still free after a restart. */
export async function somePort(): Promise<number> {
  for (;;) {
    const port = PORTS + Math.floor(Math.random() * 1_000)
    const trial = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      trial.once('error', () => resolve(false))
      trial.listen(port, '127.0.0.1', () => resolve(true))
    })
    await new Promise((closed) => trial.close(closed))
    if (isFree) return port
  }
}

/** Starts `merlon serve` and resolves once it serves; throws with its output if it ends instead. */
export async function startServer(place: Place, options: StartOptions = {}): Promise<Server> {
  const port = options.port ?? (await somePort())
  const began = performance.now()
  const running = startCommand(
    ['serve', ...(options.words ?? [])],
    {
      NODE_OPTIONS: SERVING,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      MERLON_REQUESTS_PER_MINUTE: '100000000',
      ...place.environment,
      ...options.environment,
    },
    options.wrap,
  )
  await said(running, 'Next:')
  const key = (await readFile(join(place.data, 'admin-key'), 'utf8')).trim()
  return {
    ...running,
    url: `http://127.0.0.1:${port}`,
    port,
    key,
    startTime: performance.now() - began,
    end(signal) {
      running.child.kill(signal)
      return running.ended
    },
  }
}

/** Waits until the process has printed the word. */
export async function said(running: Running, word: string): Promise<void> {
  const seen = new Promise<'seen'>((done) => {
    const look = () => running.said().includes(word) && done('seen')
    running.child.stdout?.on('data', look)
    look()
  })
  const first = await Promise.race([seen, running.ended])
  if (first !== 'seen')
    throw new Error(`The process ended with ${first.code ?? first.signal}: ${first.out}${first.err}`)
}
