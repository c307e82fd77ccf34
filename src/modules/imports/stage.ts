// Reads a report once, in bounded memory, and stages its rows in the database for matching.

import { setImmediate as othersTurn } from 'node:timers/promises'
import { copyLinesIn, gatherLines } from '../../core/db/copy.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import { type ReadReport, readReport } from '../../reports/index.ts'
import type { ReportSource } from '../../reports/types.ts'
import { findRules, type Scan } from '../issues/findings/service.ts'
import { findingCheckout } from './checkout.ts'
import type { Section } from './sections.ts'
import { openStaging, type Reading, type Staged, TooManyRows } from './staged.ts'
import { FIRST, firstLine } from './store-first.ts'
import { type ImportKey, STAGED, stagedLine } from './store-stage.ts'

/** For a report taken as the first of its asset: its scan, and the function that writes the rows numbered `from` to `to` (exclusive). */
export type Writing = {
  scan: Scan
  write: (from: number, to: number, format: string, sections: readonly Section[]) => Promise<void>
}

/** Rows, and bytes, of one COPY: few enough that PostgreSQL holds them in memory where one statement writes them all. */
const BATCH_ROWS = 2000
const BATCH_SIZE = 2 * 1024 * 1024
/** Yields to the event loop after this many rows: a report in memory is read without waiting for anything. */
const ROWS_A_TURN = 20

/**
 * Throws ReportFault if the file is no report, NotFirst if a first report needs matching after all, TooManyRows if it has more than
 * `reading.mostRows`: then nothing is staged if that many are one batch, and the caller must roll back what is.
 * `onBatch` receives the number of rows read so far.
 */
export async function stageReport(
  db: Db | Trx,
  key: ImportKey,
  source: ReportSource,
  reading: Reading,
  onBatch?: (rows: number) => Promise<void>,
  first?: Writing,
): Promise<Staged> {
  const { checkoutPath, directory, assetId, acceptsEmpty } = reading
  const find = findingCheckout(db, key.companyId, assetId)
  const report = await readReport(source, reading.format, { path: checkoutPath, directory, find }, acceptsEmpty)
  return stageRows(db, key, report, reading, onBatch, first)
}

/** Rows that are already read or do not come from a report. */
type Rows = Pick<ReadReport, 'format' | 'rows'> & Partial<ReadReport>

/** As stageReport, for rows. */
export async function stageRows(
  db: Db | Trx,
  key: ImportKey,
  { format, withdrawsStatements = false, rows }: Rows,
  reading: Reading,
  onBatch: (rows: number) => Promise<void> = async () => {},
  first: Writing | null = null,
): Promise<Staged> {
  const staging = openStaging(reading, await findRules(db, key.companyId, reading.assetId), first?.scan ?? null)
  const [compared, fresh] = [gatherLines(), gatherLines()]
  /** the number of the first row of this batch that has a birth key */
  const born = new Map<string | null, number>()
  let down = 0
  let total = 0
  let writing: Promise<void> = Promise.resolve()
  const putDown = async (from: number, to: number, toCompare: readonly Buffer[], toWrite: readonly Buffer[]) => {
    await copyLinesIn(db, STAGED, toCompare)
    await copyLinesIn(db, FIRST, toWrite)
    if (toWrite.length > 0) await first?.write(from, to, format, staging.sections)
  }
  // the next rows are read while the previous ones are written
  const flush = async () => {
    await writing
    writing = putDown(down, total, compared.take(), fresh.take())
    // the await before the next write reports the failure
    writing.catch(() => {})
    born.clear()
    down = total
    await onBatch(total)
  }
  try {
    for await (const row of rows) {
      const staged = staging.take(row, total)
      if (!staged) continue
      if (total === reading.mostRows) throw new TooManyRows()
      if (total - down >= BATCH_ROWS || compared.size() + fresh.size() >= BATCH_SIZE) await flush()
      else if (total % ROWS_A_TURN === 0) await othersTurn()
      total += 1
      if ('write' in staged) {
        const repeats = born.get(staged.write.birthKey) ?? null
        if (repeats === null) born.set(staged.write.birthKey, staged.number)
        fresh.add(firstLine(key, staged, repeats))
      } else compared.add(stagedLine(key, staged))
    }
    await flush()
  } finally {
    await writing.catch(() => {})
  }
  await writing
  return staging.end(format, withdrawsStatements)
}
