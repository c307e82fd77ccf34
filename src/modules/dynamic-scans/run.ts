// One run of the scanner: begins it, reports its progress, imports what it finds, and ends it.

import { transaction } from '../../core/db/open.ts'
import { ApplicationError } from '../../core/errors.ts'
import { enqueue } from '../../core/jobs.ts'
import { OutboundFailed } from '../../core/outbound-errors.ts'
import type { Row } from '../../reports/types.ts'
import type { Finding } from '../../scanner/finding.ts'
import { ScanFault, type SentOptions, scanInProcess } from '../../scanner/processed.ts'
import type { WorkParts } from '../context.ts'
import { askedByProgram, importRows } from '../imports/service.ts'
import { beginRun, countReported, endRun, type RunConfiguration } from '../scans/service.ts'
import { openSecret } from '../secrets/service.ts'
import { countsOf, endOf, endWithoutOutcome, finish, reachOf } from './ending.ts'
import { identityOf } from './identities.ts'
import { observationOf, SCANNER_TOOL } from './observation.ts'
import { claim, type Running } from './running.ts'
import { SCAN_TASK } from './start.ts'
import * as store from './store.ts'
import { isAllowedByOperator, whyNotScanned } from './targets.ts'
import { watch } from './watch.ts'

/** The most times that a scan is started, because its worker may be killed. */
const MOST_ATTEMPTS = 2
const MINUTE = 60_000
const BUDGET = { requests: 60_000, minutes: 60, rate: 50 }
/** The largest API description to fetch, in bytes. */
const LARGEST_SCHEMA = 10 * 1024 * 1024

/**
 * Runs a scan that was started. Safe to run twice, and again after its worker was killed: it starts over, and findings are not doubled.
 * When the process is `leaving`, what was found so far is taken in, and a later worker begins the scan anew.
 */
export async function runDynamicScan(parts: WorkParts, key: store.RunKey, leaving?: AbortSignal): Promise<void> {
  const running = await claim(parts.db, key)
  const isWanted = await transaction(parts.db, (trx) => beginRun(trx, key.companyId, key.scanId))
  if (!isWanted) return
  if (!running) return failed(parts, key, 'The scanner configuration of the asset is gone')
  if (running.attempts > MOST_ATTEMPTS) {
    return failed(parts, key, `The scan was started ${MOST_ATTEMPTS} times and did not finish`)
  }
  try {
    const refused = await whyNotScanned(parts, running)
    if (refused !== null) return failed(parts, key, refused)
    await scanAndTakeIn(parts, running, leaving)
  } catch (error) {
    await failed(parts, key, failureOf(parts, key, error))
  }
}

/** A sentence for people; for an unexpected fault the log has the details. */
function failureOf({ log }: WorkParts, { scanId }: store.RunKey, error: unknown): string {
  const isKnown = error instanceof ScanFault || error instanceof ApplicationError || error instanceof OutboundFailed
  if (isKnown) return error.message
  log.error({ err: error, scanId }, 'A dynamic scan failed')
  return 'The scan failed with an unexpected error'
}

const failed = ({ db }: WorkParts, { companyId, scanId }: store.RunKey, reason: string): Promise<void> =>
  transaction(db, (trx) =>
    endRun(trx, companyId, scanId, { status: 'FAILED', external: 0, success: 0, failures: 0, reason }),
  )

async function scanAndTakeIn(parts: WorkParts, running: Running, leaving?: AbortSignal): Promise<void> {
  const options = await optionsOf(parts, running)
  const controller = new AbortController()
  const found: Finding[] = []
  let takenIn = 0
  let progress: store.Progress = { phase: null, done: 0, of: 0, requests: 0, operations: 0, findings: {} }
  const takeIn = async () => {
    const fresh = found.slice(takenIn)
    if (fresh.length === 0) return
    await importFindings(parts, running, fresh)
    await noteSeen(parts, running, fresh, takenIn + fresh.length)
    takenIn += fresh.length
  }
  const watching = watch(parts, {
    key: running,
    progress: () => ({ ...progress, findings: countsOf(found) }),
    takeIn,
    abort: () => controller.abort(),
  })
  const signal = AbortSignal.any(leaving ? [controller.signal, leaving] : [controller.signal])
  const end = await scanInProcess(options, {
    signal,
    timeout: ((running.configuration.maxMinutes ?? BUDGET.minutes) + 1) * MINUTE,
    onFinding: (finding) => void found.push(finding),
    onProgress: ({ phase, done, of, requests, operations }) => {
      progress = { phase, done, of, requests, operations, findings: {} }
    },
  })
    .then(endOf, (error: unknown) => {
      const state = signal.aborted ? 'CANCELED' : 'FAILED'
      return endWithoutOutcome(state, failureOf(parts, running, error), found, progress)
    })
    .finally(() => watching.stop())
  await takeIn()
  const hasGivenWay = end.state === 'CANCELED' && !controller.signal.aborted
  await (hasGivenWay ? beginAgain(parts, running) : finish(parts.db, running, end))
}

