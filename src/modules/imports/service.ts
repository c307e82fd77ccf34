// Scanner reports: who may send them, how they are imported, and the outcome.

import type { Readable } from 'node:stream'
import { databaseFailure, transaction } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import type { ImportDisposition } from '../../core/db/tables.generated.ts'
import { ApplicationError, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { enqueue } from '../../core/jobs.ts'
import { keepUpload, readUploaded, requireSize, storeUpload, type UploadedFile } from '../../core/uploads.ts'
import { requireRecognised } from '../../reports/index.ts'
import type { ReportSource } from '../../reports/types.ts'
import { unpacksBeyond } from '../../reports/unpack.ts'
import { audit, authorize, authorizeRecord, may } from '../access/service.ts'
import { requireAssets } from '../assets/service.ts'
import type { Context } from '../context.ts'
import { findScan, type Scan } from '../issues/findings/service.ts'
import { askedByOf } from './acting.ts'
import { applyReport } from './apply.ts'
import { type NewReport, readAsked } from './asked.ts'
import { asRefusal } from './failure.ts'
import { asFirstOrNot, mayBeFirst, takeFirst } from './first.ts'
import { stageReport } from './stage.ts'
import { TooManyRows } from './staged.ts'
import * as store from './store.ts'
import { type ComponentFilter, countIssues, listComponents, type SbomComponent } from './store-components.ts'
import { type ImportRow, listRows } from './store-rows.ts'

export { askedByOf, askedByProgram } from './acting.ts'
export type { NewReport } from './asked.ts'
export { importRows } from './pulled.ts'
export { type AskedBy, countCreated, findUnended, findUnendedOf, type Import, type Unended } from './store.ts'
export { type ComponentFilter, readComponents, type SbomComponent } from './store-components.ts'
export type { ImportRow } from './store-rows.ts'

/** The worker's task for large reports. */
export const IMPORT_TASK = 'import-report'

/** A report of at most this many bytes, both as sent and unpacked, may be imported before the answer; a larger one is by a job. */
const AT_ONCE_BYTES = 4 * 1024 * 1024

/** The same for its rows: as many, each to be merged with another tool's, take seconds even where everything takes five times as long. */
const AT_ONCE_ROWS = 2000

/**
 * Imports a report: a small one before this returns, one of very many bytes or rows, or that has to wait for long, by a job. Throws
 * BAD_USER_INPUT if it cannot be read, FAILED_PRECONDITION if it would close too much, NOT_FOUND if something that it names is missing or
 * another company's.
 */
export async function importFindings(context: Context, given: NewReport): Promise<store.Import> {
  const { file, companyId, assetId } = given
  await authorize(context, 'issues:write', companyId)
  await requireAssets(context, companyId, [assetId])
  requireSize(file, context.config.limits.reportBytes, 'input.file')
  const asked = { ...readAsked(given), mayDecide: await may(context, 'issues:decide', companyId) }
  const [scan] = await findScan(context, context.db, [asked.ask])
  if (!scan) throw notFound('Asset', assetId)
  if (scan instanceof ApplicationError) throw scan
  try {
    const isAtOnce = !(await isLarge(context, file))
    if (!isAtOnce) await requireRecognised(sourceOf(context, file), asked.format, asked.acceptsEmpty)
    const imported = isAtOnce ? await importAtOnce(context, given, asked, scan).catch(nullIfTooMuch) : null
    return imported ?? (await enqueueImport(context, given, asked, scan))
  } catch (error) {
    throw asRefusal(error)
  }
}

/**
 * For a report of which nothing is stored, because it has more rows than are imported at once, or because a statement took too long: most
 * likely the one that waits for the asset, and jobs may wait longer.
 */
function nullIfTooMuch(error: unknown): null {
  if (error instanceof TooManyRows || databaseFailure(error)?.code === 'TIMEOUT') return null
  throw error
}

const isLarge = async (context: Context, file: UploadedFile): Promise<boolean> =>
  file.size > AT_ONCE_BYTES || unpacksBeyond(AT_ONCE_BYTES, sourceOf(context, file))

const sourceOf = ({ objects }: Context, file: UploadedFile): ReportSource => ({
  name: file.filename,
  open: () => readUploaded(objects, file),
})

function newImport(
  context: Context,
  { companyId, assetId, file }: NewReport,
  asked: store.Asked,
  { branch, commit }: Scan,
): Omit<store.NewImport, 'status' | 'objectId'> {
  const askedBy = askedByOf(context)
  return { companyId, assetId, fileName: file.filename, fileSize: file.size, branch, commit, asked, askedBy }
}

const importAtOnce = (context: Context, given: NewReport, asked: store.Asked, scan: Scan): Promise<store.Import> =>
  transaction(context.db, async (trx) => {
    const row = newImport(context, given, asked, scan)
    const key = await store.insertImport(trx, { ...row, status: 'RUNNING', objectId: null })
    const opened: Readable[] = []
    const source = { name: given.file.filename, open: () => opening(readUploaded(context.objects, given.file), opened) }
    const reading = { ...asked, assetId: given.assetId, mostRows: AT_ONCE_ROWS }
    const onProgress = async () => {}
    const compared = async () => {
      const staged = await stageReport(trx, key, source, reading)
      return applyReport(trx, context, { key, staged, asked, onProgress })
    }
    try {
      return await asFirstOrNot(await mayBeFirst(context, trx, asked), (isFirst) =>
        isFirst
          ? transaction(trx, (step) =>
              takeFirst(step, context, { key, source, reading, asked, waits: false, onProgress }),
            )
          : compared(),
      )
    } finally {
      for (const stream of opened) stream.destroy()
    }
  })

function opening(stream: Readable, opened: Readable[]): Readable {
  opened.push(stream)
  return stream
}

async function enqueueImport(
  context: Context,
  given: NewReport,
  asked: store.Asked,
  scan: Scan,
): Promise<store.Import> {
  const { file, companyId, assetId } = given
  const { sha256: bytes } = await storeUpload(context.objects, file)
  const digest = `${bytes.toString('hex')} ${file.filename}`
  const key = await transaction(context.db, async (trx) => {
    const objectId = await keepUpload(trx, companyId, file)
    const inserted = await store.insertImport(trx, {
      ...newImport(context, given, { ...asked, digest }, scan),
      status: 'PENDING',
      objectId,
    })
    await enqueue(trx, IMPORT_TASK, inserted, undefined, `import ${companyId}/${assetId}`)
    const after = { ...asked.ask, fileName: file.filename, fileSize: file.size }
    await audit(trx, context, { companyId, object: `Import ${inserted.id}`, after })
    return inserted
  })
  const pending = await store.findImport(context.db, context.viewer, key.id)
  if (!pending) throw notFound('Import', key.id)
  return pending
}

export const getImport = (context: Context, id: Id): Promise<store.Import> =>
  authorizeRecord(context, 'issues:read', 'Import', id, () => store.findImport(context.db, context.viewer, id))

export async function listImports(
  context: Context,
  companyId: Id,
  assetIds: readonly Id[] | null,
  page: PageRequest,
): Promise<Page<store.Import>> {
  await authorize(context, 'issues:read', companyId)
  if (assetIds) await requireAssets(context, companyId, assetIds)
  return store.listImports(context.db, companyId, assetIds, page)
}

/** A page of an import's rows with their outcomes. */
export const listImportRows = (
  context: Context,
  found: store.Import,
  disposition: ImportDisposition | null,
  page: PageRequest,
): Promise<Page<ImportRow>> =>
  listRows(
    context.db,
    found,
    disposition,
    disposition === null ? found.read + found.closed : found[store.countOf[disposition]],
    page,
  )

export async function listSbomComponents(
  context: Context,
  companyId: Id,
  filter: ComponentFilter,
  page: PageRequest,
): Promise<Page<SbomComponent>> {
  await authorize(context, 'assets:read', companyId)
  if (filter.assetIds) await requireAssets(context, companyId, filter.assetIds)
  return listComponents(context.db, companyId, filter, page)
}

/** Identifies a component for loadIssueCounts. */
export const componentKey = ({ companyId, assetId, name, version }: SbomComponent): string =>
  JSON.stringify({ companyId, assetId, name, version })

/** For each componentKey, the open findings by severity (in lower case). */
export async function loadIssueCounts(
  context: Context,
  keys: readonly string[],
): Promise<Map<string, Record<string, number>>> {
  const counts = keys.map(() => ({ critical: 0, high: 0, medium: 0, low: 0, notification: 0 }))
  const asked = keys.map((key) => JSON.parse(key) as Parameters<typeof countIssues>[1][number])
  for (const { n, severity, count } of await countIssues(context.db, asked)) {
    const own = counts[n]
    if (own) own[severity.toLowerCase() as keyof typeof own] = count
  }
  return new Map(keys.map((key, n) => [key, counts[n] ?? {}]))
}
