// ScannerA's exports: requested once, polled, and fetched chunk by chunk while the vendor prepares them.

import { VendorFailed, VendorRefused } from '../errors.ts'
import { itemsOf } from '../items.ts'
import { at, type Path } from '../paths.ts'
import type { Session } from '../session.ts'
import { type ExportStatus, startedSchema, statusSchema } from './schemas.ts'

/** Where one of the vendor's products makes its exports. */
type Exporter = { begin: Path; status: (id: string) => Path; chunk: (id: string, chunk: number) => Path }

export const hostExporter: Exporter = {
  begin: at`/vulns/export`,
  status: (id) => at`/vulns/export/${id}/status`,
  chunk: (id, chunk) => at`/vulns/export/${id}/chunks/${chunk}`,
}
export const webExporter: Exporter = {
  begin: at`/was/v1/export/vulns`,
  status: (id) => at`/was/v1/export/vulns/${id}/status`,
  chunk: (id, chunk) => at`/was/v1/export/vulns/${id}/chunks/${chunk}`,
}

/** What is exported: `since` in seconds since 1970, always said, because without it the vendor means the last 30 days. */
export type Wanted = { since: number; state: readonly string[]; more: Readonly<Record<string, unknown>> }

/** Assets in one part, the least that the vendor takes. */
const ASSETS_PER_CHUNK = 50
/** Bytes of one part, milliseconds until it was read to its end, and how often it is fetched where it breaks off. */
const LARGEST_CHUNK = 256 * 1024 * 1024
const CHUNK_TIMEOUT = 600_000
const CHUNK_TRIES = 3
/** Milliseconds: the first pause between two looks, the longest, and how long an export may take. */
const FIRST_PAUSE = 2_000
const LONGEST_PAUSE = 30_000
const LONGEST_EXPORT = 3 * 3_600_000

const NAME = 'ScannerA'

/** A record of an export, and where it stands; or why it is not all. */
type Exported = { kind: 'RECORD'; at: string; record: unknown } | { kind: 'INCOMPLETE'; reason: string }

/** The records of an export. Each part is fetched once; parts that the vendor could not make are reported at the end. */
export async function* exported(session: Session, exporter: Exporter, wanted: Wanted): AsyncGenerator<Exported> {
  const id = await begin(session, exporter, wanted)
  const fetched = new Set<number>()
  const startedAt = session.now()
  let pause = FIRST_PAUSE
  for (;;) {
    const status = await readStatus(session, exporter, id)
    requireOurs(status, wanted)
    const fresh = status.chunks_available.filter((chunk) => !fetched.has(chunk))
    for (const chunk of fresh) {
      fetched.add(chunk)
      yield* recordsOf(session, exporter, id, chunk)
    }
    if (status.status === 'FINISHED') {
      const lost = status.chunks_failed.length + status.chunks_cancelled.length
      if (lost > 0) yield { kind: 'INCOMPLETE', reason: `${NAME} could not make ${lost} parts of its export` }
      return
    }
    if (status.status !== 'QUEUED' && status.status !== 'PROCESSING') {
      throw new VendorFailed(NAME, 'SERVER_ERROR', { detail: `its export ended as ${status.status.slice(0, 40)}` })
    }
    if (session.now() - startedAt > LONGEST_EXPORT) {
      throw new VendorFailed(NAME, 'TIMEOUT', { detail: 'its export was not ready in three hours' })
    }
    await session.sleep(pause)
    pause = Math.min(LONGEST_PAUSE, pause * 1.5)
  }
}

/** The id of the export. Asking twice does no harm: an equal one that is under way is named with 409 and taken over. */
async function begin({ client }: Session, { begin: path }: Exporter, { since, state, more }: Wanted): Promise<string> {
  const json = { num_assets: ASSETS_PER_CHUNK, include_unlicensed: true, filters: { since, state, ...more } }
  const { value } = await client.answer('POST', path, startedSchema, { body: { json }, repeatable: true, also: [409] })
  const id = value.export_uuid ?? value.active_job_id
  if (id) return id
  throw new VendorFailed(NAME, 'WAIT', { detail: 'other exports are under way', wait: 60_000 })
}

export const readStatus = ({ client }: Session, { status }: Exporter, id: string): Promise<ExportStatus> =>
  client.get(status(id), statusSchema)

/** An export of somebody else that was taken over must not begin later than ours: it would lack findings. */
function requireOurs({ filters }: ExportStatus, { since }: Wanted): void {
  const theirs = filters?.since ?? null
  if (theirs === null || theirs <= since) return
  throw new VendorFailed(NAME, 'WAIT', { detail: 'another export is under way', wait: 60_000 })
}

/** Read as a stream. One that breaks off is fetched again and continued after the records already given, because a part never changes. */
async function* recordsOf(session: Session, exporter: Exporter, id: string, chunk: number): AsyncGenerator<Exported> {
  let given = 0
  for (let tries = 1; ; tries += 1) {
    const bytes = await openChunk(session, exporter, id, chunk)
    try {
      let count = 0
      for await (const record of itemsOf(NAME, bytes)) {
        count += 1
        if (count <= given) continue
        given = count
        yield { kind: 'RECORD', at: `chunk ${chunk}, record ${count}`, record }
      }
      return
    } catch (error) {
      if (!(error instanceof VendorFailed) || error.kind === 'TOO_LARGE' || tries === CHUNK_TRIES) throw error
      await session.sleep(FIRST_PAUSE)
    }
  }
}

async function openChunk({ client }: Session, { chunk: pathOf }: Exporter, id: string, chunk: number) {
  const options = { largest: LARGEST_CHUNK, timeout: CHUNK_TIMEOUT, headers: { accept: 'application/octet-stream' } }
  return client.stream(pathOf(id, chunk), options).catch((error: unknown) => {
    // the vendor keeps parts for 24 hours; an expired export is requested again from the beginning
    if (!(error instanceof VendorRefused) || error.kind !== 'MISSING') throw error
    throw new VendorFailed(NAME, 'BROKEN_ANSWER', { detail: 'a part of its export is no longer kept', cause: error })
  })
}
