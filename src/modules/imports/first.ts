// Takes in the first report of an asset: with nothing to match against, the database writes its findings while the rest is being read.

import { byKeys } from '../../core/db/by-keys.ts'
import { planAnew } from '../../core/db/driver.ts'
import { type Db, type Trx, violates } from '../../core/db/open.ts'
import { analyseSmall } from '../../core/db/statistics.ts'
import { ApplicationError } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { ReportSource } from '../../reports/types.ts'
import type { Context } from '../context.ts'
import { findScan, holdAsset, holdFreeAsset, reportAskOf, type Scan } from '../issues/findings/service.ts'
import { conclude, emptyCounts, GROWING, holdScan, requireTakeable } from './conclude.ts'
import { stageReport, type Writing } from './stage.ts'
import { NotFirst, type Reading } from './staged.ts'
import type { Asked, Import } from './store.ts'
import { hasFindings, noteRepeats, tellRepeats, writeFirst } from './store-first.ts'
import { requireScopes } from './store-scopes.ts'
import type { ImportKey } from './store-stage.ts'

/** Whether the report may take the way of a first one: the asset has no findings, and neither an identity rule nor a VEX statement applies to it. */
export async function mayBeFirst(context: Context, db: Db | Trx, { ask }: Asked): Promise<boolean> {
  const [scan] = await findScan(context, db, [ask])
  return scan !== undefined && !(scan instanceof ApplicationError) && (await isFirst(db, scan))
}

async function isFirst(db: Db | Trx, scan: Scan): Promise<boolean> {
  if (scan.isOlder || scan.hasStatements || (scan.rules !== null && scan.rules.length > 0)) return false
  return !(await hasFindings(db, scan))
}

/**
 * A report's bytes and the options of its import; `onProgress` receives the number of rows read so far. `waits`: until no other report and no
 * deploy has the asset. A caller who has to answer does not, because the rows of a report that is compared are counted before it waits.
 */
type Taking = {
  key: ImportKey
  source: ReportSource
  reading: Reading
  asked: Asked
  waits: boolean
  onProgress: (rows: number) => Promise<void>
}

/**
 * Takes the report in as the first of its asset, which is locked before reading begins. Throws NotFirst if the report needs matching after
 * all, and whatever stageReport, requireTakeable and conclude throw; the caller must then roll everything back.
 */
export async function takeFirst(trx: Trx, outer: Context, taking: Taking): Promise<Import> {
  const { key, source, reading, asked, waits, onProgress } = taking
  const context = { ...outer, db: trx, loaders: new Map() }
  const scan = await holdScan(trx, context, key, asked, waits ? holdAsset : requireFree)
  if (!(await isFirst(trx, scan))) throw new NotFirst()
  const writer = openWriter(trx, context, key, asked, scan)
  const staged = await byKeys(trx, () => stageReport(trx, key, source, reading, onProgress, writer))
  requireTakeable(staged, asked)
  const { scopeIds, created } = writer.written()
  const merged = created < staged.findings ? await noteRepeats(trx, key) : 0
  if (merged > 0) await tellRepeats(trx, key, scopeIds)
  const counts = { ...emptyCounts(staged), created, merged }
  const stillOpen = scopeIds.map(() => 0)
  return conclude(trx, context, { key, asked, staged, scan, scopeIds, counts, stillOpen })
}

/** Throws NotFirst if another report or a deploy has the asset, which may bring findings. */
async function requireFree(trx: Trx, companyId: Id, assetId: Id): Promise<void> {
  if (!(await holdFreeAsset(trx, companyId, assetId))) throw new NotFirst()
}

/** Writes findings as they are staged; `written` gives their number and their scopes. */
function openWriter(
  trx: Trx,
  { viewer }: Context,
  key: ImportKey,
  { ask }: Asked,
  scan: Scan,
): Writing & { written: () => { created: number; scopeIds: readonly Id[] } } {
  const origin = { scan, reportAsk: reportAskOf(ask), authorId: viewer.userId }
  let scopeIds: readonly Id[] = []
  let created = 0
  let isGrowing = false
  return {
    scan,
    async write(from, to, format, sections) {
      if (!isGrowing && to - from > GROWING) {
        isGrowing = true
        await planAnew(trx)
      }
      if (scopeIds.length < sections.length) scopeIds = await requireScopes(trx, scan, format, sections)
      const before = created
      created += await writeFirst(trx, key, { ...origin, scopeIds }, from, to)
      if (before <= GROWING && created > GROWING) await analyseSmall(trx)
    },
    written: () => ({ created, scopeIds }),
  }
}

/** Runs `work` for a first report if `isFirst`, and again for an ordinary one if the report turns out not to be the first. */
export async function asFirstOrNot<T>(isFirst: boolean, work: (isFirst: boolean) => Promise<T>): Promise<T> {
  if (!isFirst) return work(false)
  try {
    return await work(true)
  } catch (error) {
    // the finding belonged to another asset when it was found
    const isKnown = violates(error, 'issue_company_id_birth_key_key')
    if (error instanceof NotFirst || isKnown) return work(false)
    throw error
  }
}
