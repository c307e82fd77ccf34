// `merlon finding push`: reports one finding from flags, or many from NDJSON, and says what became of each.

import type { Command } from 'commander'
import { severities } from '../../core/issue-words.ts'
import { Refused, request } from '../client.ts'
import { sizeOf } from '../files.ts'
import { findAsset, findCompany } from '../find.ts'
import { type Fault, type Finding, inputNames, type Numbered, readBatches } from '../finding-lines.ts'
import { counted, type OutputOptions, printJson, printRows, say, withoutControls } from '../output.ts'
import { openProgress } from '../progress.ts'
import { scannedIn } from '../scanned.ts'
import { namingUnknown } from '../unknown-members.ts'
import { filled, oneOf, positive } from '../values.ts'
import { WrongUse } from '../wrong-use.ts'

type Where = OutputOptions & {
  company?: string
  asset?: string
  branch?: string
  commit?: string
  deploy?: string
  scan?: string
  git: boolean
}

type FromFlags = Where & {
  title?: string
  description?: string
  file?: string
  line?: number
  snippet?: string
  rule?: string
  tool?: string
  severity?: string
  category?: string
}

type Outcome = { line: number; title: unknown; place: string; outcome: string; matchedBy: string; issueId: string }

const LINES = `
Each line of the file has title, description, fileName, vulnerableLine, firstLine and codeSnippet. It may have severity, category, ruleId,
toolName, and any other field of its type's input in the schema. Its type is SAST_FINDING unless "type" names another. For example:
{"title":"SQL injection","description":"Input reaches a query","fileName":"src/users.ts","vulnerableLine":12,"firstLine":12,"codeSnippet":"db.query(text)","severity":"HIGH","category":"CWE-89"}`

const PUSH = `mutation ($findings: [CreateOrUpdateFindingPolymorphicInput!]!) {
  batchCreateOrUpdateFindings(input: { findings: $findings }) {
    results { index outcome matchedBy issue { id title } }
    findingErrors { index code message } } }`

export function finding(group: Command): void {
  group
    .command('push [file]')
    .description('report one finding from flags, or many from an NDJSON file, one a line (- for standard input)')
    .option('--company <id or label>')
    .option('--asset <id or name>')
    .option('--branch <name>', 'by default the current branch', filled)
    .option('--commit <commit>', 'by default the current commit')
    .option('--no-git', 'take branch and commit from flags alone, not from git')
    .option('--deploy <id>', 'the deploy that was scanned')
    .option('--scan <id>', 'the run (ControlSyncStatus) that reports it')
    .option('--title <text>')
    .option('--description <text>')
    .option('--file <path>')
    .option('--line <number>', 'line in the file, from 1', positive)
    .option('--snippet <code>')
    .option('--rule <id>', "the tool's rule")
    .option('--tool <name>')
    .option('--severity <severity>', severities.join(', '), oneOf('--severity', severities))
    .option('--category <CWE>')
    .option('--json')
    .addHelpText('after', LINES)
    .action(push)
}

async function push(file: string | undefined, options: FromFlags): Promise<void> {
  const assetId = Number(await findAsset(await findCompany(options.company), options.asset))
  const { branch: branchName, commit: commitRef, deploy: deployId, scan: controlSyncStatusId } = options
  const checkedOut = await scannedIn(options)
  const inContext: InContext = (input) => {
    // a finding with its own deploy, branch or commit takes nothing from the checkout
    const isItsOwn = input.deployId || input.branchName || input.commitRef
    const scanned = isItsOwn ? { branchName, commitRef } : checkedOut
    return { assetId, deployId, controlSyncStatusId, ...scanned, ...input }
  }
  const outcomes: Outcome[] = []
  const faults: Fault[] = []
  const progress = openProgress('Reporting')
  const all = file === undefined || file === '-' ? 0 : await sizeOf(file)
  const batches =
    file === undefined
      ? [[{ line: 1, finding: fromFlags(options) }]]
      : readBatches(file, faults, (read) => progress.update(read, all))
  try {
    for await (const batch of batches) await report(batch, inContext, outcomes, faults)
  } finally {
    progress.stop()
    if (outcomes.length + faults.length > 0) print(outcomes, faults, options)
  }
  if (faults.length > 0)
    throw new Refused(`${faults.length} of ${faults.length + outcomes.length} findings were refused`, 'BAD_USER_INPUT')
}

/** A finding, completed by the values for all findings that it does not set itself. */
type InContext = (input: Record<string, unknown>) => Record<string, unknown>

