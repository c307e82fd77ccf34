// A report that came before, byte for byte: where its findings stand as it left them they are seen again, and nothing is read.

import type { Trx } from '../../core/db/open.ts'
import type { Context } from '../context.ts'
import { reportAskOf } from '../issues/findings/service.ts'
import { conclude, emptyCounts, holdScan } from './conclude.ts'
import { readingKeyOf, stagedOf } from './reading.ts'
import type { Asked, Import } from './store.ts'
import { findRead, takeRepeated } from './store-repeat.ts'
import { requireScopes } from './store-scopes.ts'
import type { ImportKey } from './store-stage.ts'

/** Takes the report in as one that came before; null, with no finding touched, where it has to be read. Throws as holdScan and conclude. */
export async function takeRepeat(trx: Trx, outer: Context, key: ImportKey, asked: Asked): Promise<Import | null> {
  const context = { ...outer, db: trx, loaders: new Map() }
  const scan = await holdScan(trx, context, key, asked)
  const readingKey = readingKeyOf(asked, scan)
  const before = readingKey && (await findRead(trx, scan, readingKey))
  if (!before) return null
  const staged = stagedOf(before.read)
  const scopeIds = await requireScopes(trx, scan, staged.format, staged.sections)
  const origin = { scan, reportAsk: reportAskOf(asked.ask), scopeIds }
  const taken = await takeRepeated(trx, key, origin, before.id, staged.findings)
  if (taken.count !== staged.findings) return null
  const counts = { ...emptyCounts(staged), unchanged: taken.count }
  return conclude(trx, context, { key, asked, staged, scan, scopeIds, counts, stillOpen: [taken.open] })
}
