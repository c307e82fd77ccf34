// `merlon import REPORT…`: sends scanners' reports, waits until they are in, and says what became of each.

import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import { Refused, request, requestWithFile, type Selection } from '../client.ts'
import { REFUSED } from '../exit.ts'
import { findAsset, findCompany } from '../find.ts'
import { counted, type OutputOptions, printJson, say, withoutControls } from '../output.ts'
import { openProgress, type Progress } from '../progress.ts'
import { laidIn, scannedIn } from '../scanned.ts'
import { filled, seconds } from '../values.ts'
import { WrongUse } from '../wrong-use.ts'
import { type ReportFile, withReports } from './import-files.ts'

type Options = OutputOptions & {
  company?: string
  asset?: string
  format?: string
  branch?: string
  commit?: string
  deploy?: string
  scan?: string
  checkout?: string
  directory?: string
  scope?: string
  closeAbsent?: boolean
  confirmClose?: boolean
  git: boolean
  wait: number
}

/** Milliseconds between polls of a running import. */
const PAUSE = 500
/** The most rows that are shown of each kind. */
const MOST_SHOWN = 10

const FIELDS = `id status format progress unclosedReason incompleteReason failure { code message }
  result { read created updated unchanged reopened merged closed leftOut components }
  leftOut: rows(disposition: LEFT_OUT, pagination: { perPage: ${MOST_SHOWN} }) { collection { at reason } }
  merged: rows(disposition: MERGED, pagination: { perPage: ${MOST_SHOWN} }) { collection { at reason } }`

const SEND = `mutation ($input: ImportFindingsInput!) { importFindings(input: $input) { import { ${FIELDS} } } }`
const LOOK = `query ($id: ID!) { import(id: $id) { ${FIELDS} } }`

/** The service's reason for a file in no known format, and what is said of such a file among others, without the list of all formats. */
const NOT_RECOGNISED = 'FORMAT_NOT_RECOGNISED'
const NO_REPORT = "The report's format was not recognised"
const EMPTY = 'It is empty: name its format with --format to import it as a report without findings'
const LINK = 'It is a symbolic link, which is followed only if it is named itself'
/** Codes of refusals that concern all files: of the key, or of a record that a flag names. */
const sameForAll: readonly string[] = ['UNAUTHENTICATED', 'NOT_FOUND']

/**
 * The outcome of one file: an import, or the sentence that refused it, with the service's reason if it gives one. `isPassedOver`: the file
 * is simply not a report, or is not read.
 */
type Outcome = { file: string; isFound: boolean } & (
  | { import: Selection }
  | { error: string; code: string; reason?: string | undefined; isPassedOver: boolean }
)

export function importReports(command: Command): void {
  command
    .argument('<report...>')
    .option('--company <id or label>')
    .option('--asset <id or name>')
    .option('--format <name>', 'by default recognised by its content')
    .option('--branch <name>', 'by default the current branch', filled)
    .option('--commit <commit>', 'by default the current commit')
    .option('--no-git', 'take branch, commit and checkout from flags alone, not from git')
    .option(
      '--checkout <path>',
      'where the scanner saw the repository, such as /src; by default its path on this machine',
      filled,
    )
    .option('--directory <path>', 'the directory in which the scanner ran, relative to the current one', filled)
    .option('--deploy <id>', 'the deploy whose commit was scanned')
    .option('--scan <id>', 'the run (ControlSyncStatus) that the report belongs to')
    .option('--scope <name>', 'the part of the asset that the report covers')
    .option('--close-absent', 'close findings that earlier reports of the same scope had and this one lacks')
    .option('--confirm-close', 'close them even if that is most of the open findings')
    .option('--wait <seconds>', 'how long to wait for an import that makes no progress', seconds, 900)
    .option('--json')
    .action(send)
}

async function send(words: string[], options: Options): Promise<void> {
  const companyId = await findCompany(options.company)
  const input = {
    companyId,
    assetId: await findAsset(companyId, options.asset),
    format: options.format,
    ...(await scannedIn(options)),
    ...(await laidIn(options)),
    deployId: options.deploy,
    controlSyncStatusId: options.scan,
    closeAbsent: options.closeAbsent ?? false,
    confirmClose: options.confirmClose ?? false,
    file: null,
  }
  const outcomes = await withReports(words, async (files) => {
    const sent: Outcome[] = []
    for (const file of files) {
      // also for a single report of a folder, so that another one beside it does not change its scope
      const isOneOfMany = file.isFound || files.length > 1
      const scope = isOneOfMany && options.closeAbsent && !options.scope ? file.scope : options.scope
      const outcome = await sendOne(file, { ...input, scope }, options)
      sent.push(outcome)
      announce(outcome, options, files.length > 1)
    }
    return sent
  })
  if (options.json) printJson(outcomes)
  if (outcomes.every((outcome) => 'error' in outcome && outcome.isPassedOver)) {
    throw new WrongUse('None of the files is a report that can be read')
  }
  if (outcomes.some((outcome) => hasFailed(outcome, options))) process.exitCode = REFUSED
}

