// A backup made during writes restores to the same rows and files, and an incomplete one restores to nothing.

import { randomBytes } from 'node:crypto'
import { appendFile, copyFile, cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFaults } from './integrity.ts'
import { startLoad } from './load.ts'
import { type Ended, newPlace, type Place, runCommand, startServer } from './server.ts'
import { newHome } from './writes.ts'

type Manifest = { tables: { name: string; bytes: number; sha256: string }[]; objects: number }

type BackupResult = { faults: string[]; bytes: number; objects: number; backupTime: number; restoreTime: number }

const readManifest = async (directory: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8'))

/** Makes a backup while writes have been going on for `filling` milliseconds, and restores it into a new installation. */
export async function backUpAndRestore(filling: number): Promise<BackupResult> {
  const work = await mkdtemp(join(tmpdir(), 'merlon-backup-'))
  const [source, target] = [await newPlace(), await newPlace()]
  const [first, second] = [join(work, 'first'), join(work, 'second')]
  const faults: string[] = []
  try {
    const backupTime = await backUpUnderLoad(source, first, filling, faults)
    const began = performance.now()
    expectEnd(faults, await runCommand(['restore', first], target.environment), 0, 'restored')
    const restoreTime = performance.now() - began
    expectEnd(faults, await runCommand(['restore', first], target.environment), 1, 'The database has companies already')
    await expectWrongKey(target, faults)
    await copyFile(join(source.data, 'root-key'), join(target.data, 'root-key'))
    expectEnd(faults, await runCommand(['backup', second], target.environment), 0, 'tables and')
    const [before, after] = [await readManifest(first), await readManifest(second)]
    faults.push(...differences(before, after))
    faults.push(...(await differentObjects(first, second)), ...(await serves(source, target)))
    const bytes = before.tables.reduce((sum, table) => sum + table.bytes, 0)
    return { faults, bytes, objects: before.objects, backupTime, restoreTime }
  } finally {
    await source.remove()
    await target.remove()
    await rm(work, { recursive: true, force: true })
  }
}

async function backUpUnderLoad(source: Place, directory: string, filling: number, faults: string[]): Promise<number> {
  const server = await startServer(source)
  const load = startLoad(await newHome({ url: server.url, key: server.key }), 4)
  await delay(filling)
  // what a damage is done to
  await load.acknowledges(({ sha256 }) => sha256 !== undefined)
  await load.acknowledges(({ kind }) => kind === 'ticket')
  const acknowledged = load.journal.acknowledged.length
  const began = performance.now()
  expectEnd(faults, await runCommand(['backup', directory], source.environment), 0, 'tables and')
  const took = performance.now() - began
  const during = load.journal.acknowledged.length - acknowledged
  if (during === 0) faults.push('Nothing was written while the backup was made')
  await load.stop()
  expectEnd(faults, await runCommand(['restore', directory], source.environment), 1, '')
  await server.end('SIGTERM')
  return took
}

function expectEnd(faults: string[], { code, out, err }: Ended, expected: number, words: string): void {
  const isOneSentence = expected === 0 || (err.trim().length > 0 && !err.includes('    at '))
  if (code !== expected || !`${out}${err}`.includes(words) || !isOneSentence) {
    faults.push(`Expected the end ${expected} with “${words}”, got ${code}: ${out}${err}`)
  }
}

/** Without the old root key the service does not start, says so, and does not create a new key. */
async function expectWrongKey(target: Place, faults: string[]): Promise<void> {
  const start = () => runCommand(['serve'], { ...target.environment, PORT: '0' })
  const file = join(target.data, 'root-key')
  expectEnd(faults, await start(), 1, `put it into ${file}, or give it as MERLON_ROOT_KEY`)
  await writeFile(file, randomBytes(32).toString('hex'), { flag: 'wx' })
  expectEnd(faults, await start(), 1, 'is not the one that this data was encrypted under')
}

function differences(before: Manifest, after: Manifest): string[] {
  const hashes = new Map(after.tables.map(({ name, sha256 }) => [name, sha256]))
  const changed = before.tables.filter(({ name, sha256 }) => hashes.get(name) !== sha256)
  const faults = changed.map(({ name }) => `The table ${name} is not what was backed up`)
  return before.tables.length === after.tables.length ? faults : [...faults, 'There are other tables']
}

async function differentObjects(first: string, second: string): Promise<string[]> {
  const [before, after] = await Promise.all([first, second].map((place) => readdir(join(place, 'objects'))))
  if (!before || !after || before.sort().join() !== after.sort().join()) return ['There are other objects']
  const faults: string[] = []
  for (const name of before) {
    const [left, right] = await Promise.all([first, second].map((place) => readFile(join(place, 'objects', name))))
    if (!left || !right?.equals(left)) faults.push(`The object ${name} is not what was backed up`)
  }
  return faults
}

/** The restored installation serves with the old key, and is complete. */
async function serves(source: Place, target: Place): Promise<string[]> {
  await copyFile(join(source.data, 'admin-key'), join(target.data, 'admin-key'))
  const server = await startServer(target)
  const home = await newHome({ url: server.url, key: server.key })
  const load = startLoad(home, 2)
  await delay(300)
  await load.stop()
  const client = await target.connect()
  const faults = await findFaults(target, client, load.journal, null)
  await client.end()
  await server.end('SIGTERM')
  return faults
}

type Damage = { what: string; do: (backup: string) => Promise<void> }

const largest = async (backup: string, folder: 'tables' | 'objects'): Promise<string> => {
  const names = await readdir(join(backup, folder))
  const texts = await Promise.all(
    names.map(async (name) => ({ name, size: (await readFile(join(backup, folder, name))).length })),
  )
  return join(backup, folder, texts.sort((left, right) => right.size - left.size)[0]?.name ?? '')
}

export const damages: Damage[] = [
  { what: 'no manifest', do: (backup) => rm(join(backup, 'manifest.json')) },
  { what: 'half a manifest', do: (backup) => truncate(join(backup, 'manifest.json'), 200) },
  { what: 'half a table', do: async (backup) => truncate(await largest(backup, 'tables'), 1000) },
  {
    what: 'a table with a row more',
    do: async (backup) => appendFile(join(backup, 'tables', 'ticket.copy'), await firstRow(backup)),
  },
  { what: 'a table lacking', do: (backup) => rm(join(backup, 'tables', 'finding.copy')) },
  { what: 'an object lacking', do: async (backup) => rm(await largest(backup, 'objects')) },
  { what: 'half an object', do: async (backup) => truncate(await largest(backup, 'objects'), 10) },
  { what: 'another object', do: async (backup) => writeFile(await largest(backup, 'objects'), 'something else') },
]

async function firstRow(backup: string): Promise<string> {
  const rows = await readFile(join(backup, 'tables', 'ticket.copy'), 'utf8')
  return rows.slice(0, rows.indexOf('\n') + 1).replace(/^(\d+)\t\d+/, '$1\t987654')
}

/** Damages a backup in each way and restores it: each is refused with a sentence, and leaves neither rows nor objects. */
export async function restoreDamaged(chosen = damages): Promise<{ faults: string[]; refused: number }> {
  const work = await mkdtemp(join(tmpdir(), 'merlon-damaged-'))
  const [source, target] = [await newPlace(), await newPlace()]
  const whole = join(work, 'whole')
  const faults: string[] = []
  try {
    await backUpUnderLoad(source, whole, 1500, faults)
    for (const { what, do: damage } of chosen) {
      const copy = join(work, what.replaceAll(' ', '-'))
      await cp(whole, copy, { recursive: true })
      await damage(copy)
      const before = faults.length
      expectEnd(faults, await runCommand(['restore', copy], target.environment), 1, '')
      if (faults.length > before) faults.push(`That was ${what}`)
      const left = await leftObjects(target)
      if (left.length > 0) faults.push(`${what} left ${left.length} objects`)
    }
    expectEnd(faults, await runCommand(['restore', whole], target.environment), 0, 'restored')
  } finally {
    await source.remove()
    await target.remove()
    await rm(work, { recursive: true, force: true })
  }
  return { faults, refused: chosen.length }
}

const leftObjects = async ({ data }: Place): Promise<string[]> =>
  (await readdir(join(data, 'objects'), { recursive: true }).catch(() => [])).filter((name) =>
    /[0-9a-f]{40}$/.test(name),
  )

/** Writes run for `seconds` before the backup. */
export async function run(seconds: number): Promise<string[]> {
  const { faults, bytes, objects, backupTime, restoreTime } = await backUpAndRestore(seconds * 1000)
  const damaged = await restoreDamaged()
  console.log(
    `${bytes} bytes of rows and ${objects} objects: backup ${Math.round(backupTime)} ms while writes went on,`,
  )
  console.log(`restore ${Math.round(restoreTime)} ms; ${faults.length} faults`)
  console.log(`${damaged.refused} damaged backups: ${damaged.faults.length} faults`)
  return [...faults, ...damaged.faults]
}
