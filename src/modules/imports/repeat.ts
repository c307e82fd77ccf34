// Takes in a report that is identical to an earlier one: if its findings are as that one left them, they are marked as seen again, unread.

import type { Trx } from '../../core/db/open.ts'
import { ApplicationError } from '../../core/errors.ts'
import type { Context } from '../context.ts'
import { findScan, reportAskOf, type Scan } from '../issues/findings/service.ts'
import { conclude, emptyCounts, holdScan } from './conclude.ts'
import { readingKeyOf, stagedOf } from './reading.ts'
import type { Asked, Import } from './store.ts'
import { type Before, findRead, takeRepeated } from './store-repeat.ts'
import { requireScopes } from './store-scopes.ts'
import type { ImportKey } from './store-stage.ts'

/**
 * Takes the report in as a repeat. Null, with no finding touched, if it must be read. Waits for other reports of the asset only if an
 * identical report may exist. Throws as holdScan and conclude.
 */
export async function takeRepeat(trx: Trx, outer: Context, key: ImportKey, asked: Asked): Promise<Import | null> {
  const context = { ...outer, db: trx, loaders: new Map() }
  const [met] = await findScan(context, trx, [asked.ask])
  if (!met || met instanceof ApplicationError || !(await findBefore(trx, met, asked))) return null
  const scan = await holdScan(trx, context, key, asked)
  const before = await findBefore(trx, scan, asked)
  if (!before) return null
  const staged = stagedOf(before.read)
  const scopeIds = await requireScopes(trx, scan, staged.format, staged.sections)
  const open = await takeRepeated(trx, key, { scan, reportAsk: reportAskOf(asked.ask), scopeIds }, before)
  if (open === null) return null
  const counts = { ...emptyCounts(staged), unchanged: staged.findings }
  return conclude(trx, context, { key, asked, staged, scan, scopeIds, counts, stillOpen: [open] })
}

async function findBefore(trx: Trx, scan: Scan, asked: Asked): Promise<Before | null> {
  const readingKey = readingKeyOf(asked, scan)
  return readingKey && findRead(trx, scan, readingKey)
}
