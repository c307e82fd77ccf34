// Reads an asset's deploys from the service: where a branch stands, where its next deploy starts, and which steps exist already.

import { emptyTree, hasCommit, haveParted, historyOf, isShallow } from './git.ts'
import { withoutControls } from './output.ts'
import { listEach, listFirst } from './pages.ts'
import { WrongUse } from './wrong-use.ts'

export type Deploy = {
  id: string
  branchName: string | null
  previousCommit: string
  currentCommit: string
  lineage: string
  diffState: string
  files: number
  added: number
  removed: number
  createdAt: string
}

export const FIELDS =
  'id status branchName previousCommit currentCommit lineage diffState diffReason files added removed createdAt'

export const LIST = `query ($assetId: ID!, $branchName: String, $currentCommit: String, $limit: Int, $after: String) {
  deploysByAsset(assetId: $assetId, branchName: $branchName, currentCommit: $currentCommit, limit: $limit, after: $after) {
    collection { ${FIELDS} } metadata { limitValue totalCount totalCountIsExact endCursor } } }`

/** Deploys per request. */
export const PAGE = 100

/** The most deploys of any branch among which a start is looked for. */
const MOST = 2_000

/** Deploys from whose commits the next one may start, best first: the branch's own, then those of any branch. */
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

/**
 * The commit from which the next deploy starts: the last deployed commit of the branch in this history, or the one that was amended or rebased
 * into it; otherwise the last one of any branch; the empty tree for the first deploy.
 */
export async function lastDeployed(assetId: string, branchName: string | null, currentCommit: string): Promise<string> {
  const standing = branchName === null ? null : await standingOf(assetId, branchName)
  if (standing !== null && (await isReplaced(assetId, branchName, standing, currentCommit))) return standing
  const isBefore = historyOf(currentCommit)
  let isFirst = true
  for await (const { currentCommit: commit, lineage } of candidates(assetId, branchName)) {
    isFirst = false
    // a deploy that came late ends where its branch no longer stood
    const isStart = commit === currentCommit || (lineage !== 'LATE' && (await isBefore(commit)))
    if (!isStart) continue
    if (commit !== currentCommit && standing !== null) await warnIfLacking(standing, branchName, commit)
    return commit
  }
  if (isFirst) return emptyTree()
  const lacking = standing === null ? null : await lackingOf(standing)
  if (lacking)
    throw new WrongUse(`${lacking.repository} lacks ${short(standing)}, where ${branchName} stands: ${lacking.instead}`)
  const why = (await isShallow()) ? ', which is a shallow clone' : ''
  throw new WrongUse(
    `No deployed commit leads to this one in this repository${why}: fetch more history, or say where to start with --from`,
  )
}

const short = (commit: string | null): string => `${commit?.slice(0, 10)}`

/** Where this repository lacks the commit at which the branch stands: what to run so that a deploy starts there. */
async function lackingOf(standing: string): Promise<{ repository: string; instead: string } | null> {
  if (await hasCommit(standing)) return null
  if (!(await isShallow())) return { repository: 'This repository', instead: `run git fetch origin ${standing} first` }
  const one = `git fetch --depth 1 origin ${standing} and say --from ${standing}`
  return { repository: 'This shallow clone', instead: `run git fetch --unshallow first, or ${one}` }
}

/** The deploy is made all the same: a pipeline that cannot fetch is better told of some change than of none. */
async function warnIfLacking(standing: string, branchName: string | null, from: string): Promise<void> {
  const lacking = await lackingOf(standing)
  if (!lacking) return
  const starts = `the deploy starts from ${short(from)}, and findings are matched by their code alone`
  process.stderr.write(
    withoutControls(
      `${lacking.repository} lacks ${short(standing)}, where ${branchName} stands: ${starts}. To start there, ${lacking.instead}\n`,
    ),
  )
}

/**
 * Whether the branch's history was rewritten while this repository still has the old commits: only a diff from there shows where the lines of
 * findings went. False for a commit that was deployed on the branch before, which is a rollback.
 */
async function isReplaced(
  assetId: string,
  branchName: string | null,
  standing: string,
  currentCommit: string,
): Promise<boolean> {
  if (!(await haveParted(standing, currentCommit))) return false
  const variables = { assetId, branchName, currentCommit }
  const { found } = await listFirst<Deploy>('deploysByAsset', LIST, variables, 1, 1)
  return found.length === 0
}

/** The commit at which the branch stands; null if it has no deploy. */
export async function standingOf(assetId: string, branchName: string | null): Promise<string | null> {
  const variables = { assetId, branchName: branchName ?? '', limit: PAGE }
  for await (const { lineage, currentCommit } of listEach<Deploy>('deploysByAsset', LIST, variables)) {
    if (lineage !== 'LATE') return currentCommit
  }
  return null
}

/** Whether two ids are the same commit; either may be abbreviated. */
export const isSame = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one)

/** Says why a step between two commits cannot be deployed twice, and what to do instead; null if there is no deploy of the step. */
export async function sentenceOfRepeated(step: {
  assetId: string
  branchName: string | null
  previousCommit: string
  currentCommit: string
}): Promise<string | null> {
  const { assetId, branchName, previousCommit, currentCommit } = step
  const to = listEach<Deploy>('deploysByAsset', LIST, { assetId, currentCommit, limit: PAGE })
  const told = (await Array.fromAsync(to)).find((made) => isSame(made.previousCommit, previousCommit))
  if (!told) return null
  const [from, commit] = [previousCommit.slice(0, 10), currentCommit.slice(0, 10)]
  const of = told.branchName ? ` on branch ${told.branchName}` : ''
  const known = `The step from ${from} to ${commit} is deploy ${told.id}${of} already, and each step is recorded once`
  const where = branchName ?? 'the branch'
  return told.branchName === branchName
    ? `${known}: ${where} stands elsewhere until another commit is deployed, such as one of git commit --allow-empty`
    : `${known}: ${where} goes on with its next commit; until then merlon gate --deploy ${told.id} is the verdict on this one`
}
