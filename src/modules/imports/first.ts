// The first report of an asset: there is nothing that its findings could be, so that the database writes them as they were put down.

import { byKeys } from '../../core/db/by-keys.ts'
import { type Db, type Trx, violates } from '../../core/db/open.ts'
import { ApplicationError } from '../../core/errors.ts'
import type { Context } from '../context.ts'
import { findScan, type Scan, type ScanAsk } from '../issues/findings/service.ts'
import { type FirstOrigin, hasFindings, noteRepeats, tellRepeats, writeFirst } from './store-first.ts'
import type { ImportKey } from './store-stage.ts'

/** The report is not to be taken as the first of its asset after all: it is to be put down to be compared. */
export class NotFirst extends Error {}

/** Rows that one statement takes, as many as the database holds in memory meanwhile. */
const AT_ONCE = 2000

/** The scan when its report may be put down as the first of its asset; null when there are findings, or people said what counts of them. */
export async function firstScanOf(context: Context, db: Db | Trx, ask: ScanAsk): Promise<Scan | null> {
  const [scan] = await findScan(context, db, [ask])
  if (!scan || scan instanceof ApplicationError || !mayBeFirst(scan)) return null
  return (await hasFindings(db, scan)) ? null : scan
}

const mayBeFirst = ({ isOlder, rules }: Scan): boolean => !isOlder && (rules === null || rules.length === 0)

/** Throws NotFirst when meanwhile the asset, which is held, got a finding or a deploy, or a rule for them. */
export async function requireFirst(trx: Trx, scan: Scan, asRead: Scan): Promise<void> {
  const isSame = JSON.stringify(scan) === JSON.stringify(asRead)
  if (!isSame || (await hasFindings(trx, scan))) throw new NotFirst()
}

/** Does `work` as the first report of the asset where it may be, and once more as any other where it turns out not to be. */
export async function asFirstOrNot<T>(first: Scan | null, work: (first: Scan | null) => Promise<T>): Promise<T> {
  if (first === null) return work(null)
  try {
    return await work(first)
  } catch (error) {
    // a finding that was another asset's when it was found
    const isKnown = violates(error, 'issue_company_id_birth_key_key')
    if (error instanceof NotFirst || isKnown) return work(null)
    throw error
  }
}

/** How many findings were written of a report of `rows` rows, statement by statement, and how many rows repeat another. */
export async function writeAll(
  trx: Trx,
  key: ImportKey,
  origin: FirstOrigin,
  rows: number,
  onProgress: (written: number) => Promise<void>,
): Promise<{ created: number; merged: number }> {
  const merged = await noteRepeats(trx, key)
  const created = await byKeys(trx, async () => {
    let written = 0
    for (let from = 0; from < rows; from += AT_ONCE) {
      written += await writeFirst(trx, key, origin, from, from + AT_ONCE)
      await onProgress(written)
    }
    return written
  })
  if (merged > 0) await tellRepeats(trx, key, origin.scopeIds)
  return { created, merged }
}
