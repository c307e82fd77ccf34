// `merlon serve`: opens and migrates the database, serves, and shuts down in order when told to.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import type { PoolConfig } from 'pg'
import { type Application, createApp, migrateDatabase } from '../../app.ts'
import { type Config, readConfig } from '../../core/config.ts'
import { makeDataDirectory } from '../../core/data-directory.ts'
import { type EmbeddedDatabase, hasDatabase, startEmbedded } from '../../core/db/embedded.ts'
import { type Log, openServiceLog } from '../../core/log.ts'
import { replaceFile } from '../../core/private-file.ts'
import { removeUnused } from '../../core/sweeping.ts'
import { findUnknownSettings } from '../../core/unknown-settings.ts'
import { createFirstAdministrator, isUsableKey, replaceLostKey } from '../../modules/access/service.ts'
import { hasCompany } from '../../modules/companies/service.ts'
import { asAddressFault, tryAddress } from '../listening.ts'
import { say } from '../output.ts'
import { stopWhenTold } from '../signals.ts'

/** Milliseconds between attempts to start a database that ended: the first, and the longest they grow to. */
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 5_000

/** Milliseconds for which a start waits for the removal of files that the last process left behind. */
const LEFTOVERS_FIRST = 2_000

/** The command line of this installation, by its path, so that it runs without an alias or a link. */
const commandLine = fileURLToPath(new URL('../../../bin/merlon.mjs', import.meta.url))

export function serve(command: Command): void {
  command.option('--no-worker', 'do not run jobs; leave them to merlon worker').action(run)
}

type Opened = { connection: PoolConfig; embedded: EmbeddedDatabase | null }

async function run(options: { worker: boolean }): Promise<void> {
  const config = readConfig(process.env)
  // A first start that cannot listen must leave no installation behind; a later one first says who holds the data.
  if (!existsSync(config.data)) await tryAddress(config)
  const log = openServiceLog(config.logLevel)
  for (const sentence of findUnknownSettings(process.env)) log.warn(sentence)
  let app: Application | null = null
  const opening = openConnection(config, log)
  const close = async (grace?: number) => {
    await app?.stop(grace)
    const database = await opening.catch(() => null)
    await database?.embedded?.stop()
  }
  const isStopping = stopWhenTold(log, close)
  try {
    const database = await opening
    if (database.embedded) keepAlive(database.embedded, log, isStopping)
    await migrateDatabase(database.connection, log)
    app = await createApp({ config, log, connection: database.connection })
    await start(app, config, database, { ...options, isStopping })
  } catch (error) {
    // What fails because everything is being closed is not a failure.
    if (isStopping()) return
    await close(0)
    throw error
  }
}

async function openConnection(config: Config, log: Log): Promise<Opened> {
  if (config.databaseUrl !== null) return { connection: { connectionString: config.databaseUrl }, embedded: null }
  if (!hasDatabase(config.data))
    say(`Creating the database in ${makeDataDirectory(config.data)} (once, a few seconds) …`)
  const embedded = await startEmbedded({ dataDirectory: config.data, log: (line) => log.debug({ line }, 'postgres') })
  return { connection: embedded.connection, embedded }
}

type StartOptions = { worker: boolean; isStopping: () => boolean }

async function start(app: Application, config: Config, { embedded }: Opened, { worker, isStopping }: StartOptions) {
  const keyFile = join(config.data, 'admin-key')
  const key = await administratorKey(app, config, keyFile)
  if (embedded) await removeLeftovers(app, isStopping)
  const address = await app.listen().catch((error) => asAddressFault(error, config))
  if (worker) await app.startWorker()
  announce(config, { address, key, keyFile, isInUse: await hasCompany(app.db) })
}

/** The key to show, and whether it was created now; null if the file has none that works. */
async function administratorKey(
  { db, parts: { keyring } }: Application,
  { oidc }: Config,
  keyFile: string,
): Promise<Key | null> {
  const keep = (made: string) => replaceFile(keyFile, `${made}\n`)
  const first = await createFirstAdministrator(db, keep)
  if (first !== null) return { text: first, was: 'CREATED' }
  // with a provider, administrators get in without a key
  const replaced = oidc === null ? await replaceLostKey(db, keyring, keep) : null
  if (replaced !== null) return { text: replaced, was: 'REPLACED' }
  const kept = (await readFile(keyFile, 'utf8').catch(() => '')).trim()
  return (await isUsableKey(db, kept)) ? { text: kept, was: 'THERE' } : null
}

/**
 * Removes files that the last process left incomplete: nobody can be storing one before this process listens. If there are many, the service
 * starts meanwhile.
 */
async function removeLeftovers({ db, parts: { objects, log } }: Application, isStopping: () => boolean): Promise<void> {
  await objects.removeDrafts(Number.NEGATIVE_INFINITY)
  // listed before anybody can store a new one
  const there = await Array.fromAsync(objects.list())
  const removing = removeUnused(db, objects, there).catch((error) => {
    if (!isStopping()) log.warn({ err: error }, 'Files that no row refers to are left to the next sweep')
  })
  await Promise.race([removing, delay(LEFTOVERS_FIRST, null, { ref: false })])
}

type Key = { text: string; was: 'CREATED' | 'REPLACED' | 'THERE' }

type Started = { address: string; key: Key | null; keyFile: string; isInUse: boolean }

function announce(config: Config, { address, key, keyFile, isInUse }: Started): void {
  say(`Merlon serves the console at ${address} and the endpoint at ${address}/graphql; Ctrl-C stops it`)
  say(`Its data is in ${placesOf(config)}`)
  if (key?.was === 'CREATED') say(`The administrator's key, shown only now and saved in ${keyFile}: ${key.text}`)
  else if (key?.was === 'REPLACED')
    say(`No administrator had a key that works: a new one, shown only now and saved in ${keyFile}: ${key.text}`)
  else if (key) say(`The administrator's key is in ${keyFile}`)
  if (isInUse) say(`Next: sign in at ${address} with your key`)
  else say(`Next: MERLON_URL=${address} MERLON_API_KEY=<the key> node '${commandLine}' company create "My company"`)
}

const listed = new Intl.ListFormat('en')

/** Where the installation's data is, for people. */
const placesOf = ({ data, databaseUrl, bucket }: Config): string =>
  listed.format([
    resolve(data),
    ...(databaseUrl === null ? [] : ['the database at DATABASE_URL']),
    ...(bucket === null ? [] : [`s3://${bucket.name}/${bucket.prefix}`]),
  ])

/** Restarts the embedded database whenever it ends unexpectedly. */
async function keepAlive(embedded: EmbeddedDatabase, log: Log, isStopping: () => boolean): Promise<void> {
  for (;;) {
    const end = await embedded.exited
    if (isStopping()) return
    log.error({ ...end }, 'The database stopped unexpectedly and is being restarted')
    await restart(embedded, log, isStopping)
  }
}

/** Retries until the database serves again; meanwhile callers get UNAVAILABLE. */
async function restart(embedded: EmbeddedDatabase, log: Log, isStopping: () => boolean): Promise<void> {
  for (let pause = FIRST_PAUSE; !isStopping(); pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      await embedded.restart()
      log.warn('The database is available again')
      return
    } catch (err) {
      log.error({ err, pause }, 'The database could not be started; another attempt follows')
      await delay(pause)
    }
  }
}
