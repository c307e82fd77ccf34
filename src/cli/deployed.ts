// Reads an asset's deploys from the service: where a branch stands, where its next deploy starts, and which steps exist already.

import { emptyTree, haveParted, historyOf } from './git.ts'
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
  const replaced = branchName === null ? null : await replacedCommit(assetId, branchName, currentCommit)
  if (replaced !== null) return replaced
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

/**
 * The commit at which the branch stands, if its history was rewritten and this repository still has the old commits: only a diff from there
 * shows where the lines of findings went. Null for a commit that was deployed on the branch before, which is a rollback.
 */
async function replacedCommit(assetId: string, branchName: string, currentCommit: string): Promise<string | null> {
  const standing = await standingOf(assetId, branchName)
  if (standing === null || !(await haveParted(standing, currentCommit))) return null
  const variables = { assetId, branchName, currentCommit }
  const { found } = await listFirst<Deploy>('deploysByAsset', LIST, variables, 1, 1)
  return found.length > 0 ? null : standing
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
  const of = told.branchName ? ` of the branch ${told.branchName}` : ''
  const known = `The step from ${from} to ${commit} is deploy ${told.id}${of} already, and a step is told once`
  const where = branchName ?? 'the branch'
  return told.branchName === branchName
    ? `${known}: ${where} stands elsewhere until another commit is deployed, such as one of git commit --allow-empty`
    : `${known}: ${where} goes on with its next commit; until then merlon gate --deploy ${told.id} is the verdict on this one`
}
