// The service under test: one for each worker (or several, with MERLON_TEST_NODES), reached over HTTP.

import { join } from 'node:path'
import { type Application, type ApplicationOptions, createApp } from '../../src/app.ts'
import { readConfig } from '../../src/core/config.ts'
import { type Log, openLog } from '../../src/core/log.ts'
import { home } from './home.ts'
import { standIn } from './vendor-fake.ts'
import { fastClock } from './vendor-session.ts'

export type Service = { url: string; app: Application; logged: string[] }

let started: Promise<Service[]> | null = null
let turn = 0
let statements = 0

async function start(): Promise<Service[]> {
  const nodes = Number(process.env.MERLON_TEST_NODES ?? 1)
  return Promise.all(Array.from({ length: nodes }, () => startService({})))
}

/** What is special about a test's own service, besides its settings. */
type Otherwise = Partial<Pick<ApplicationOptions, 'compile' | 'connection'>>

/** Starts a test's own service on the worker's database, with other settings; the test must stop it. */
export async function startService(environment: Record<string, string>, otherwise: Otherwise = {}): Promise<Service> {
  const logged: string[] = []
  const log: Log = openLog('info', { write: (line: string) => void logged.push(line) })
  const config = readConfig({
    PORT: '0',
    MERLON_DATA: home().dataDirectory,
    MERLON_REQUESTS_PER_MINUTE: '1000000',
    ...environment,
  })
  const app = await createApp({
    config,
    log,
    connection: home().connection,
    onStatement: count,
    standIn,
    clock: fastClock(),
    ...otherwise,
  })
  return { url: await app.listen(), app, logged }
}

/** Runs `work` with a service of its own with other settings, and stops the service afterwards. */
export async function withService<T>(
  environment: Record<string, string>,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const service = await startService(environment)
  return work(service).finally(() => service.app.stop(0))
}

/** The address of the service under test; with several, each in turn. */
export async function serviceUrl(): Promise<string> {
  started ??= start()
  const services = await started
  turn += 1
  const service = services[turn % services.length]
  if (!service) throw new Error('No service was started')
  return service.url
}

/** Every service under test in this worker, for what only shows from inside: its log and its database. */
export const services = async (): Promise<Service[]> => {
  started ??= start()
  return started
}

/** Skips the look-up of keys. It is repeated once a second whatever is asked, and so says nothing about an operation. */
function count(text: string): void {
  if (!text.includes('api_key')) statements += 1
}

/** The number of SQL statements that `work` takes, without begin, commit and the look-up of the key. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const before = statements
  await work()
  return statements - before
}

/** Like countStatements, for `work` that has run once before, so that its caches are warm. */
export async function countSettled(work: () => Promise<unknown>): Promise<number> {
  await work()
  return countStatements(work)
}

/** Where the service under test stores its objects. */
export const objectsDirectory = (): string => join(home().dataDirectory, 'objects')

process.once('beforeExit', async () => {
  for (const { app } of (await started) ?? []) await app.stop(0)
})
