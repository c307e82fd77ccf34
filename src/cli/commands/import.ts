// `merlon import REPORT…`: sends reports of scanners, waits until they are in, and says what each came to.

import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import { Refused, request, requestWithFile, type Selection, WrongUse } from '../client.ts'
import { findAsset, findCompany } from '../find.ts'
import { commitOf, currentBranch } from '../git.ts'
import { type OutputOptions, printJson, say } from '../output.ts'
import { openProgress, type Progress } from '../progress.ts'
import { type ReportFile, withReports } from './import-files.ts'

type Options = OutputOptions & {
  company?: string
  asset?: string
  format?: string
  branch?: string
  commit?: string
  deploy?: string
  scan?: string
  scope?: string
  closeAbsent?: boolean
  confirmClose?: boolean
  git: boolean
}

/** milliseconds between two looks at an import that is under way */
const PAUSE = 500
/** Rows that are shown of each kind. */
const MOST_SHOWN = 10

const FIELDS = `id status format progress unclosedReason incompleteReason failure { code message }
  result { read created updated unchanged reopened merged closed leftOut components }
  leftOut: rows(disposition: LEFT_OUT, pagination: { perPage: ${MOST_SHOWN} }) { collection { at reason } }
  merged: rows(disposition: MERGED, pagination: { perPage: ${MOST_SHOWN} }) { collection { at reason } }`

const SEND = `mutation ($input: ImportFindingsInput!) { importFindings(input: $input) { import { ${FIELDS} } } }`
const LOOK = `query ($id: ID!) { import(id: $id) { ${FIELDS} } }`

/** What the service says of a file that is of no format that it knows. */
const NO_REPORT = /^The report's format was not recognised/

/** What became of one file: an import, or the sentence that refused it. */
type Outcome = { file: string; isFound: boolean } & ({ import: Selection } | { error: string; code: string })

export function importReports(program: Command): void {
  program
    .command('import <report...>')
    .description('send reports of scanners: files, folders, or - for standard input')
    .option('--company <id or label>')
    .option('--asset <id or name>')
    .option('--format <name>', 'recognised by the content unless said')
    .option('--branch <name>', 'the branch that is checked out unless said')
    .option('--commit <commit>', 'the commit that is checked out unless said')
    .option('--no-git', 'say nothing of branch and commit but what is said')
    .option('--deploy <id>', 'the deploy whose commit was scanned')
    .option('--scan <id>', 'the run that the report belongs to')
    .option('--scope <name>', 'the part of the asset that the report speaks of')
    .option('--close-absent', 'close what earlier reports of the same scope had and this one has not')
    .option('--confirm-close', 'also where that is most of what is open')
    .option('--json')
    .action(send)
}

async function send(words: string[], options: Options): Promise<void> {
  const companyId = await findCompany(options.company)
  const input = {
    companyId,
    assetId: await findAsset(companyId, options.asset),
    format: options.format,
    ...(await whereOf(options)),
    deployId: options.deploy,
    controlSyncStatusId: options.scan,
    scope: options.scope,
    closeAbsent: options.closeAbsent ?? false,
    confirmClose: options.confirmClose ?? false,
    file: null,
  }
  const outcomes = await withReports(words, async (files) => {
    const sent: Outcome[] = []
    const ownScopes = files.length > 1 && options.closeAbsent && !options.scope
    for (const file of files) {
      sent.push(await sendOne(file, ownScopes ? { ...input, scope: file.name } : input))
      if (!options.json) announce(sent.at(-1))
    }
    return sent
  })
  if (options.json) printJson(outcomes)
  if (outcomes.every(isPassedOver)) {
    throw new WrongUse('None of the files is a report that can be read')
  }
  if (outcomes.some(hasFailed)) process.exitCode = 1
}

/** The branch and the commit that are checked out, where this is a git repository. */
async function whereOf(options: Options): Promise<{ branchName?: string | null; commitRef?: string | null }> {
  const isGit = options.git && !options.deploy
  const head = isGit ? await commitOf('HEAD').catch(() => null) : null
  const isNamed = options.commit !== undefined && options.git
  const commitRef = isNamed
    ? await commitOf(options.commit ?? '').catch(() => options.commit)
    : (options.commit ?? head)
  return { branchName: options.branch ?? (isGit && head ? await currentBranch() : null), commitRef }
}

async function sendOne(report: ReportFile, input: Record<string, unknown>): Promise<Outcome> {
  const of = { file: report.name, isFound: report.isFound }
  const sending = openProgress(`Sending ${report.name}`)
  try {
    const { importFindings } = await requestWithFile(SEND, { input }, 'input.file', report.file, sending).finally(
      sending.stop,
    )
    return { ...of, import: await ended(importFindings.import, openProgress(`Importing ${report.name}`)) }
  } catch (error) {
    if (!(error instanceof Refused) || error.code === 'UNAUTHENTICATED') throw error
    return { ...of, error: error.message, code: error.code }
  }
}

async function ended(found: Selection, progress: Progress): Promise<Selection> {
  try {
    let now = found
    while (now.status === 'PENDING' || now.status === 'RUNNING') {
      await delay(PAUSE)
      now = (await request(LOOK, { id: now.id })).import
      progress.update(now.progress, 1)
    }
    return now
  } finally {
    progress.stop()
  }
}

/** A file of a folder that is no report is passed over; one that is, and was refused, is not. */
const isPassedOver = (outcome: Outcome): boolean =>
  'error' in outcome && outcome.isFound && NO_REPORT.test(outcome.error)

const hasFailed = (outcome: Outcome): boolean =>
  'error' in outcome ? !isPassedOver(outcome) : outcome.import.status === 'FAILED'

const labels = [
  ['created', 'new'],
  ['updated', 'changed'],
  ['unchanged', 'as before'],
  ['reopened', 'open again'],
  ['merged', 'the same as another row'],
  ['closed', 'closed'],
  ['leftOut', 'left out'],
  ['components', 'components'],
] as const

function announce(outcome: Outcome | undefined): void {
  if (!outcome) return
  if ('error' in outcome) {
    say(`${outcome.file}: ${isPassedOver(outcome) ? 'passed over: ' : ''}${outcome.error}`)
    return
  }
  const { id, status, format, failure, result, unclosedReason, incompleteReason, leftOut, merged } = outcome.import
  if (status === 'FAILED') {
    say(`${outcome.file}: import ${id} failed: ${failure.message}`)
    return
  }
  const counts = labels.flatMap(([name, label]) => (result[name] > 0 ? [`${result[name]} ${label}`] : []))
  say(`${outcome.file}: import ${id} (${format}), ${result.read} rows: ${counts.join(', ') || 'nothing'}`)
  if (unclosedReason) say(`  Nothing was closed: ${unclosedReason}`)
  else if (incompleteReason) say(`  The report is not complete: ${incompleteReason}`)
  tell('left out', leftOut.collection, result.leftOut)
  tell('merged', merged.collection, result.merged)
}

function tell(what: string, rows: { at: string | null; reason: string | null }[], count: number): void {
  for (const { at, reason } of rows) say(`  ${what} ${at ?? ''}: ${reason ?? ''}`)
  if (count > rows.length) say(`  and ${count - rows.length} more ${what}`)
}
