// `merlon deploy`: sends what has changed in a git repository since its last deploy, and lists deploys.

import { join } from 'node:path'
import type { Command } from 'commander'
import { Refused, requestWithFiles } from '../client.ts'
import { type Deploy, FIELDS, isSame, LIST, lastDeployed, PAGE, sentenceOfRepeated, standingOf } from '../deployed.ts'
import { findAsset, findCompany } from '../find.ts'
import { branchToTell, commitOf, writeDiff, writeHistory } from '../git.ts'
import { counted, type OutputOptions, printJson, printRows, say, withoutControls } from '../output.ts'
import { listFirst, sayHowMany } from '../pages.ts'
import { openProgress } from '../progress.ts'
import { withDirectory } from '../temporary.ts'
import { filled, positive } from '../values.ts'

type Options = OutputOptions & { company?: string; asset?: string; from?: string; to: string; branch?: string }

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
    .description('send the diff since the last deploy; run it in a git repository')
    .option('--company <id or label>')
    .option('--asset <id or name>')
    .option('--from <commit>', 'the commit that the deploy starts from; by default the last one deployed')
    .option('--to <commit>', 'the commit that is deployed', 'HEAD')
    .option('--branch <name>', 'by default the current branch', filled)
    .option('--json')
    .action(create)

  group
    .command('list')
    .description('list the deploys of an asset, newest first')
    .option('--company <id or label>')
    .option('--asset <id or name>')
    .option('--limit <number>', 'maximum number to list', positive, 100)
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
  const currentCommit = await commitOf(options.to)
  const assetId = await findAsset(await findCompany(options.company), options.asset)
  const branchName = options.branch ?? (await branchToTell())
  const previousCommit = options.from
    ? await commitOf(options.from)
    : await lastDeployed(assetId, branchName, currentCommit)
  const step = { assetId, branchName, previousCommit, currentCommit }
  const isEmpty = previousCommit === currentCommit
  const made = isEmpty ? null : await push(step)
  if (options.json) printJson(made)
  else if (made) announce(made)
  if (made !== null) return
  if (isEmpty && options.from)
    process.stderr.write(`--from and --to are both ${currentCommit.slice(0, 10)}; nothing was sent\n`)
  else await tellOfStanding(step, options)
}

type Step = { assetId: string; branchName: string | null; previousCommit: string; currentCommit: string }

/** The new deploy; null if somebody else has made the same one, and the branch stands at its commit. */
async function push(step: Step): Promise<Made | null> {
  try {
    const { createDeploy } = await withDirectory('deploy', async (directory) => {
      const files = { diffContent: join(directory, 'deploy.diff'), commitHistory: join(directory, 'commits.json') }
      await writeDiff(step.previousCommit, step.currentCommit, files.diffContent)
      await writeHistory(step.previousCommit, step.currentCommit, files.commitHistory)
      const progress = openProgress('Pushing the diff')
      const variables = { ...step, diffContent: null, commitHistory: null }
      return requestWithFiles(CREATE, variables, files, progress).finally(progress.stop)
    })
    return createDeploy.deploy
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'CONFLICT') throw error
    const standing = await standingOf(step.assetId, step.branchName)
    if (standing !== null && isSame(standing, step.currentCommit)) return null
    const sentence = await sentenceOfRepeated(step)
    throw sentence === null ? error : new Refused(sentence, error.code)
  }
}

/** For a commit that is already deployed: says whether the branch stands there, or has moved on, as before a rollback. */
async function tellOfStanding({ assetId, branchName, currentCommit }: Step, { json }: OutputOptions): Promise<void> {
  const standing = (await standingOf(assetId, branchName)) ?? currentCommit
  const commit = currentCommit.slice(0, 10)
  if (isSame(standing, currentCommit)) {
    if (!json) say(`${commit} is already deployed; there is nothing new`)
    return
  }
  const where = `${branchName ?? 'its branch'} has moved on to ${standing.slice(0, 10)}`
  process.stderr.write(
    withoutControls(
      `${commit} is already deployed, and ${where}; nothing was changed. If you rolled the branch back, say --from ${standing}\n`,
    ),
  )
}

type Counted = { metadata: { totalCount: number } }

type Made = Deploy & {
  diffReason: string | null
  review: { state: string } | null
  introduced: Counted
  touched: Counted
  fixed: Counted
}

function announce(made: Made): void {
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
    say('The service is reviewing the diff now, which may add findings; merlon gate waits for the review')
}
