// `merlon deploy`: pushes what has come since the last deploy of a git repository, and lists deploys.

import { join } from 'node:path'
import type { Command } from 'commander'
import { requestWithFiles } from '../client.ts'
import { findAsset, findCompany } from '../find.ts'
import { branchToTell, commitOf, emptyTree, historyOf, writeDiff, writeHistory } from '../git.ts'
import { counted, type OutputOptions, printJson, printRows, say } from '../output.ts'
import { listEach, listFirst, sayHowMany } from '../pages.ts'
import { openProgress } from '../progress.ts'
import { withDirectory } from '../temporary.ts'
import { filled, positive } from '../values.ts'
import { WrongUse } from '../wrong-use.ts'

type Options = OutputOptions & { company?: string; asset?: string; from?: string; to: string; branch?: string }

type Deploy = {
  id: string
  branchName: string | null
  previousCommit: string
  currentCommit: string
  diffState: string
  files: number
  added: number
  removed: number
  createdAt: string
}

const FIELDS = 'id status branchName previousCommit currentCommit diffState diffReason files added removed createdAt'

const CREATE = `mutation ($assetId: ID!, $diffContent: Upload!, $commitHistory: Upload, $previousCommit: String!, $currentCommit: String!, $branchName: String) {
  createDeploy(input: { assetId: $assetId, diffContent: $diffContent, commitHistory: $commitHistory, previousCommit: $previousCommit,
    currentCommit: $currentCommit, branchName: $branchName }) {
    deploy { ${FIELDS} review { state }
      introduced(pagination: { perPage: 1 }) { metadata { totalCount } }
      touched(pagination: { perPage: 1 }) { metadata { totalCount } }
      fixed(pagination: { perPage: 1 }) { metadata { totalCount } } } } }`

export function deploy(group: Command): void {
  group
    .command('create')
    .description('push what has come since the last deploy; run it in a git repository')
    .option('--company <id or label>')
    .option('--asset <id or name>')
    .option('--from <commit>', 'where the last deploy ended; found through the service unless said')
    .option('--to <commit>', 'what is deployed', 'HEAD')
    .option('--branch <name>', 'the branch that is checked out unless said', filled)
    .option('--json')
    .action(create)

  group
    .command('list')
    .description('deploys of an asset, newest first')
    .option('--company <id or label>')
    .option('--asset <id or name>')
    .option('--limit <number>', 'most to show', positive, 100)
    .option('--json')
    .action(async (options: Options & { limit: number }) => {
      const assetId = await findAsset(await findCompany(options.company), options.asset)
      const listed = await listFirst<Deploy>('deploysByAsset', LIST, { assetId }, options.limit, PAGE)
      printRows<Deploy>(
        listed.found,
        [
          { title: 'ID', of: ({ id }) => id },
          { title: 'BRANCH', of: ({ branchName }) => branchName },
          { title: 'FROM', of: ({ previousCommit }) => previousCommit.slice(0, 10) },
          { title: 'TO', of: ({ currentCommit }) => currentCommit.slice(0, 10) },
          { title: 'FILES', of: ({ files }) => files },
          { title: 'ADDED', of: ({ added }) => added },
          { title: 'REMOVED', of: ({ removed }) => removed },
          { title: 'CREATED', of: ({ createdAt }) => createdAt },
        ],
        options,
      )
      if (!options.json) sayHowMany(listed)
    })
}

async function create(options: Options): Promise<void> {
  const assetId = await findAsset(await findCompany(options.company), options.asset)
  const currentCommit = await commitOf(options.to)
  const branchName = options.branch ?? (await branchToTell())
  const previousCommit = options.from
    ? await commitOf(options.from)
    : await lastDeployed(assetId, branchName, currentCommit)
  if (previousCommit === currentCommit) {
    if (options.json) printJson(null)
    else say(`${currentCommit.slice(0, 10)} is deployed already; nothing has come since`)
    return
  }
  const { createDeploy } = await withDirectory('deploy', async (directory) => {
    const files = { diffContent: join(directory, 'deploy.diff'), commitHistory: join(directory, 'commits.json') }
    await writeDiff(previousCommit, currentCommit, files.diffContent)
    await writeHistory(previousCommit, currentCommit, files.commitHistory)
    const variables = { assetId, previousCommit, currentCommit, branchName, diffContent: null, commitHistory: null }
    const progress = openProgress('Pushing the diff')
    return requestWithFiles(CREATE, variables, files, progress).finally(progress.stop)
  })
  if (options.json) printJson(createDeploy.deploy)
  else announce(createDeploy.deploy)
}

type Counted = { metadata: { totalCount: number } }

function announce(
  made: Deploy & {
    diffReason: string | null
    review: { state: string } | null
    introduced: Counted
    touched: Counted
    fixed: Counted
  },
): void {
  const [from, to] = [made.previousCommit.slice(0, 10), made.currentCommit.slice(0, 10)]
  say(
    `Deploy ${made.id}${made.branchName ? ` of ${made.branchName}` : ''}: ${from} → ${to}, ${counted(made.files, 'file')}, +${made.added} −${made.removed}`,
  )
  if (made.diffReason) say(`The diff is ${made.diffState}: ${made.diffReason}`)
  const { introduced, touched, fixed } = made
  say(
    `Findings: ${introduced.metadata.totalCount} introduced, ${touched.metadata.totalCount} touched, ${fixed.metadata.totalCount} fixed`,
  )
  if (made.review?.state === 'PENDING')
    say('The service reads the diff now, which may add findings: merlon gate waits for it')
}

const LIST = `query ($assetId: ID!, $branchName: String, $limit: Int, $after: String) {
  deploysByAsset(assetId: $assetId, branchName: $branchName, limit: $limit, after: $after) {
    collection { ${FIELDS} } metadata { limitValue totalCount totalCountIsExact endCursor } } }`

/** Deploys of one request. */
const PAGE = 100

/** Deploys of any branch among which a beginning is looked for. */
const MOST = 2_000

/** Deploys in the order in which the next one may begin where they led: the branch's own, then those of any. */
async function* candidates(assetId: string, branchName: string | null): AsyncGenerator<Deploy> {
  const variables = { assetId, branchName, limit: PAGE }
  if (branchName !== null) yield* listEach<Deploy>('deploysByAsset', LIST, variables)
  else {
    const { found } = await listFirst<Deploy>('deploysByAsset', LIST, variables, PAGE, PAGE)
    yield* found.filter((made) => made.branchName === null)
  }
  let left = MOST
  for await (const made of listEach<Deploy>('deploysByAsset', LIST, { ...variables, branchName: null })) {
    if (branchName === null || made.branchName !== branchName) yield made
    left -= 1
    if (left === 0) return
  }
}

/** The commit that the next deploy comes from: the branch's last one, else the last of any branch; the empty tree for the first. */
async function lastDeployed(assetId: string, branchName: string | null, currentCommit: string): Promise<string> {
  const isBefore = historyOf(currentCommit)
  let isFirst = true
  for await (const { currentCommit: commit } of candidates(assetId, branchName)) {
    isFirst = false
    if (commit === currentCommit || (await isBefore(commit))) return commit
  }
  if (isFirst) return emptyTree()
  throw new WrongUse(
    'No deployed commit leads to this one in this repository: fetch more history, or say where to start with --from',
  )
}
