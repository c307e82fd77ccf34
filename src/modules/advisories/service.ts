// Advisories of vulnerable packages: imported from OSV's archives by the operator, and consulted by reviews.

import { type Db, transaction } from '../../core/db/open.ts'
import type { ComponentObservation } from '../../reports/types.ts'
import { readArchive } from '../../review/dependencies/advisories/archive.ts'
import { findingsOf } from '../../review/dependencies/advisories/match.ts'
import { headOf, readAdvisory } from '../../review/dependencies/advisories/record.ts'
import type { ChangedPackage } from '../../review/types.ts'
import * as store from './store.ts'

/** The number of advisories written in one transaction, which keeps transactions short. */
const BATCH = 500
/** The most characters of records held in memory: even a small zip may contain records of any size. */
const MOST_HELD = 32 * 1024 * 1024

export type Imported = {
  /** records in the archive */
  read: number
  written: number
  /** already known, in this version or a newer one */
  known: number
  withdrawn: number
  /** records of other ecosystems, or that are not advisories */
  other: number
  unreadable: number
}

/**
 * Imports the advisories of an archive that are newer than the stored ones. Advisories that are not in the archive stay. Safe to run
 * twice, and to stop at any moment. Throws ArchiveFault if the file is not an archive of OSV.
 */
export async function importAdvisories(
  db: Db,
  bytes: AsyncIterable<Uint8Array>,
  onProgress: (read: number) => void = () => {},
): Promise<Imported> {
  const counts: Imported = { read: 0, written: 0, known: 0, withdrawn: 0, other: 0, unreadable: 0 }
  let waiting = new Map<string, Waiting>()
  let held = 0
  const flush = async () => {
    if (waiting.size > 0) await write(db, [...waiting.values()], counts)
    waiting = new Map()
    held = 0
    onProgress(counts.read)
  }
  const onUnreadable = () => {
    counts.read += 1
    counts.unreadable += 1
  }
  for await (const { value, size } of readArchive(bytes, onUnreadable)) {
    counts.read += 1
    const head = headOf(value)
    if (head === null) counts.other += 1
    else waiting.set(head.id, { ...head, value })
    held += size
    if (waiting.size >= BATCH || held >= MOST_HELD) await flush()
  }
  await flush()
  return counts
}

type Waiting = { id: string; modified: string; value: unknown }

/** Writes the advisories that are newer than the stored ones. */
async function write(db: Db, waiting: readonly Waiting[], counts: Imported): Promise<void> {
  await transaction(db, async (trx) => {
    await store.lockAdvisories(trx)
    const ids = waiting.map(({ id }) => id)
    const modified = await store.findModified(trx, ids)
    const newer = waiting.filter((one) => Date.parse(one.modified) > Date.parse(modified.get(one.id) ?? '1970-01-01'))
    const advisories = newer.flatMap(({ value }) => readAdvisory(value) ?? [])
    if (advisories.length > 0) await store.replaceAdvisories(trx, advisories)
    const withdrawn = advisories.filter(({ isWithdrawn }) => isWithdrawn).length
    counts.withdrawn += withdrawn
    counts.written += advisories.length - withdrawn
    counts.other += newer.length - advisories.length
    counts.known += waiting.length - newer.length
  })
}

export const listCatalogue = (db: Db): Promise<store.CatalogueState[]> => store.listCatalogue(db)

export const hasAdvisories = (db: Db): Promise<boolean> => store.hasAdvisories(db)

/** The number of packages queried by one statement. */
const ASKED = 1000

/** The known vulnerabilities of the packages: one finding for each vulnerability and place. */
export async function findVulnerable(db: Db, packages: readonly ChangedPackage[]): Promise<ComponentObservation[]> {
  const found: ComponentObservation[] = []
  for (let at = 0; at < packages.length; at += ASKED) {
    const asked = packages.slice(at, at + ASKED)
    const keys = new Map(asked.map(({ ecosystem, name }) => [`${ecosystem}/${name}`, { ecosystem, name }]))
    const known = Map.groupBy(await store.findKnown(db, [...keys.values()]), (one) => `${one.ecosystem}/${one.name}`)
    for (const one of asked) found.push(...findingsOf(one, known.get(`${one.ecosystem}/${one.name}`) ?? []))
  }
  return found
}
