// A full disk: what needs space is refused with a code and without a crash, reads continue, and everything works once there is space again.

import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Access, type Asked, ask, type Failure, isDone, run as runOperation, unique } from './client.ts'
import { findFaults } from './integrity.ts'
import { newJournal } from './load.ts'
import { embeddedPlace, type Server, startServer } from './server.ts'
import { type Home, newHome } from './writes.ts'

const MiB = 1024 * 1024

type DiskResult = { faults: string[]; uploads: number; refusals: Map<string, number>; recovered: number }

/** Mounts a file system of `size` MiB; null if that is not permitted. */
export async function mountSmall(size: number): Promise<string | null> {
  const directory = await mkdtemp(join(tmpdir(), 'merlon-small-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}m,mode=0711`, 'tmpfs', directory], { stdio: 'ignore' })
    return directory
  } catch {
    await rm(directory, { recursive: true, force: true })
    return null
  }
}

export async function unmount(directory: string): Promise<void> {
  execFileSync('umount', ['-l', directory])
  await rm(directory, { recursive: true, force: true })
}

/**
 * Fills the disk with uploads until `left` bytes remain, then with small writes; frees space, and checks what is
 * stored. With less left than a segment of the write-ahead log, a database that needs the next segment would end, and
 * could not start again. With more left, the writes themselves use it up.
 */
export async function fillDisk(directory: string, left: number): Promise<DiskResult> {
  const place = embeddedPlace(directory)
  const result: DiskResult = { faults: [], uploads: 0, refusals: new Map(), recovered: 0 }
  const ballast = join(directory, 'ballast')
  await writeFile(ballast, randomBytes(24 * MiB))
  const server = await startServer(place)
  const home = await newHome({ url: server.url, key: server.key })
  const journal = newJournal()

  const write = async (asked: Asked, mark: string, kind: 'attachment' | 'asset', sha256?: string) => {
    const outcome = await ask(home.access, asked)
    if (outcome.kind === 'lost') return result.faults.push(`A request got no answer: ${outcome.reason}`)
    const [failure] = outcome.failures
    if (failure) return noteRefusal(result, failure)
    return journal.acknowledged.push({ kind, mark, rows: 1, asked, ...(sha256 ? { sha256 } : {}) })
  }
  for (let refused = 0; refused < 10; ) {
    const before = journal.acknowledged.length
    const { asked, mark, sha256 } = attachmentOf(home, MiB)
    await write(asked, mark, 'attachment', sha256)
    if (journal.acknowledged.length === before) refused += 1
  }
  result.uploads = journal.acknowledged.length
  await fillRest(directory, left)
  for (let turn = 0; turn < 500; turn += 1) {
    const mark = unique('asset')
    await write({ ...assetOf(home, mark), idempotencyKey: mark.replace(' ', '-') }, mark, 'asset')
  }
  result.faults.push(...(await readsFail(server, home)))

  await rm(join(directory, 'filling'), { force: true })
  await rm(ballast)
  result.recovered = await untilWritable(home)
  const client = await place.connect()
  result.faults.push(...(await findFaults(place, client, journal, null)))
  await client.query('select count(*) from pg_class where pg_relation_size(oid) > 0')
  await client.end()
  const { code } = await server.end('SIGTERM')
  if (code !== 0) result.faults.push(`The process ended with ${code}`)
  result.faults.push(...(await wholeAfterRestart(place, journal)))
  return result
}

/** After a restart no request is in progress, so every file must belong to a row, and every page must match its checksum. */
async function wholeAfterRestart(place: ReturnType<typeof embeddedPlace>, journal: ReturnType<typeof newJournal>) {
  const began = performance.now()
  const server = await startServer(place)
  const client = await place.connect()
  const faults = await findFaults(place, client, journal, began)
  await client.end()
  await server.end('SIGTERM')
  return faults
}

function noteRefusal(result: DiskResult, { message, extensions }: Failure): void {
  const said = `${extensions.code}: ${message}`
  result.refusals.set(said, (result.refusals.get(said) ?? 0) + 1)
  if (extensions.code !== 'UNAVAILABLE' || !extensions.retryable) result.faults.push(`A refusal was ${said}`)
}

function attachmentOf({ companyId }: Home, size: number) {
  const mark = unique('attachment')
  const bytes = randomBytes(size)
  const query = 'mutation ($input: CreateAttachmentInput!) { createAttachment(input: $input) { attachment { id } } }'
  const file = { path: 'input.archive', bytes, filename: mark }
  const asked = { query, variables: { input: { companyId, archive: null } }, file }
  return { mark, asked, sha256: createHash('sha256').update(bytes).digest('hex') }
}

const assetOf = ({ companyId }: Home, mark: string): Asked => ({
  query: 'mutation ($input: CreateAssetInput!) { createAsset(input: $input) { asset { id } } }',
  variables: { input: { companyId: Number(companyId), name: mark, description: randomBytes(40_000).toString('hex') } },
})

/** Uses up the remaining space except for `left` bytes. */
async function fillRest(directory: string, left: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory)
  await writeFile(join(directory, 'filling'), Buffer.alloc(Math.max(0, bavail * bsize - left), 1)).catch(() => {})
}

/** in milliseconds; a database that restarts takes a second, and more on a busy machine */
const MOST_RESTARTING = 60_000

/** Failures to read while the disk is full; a database that restarts meanwhile is waited for. */
async function readsFail(server: Server, home: Home): Promise<string[]> {
  const query = '{ assets(companyId: "ID", limit: 10) { collection { id name } } }'
  for (const end = performance.now() + MOST_RESTARTING; ; await delay(200)) {
    const outcome = await ask(home.access, {
      query: query.replace('"ID"', home.companyId),
      variables: {},
    })
    if (isDone(outcome)) return []
    if (server.child.exitCode !== null) return [`The process ended with ${server.child.exitCode}: ${server.logged()}`]
    if (performance.now() > end) return [`Reads fail on a full disk: ${JSON.stringify(outcome)}`]
  }
}

async function untilWritable({ access, companyId }: Home): Promise<number> {
  const began = performance.now()
  for (;;) {
    const isWritten = await createAsset(access, companyId).then(
      () => true,
      () => false,
    )
    if (isWritten) return performance.now() - began
    if (performance.now() - began > 60_000) throw new Error('Writes do not work again after a minute')
    await delay(100)
  }
}

const createAsset = (access: Access, companyId: string) =>
  runOperation(access, 'mutation ($input: CreateAssetInput!) { createAsset(input: $input) { asset { id } } }', {
    input: { companyId: Number(companyId), name: unique('after') },
  })

/** `size` is the size of the disk in MiB. */
export async function run(size: number): Promise<string[]> {
  const faults: string[] = []
  for (const left of [64 * 1024, 12 * MiB, 27 * MiB]) faults.push(...(await fillOne(size, left)))
  return faults
}

async function fillOne(size: number, left: number): Promise<string[]> {
  const directory = await mountSmall(size)
  if (directory === null) {
    console.log('Not tried: a file system of its own can be mounted by root only')
    return []
  }
  try {
    const { faults, uploads, refusals, recovered } = await fillDisk(directory, left)
    console.log(`a disk of ${size} MiB with ${left} bytes left: ${uploads} uploads of 1 MiB; ${faults.length} faults`)
    for (const [said, times] of refusals) console.log(`  ${times} times ${said}`)
    console.log(`writes work again ${Math.round(recovered)} ms after room was made`)
    return faults
  } finally {
    await unmount(directory)
  }
}
