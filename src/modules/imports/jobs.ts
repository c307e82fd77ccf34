// The worker's tasks for imports: takes in large reports, and deletes old rows.

import { type Trx, transaction } from '../../core/db/open.ts'
import { analyseGrown } from '../../core/db/statistics.ts'
import { ApplicationError } from '../../core/errors.ts'
import { idsIn } from '../../core/ids.ts'
import type { ReportSource } from '../../reports/types.ts'
import type { WorkParts } from '../context.ts'
import type { Task } from '../types.ts'
import { actingFor } from './acting.ts'
import { applyReport } from './apply.ts'
import { asRefusal, endFailed } from './failure.ts'
import { asFirstOrNot, mayBeFirst, takeFirst } from './first.ts'
import { takeRepeat } from './repeat.ts'
import { IMPORT_TASK } from './service.ts'
import { stageReport } from './stage.ts'
import * as runs from './store-run.ts'
import { deleteStaged, type ImportKey } from './store-stage.ts'

/** How often an import is started: the database may stop meanwhile, or the worker be killed. */
const MOST_ATTEMPTS = 8
/** Milliseconds between two updates of an import's progress. */
const PACE = 500
/** Milliseconds for which a job waits for other reports of the asset. */
const PATIENCE = 600_000

/** From this many new findings on, the planner's statistics of the tables that an import writes may need renewing. */
const MANY_CREATED = 10_000
const WRITTEN = [
  'finding',
  'finding_words',
  'occurrence',
  'occurrence_place',
  'issue_event',
  'deploy_finding',
  'import_seen',
  'import_row',
  'words_pack',
] as const

/**
 * Takes in the report of an import. Safe to run twice, and after a worker was killed at any moment: the report is read again, and goes in
 * in one transaction. A faulty report fails the import; a fault that may be temporary is thrown, so that the job is retried.
 */
export async function runImport(parts: WorkParts, key: ImportKey): Promise<void> {
  const claimed = await runs.claimImport(parts.db, key)
  if (!claimed) return
  try {
    if (claimed.attempts > MOST_ATTEMPTS) throw new ApplicationError('INTERNAL_SERVER_ERROR', givenUp)
    await takeIn(parts, claimed)
  } catch (thrown) {
    const error = asRefusal(thrown)
    const failure = error instanceof ApplicationError ? error : null
    if ((failure === null || failure.retryable) && claimed.attempts < MOST_ATTEMPTS) throw thrown
    parts.log.warn({ err: error, importId: key.id }, 'An import failed')
    await endFailed(parts.db, key, error, givenUp)
  }
}

const givenUp = `The import was started ${MOST_ATTEMPTS} times and did not finish`

async function takeIn(parts: WorkParts, claimed: runs.Claimed): Promise<void> {
  const { companyId, id, asked, objectKey } = claimed
  if (objectKey === null) throw new ApplicationError('NOT_FOUND', 'The report no longer exists')
  const key = { companyId, id }
  const context = actingFor(parts, companyId, claimed.askedBy)
  const progress = { bytesRead: 0, rowsStaged: 0, rowsRecorded: 0 }
  const note = paced(() => runs.updateProgress(parts.db, key, progress))
  let passes = 0
  const source: ReportSource = {
    name: claimed.fileName,
    // some readers go through the file more than once before they give rows: what counts is the present pass
    open: () => {
      const pass = ++passes
      return counted(parts.objects.read(objectKey), (read) => {
        if (pass === passes) progress.bytesRead = read
      })
    },
  }
  const reading = { ...asked, assetId: claimed.assetId }
  const held = <Done>(work: (trx: Trx) => Promise<Done>) =>
    transaction(parts.db, async (trx) => ((await runs.holdImport(trx, key, PATIENCE)) ? work(trx) : null))
  const onRead = async (rows: number) => {
    progress.rowsStaged = rows
    note()
  }
  const onRecorded = async (rows: number) => {
    progress.rowsRecorded = rows
    note()
  }
  const asFirst = () => {
    const onProgress = async (rows: number) => {
      progress.rowsRecorded = rows
      await onRead(rows)
    }
    return held((trx) => takeFirst(trx, context, { key, source, reading, asked, waits: true, onProgress }))
  }
  const compared = async () => {
    progress.rowsRecorded = 0
    const staged = await stageReport(parts.db, key, source, reading, onRead)
    progress.bytesRead = claimed.fileSize
    return held((trx) => applyReport(trx, context, { key, staged, asked, onProgress: onRecorded }))
  }
  const read = async () =>
    asFirstOrNot(await mayBeFirst(context, parts.db, asked), (isFirst) => (isFirst ? asFirst() : compared()))
  const first = await held(async (trx) => ({ repeat: await takeRepeat(trx, context, key, asked) }))
  if (first === null) return
  await deleteStaged(parts.db, key)
  const done = first.repeat ?? (await read())
  if (done === null || done.created < MANY_CREATED) return
  await analyseGrown(parts.db, WRITTEN, (err) =>
    parts.log.warn({ err }, 'The figures for the planner could not be made'),
  )
}

/**
 * Starts `work` at most once per PACE, and not before the last is done. Nobody waits for it: it needs a connection of its own, and those may
 * all be taken by reports that wait for the transaction that makes the progress.
 */
function paced(work: () => Promise<void>): () => void {
  let last = Number.NEGATIVE_INFINITY
  let isUnderWay = false
  return () => {
    if (isUnderWay || performance.now() - last < PACE) return
    isUnderWay = true
    last = performance.now()
    // a progress that could not be noted is told by the next one
    void work()
      .catch(() => {})
      .finally(() => {
        isUnderWay = false
      })
  }
}

async function* counted(bytes: AsyncIterable<Uint8Array>, tell: (read: number) => void): AsyncGenerator<Uint8Array> {
  let read = 0
  for await (const chunk of bytes) {
    read += chunk.length
    tell(read)
    yield chunk
  }
}

async function sweep({ db }: WorkParts): Promise<void> {
  while ((await runs.sweepRows(db)) > 0);
}

export const tasks: readonly Task[] = [
  {
    name: IMPORT_TASK,
    run: async (parts, payload) => {
      const key = idsIn(payload, 'companyId', 'id')
      if (key) await runImport(parts, key)
    },
  },
  { name: 'sweep-import-rows', cron: '29 3 * * *', run: sweep },
]
