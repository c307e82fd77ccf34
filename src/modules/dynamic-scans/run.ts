// One run of the scanner: it is begun, told about while it runs, ended with what it found, and what is fixed is closed.

import { type Db, transaction } from '../../core/db/open.ts'
import { ApplicationError } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { OutboundFailed } from '../../core/outbound-errors.ts'
import type { Row } from '../../reports/types.ts'
import { endings, type Outcome } from '../../scanner/outcome.ts'
import { ScanFault, type SentOptions, scanInProcess } from '../../scanner/processed.ts'
import type { Finding } from '../../scanner/types.ts'
import { type Author, findAuthor } from '../access/service.ts'
import type { WorkParts } from '../context.ts'
import { askedByProgram, importRows } from '../imports/service.ts'
import { closeAbsent } from '../issues/findings/service.ts'
import { beginRun, endRun, findRunConfiguration, type RunConfiguration } from '../scans/service.ts'
import { openSecret } from '../secrets/service.ts'
import { identityOf } from './identities.ts'
import { observationOf, SCANNER_TOOL } from './observation.ts'
import * as store from './store.ts'
import { isAllowedByOperator, whyNotScanned } from './targets.ts'

/** Times that a scan is begun: the worker under it may be killed. */
const MOST_ATTEMPTS = 2
/** Milliseconds between two looks at whether the run was canceled, and between two takings in of what was found. */
const LOOK = 500
const TAKING_IN = 3_000
const MINUTE = 60_000
const BUDGET = { requests: 60_000, minutes: 60, rate: 50 }
/** Bytes of a description that is fetched. */
const LARGEST_SCHEMA = 10 * 1024 * 1024

const depths = { BASIC: 0, BALANCED: 1, DEEP: 2 } as const

/** Runs what waits. Safe to run twice, and after the worker under it was killed: it begins anew, and findings stay one. */
export async function runDynamicScan(parts: WorkParts, key: store.RunKey): Promise<void> {
  const running = await claim(parts.db, key)
  const isWanted = await transaction(parts.db, (trx) => beginRun(trx, key.companyId, key.scanId))
  if (!isWanted) return
  if (!running) return failed(parts, key, 'The scanner configuration of the asset is gone')
  if (running.attempts > MOST_ATTEMPTS) {
    return failed(parts, key, `The scan was begun ${MOST_ATTEMPTS} times and did not come to an end`)
  }
  try {
    const refused = await whyNotScanned(parts, running)
    if (refused !== null) return failed(parts, key, refused)
    await scanAndTakeIn(parts, running)
  } catch (error) {
    const known = error instanceof ScanFault || error instanceof ApplicationError || error instanceof OutboundFailed
    if (!known) parts.log.error({ err: error, scanId: key.scanId }, 'A dynamic scan failed')
    await failed(parts, key, known ? error.message : 'The scan met an unforeseen fault')
  }
}

/** A run under way; `targetUrl` is what its configuration had when it was started. */
type Running = store.Claimed & { assetId: Id; configuration: RunConfiguration; author: Author | null }

async function claim(db: Db, key: store.RunKey): Promise<Running | null> {
  const claimed = await store.claimRun(db, key)
  const configuration = await findRunConfiguration(db, key.companyId, key.scanId)
  if (!claimed || !configuration) return null
  const author = await findAuthor(db, key.companyId, claimed.startedBy)
  return { ...claimed, assetId: configuration.assetId, configuration, author }
}

const failed = ({ db }: WorkParts, { companyId, scanId }: store.RunKey, reason: string): Promise<void> =>
  transaction(db, (trx) =>
    endRun(trx, companyId, scanId, { status: 'FAILED', external: 0, success: 0, failures: 0, reason }),
  )

