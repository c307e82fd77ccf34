// `merlon scan`: runs the dynamic scanner against a running application, from this machine and without a server.

import type { Command } from 'commander'
import { offer } from '../../core/nearest.ts'
import { VERSION } from '../../core/version.ts'
import { defaultBudget } from '../../scanner/budget.ts'
import type { Finding } from '../../scanner/finding.ts'
import type { Outcome, Progress } from '../../scanner/outcome.ts'
import type { ScanFault, SentOptions } from '../../scanner/processed.ts'
import { BLOCKED, REFUSED } from '../exit.ts'
import { printable, printJson, printJsonWith, say } from '../output.ts'
import { addOptions, type GivenOptions, readOptions, severities } from '../scan-options.ts'
import { sarifOfScan } from '../scan-sarif.ts'
import { printText } from '../scan-text.ts'
import { WrongUse } from '../wrong-use.ts'

/** Milliseconds after the end of its time in which a scan ends. */
const GRACE = 60_000

export function scan(command: Command): void {
  addOptions(command).action(async (url: string, options: GivenOptions) => {
    await requireChecks(options.check)
    const outcome = await run(await readOptions(url, options), options)
    await print(outcome, url, options.output)
    if (options.schema && outcome.state === 'BAD_SCHEMA') {
      throw new WrongUse(
        `${options.schema}: ${outcome.reason}; the supported formats are OpenAPI, Swagger, GraphQL (SDL or introspection), WSDL, Postman 2.1 and HAR`,
      )
    }
    process.exitCode = codeOf(outcome, options.failOn)
  })
}

/** WrongUse for a check that does not exist: a misspelt one would quietly find nothing. */
async function requireChecks(ids: readonly string[] = []): Promise<void> {
  if (ids.length === 0) return
  const { checks } = await import('../../scanner/checks/index.ts')
  const known = checks.map(({ id }) => id)
  const wrong = ids.find((id) => !known.includes(id))
  if (wrong !== undefined) throw new WrongUse(`There is no check ${wrong}${offer(wrong, known)}`)
}

/** Runs in a process of its own, whose memory is bounded; what it found until then is kept if it does not finish. */
async function run(given: SentOptions, { output }: GivenOptions): Promise<Outcome> {
  const { ScanFault, scanInProcess } = await import('../../scanner/processed.ts')
  const controller = new AbortController()
  const cancel = () => controller.abort()
  process.once('SIGINT', cancel)
  process.once('SIGTERM', cancel)
  const began = performance.now()
  let requests = 0
  const show = openProgressLine()
  const onProgress = (progress: Progress) => {
    requests = progress.requests
    show(progress)
  }
  const timeout = (given.budget?.time ?? defaultBudget.time) + GRACE
  try {
    const onFinding = output === 'text' ? sayFinding : () => {}
    return await scanInProcess(given, { signal: controller.signal, timeout, onFinding, onProgress })
  } catch (error) {
    if (!(error instanceof ScanFault)) throw error
    const state = controller.signal.aborted ? 'CANCELED' : 'FAILED'
    return unfinished(state, error, { requests, ms: performance.now() - began })
  } finally {
    process.off('SIGINT', cancel)
    process.off('SIGTERM', cancel)
  }
}

const sayFinding = ({ severity, title, operation, parameter }: Finding): void =>
  say(
    `${severity.padEnd(12)} ${printable(title)}  ${printable(operation)}${parameter ? `  ${printable(parameter.name)}` : ''}`,
  )

/** A line that writes over itself, once a second at most; nothing where no person looks. */
function openProgressLine(): (progress: Progress) => void {
  let shownAt = 0
  return ({ phase, done, of, requests, findings }) => {
    if (!process.stderr.isTTY || Date.now() - shownAt < 1_000) return
    shownAt = Date.now()
    process.stderr.write(`\r${phase}: ${done} of ${of}, ${requests} requests, ${findings} findings   `)
  }
}

/** What is known of a scan whose process ended before it could say more than its findings. */
const unfinished = (
  state: 'CANCELED' | 'FAILED',
  { message, findings }: ScanFault,
  counted: Pick<Outcome, 'requests' | 'ms'>,
): Outcome => ({
  ...counted,
  state,
  reason: message,
  findings,
  operations: [],
  skipped: [],
  covered: [],
  notes: [],
  accountPassword: null,
  coveredCwes: [],
  looked: [],
  failures: 0,
})

async function print(outcome: Outcome, url: string, output: GivenOptions['output']): Promise<void> {
  if (process.stderr.isTTY) process.stderr.write('\n')
  if (output === 'json') {
    const { findings, ...rest } = outcome
    await printJsonWith(rest, 'findings', findings)
  } else if (output === 'sarif') printJson(sarifOfScan(outcome, url, VERSION))
  else printText(outcome)
}

function codeOf({ state, findings }: Outcome, least: GivenOptions['failOn']): number {
  const isWhole = ['COMPLETED', 'REQUESTS_SPENT', 'TIME_SPENT'].includes(state)
  if (least && findings.some(({ severity }) => severities.indexOf(severity) >= severities.indexOf(least)))
    return BLOCKED
  return isWhole ? 0 : REFUSED
}
