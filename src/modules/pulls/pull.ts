// One pull: fetches findings from the scanner, imports them, and ends the run with the result.

import { transaction } from '../../core/db/open.ts'
import { ApplicationError, failedPrecondition } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Row } from '../../reports/types.ts'
import type { WorkParts } from '../context.ts'
import { type Import, importRows } from '../imports/service.ts'
import { openForWork } from '../integrations/service.ts'
import { beginRun, endRun, type RunEnd } from '../scans/service.ts'
import { tellScanner } from './decisions.ts'
import * as store from './store.ts'

/** The most attempts of one pull. */
const MOST_ATTEMPTS = 5

/**
 * Runs the waiting pull of the association. Safe to run twice, and after the worker was killed at any moment: it starts again, and imports
 * everything at its end or nothing. Throws failures that may be temporary, so that the job is retried.
 */
export async function runPull(parts: WorkParts, key: store.PullKey & { scanId: Id }): Promise<void> {
  const claimed = await store.claim(parts.db, key)
  if (!claimed) return transaction(parts.db, (trx) => endRun(trx, key.companyId, key.scanId, dissociated))
  const { companyId, scanId, attempts } = claimed
  const isWanted = await transaction(parts.db, (trx) => beginRun(trx, companyId, scanId))
  if (!isWanted) return end(parts, claimed, false, null)
  try {
    if (attempts > MOST_ATTEMPTS) throw new ApplicationError('INTERNAL_SERVER_ERROR', givenUp, { retryable: false })
    const pulled = await pull(parts, claimed)
    await end(parts, claimed, pulled.seen.incomplete === null, endOf(pulled))
  } catch (thrown) {
    const failure = thrown instanceof ApplicationError ? thrown : null
    if ((failure === null || failure.retryable) && attempts < MOST_ATTEMPTS) throw thrown
    parts.log.warn({ err: thrown, companyId, scanId }, 'A pull from a scanner failed')
    const reason = failure?.message ?? 'The pull failed with an unexpected error'
    await end(parts, claimed, false, failedBy(reason))
  }
}

const givenUp = `The pull was started ${MOST_ATTEMPTS} times and did not finish`

/** How a run ends whose association is gone. */
const dissociated = failedBy('The asset is no longer linked to this project of the scanner')

/** What the scanner's rows said beside findings: why they are not all, how many are rightly none, and why the first could not be read. */
type Seen = { incomplete: string | null; passedOver: number; firstReason: string | null }
type Pulled = { done: Import; seen: Seen }

async function pull(parts: WorkParts, claimed: store.Claimed): Promise<Pulled> {
  const { companyId, integrationId, externalId, type, isWhole, pulledAt } = claimed
  // send decisions first, so that the scanner's answer takes them into account
  await tellScanner(parts, { companyId, id: integrationId })
  const { connector, session } = await openForWork(parts, companyId, integrationId)
  const { scanner } = connector
  if (!scanner) throw failedPrecondition(`${connector.name} is not a scanner`)
  const seen: Seen = { incomplete: null, passedOver: 0, firstReason: null }
  const since = isWhole || pulledAt === null ? null : new Date(pulledAt).toISOString()
  const rows = noting(scanner.pull(session, { projectId: externalId, since }), seen)
  const done = await importRows(parts, {
    companyId,
    assetId: claimed.assetId,
    scanId: claimed.scanId,
    askedBy: claimed.actor,
    format: type === 'SCANNER_A' ? 'scanner-a' : 'scanner-b',
    name: `${connector.name}: ${claimed.name}`.slice(0, 300),
    rows,
    isWhole: since === null,
    confirmClose: claimed.confirmClose,
  })
  return { done, seen }
}

async function* noting(rows: AsyncIterable<Row>, seen: Seen): AsyncGenerator<Row> {
  for await (const row of rows) {
    if (row.kind === 'TRUNCATED') seen.incomplete ??= row.reason
    if (row.kind === 'PASSED_OVER') seen.passedOver += 1
    if (row.kind === 'LEFT_OUT') seen.firstReason ??= `${row.at}: ${row.reason}`
    yield row
  }
}

/** An incomplete pull is imported but counts as failed: the next one starts from the same moment. */
const endOf = ({ done: { read, leftOut, unclosedReason }, seen }: Pulled): RunEnd => ({
  status: seen.incomplete === null ? 'SUCCEEDED' : 'FAILED',
  external: read - seen.passedOver,
  success: read - leftOut,
  failures: leftOut - seen.passedOver,
  reason: seen.incomplete ?? seen.firstReason ?? unclosedReason,
})

const end = (parts: WorkParts, claimed: store.Claimed, hasPulled: boolean, told: RunEnd | null): Promise<void> =>
  transaction(parts.db, async (trx) => {
    if (told) await endRun(trx, claimed.companyId, claimed.scanId, told)
    await store.finish(trx, claimed, hasPulled)
  })

function failedBy(reason: string): RunEnd {
  return { status: 'FAILED', external: 0, success: 0, failures: 1, reason }
}
