// `merlon gate`: asks for the verdict on a deploy, prints it for people, merge requests or code viewers, and exits with 4 unless it passes.

import { type Command, Option } from 'commander'
import { awaitWhatCounts } from '../awaited.ts'
import { request } from '../client.ts'
import { BLOCKED } from '../exit.ts'
import { findAsset, findCompany } from '../find.ts'
import { commitOf, currentBranch } from '../git.ts'
import { printJson, printRows, say } from '../output.ts'
import { listAll, PAGE_METADATA } from '../pages.ts'
import { plain } from '../plain.ts'
import { seconds } from '../values.ts'
import { WrongUse } from '../wrong-use.ts'
import { asMarkdown, placeOf } from './gate-markdown.ts'
import { asSarif } from './gate-sarif.ts'
import type { Finding, Gate, Judged } from './judged.ts'

const formats = ['table', 'json', 'markdown', 'sarif'] as const
type Format = (typeof formats)[number]

type Options = {
  company?: string
  asset?: string
  deploy?: string
  branch?: string
  commit: string
  format: Format
  json?: boolean
  wait: number
  requireReview?: boolean
}

const VERDICT = `query ($id: ID!) { deploy(id: $id) {
  id branchName previousCommit currentCommit lineage isCarried asset { id name }
  gate { decision isJudged sentence unknown policy { scope } reasons { rule decision limit count sentence } } } }`

const FINDINGS = `query ($id: ID!, $pagination: PaginationInput) { deploy(id: $id) { gate { findings(pagination: $pagination) {
  collection { id title severity type toolName toolRule file line platformUrl decision reasons }
  metadata { totalCount endCursor } } } } }`

const OF_COMMIT = `query ($assetId: ID!, $branchName: String, $currentCommit: String!, $after: String) {
  deploysByAsset(assetId: $assetId, branchName: $branchName, currentCommit: $currentCommit, limit: 100, after: $after) {
    collection { id branchName lineage } ${PAGE_METADATA} } }`

type FindingsPage = { collection: Finding[]; metadata: { totalCount: number; endCursor: string | null } }

/** The most findings that each format shows. */
const most: Record<Format, number> = { table: 50, markdown: 50, json: 1000, sarif: 1000 }

/** Findings per request. */
const PAGE = 200

export function gate(command: Command): void {
  command
    .option('--company <id or label>')
    .option('--asset <id or name>')
    .option('--deploy <id>', 'show the verdict on this deploy; needs no repository')
    .option('--commit <commit>', 'the commit that was deployed', 'HEAD')
    .option('--branch <name>', 'only a deploy of this branch; by default the current branch, else any')
    .addOption(new Option('--format <format>', 'output format').choices(formats).default('table'))
    .option('--json', 'the same as --format json')
    .addOption(
      new Option(
        '--wait <seconds>',
        "how long to wait for the review of the deploy's diff and for imports of its branch",
      )
        .default(120)
        .env('MERLON_GATE_WAIT')
        .argParser(seconds),
    )
    .option('--require-review', `also exit with ${BLOCKED} if that review failed or has not finished`)
    .action(async (options: Options) => {
      const format = options.json ? 'json' : options.format
      const id = options.deploy ?? (await findDeploy(options))
      const isAwaited = options.wait > 0 || options.requireReview === true
      const isReviewed = !isAwaited || (await awaitWhatCounts(id, options.wait))
      const judged = await readVerdict(id, most[format])
      print[format](judged)
      const isMissing = options.requireReview && !isReviewed
      if (judged.gate.decision === 'BLOCK' || !judged.gate.isJudged || isMissing) process.exitCode = BLOCKED
    })
}

/** The last deploy that led to the commit: on the named branch, or else on the one that is checked out, or else on any. */
async function findDeploy({ company, asset, commit, branch }: Options): Promise<string> {
  const currentCommit = await commitOf(commit, 'name a deploy with --deploy')
  const assetId = await findAsset(await findCompany(company), asset)
  const checkedOut = branch ?? (await currentBranch())
  const branches = branch === undefined && checkedOut !== null ? [checkedOut, null] : [checkedOut]
  for (const branchName of branches) {
    const last = await lastOf({ assetId, branchName, currentCommit })
    if (last) return last.id
  }
  const where = branch === undefined ? '' : ` on the branch ${branch}`
  const elsewhere = await lastOf({ assetId, branchName: null, currentCommit })
  if (elsewhere) {
    throw new WrongUse(
      `${currentCommit.slice(0, 10)} is not deployed${where}, but on ${elsewhere.branchName ? `the branch ${elsewhere.branchName}` : 'no branch'}: merlon gate --deploy ${elsewhere.id} is the verdict there`,
    )
  }
  throw new WrongUse(
    `${currentCommit.slice(0, 10)} is not deployed${where}: run merlon deploy create first, or name a deploy with --deploy`,
  )
}

type OfCommit = { id: string; branchName: string | null; lineage: string }

/** One that came late is outdone by one that led a branch to the commit, to which its reports belong as well. */
async function lastOf(asked: { assetId: string; branchName: string | null; currentCommit: string }) {
  const made = await listAll<OfCommit>('deploysByAsset', OF_COMMIT, asked)
  return made.find(({ lineage }) => lineage !== 'LATE') ?? made[0]
}

async function readVerdict(id: string, limit: number): Promise<Judged> {
  const { deploy } = await request(VERDICT, { id })
  const { gate, ...shown } = deploy
  const findings: Finding[] = []
  let total = 0
  let after: string | null = null
  while (gate.reasons.length > 0 && findings.length < limit) {
    const pagination = { perPage: Math.min(PAGE, limit - findings.length), after }
    const page: FindingsPage = (await request(FINDINGS, { id, pagination })).deploy.gate.findings
    findings.push(...page.collection)
    total = page.metadata.totalCount
    after = page.metadata.endCursor
    if (after === null || findings.length >= total) break
  }
  return { deploy: shown, gate, findings, total }
}

const verdictOf = ({ decision, isJudged }: Gate): string => (isJudged ? decision : 'NOT JUDGED')

const print: Record<Format, (judged: Judged) => void> = {
  table: printTable,
  json: printJson,
  markdown: (judged) => say(asMarkdown(judged)),
  sarif: (judged) => printJson(asSarif(judged)),
}

function printTable({ gate, findings, total }: Judged): void {
  say(`${verdictOf(gate)}: ${plain(gate.sentence, 2000)}`)
  if (gate.reasons.length === 0) return
  say('')
  printRows(
    gate.reasons,
    [
      { title: 'DECISION', of: ({ decision }) => decision },
      { title: 'FOUND', of: ({ count }) => count },
      { title: 'ALLOWED', of: ({ limit }) => limit },
      { title: 'RULE', of: ({ rule }) => rule },
    ],
    {},
  )
  say('')
  printRows(
    findings,
    [
      { title: 'FINDING', of: ({ id }) => id },
      { title: 'SEVERITY', of: ({ severity }) => severity },
      { title: 'DECISION', of: ({ decision }) => decision },
      { title: 'PLACE', of: (finding) => placeOf(finding, 50) },
      { title: 'TITLE', of: ({ title }) => title },
    ],
    {},
  )
  if (total > findings.length) say(`…and ${total - findings.length} more`)
}
