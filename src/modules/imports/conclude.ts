// The steps that every import shares, however its findings are written: locking, preconditions, components, closing and the final counts.

import type { Trx } from '../../core/db/open.ts'
import { ApplicationError, badUserInput, conflict } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { audit } from '../access/service.ts'
import type { Context } from '../context.ts'
import { findScan, holdAsset, type Scan } from '../issues/findings/service.ts'
import { closeWhatIsAbsent, unclosedReasonOf } from './close.ts'
import { cut } from './cut.ts'
import { readingOf } from './reading.ts'
import { LONGEST_REASON, type Staged } from './staged.ts'
import type { Asked, Counts, Import } from './store.ts'
import { deleteOtherComponents, upsertComponents } from './store-components.ts'
import { insertLeftOut } from './store-rows.ts'
import { finishImport } from './store-run.ts'
import { deleteStaged, type ImportKey } from './store-stage.ts'

/** From this many findings on, the tables grow so much that an earlier query plan no longer fits. */
export const GROWING = 100

/** Locks the asset against other reports and deploys by `hold`, then looks up where the report comes from. Throws as findScan. */
export async function holdScan(
  trx: Trx,
  context: Context,
  { companyId }: ImportKey,
  { ask }: Asked,
  hold: typeof holdAsset = holdAsset,
): Promise<Scan> {
  await hold(trx, companyId, ask.assetId)
  const [scan] = await findScan(context, trx, [ask])
  if (!scan) throw conflict('The asset was being changed', true)
  if (scan instanceof ApplicationError) throw scan
  return scan
}

/** Throws BAD_USER_INPUT if less than half of the report could be read, or if it is to replace components and contains none. */
export function requireTakeable(staged: Staged, { replacesComponents }: Asked): void {
  const { findings, components, unreadable, undecided, firstReasons } = staged
  const read = findings + components + undecided
  if (unreadable - undecided > read) {
    throw badUserInput(
      `Only ${read} of ${read + unreadable - undecided} rows of the report could be read, so nothing was imported. ${firstReasons.join('; ')}`,
      'input.file',
    )
  }
  if (replacesComponents && components === 0) throw badUserInput('The file lists no component', 'input.file')
}

export const emptyCounts = ({ findings, unreadable, unwanted, components }: Staged): Counts => ({
  read: findings + unreadable + unwanted,
  created: 0,
  updated: 0,
  unchanged: 0,
  reopened: 0,
  merged: 0,
  closed: 0,
  leftOut: unreadable + unwanted,
  components,
})

/** A report whose findings have been written: the outcome, and for each section its scope and how many findings were open before. */
type Concluding = {
  key: ImportKey
  asked: Asked
  staged: Staged
  scan: Scan
  scopeIds: readonly Id[]
  counts: Counts
  stillOpen: readonly number[]
}

/** Writes components and skipped rows, closes absent findings if asked to, and ends the import. Throws as closeWhatIsAbsent. */
export async function conclude(trx: Trx, context: Context, concluding: Concluding): Promise<Import> {
  const { key, asked, staged, scan, scopeIds, stillOpen } = concluding
  if (staged.unreadable + staged.unwanted > 0) await insertLeftOut(trx, key)
  await writeComponents(trx, concluding)
  const closing = {
    key,
    scan,
    staged,
    scopeIds,
    stillOpen,
    confirmClose: asked.confirmClose,
    authorId: context.viewer.userId,
    firstNumber: concluding.counts.read + staged.components,
  }
  const { closed, reason } = asked.closeAbsent ? await closeWhatIsAbsent(trx, closing) : { closed: 0, reason: null }
  const counts = { ...concluding.counts, closed }
  await deleteStaged(trx, key)
  const reasons = { unclosedReason: reason, incompleteReason: cut(staged.truncated, LONGEST_REASON) }
  const reading = readingOf(asked, staged, scan, counts)
  const finished = await finishImport(trx, key, { format: staged.format, counts, ...reasons, reading })
  const after = { assetId: scan.assetId, branch: scan.branch, commit: scan.commit, format: staged.format, ...counts }
  await audit(trx, context, { companyId: key.companyId, object: `Import ${key.id}`, after })
  return finished
}

/** A report of an older commit says nothing about the present components. */
async function writeComponents(trx: Trx, { key, staged, asked, scan }: Concluding): Promise<void> {
  if (scan.isOlder) return
  if (staged.components > 0) await upsertComponents(trx, key, scan.assetId)
  const isWhole = asked.replacesComponents || asked.closeAbsent
  if (!isWhole || staged.components === 0) return
  if (unclosedReasonOf(staged, scan) !== null || staged.unreadable > 0) return
  await deleteOtherComponents(trx, key, scan.assetId, [...staged.scopes])
}