async function sendOne(report: ReportFile, input: Selection, { wait }: Options): Promise<Outcome> {
  const of = { file: report.name, isFound: report.isFound }
  if (report.isLink) return { ...of, error: LINK, code: 'BAD_USER_INPUT', isPassedOver: true }
  if (report.isEmpty && input.format === undefined) {
    return { ...of, error: EMPTY, code: 'BAD_USER_INPUT', isPassedOver: report.isFound && !input.closeAbsent }
  }
  const sending = openProgress(`Sending ${report.name}`)
  try {
    const { importFindings } = await requestWithFile(SEND, { input }, 'input.file', report.file, sending).finally(
      sending.stop,
    )
    return { ...of, import: await ended(importFindings.import, wait, openProgress(`Importing ${report.name}`)) }
  } catch (error) {
    if (!(error instanceof Refused) || sameForAll.includes(error.code)) throw error
    const [fault] = error.faults
    if (fault?.argument === 'input.format') throw new WrongUse(`--format: ${error.message}`)
    const reason = fault?.reason
    const isPassedOver = report.isFound && reason === NOT_RECOGNISED
    return { ...of, error: error.message, code: error.code, reason, isPassedOver }
  }
}

/** The import, once it has ended or has made no progress for `wait` seconds. */
async function ended(found: Selection, wait: number, progress: Progress): Promise<Selection> {
  try {
    let now = found
    let goneOnAt = performance.now()
    while (isUnderWay(now) && performance.now() - goneOnAt < wait * 1000) {
      await delay(PAUSE)
      const before = now
      now = (await request(LOOK, { id: now.id })).import
      if (now.status !== before.status || now.progress !== before.progress) goneOnAt = performance.now()
      progress.update(now.progress, 1)
    }
    return now
  } finally {
    progress.stop()
  }
}

const isUnderWay = ({ status }: Selection): boolean => status === 'PENDING' || status === 'RUNNING'

const hasFailed = (outcome: Outcome, options: Options): boolean =>
  'error' in outcome ? !outcome.isPassedOver : faultOf(outcome.import, options) !== null

const labels = [
  ['created', 'new'],
  ['updated', 'changed'],
  ['unchanged', 'unchanged'],
  ['reopened', 'reopened'],
  ['merged', 'merged'],
  ['closed', 'closed'],
  ['leftOut', 'left out'],
] as const

/** Prints what was refused or skipped to standard error, and everything else to standard output, unless that is JSON for a program. */
function announce(outcome: Outcome, options: Options, isOneOfMany: boolean): void {
  const { file } = outcome
  if ('error' in outcome) {
    const error = isOneOfMany && outcome.reason === NOT_RECOGNISED ? NO_REPORT : outcome.error
    complain(`${file}: ${outcome.isPassedOver ? 'skipped: ' : ''}${error}`)
    return
  }
  const fault = faultOf(outcome.import, options)
  if (fault !== null) complain(`${file}: ${fault}`)
  else if (!options.json) tellOf(file, outcome.import)
}

/** What went wrong with an import, or null. */
function faultOf({ id, status, failure }: Selection, { wait }: Options): string | null {
  if (status === 'FAILED') return `import ${id} failed: ${failure.message}`
  if (!isUnderWay({ status }) || wait === 0) return null
  const needs =
    status === 'PENDING'
      ? ': either no worker is running (merlon serve or merlon worker), or other reports of the asset go first'
      : ''
  return `import ${id} is ${status} and has made no progress for ${counted(wait, 'second')}${needs}`
}

function tellOf(file: string, found: Selection): void {
  const { id, status, format, result, unclosedReason, incompleteReason, leftOut, merged } = found
  if (isUnderWay(found)) {
    say(`${file}: import ${id} is ${status}`)
    return
  }
  const counts = labels.flatMap(([name, label]) => (result[name] > 0 ? [`${result[name]} ${label}`] : []))
  if (result.components > 0) counts.push(counted(result.components, 'component'))
  say(`${file}: import ${id} (${format}), ${counted(result.read, 'row')}: ${counts.join(', ') || 'nothing'}`)
  if (unclosedReason) say(`  ${result.closed > 0 ? 'Not everything' : 'Nothing'} was closed: ${unclosedReason}`)
  else if (incompleteReason) say(`  The report is not complete: ${incompleteReason}`)
  tell('left out', leftOut.collection, result.leftOut)
  tell('merged', merged.collection, result.merged)
}

const complain = (sentence: string): void => void process.stderr.write(`${withoutControls(sentence)}\n`)

function tell(what: string, rows: { at: string | null; reason: string | null }[], count: number): void {
  for (const { at, reason } of rows) say(`  ${what} ${at ?? ''}: ${reason ?? ''}`)
  if (count > rows.length) say(`  and ${count - rows.length} more ${what}`)
}