/**
 * Sends a batch. If some findings are invalid, the service refuses the whole batch, so it is sent again without them; if the body is too large
 * for the service, it is sent in halves.
 */
async function report(
  batch: readonly Numbered[],
  inContext: InContext,
  outcomes: Outcome[],
  faults: Fault[],
): Promise<void> {
  const findings = batch.map(({ finding: { type = 'SAST_FINDING', ...input } }) => ({
    [inputNames[type] ?? type]: inContext(input),
  }))
  try {
    const { batchCreateOrUpdateFindings: answer } = await request(PUSH, { findings })
    outcomes.push(...readResults(answer.results, batch))
    faults.push(...readFaults(answer.findingErrors, batch))
  } catch (error) {
    if (error instanceof Refused && error.code === 'PAYLOAD_TOO_LARGE') {
      const [only, ...more] = batch
      if (only && more.length === 0)
        return void faults.push({ line: only.line, message: 'It is larger than a request may be' })
      const half = Math.ceil(batch.length / 2)
      await report(batch.slice(0, half), inContext, outcomes, faults)
      return report(batch.slice(half), inContext, outcomes, faults)
    }
    const unreadable = error instanceof Refused ? await readUnreadable(error, batch) : []
    if (unreadable.length === 0) throw error
    faults.push(...unreadable)
    const lines = new Set(unreadable.map(({ line }) => line))
    const others = batch.filter(({ line }) => !lines.has(line))
    if (others.length > 0) await report(others, inContext, outcomes, faults)
  }
}

function fromFlags(options: FromFlags): Finding {
  const { title, description, file, line, snippet } = options
  if (title === undefined || file === undefined || line === undefined) {
    throw new WrongUse('Give a file of findings, or at least --title, --file and --line')
  }
  return {
    title,
    description: description ?? title,
    fileName: file,
    vulnerableLine: line,
    firstLine: line,
    codeSnippet: snippet ?? '',
    ruleId: options.rule,
    toolName: options.tool,
    severity: options.severity,
    category: options.category,
  }
}

type Result = { index: number; outcome: string; matchedBy: string; issue: { id: string; title: string } }

const readResults = (results: readonly Result[], batch: readonly Numbered[]): Outcome[] =>
  results.map(({ index, outcome, matchedBy, issue }) => {
    const { line = 0, finding: sent = {} } = batch[index] ?? {}
    const place = sent.fileName ? `${sent.fileName}:${sent.vulnerableLine ?? ''}` : ''
    return { line, title: issue.title, place, outcome, matchedBy, issueId: issue.id }
  })

const readFaults = (errors: readonly { index: number; message: string }[], batch: readonly Numbered[]): Fault[] =>
  errors.map(({ index, message }) => ({ line: batch[index]?.line ?? 0, message }))

/** The faults of single findings of a batch; none if something else was refused too. */
async function readUnreadable({ faults }: Refused, batch: readonly Numbered[]): Promise<Fault[]> {
  const messages = new Map<Numbered, string[]>()
  for (const { message, argument } of faults) {
    const [, index] = /^findings\.(\d+)\./.exec(argument ?? '') ?? []
    const refused = index === undefined ? undefined : batch[Number(index)]
    if (refused === undefined) return []
    messages.set(refused, [...(messages.get(refused) ?? []), message.replace(/^findings\.\d+\.\w+(\.|: )/, '')])
  }
  const named = [...messages].map(async ([{ line, finding }, those]) => ({
    line,
    message: await namingUnknown(those, finding),
  }))
  return Promise.all(named)
}

function print(outcomes: readonly Outcome[], faults: readonly Fault[], options: OutputOptions): void {
  if (options.json) {
    printJson({ findings: outcomes, refused: faults })
    return
  }
  if (outcomes.length > 0 && outcomes.length <= 20) {
    printRows(
      outcomes,
      [
        { title: 'ISSUE', of: ({ issueId }) => issueId },
        { title: 'OUTCOME', of: ({ outcome }) => outcome },
        { title: 'MATCHED BY', of: ({ matchedBy }) => matchedBy },
        { title: 'PLACE', of: ({ place }) => place },
        { title: 'TITLE', of: ({ title }) => title },
      ],
      options,
    )
  }
  const counts = Map.groupBy(outcomes, ({ outcome }) => outcome)
  const summary = [...counts].map(([outcome, those]) => `${those.length} ${outcome.toLowerCase()}`)
  say(`${counted(outcomes.length, 'finding')}: ${summary.join(', ') || 'none'}`)
  for (const { line, message } of faults) process.stderr.write(withoutControls(`line ${line}: ${message}\n`))
}