/** A job of its own, because this one is not over before the process is, and another worker may take it up at once. */
const beginAgain = ({ db }: WorkParts, { companyId, scanId }: Running): Promise<void> =>
  transaction(db, async (trx) => {
    await store.uncountBeginning(trx, { companyId, scanId })
    await enqueue(trx, SCAN_TASK, { companyId, scanId })
  })

async function optionsOf(parts: WorkParts, running: Running): Promise<SentOptions> {
  const { companyId, scanId, targetUrl, configuration } = running
  const open = (ids: readonly string[]) =>
    Promise.all(ids.map((id) => openSecret(parts.db, parts.keyring, companyId, id)))
  const people = [
    identityOf(
      'first',
      (await open(configuration.secretIds)).filter((secret) => secret !== null),
    ),
    identityOf(
      'second',
      (await open(configuration.secondSecretIds)).filter((secret) => secret !== null),
    ),
  ]
  return {
    target: targetUrl,
    profile: configuration.scanProfile,
    format: configuration.apiFormat,
    schema: await schemaOf(parts, configuration),
    identities: people.filter((person) => person !== null),
    scope: { include: configuration.includePaths, exclude: configuration.excludePaths },
    budget: {
      requests: configuration.maxRequests ?? BUDGET.requests,
      time: (configuration.maxMinutes ?? BUDGET.minutes) * MINUTE,
      rate: configuration.requestsPerSecond ?? BUDGET.rate,
    },
    allowDestructive: configuration.allowDestructive,
    listener: parts.config.scanListener,
    allowed: parts.config.outbound,
    // a browser opens its own connections, which bypass the check of addresses
    browser: isAllowedByOperator(parts, targetUrl),
    scanId,
  }
}

async function schemaOf(
  parts: WorkParts,
  { apiSchemaKey, apiSchemaSourceFile, apiSchemaUrl }: RunConfiguration,
): Promise<SentOptions['schema']> {
  if (apiSchemaKey !== null) {
    const chunks: Uint8Array[] = []
    for await (const chunk of parts.objects.read(apiSchemaKey)) chunks.push(chunk)
    return { name: apiSchemaSourceFile ?? 'schema', text: Buffer.concat(chunks).toString('utf8') }
  }
  if (apiSchemaUrl === null) return null
  const limits = { largest: LARGEST_SCHEMA, timeout: MINUTE / 2, redirects: 'same-origin' } as const
  const answer = await parts.outbound.call(apiSchemaUrl, limits).catch((error: unknown) => {
    if (!(error instanceof OutboundFailed)) throw error
    const way = error.reason === 'UNTRUSTED' ? '; upload the description itself as apiSchemaSourceFile' : ''
    throw new ScanFault(`The description at ${apiSchemaUrl} could not be fetched: ${error.message}${way}`)
  })
  if (answer.status !== 200) throw new ScanFault(`The description at ${apiSchemaUrl} answered ${answer.status}`)
  return { name: new URL(apiSchemaUrl).pathname, text: answer.body.toString('utf8'), url: answer.url }
}

async function importFindings(parts: WorkParts, running: Running, findings: readonly Finding[]): Promise<void> {
  const { companyId, assetId, scanId, author } = running
  await importRows(parts, {
    companyId,
    assetId,
    scanId,
    askedBy: askedByProgram(author, `scan-${scanId}`, 'startPlatformDast'),
    format: 'merlon-scan',
    name: `${SCANNER_TOOL} of ${running.targetUrl}`.slice(0, 300),
    rows: rowsOf(findings),
    isWhole: false,
    confirmClose: false,
  })
}

async function* rowsOf(findings: readonly Finding[]): AsyncGenerator<Row> {
  for (const finding of findings) {
    yield { kind: 'OBSERVATION', at: finding.operation, observation: observationOf(finding) }
  }
}

/** Records the findings right away, so that later scans can close them even if this run never ends. */
async function noteSeen(
  { db }: WorkParts,
  running: Running,
  seen: readonly Finding[],
  reported: number,
): Promise<void> {
  const { companyId, assetId, scanId, configuration } = running
  const reach = reachOf(configuration)
  await transaction(db, async (trx) => {
    await store.noteSightings(trx, { companyId, assetId, ...reach, seen, covered: [], looked: [] })
    await countReported(trx, companyId, scanId, reported)
  })
}
