// `merlon serve`: opens the database, brings it to the present, serves, and stops in order when it is told to.

import { join } from 'node:path'
import type { Command } from 'commander'
import type { PoolConfig } from 'pg'
import { type Application, createApp, migrateDatabase } from '../../app.ts'
import { type Config, readConfig } from '../../core/config.ts'
import { replaceFile } from '../../core/crypto.ts'
import { type EmbeddedDatabase, startEmbedded } from '../../core/db/embedded.ts'
import { type Log, openServiceLog } from '../../core/log.ts'
import { sweepObjects } from '../../core/uploads.ts'
import { createFirstAdministrator } from '../../modules/access/service.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

export function serve(program: Command): void {
  program
    .command('serve')
    .description('serve the endpoint, with the worker')
    .option('--no-worker', 'leave the jobs to `merlon worker`')
    .action(run)
}

async function run(options: { worker: boolean }): Promise<void> {
  const config = readConfig(process.env)
  const log = openServiceLog(config.logLevel)
  const database = await openConnection(config, log)
  try {
    await start(config, log, database, options)
  } catch (error) {
    await database.embedded?.stop()
    throw error
  }
}

async function start(config: Config, log: Log, database: Opened, options: { worker: boolean }): Promise<void> {
  await migrateDatabase(database.connection, log)
  const app = await createApp({ config, log, connection: database.connection })
  const keyFile = join(config.data, 'admin-key')
  const key = await createFirstAdministrator(app.db, (made) => replaceFile(keyFile, `${made}\n`))
  if (database.embedded) await sweepObjects(app.db, app.parts.objects, 0)
  const address = await app.listen()
  if (options.worker) await app.startWorker()
  announce(config, address, key, keyFile)
  stopWhenTold(app, database.embedded, log)
}

type Opened = { connection: PoolConfig; embedded: EmbeddedDatabase | null }

async function openConnection(config: Config, log: Log): Promise<Opened> {
  if (config.databaseUrl !== null) return { connection: { connectionString: config.databaseUrl }, embedded: null }
  const embedded = await startEmbedded({ dataDirectory: config.data, log: (line) => log.debug({ line }, 'postgres') })
  return { connection: embedded.connection, embedded }
}

function announce(config: Config, address: string, key: string | null, keyFile: string): void {
  say(`Merlon serves ${address}/graphql`)
  say(`Its data is in ${config.data}${config.databaseUrl === null ? '' : ' and in the database of DATABASE_URL'}`)
  if (key) say(`The administrator's key, shown this once and written to ${keyFile}: ${key}`)
  else say(`The administrator's key of the first start is in ${keyFile}, unless it was moved`)
  say(`Next: MERLON_URL=${address} MERLON_API_KEY=<the key> npx merlon company create "My company"`)
}

function stopWhenTold(app: Application, embedded: EmbeddedDatabase | null, log: Log): void {
  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    await app.stop()
    await embedded?.stop()
    log.flush()
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  if (embedded) keepAlive(embedded, log, () => isStopping)
}

/** Starts the embedded database again whenever it ends without being told to. */
async function keepAlive(embedded: EmbeddedDatabase, log: Log, isStopping: () => boolean): Promise<void> {
  for (;;) {
    const end = await embedded.exited
    if (isStopping()) return
    log.error({ ...end }, 'The database ended by itself and is started again')
    await embedded.restart()
  }
}