async function scanAndTakeIn(parts: WorkParts, running: Running): Promise<void> {
  const options = await optionsOf(parts, running)
  const controller = new AbortController()
  const found: Finding[] = []
  let takenIn = 0
  let progress: store.Progress = { phase: null, done: 0, of: 0, requests: 0, findings: {} }
  const takeIn = async () => {
    const fresh = found.slice(takenIn)
    if (fresh.length === 0) return
    await importFindings(parts, running, fresh)
    takenIn += fresh.length
  }
  const watching = watch(parts, running, controller, () => ({ ...progress, findings: countsOf(found) }), takeIn)
  const outcome = await scanInProcess(options, {
    signal: controller.signal,
    timeout: ((running.configuration.maxMinutes ?? BUDGET.minutes) + 1) * MINUTE,
    onFinding: (finding) => void found.push(finding),
    onProgress: ({ phase, done, of, requests }) => {
      progress = { phase, done, of, requests, findings: {} }
    },
  }).finally(() => watching.stop())
  await takeIn()
  await finish(parts, running, outcome)
}

/** Writes how far the scan is and takes in what it found, until it is stopped; aborts the scan of a run that was canceled. */
function watch(
  { db, log }: WorkParts,
  running: Running,
  controller: AbortController,
  progress: () => store.Progress,
  takeIn: () => Promise<void>,
): { stop: () => Promise<void> } {
  let isStopped = false
  let lastTaken = Date.now()
  const looking = (async () => {
    while (!isStopped) {
      await new Promise((resolve) => setTimeout(resolve, LOOK))
      const status = await store.noteProgress(db, running, progress())
      if (status !== 'RUNNING') controller.abort()
      if (isStopped || Date.now() - lastTaken < TAKING_IN) continue
      await takeIn()
      lastTaken = Date.now()
    }
  })().catch((err: unknown) => {
    log.warn({ err, scanId: running.scanId }, 'A scan could not be told about')
    controller.abort()
  })
  return {
    stop: () => {
      isStopped = true
      return looking
    },
  }
}

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
    allowed: parts.config.outbound,
    // a browser connects by itself, past the guard of addresses
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
    throw new ScanFault(`The description at ${apiSchemaUrl} was not got: ${error.message}`)
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

const countsOf = (findings: readonly Finding[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { severity } of findings) counts[severity] = (counts[severity] ?? 0) + 1
  return counts
}

/** Endings in which the target was scanned, as far as the budget went. */
const good = new Set<Outcome['state']>(['COMPLETED', 'REQUESTS_SPENT', 'TIME_SPENT'])

async function finish({ db }: WorkParts, running: Running, outcome: Outcome): Promise<void> {
  const { companyId, assetId, scanId, configuration, author } = running
  const { state, reason, findings, operations, skipped, notes, requests } = outcome
  const isWhole = state === 'COMPLETED'
  const unasked = new Set(skipped.map(({ operation }) => operation))
  await transaction(db, async (trx) => {
    const gone = await store.noteSightings(trx, {
      companyId,
      assetId,
      depth: depths[configuration.scanProfile],
      seen: findings,
      covered: isWhole ? operations.filter((operation) => !unasked.has(operation)) : [],
    })
    if (gone.length > 0 && author !== null) {
      const why = 'Two scans in a row that asked its operation everything did not see it'
      const absence = { branch: '', issueIds: gone, reason: why, authorId: author.userId, scanId, deployId: null }
      await closeAbsent(trx, companyId, absence)
    }
    await store.endStanding(trx, running, {
      ending: state,
      requests,
      operations: operations.length,
      skipped: skipped.slice(0, 200).map(({ operation, reason: why }) => ({ operation, reason: why })),
      notes: [...notes],
      findings: countsOf(findings),
    })
    const count = findings.length
    await endRun(trx, companyId, scanId, {
      status: good.has(state) ? 'SUCCEEDED' : 'FAILED',
      external: count,
      success: count,
      failures: 0,
      reason: good.has(state) ? null : sentenceOf(state, reason),
    })
  })
}

function sentenceOf(state: Outcome['state'], reason: string | null): string {
  const ending = `${endings[state].charAt(0).toUpperCase()}${endings[state].slice(1)}`
  return reason === null || reason === endings[state] ? ending : `${ending} (${reason})`
}
