// Deploys: who may see, add, review and delete them, and how a new one carries the findings of its branch.

import { type Trx, transaction, violates } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import type { StoredFile } from '../../core/download.ts'
import { badUserInput, conflict, failedPrecondition, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { keepUpload, readUploaded, requireSize, storeUpload, type UploadedFile } from '../../core/uploads.ts'
import { unpackHunks } from '../../diff/line-map.ts'
import { audit, authorize, authorizeRecord } from '../access/service.ts'
import { authorizeAsset, requireAssets } from '../assets/service.ts'
import type { Context } from '../context.ts'
import { type DeployFindingKind, type IssueRecord, listDeployFindings } from '../issues/service.ts'
import { authorizeProject } from '../projects/service.ts'
import type { Analysis } from './analysis.ts'
import { analyseUploaded } from './arriving.ts'
import { carry } from './carry.ts'
import { parseCommit } from './commits.ts'
import { type Commit, newestAuthoredAt, readHistory } from './history.ts'
import { isCarriable, type Lineage, lineageOf, type Standing } from './lineage.ts'
import { type DeployStatus, permittedFrom } from './status.ts'
import * as store from './store.ts'
import * as carried from './store-carry.ts'
import { insertDeploy, insertFiles } from './store-insert.ts'

export { permittedFrom } from './status.ts'
export type { Deploy } from './store.ts'

type Action = Parameters<typeof authorizeRecord>[1]

/** The deploy, when the viewer may do `action` in its company; NOT_FOUND for one that is foreign or missing. */
export const authorizeDeploy = (context: Context, action: Action, id: Id): Promise<store.Deploy> =>
  authorizeRecord(context, action, 'Deploy', id, () => store.findDeploy(context.db, context.viewer, id))

/** Deploys by id, for fields of other records that name one; only those that the viewer sees. */
export const loadDeploys = async (context: Context, ids: readonly string[]): Promise<Map<string, store.Deploy>> =>
  new Map((await store.findDeploys(context.db, context.viewer, ids)).map((deploy) => [deploy.id, deploy]))

export const getDeploy = (context: Context, id: Id): Promise<store.Deploy> =>
  authorizeDeploy(context, 'deploys:read', id)

export async function listDeploysByAsset(
  context: Context,
  assetId: Id,
  branchName: string | null,
  page: PageRequest,
): Promise<Page<store.Deploy>> {
  const { companyId } = await authorizeAsset(context, 'deploys:read', assetId)
  return store.listByAsset(context.db, companyId, assetId, branchName, page)
}

/** Deploys of all assets of the project that were created from `initialDate` to `finishDate`, both included. */
export async function listDeploysByProject(
  context: Context,
  projectId: Id,
  { initialDate, finishDate }: { initialDate: string; finishDate: string },
  page: PageRequest,
): Promise<Page<store.Deploy>> {
  const { companyId } = await authorizeProject(context, 'deploys:read', projectId)
  if (Date.parse(finishDate) < Date.parse(initialDate)) {
    throw badUserInput('finishDate is before initialDate', 'finishDate')
  }
  return store.listByProject(context.db, companyId, projectId, { from: initialDate, to: finishDate }, page)
}

/** Deploys of a company; `assetIds` narrows them to some of its assets, and an empty list narrows nothing. NOT_FOUND for an asset of another. */
export async function listDeploys(
  context: Context,
  companyId: Id,
  assetIds: readonly Id[],
  page: PageRequest,
): Promise<Page<store.Deploy>> {
  await authorize(context, 'deploys:read', companyId)
  await requireAssets(context, companyId, assetIds)
  return store.listByCompany(context.db, companyId, assetIds.length > 0 ? assetIds : null, page)
}

export type NewDeploy = {
  assetId: Id
  previousCommit: string
  currentCommit: string
  branchName: string | null
  diffContent: UploadedFile
  commitHistory: UploadedFile | null
}

/**
 * Keeps and reads the diff, then adds the deploy in a short transaction and carries the findings of its branch through it.
 * CONFLICT where the asset has one with the same commits, also for two at once.
 */
export async function createDeploy(context: Context, input: NewDeploy): Promise<store.Deploy> {
  const { companyId } = await authorizeAsset(context, 'deploys:write', input.assetId)
  const { diffContent, commitHistory, assetId } = input
  const previousCommit = parseCommit(input.previousCommit, 'input.previousCommit')
  const currentCommit = parseCommit(input.currentCommit, 'input.currentCommit')
  const branch = { companyId, assetId, branch: readBranch(input.branchName) }
  const { diffBytes } = context.config.limits
  requireSize(diffContent, diffBytes, 'input.diffContent')
  if (commitHistory) requireSize(commitHistory, diffBytes, 'input.commitHistory')
  const commitPair = { previousCommit, currentCommit }
  if (await store.hasDeploy(context.db, companyId, assetId, commitPair)) throw sameCommits()

  await storeUpload(context.objects, diffContent)
  if (commitHistory) await storeUpload(context.objects, commitHistory)
  const analysis = await analyseUploaded(context.objects, diffContent)
  const commits = await readCommits(context, commitHistory ?? diffContent, commitHistory !== null)

  return transaction(context.db, async (trx) => {
    if (!(await carried.lockAsset(trx, branch))) throw notFound('Asset', assetId)
    const standing = await carried.findStanding(trx, branch, commitPair)
    const lineage = lineageOf(standing)
    const isCarried = isCarriable(lineage, analysis.state)
    const id = await insertDeploy(trx, {
      ...branch,
      ...commitPair,
      commits,
      authoredAt: newestAuthoredAt(commits, currentCommit),
      analysis,
      lineage,
      isCarried,
      diffObjectId: await keepUpload(trx, companyId, diffContent),
      historyObjectId: commitHistory ? await keepUpload(trx, companyId, commitHistory) : null,
      createdBy: context.viewer.userId,
    }).catch(refuseSameCommits)
    await insertFiles(trx, companyId, id, analysis.files)
    const deployed = { id, currentCommit, lineage, isCarried }
    if (lineage !== 'LATE') await carryFindings(trx, branch, deployed, standing, analysis)
    const deploy = await store.lockDeploy(trx, companyId, id)
    if (!deploy) throw notFound('Deploy', id)
    await audit(trx, context, { companyId, object: `Deploy ${id}`, after: deploy })
    return deploy
  })
}

/** Findings that one statement writes: it has to end within the time that a statement may take. */
const MOST_AT_ONCE = 20_000

/** Carries the open findings of the branch in one step: a few statements, however many there are. */
async function carryFindings(
  trx: Trx,
  branch: carried.Branch,
  deploy: { id: Id; currentCommit: string; lineage: Lineage; isCarried: boolean },
  { source, lastBreak }: Standing,
  { files }: Analysis,
): Promise<void> {
  await carried.resetDispositions(trx, branch, { isCarried: deploy.isCarried, lastBreak })
  if (!deploy.isCarried) return
  if (deploy.lineage === 'BRANCHES' && source !== null) await carried.copyOccurrences(trx, branch, source, deploy.id)
  const standing = await carried.lockOccurrences(trx, branch, deploy, lastBreak)
  const hunksOf = new Map<number, ReturnType<typeof unpackHunks>>()
  const moves: carried.CarriedOccurrence[] = []
  for (const { id, issueId, fileNumber, ...place } of standing) {
    const file = files[fileNumber - 1]
    if (!file) continue
    const hunks = hunksOf.get(fileNumber) ?? unpackHunks(file.packed)
    hunksOf.set(fileNumber, hunks)
    const outcome = carry(place, { newPath: file.newPath, binary: file.binary, hunks })
    if (outcome === null) continue
    const { disposition, place: next } = outcome
    const isElsewhere = next.path !== place.path || next.line !== place.line
    moves.push({ id, issueId, disposition, ...next, isElsewhere, fileNumber })
  }
  for (let at = 0; at < moves.length; at += MOST_AT_ONCE) {
    await carried.writeCarried(trx, branch, deploy, moves.slice(at, at + MOST_AT_ONCE))
  }
}

/** Sets the status; setting the one it has changes nothing. FAILED_PRECONDITION naming what is allowed. */
export async function updateDeployStatus(context: Context, id: Id, status: DeployStatus): Promise<store.Deploy> {
  const { companyId } = await authorizeDeploy(context, 'deploys:review', id)
  return transaction(context.db, async (trx) => {
    const before = await store.lockDeploy(trx, companyId, id)
    if (!before) throw notFound('Deploy', id)
    if (before.status === status) return before
    const permitted = permittedFrom(before.status)
    if (!permitted.includes(status)) {
      const allowed = permitted.length > 0 ? `it may become ${permitted.join(', ')}` : 'it stays so'
      throw failedPrecondition(`A deploy that is ${before.status} cannot become ${status}; ${allowed}`)
    }
    const after = await store.updateStatus(trx, companyId, id, status)
    await audit(trx, context, {
      companyId,
      object: `Deploy ${id}`,
      before: { status: before.status },
      after: { status },
    })
    return after
  })
}

/** Deletes the newest deploy of its branch, as long as no finding refers to it; FAILED_PRECONDITION otherwise. */
export async function deleteDeploy(context: Context, id: Id): Promise<Id> {
  const { companyId, assetId } = await authorizeDeploy(context, 'deploys:delete', id)
  return transaction(context.db, async (trx) => {
    await carried.lockAsset(trx, { companyId, assetId, branch: '' })
    const before = await store.lockDeploy(trx, companyId, id)
    if (!before) throw notFound('Deploy', id)
    const { isNewest, isReferred } = await store.findTies(trx, before)
    if (!isNewest) throw failedPrecondition('Only the newest deploy of a branch can be deleted')
    if (isReferred) throw failedPrecondition('Findings refer to this deploy; it can be set DISCARDED or ARCHIVED')
    await store.deleteDeploy(trx, before)
    await audit(trx, context, { companyId, object: `Deploy ${id}`, before })
    return id
  })
}

/** The stored file of a deploy, as it was sent; NOT_FOUND where none was. */
export async function getDeployFile(context: Context, id: Id, which: 'DIFF' | 'HISTORY'): Promise<StoredFile> {
  const { companyId, diffObjectId, historyObjectId } = await getDeploy(context, id)
  const objectId = which === 'DIFF' ? diffObjectId : historyObjectId
  const found = objectId === null ? null : await store.findFile(context.db, companyId, objectId)
  if (found === null) throw notFound('The file of deploy', id)
  return found
}

/** A page of the findings that the deploy introduced, touched or fixed. */
export const listFindings = (
  context: Context,
  { companyId, id }: store.Deploy,
  kind: DeployFindingKind,
  page: PageRequest,
): Promise<Page<IssueRecord>> => listDeployFindings(context, companyId, id, kind, page)

const sameCommits = () => conflict('A deploy with the same previous and current commit already exists')

function refuseSameCommits(error: unknown): never {
  if (violates(error, 'deploy_company_id_asset_id_previous_commit_current_commit_key')) throw sameCommits()
  throw error
}

/** '' stands for the branch of callers that name none. */
function readBranch(name: string | null): string {
  const branch = name?.trim() ?? ''
  if (branch.length > 500) throw badUserInput('branchName has at most 500 characters', 'input.branchName')
  return branch
}

/** Bytes of a commit history that are read, and of a diff that is looked through for its own commit headers. */
const MOST_HISTORY_BYTES = 8 * 1024 * 1024

async function readCommits(context: Context, file: UploadedFile, isHistory: boolean): Promise<Commit[]> {
  if (!isHistory && file.size > MOST_HISTORY_BYTES) return []
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of readUploaded(context.objects, file)) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MOST_HISTORY_BYTES) break
    if (!isHistory && chunks.length === 1 && !/^(commit|From) [0-9a-f]{40}/.test(chunk.toString('latin1', 0, 60)))
      return []
  }
  return readHistory(Buffer.concat(chunks).toString('utf8', 0, MOST_HISTORY_BYTES))
}
