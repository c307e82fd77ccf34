// Imports findings that were fetched from a scanner instead of sent as a report: the same way, row by row, all or nothing.

import { type Db, transaction } from '../../core/db/open.ts'
import { ApplicationError, conflict, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Row } from '../../reports/types.ts'
import type { WorkParts } from '../context.ts'
import { findScan, type ScanAsk } from '../issues/findings/service.ts'
import { actingFor } from './acting.ts'
import { applyReport } from './apply.ts'
import { endFailed } from './failure.ts'
import { stageRows } from './stage.ts'
import * as store from './store.ts'
import * as runs from './store-run.ts'
import { deleteStaged, type ImportKey } from './store-stage.ts'

/** Milliseconds for which the final step waits for other reports of the asset. */
const PATIENCE = 600_000

type Pulled = {
  companyId: Id
  assetId: Id
  /** the run that asks; its unfinished imports are given up first */
  scanId: Id
  /** the deploy whose commit the rows describe; if missing, the asset's present state */
  deployId?: Id
  askedBy: store.AskedBy
  /** stands in for a report's format and file name */
  format: string
  name: string
  rows: AsyncIterable<Row>
  /** the rows are complete, so that absent findings are closed */
  isWhole: boolean
  confirmClose: boolean
}

/** Throws what `rows` and the import of a report throw. In that case nothing was imported, and the import records the reason. */
export async function importRows(parts: WorkParts, pulled: Pulled): Promise<store.Import> {
  const { db } = parts
  const { companyId, format, rows } = pulled
  const context = actingFor(parts, companyId, pulled.askedBy)
  const asked = askOf(pulled)
  const [scan] = await findScan(context, db, [asked.ask])
  if (!scan) throw notFound('Asset', pulled.assetId)
  if (scan instanceof ApplicationError) throw scan
  const key = await begin(db, pulled, asked, scan)
  try {
    const reading = {
      ask: asked.ask,
      assetId: pulled.assetId,
      format,
      scope: null,
      wanted: null,
    }
    const note = (rowsStaged: number) => runs.updateProgress(db, key, { bytesRead: 0, rowsStaged, rowsRecorded: 0 })
    const staged = await stageRows(db, key, { format, rows }, reading, note)
    const done = await transaction(db, async (trx) => {
      if (!(await runs.holdImport(trx, key, PATIENCE))) return null
      return applyReport(trx, context, { key, staged, asked, onProgress: async () => {} })
    })
    if (done === null) throw conflict('The import was ended by someone else', true)
    return done
  } catch (error) {
    const unnoted = (err: unknown) => parts.log.error({ err, importId: key.id }, 'What failed an import was not noted')
    await endFailed(db, key, error, 'An unexpected error').catch(unnoted)
    throw error
  }
}

const askOf = ({ assetId, scanId, deployId, format, isWhole, confirmClose }: Pulled): store.Asked => {
  const ask: ScanAsk = {
    assetId,
    scanId,
    deployId: deployId ?? null,
    commitRef: null,
    branchName: null,
    projectId: null,
  }
  return {
    ask,
    format,
    scope: null,
    closeAbsent: isWhole,
    confirmClose,
    wanted: null,
    replacesComponents: false,
  }
}

const begin = (
  db: Db,
  { companyId, assetId, scanId, askedBy, name }: Pulled,
  asked: store.Asked,
  { branch, commit }: { branch: string; commit: string | null },
): Promise<ImportKey> =>
  transaction(db, async (trx) => {
    for (const id of await store.findUnfinished(trx, companyId, assetId, scanId)) {
      await runs.failImport(trx, { companyId, id }, 'CONFLICT', 'It was restarted')
      await deleteStaged(trx, { companyId, id })
    }
    const file = { fileName: name, fileSize: 0, objectId: null }
    return store.insertImport(trx, { companyId, assetId, status: 'RUNNING', branch, commit, asked, askedBy, ...file })
  })
