// Exports of findings: who may request one, what its address returns, and how many files are written at a time.

import type { Readable } from 'node:stream'
import { knownAddress } from '../../core/console-links.ts'
import { databaseFailure, transaction } from '../../core/db/open.ts'
import { ApplicationError, badUserInput, failedPrecondition, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { readText } from '../../core/text.ts'
import { VERSION } from '../../core/version.ts'
import * as registry from '../../exports/registry.ts'
import { ExportFault, type ExportWriter } from '../../exports/types.ts'
import { audit, authorize, authorizeRecord } from '../access/service.ts'
import { requireAssets } from '../assets/service.ts'
import type { Context } from '../context.ts'
import { readComponents } from '../imports/service.ts'
import * as store from './store.ts'
import { countFindings, readFindings, type Selected } from './store-findings.ts'
import { openStream } from './stream.ts'

export type { Export } from './store.ts'

const writers: ReadonlyMap<string, ExportWriter> = new Map(
  Object.values(registry).map((writer) => [writer.format, writer]),
)

export function writerOf(format: string): ExportWriter {
  const writer = writers.get(format)
  if (!writer) throw badUserInput(`There is no export format ${format}`, 'input.format')
  return writer
}

/** `merlon-42.sarif`: the name does not tell whose findings they are. */
export const fileNameOf = ({ id, format }: store.Export): string => `merlon-${id}${writerOf(format).extension}`

type NewExport = store.Wanted & { format: string }

/**
 * Records what to export; the file is written when it is downloaded. FAILED_PRECONDITION if there is nothing to export and the format
 * cannot be empty; NOT_FOUND if an asset does not belong to the company.
 */
export async function exportFindings(context: Context, companyId: Id, given: NewExport): Promise<store.Export> {
  await authorize(context, 'issues:read', companyId)
  const { format, ...asked } = given
  const writer = writerOf(format)
  if (asked.assetIds && asked.assetIds.length > 1000) {
    throw badUserInput('assetIds takes at most 1000 entries', 'input.assetIds')
  }
  if (asked.assetIds) await requireAssets(context, companyId, asked.assetIds)
  readText(asked.branchName, 'input.branchName', 500)
  const findingsCount = await countInTime(context, selectedOf({ companyId, asked }, writer))
  if (writer.needsOne && findingsCount === 0) throw failedPrecondition(nothingFor(writer))
  const { userId } = context.viewer
  return transaction(context.db, async (trx) => {
    const made = await store.insertExport(trx, { companyId, format, asked, findingsCount, createdById: userId })
    const after = { format, ...asked, findingsCount }
    await audit(trx, context, { companyId, object: `Export ${made.id}`, after })
    return made
  })
}

const selectedOf = (
  { companyId, asked }: Pick<store.Export, 'companyId' | 'asked'>,
  { ofComponentsOnly }: ExportWriter,
): Selected => ({ companyId, wanted: asked, ofComponentsOnly })

/** Null if counting takes longer than a statement may; the file itself is read page by page. */
async function countInTime({ db }: Context, selected: Selected): Promise<number | null> {
  try {
    return await countFindings(db, selected)
  } catch (error) {
    if (databaseFailure(error)?.code === 'TIMEOUT') return null
    throw error
  }
}

const nothingFor = ({ label }: ExportWriter): string =>
  `None of the findings names a vulnerability in a component, and ${label} cannot be written without one`

/** The most files written at the same time, for one company and for all. Each holds a database connection. */
const MOST_OF_COMPANY = 2
const writing = new Map<Id, number>()

/**
 * The export at an address, and its file as a stream, which is written as fast as it is read. NOT_FOUND if the address has expired,
 * RATE_LIMITED while too many files are being written.
 */
export async function openExport(
  context: Context,
  id: Id,
): Promise<{ found: store.Export; mediaType: string; open: () => Promise<Readable> }> {
  const found = await authorizeRecord(context, 'issues:read', 'Export', id, () =>
    store.findExport(context.db, context.viewer, id),
  )
  if (found.isExpired) throw notFound('Export', id)
  const writer = writerOf(found.format)
  return { found, mediaType: writer.mediaType, open: () => openFile(context, found, writer) }
}

async function openFile(context: Context, found: store.Export, writer: ExportWriter): Promise<Readable> {
  const { companyId } = found
  const release = take(companyId, Math.max(1, Math.floor(context.config.databaseConnections / 2)))
  try {
    await audited(context, found)
    return await openStream(context.db, release, (trx) => {
      const selected = selectedOf(found, writer)
      return writer.write({
        company: { id: companyId, label: found.companyLabel },
        address: knownAddress(context.config),
        version: VERSION,
        at: new Date().toISOString(),
        serial: found.serial,
        findings: (order) => readFindings(trx, selected, order),
        components: (order) => readComponents(trx, companyId, assetsOf(found), order),
      })
    })
  } catch (error) {
    release()
    throw error instanceof ExportFault ? failedPrecondition(error.message) : error
  }
}

/** Components are filtered by asset only. */
function assetsOf({ asked: { assetIds, filters } }: store.Export): readonly Id[] | null {
  const [some, others] = [assetIds, filters.assetIds ?? null]
  return some && others ? some.filter((id) => others.includes(id)) : (some ?? others)
}

/** Every download is recorded in the audit log, because findings leave the company. */
const audited = (context: Context, { companyId, id, format }: store.Export): Promise<void> =>
  transaction(context.db, (trx) =>
    audit(trx, context, { companyId, object: `Export ${id}`, after: { downloaded: format } }),
  )

function take(companyId: Id, most: number): () => void {
  const all = [...writing.values()].reduce((sum, count) => sum + count, 0)
  const own = writing.get(companyId) ?? 0
  if (own >= MOST_OF_COMPANY || all >= most) {
    const message = 'Too many exports are being written; try the download again in a moment'
    throw new ApplicationError('RATE_LIMITED', message, { retryAfterSeconds: 5 })
  }
  writing.set(companyId, own + 1)
  let isTaken = true
  return () => {
    if (!isTaken) return
    isTaken = false
    const left = (writing.get(companyId) ?? 1) - 1
    if (left === 0) writing.delete(companyId)
    else writing.set(companyId, left)
  }
}
