// Fetches the archives of advisories from where they are published: once a day, and again after a failure until it succeeds.

import { appendAudit, findLast, program } from '../../core/audit.ts'
import { isDueAgain } from '../../core/daily.ts'
import { type Db, transaction } from '../../core/db/open.ts'
import { OperatorError } from '../../core/errors.ts'
import { enqueueOneOf, lastFailure } from '../../core/jobs.ts'
import { fetchStream } from '../../core/outbound-file.ts'
import type { WorkParts } from '../context.ts'
import { type Imported, importAdvisories } from './service.ts'

export const FETCH_TASK = 'fetch-advisories'

/** The largest archive in bytes, and the time that fetching it may take in milliseconds. */
const ARCHIVE = { largest: 4 * 1024 * 1024 * 1024, timeout: 3_600_000 }

const keyOf = (address: string) => `${FETCH_TASK} ${address}`
const objectOf = (address: string) => `Advisories ${address}`

async function fetchedAt(db: Db, address: string): Promise<string | null> {
  const last = await findLast(db, FETCH_TASK, objectOf(address))
  return last?.at ?? null
}

/** Imports an archive from its address. Throws if it cannot be fetched or is not an archive; what was written until then stays. */
export async function importFrom(db: Db, address: string): Promise<Imported> {
  const counts = await importAdvisories(db, fetchStream(address, ARCHIVE))
  if (counts.written + counts.known + counts.withdrawn > 0) return counts
  throw new OperatorError(`${address} contains no advisory of a supported ecosystem`)
}

const isDue = async (db: Db, address: string): Promise<boolean> => isDueAgain(await fetchedAt(db, address))

/** Enqueues the archives that have not been fetched since yesterday. They are fetched one after another, however many nodes there are. */
export async function fetchDue({ db, config }: WorkParts): Promise<void> {
  for (const address of config.feeds.advisories) {
    if (!(await isDue(db, address))) continue
    await transaction(db, (trx) => enqueueOneOf(trx, FETCH_TASK, { address }, keyOf(address), FETCH_TASK))
  }
}

/** Fetches an archive that is due; does nothing if it is no longer configured or has been fetched meanwhile. */
export async function fetchArchive({ db, config, keyring, log }: WorkParts, address: string): Promise<void> {
  if (!config.feeds.advisories.includes(address) || !(await isDue(db, address))) return
  const counts = await importFrom(db, address)
  await transaction(db, (trx) =>
    appendAudit(trx, keyring.auditKey, program(FETCH_TASK), {
      companyId: null,
      object: objectOf(address),
      after: counts,
    }),
  )
  log.info({ address, ...counts }, 'Advisories were fetched')
}

type ArchiveState = { address: string; fetchedAt: string | null; failure: string | null }

/** When the service last fetched each archive, and why attempts since then have failed. */
export function listArchives(db: Db, addresses: readonly string[]): Promise<ArchiveState[]> {
  return Promise.all(
    addresses.map(async (address) => ({
      address,
      fetchedAt: await fetchedAt(db, address),
      failure: await lastFailure(db, keyOf(address)),
    })),
  )
}
