// The worker's task for reviews: reads a deploy's diff in a separate thread, and imports the findings.

import { hmac } from '../../core/crypto.ts'
import { type Db, type Trx, transaction } from '../../core/db/open.ts'
import { ApplicationError } from '../../core/errors.ts'
import { idsIn } from '../../core/ids.ts'
import { enqueue } from '../../core/jobs.ts'
import type { Observation, Row } from '../../reports/types.ts'
import { type Reviewed, ReviewFault, reviewInThread } from '../../review/threaded.ts'
import { type Note, REVIEW_TOOL } from '../../review/types.ts'
import { findAuthor } from '../access/service.ts'
import { findVulnerable, hasAdvisories } from '../advisories/service.ts'
import type { WorkParts } from '../context.ts'
import { REVIEW_TASK } from '../deploys/service.ts'
import { JUDGE_TASK } from '../events/service.ts'
import { askedByProgram, countCreated, importRows } from '../imports/service.ts'
import { beginRun, endRun, openPartialRun } from '../scans/service.ts'
import type { Task } from '../types.ts'
import * as store from './store.ts'

/** The most attempts of a review: the database may stop, or the worker be killed. */
const MOST_ATTEMPTS = 4
/** The most milliseconds that one review may take. */
const LONGEST = 600_000
/** The most notes stored. */
const MOST_NOTES = 500

/** Reviews a deploy. Safe to run twice, and after a worker was killed at any moment. A review that fails imports nothing. */
export async function runReview(parts: WorkParts, key: store.ReviewKey, longest = LONGEST): Promise<void> {
  const claimed = await store.claimReview(parts.db, key)
  if (!claimed) return
  try {
    if (claimed.attempts > MOST_ATTEMPTS) throw new ReviewFault(givenUp)
    await review(parts, { ...claimed, scanId: await openRun(parts.db, claimed) }, longest)
  } catch (error) {
    const known = error instanceof ReviewFault || (error instanceof ApplicationError && !error.retryable)
    if (!known && claimed.attempts < MOST_ATTEMPTS) throw error
    parts.log.warn({ err: error, deployId: key.id }, 'A review failed')
    await fail(parts.db, key, known ? error.message : givenUp)
  }
}

const givenUp = `The review was started ${MOST_ATTEMPTS} times and did not finish`

/** The run to which the findings belong; another attempt uses the same run. */
async function openRun(db: Db, claimed: store.Claimed): Promise<string> {
  const { companyId, assetId } = claimed
  return transaction(db, async (trx) => {
    const known = claimed.scanId !== null && (await beginRun(trx, companyId, claimed.scanId))
    if (known && claimed.scanId !== null) return claimed.scanId
    const run = await openPartialRun(trx, companyId, { assetId, integration: 'PLATFORM_AST' })
    await beginRun(trx, companyId, run.id)
    await store.setScan(trx, claimed, run.id)
    return run.id
  })
}

type Running = store.Claimed & { scanId: string }

async function review(parts: WorkParts, running: Running, longest: number): Promise<void> {
  const { companyId, assetId, id, objectKey, scanId } = running
  if (objectKey === null) throw new ReviewFault('The diff no longer exists')
  const key = hmac(parts.keyring.foundSecretsKey, companyId)
  const reviewed = await reviewInThread(parts.objects.read(objectKey), { key, timeout: longest })
  const packages = reviewed.found.flatMap((one) => (one.kind === 'PACKAGE' ? [one.found] : []))
  const observations: Observation[] = [
    ...reviewed.found.flatMap((one) => (one.kind === 'OBSERVATION' ? [one.observation] : [])),
    ...(await findVulnerable(parts.db, packages)),
  ]
  const isUnknown = packages.length > 0 && !(await hasAdvisories(parts.db))
  if (observations.length > 0) await takeIn(parts, running, observations)
  await transaction(parts.db, async (trx) => {
    const count = observations.length
    await endRun(trx, companyId, scanId, {
      status: 'SUCCEEDED',
      external: count,
      success: count,
      failures: 0,
      reason: null,
    })
    await store.finishReview(
      trx,
      { companyId, id },
      {
        files: reviewed.result.files,
        packages: packages.length,
        findings: count,
        // an earlier attempt may have imported them already
        created: await countCreated(trx, companyId, assetId, scanId),
        notes: notesOf(reviewed, isUnknown),
      },
    )
    await askVerdict(trx, { companyId, id })
  })
}

/** Enqueues a new verdict when a review has ended, whatever its result: the source host is told none before. */
const askVerdict = (trx: Trx, { companyId, id }: store.ReviewKey): Promise<void> =>
  enqueue(trx, JUDGE_TASK, { companyId, id }, `judge ${companyId}/${id}`)

async function takeIn(
  parts: WorkParts,
  { companyId, assetId, scanId, id, createdBy }: Running,
  observations: readonly Observation[],
): Promise<void> {
  const author = await findAuthor(parts.db, companyId, createdBy)
  await importRows(parts, {
    companyId,
    assetId,
    scanId,
    deployId: id,
    askedBy: askedByProgram(author, `review-${id}`, 'reviewDeploy'),
    format: 'merlon-review',
    name: `${REVIEW_TOOL} of deploy ${id}`,
    rows: rowsOf(observations),
    isWhole: false,
    confirmClose: false,
  })
}

async function* rowsOf(observations: readonly Observation[]): AsyncGenerator<Row> {
  for (const [index, observation] of observations.entries()) {
    yield { kind: 'OBSERVATION', at: `finding ${index + 1}`, observation }
  }
}

function notesOf({ found, untold, result }: Reviewed, isUnknown: boolean): Note[] {
  const notes = found.flatMap((one) => (one.kind === 'NOTE' ? [one.note] : []))
  const own: Note[] = []
  const unread = (reason: string) => own.push({ kind: 'UNREAD', path: null, area: 'all', reason })
  if (result.reason !== null) unread(result.reason)
  if (isUnknown) own.push({ kind: 'UNREAD', path: null, area: 'dependencies', reason: noAdvisories })
  if (untold > 0) unread(`${untold} more findings were found than a review reports`)
  if (notes.length > MOST_NOTES) unread(`${notes.length - MOST_NOTES} more notes were made than are kept`)
  return [...own, ...notes.slice(0, MOST_NOTES)]
}

const noAdvisories =
  'Package versions were not checked, because no advisories have been imported. An administrator can import them with merlon advisories import'

async function fail(db: Db, key: store.ReviewKey, reason: string): Promise<void> {
  await transaction(db, async (trx) => {
    const failed = await store.failReview(trx, key, reason)
    await askVerdict(trx, key)
    if (failed === null) return
    const end = { status: 'FAILED', external: 0, success: 0, failures: 0, reason } as const
    await endRun(trx, key.companyId, failed, end)
  })
}

export const tasks: readonly Task[] = [
  {
    name: REVIEW_TASK,
    run: async (parts, payload) => {
      const key = idsIn(payload, 'companyId', 'id')
      if (key !== null) await runReview(parts, key)
    },
  },
]
