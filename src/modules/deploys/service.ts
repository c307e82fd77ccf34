// Deploys: who may see, review and delete them.

import { parseCommit } from '../../core/commits.ts'
import { transaction } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import type { StoredFile } from '../../core/download.ts'
import { badUserInput, failedPrecondition, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { findStoredFile } from '../../core/stored-files.ts'
import { audit, authorize, authorizeRecord } from '../access/service.ts'
import type { GateDecision } from '../api.generated.ts'
import { authorizeAsset, requireAssets } from '../assets/service.ts'
import type { Context } from '../context.ts'
import { type DeployFindingKind, type IssueRecord, listDeployFindings } from '../issues/service.ts'
import { authorizeProject } from '../projects/service.ts'
import { type DeployStatus, permittedFrom } from './status.ts'
import * as store from './store.ts'
import { lockAsset } from './store-standing.ts'

export { addDeploy, createDeploy } from './create.ts'
export { REVIEW_TASK } from './reviewing.ts'
export { permittedFrom } from './status.ts'
export type { Deploy } from './store.ts'

/**
 * The newest deploy that fits, the one at which a branch stands, and whether one is outdone, for other modules that have checked the
 * permission.
 */
export const findNewestDeploy = store.findNewest
export const findBranchHead = store.findHead
export const isOutdoneDeploy = store.isOutdone

type Action = Parameters<typeof authorizeRecord>[1]

/** The deploy, if the viewer may do `action` in its company; NOT_FOUND if it is missing or belongs to another company. */
const authorizeDeploy = (context: Context, action: Action, id: Id): Promise<store.Deploy> =>
  authorizeRecord(context, action, 'Deploy', id, () => store.findDeploy(context.db, context.viewer, id))

/** Deploys by id, for fields of other records that name one; only those that the viewer sees. */
export const loadDeploys = async (context: Context, ids: readonly string[]): Promise<Map<string, store.Deploy>> =>
  new Map((await store.findDeploys(context.db, context.viewer, ids)).map((deploy) => [deploy.id, deploy]))

export const getDeploy = (context: Context, id: Id): Promise<store.Deploy> =>
  authorizeDeploy(context, 'deploys:read', id)

/** Deploys of an asset, optionally of one branch or to one commit. BAD_USER_INPUT for an invalid commit id. */
export async function listDeploysByAsset(
  context: Context,
  assetId: Id,
  { branchName, currentCommit }: { branchName: string | null; currentCommit: string | null },
  page: PageRequest,
): Promise<Page<store.Deploy>> {
  const { companyId } = await authorizeAsset(context, 'deploys:read', assetId)
  const commit = currentCommit === null ? null : parseCommit(currentCommit, 'currentCommit')
  return store.listByAsset(context.db, companyId, assetId, { branchName, commit }, page)
}

/** Deploys of all assets of the project, created from `initialDate` to `finishDate` (inclusive). */
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

/**
 * Deploys of a company. `assetIds` narrows them to some of its assets, `decisions` to those whose last verdict is one of these; an empty
 * list narrows nothing. NOT_FOUND for an asset of another company.
 */
export async function listDeploys(
  context: Context,
  companyId: Id,
  { assetIds, decisions }: { assetIds: readonly Id[]; decisions: readonly GateDecision[] },
  page: PageRequest,
): Promise<Page<store.Deploy>> {
  await authorize(context, 'deploys:read', companyId)
  await requireAssets(context, companyId, assetIds)
  const assets = assetIds.length > 0 ? assetIds : null
  return store.listByCompany(context.db, companyId, { assetIds: assets, decisions }, page)
}

/** Sets the status; setting the present one changes nothing. FAILED_PRECONDITION with the permitted ones for any other. */
export async function updateDeployStatus(context: Context, id: Id, status: DeployStatus): Promise<store.Deploy> {
  const { companyId } = await authorizeDeploy(context, 'deploys:review', id)
  return transaction(context.db, async (trx) => {
    const before = await store.lockDeploy(trx, companyId, id)
    if (!before) throw notFound('Deploy', id)
    if (before.status === status) return before
    const permitted = permittedFrom(before.status)
    if (!permitted.includes(status)) {
      const allowed = permitted.length > 0 ? `it may become ${permitted.join(', ')}` : 'its status is final'
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

/** Deletes the newest deploy of its branch if no finding refers to it; otherwise FAILED_PRECONDITION. */
export async function deleteDeploy(context: Context, id: Id): Promise<Id> {
  const { companyId, assetId } = await authorizeDeploy(context, 'deploys:delete', id)
  return transaction(context.db, async (trx) => {
    await lockAsset(trx, { companyId, assetId })
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

/** A stored file of a deploy, as it was sent; NOT_FOUND if none was. */
export async function getDeployFile(context: Context, id: Id, which: 'DIFF' | 'HISTORY'): Promise<StoredFile> {
  const { companyId, diffObjectId, historyObjectId } = await getDeploy(context, id)
  const objectId = which === 'DIFF' ? diffObjectId : historyObjectId
  const found = objectId === null ? null : await findStoredFile(context.db, companyId, objectId)
  if (found === null) throw notFound('DeployFile', id)
  return found
}

/** A page of the findings that the deploy introduced, touched or fixed. */
export const listFindings = (
  context: Context,
  { companyId, id }: store.Deploy,
  kind: DeployFindingKind,
  page: PageRequest,
): Promise<Page<IssueRecord>> => listDeployFindings(context, companyId, id, kind, page)
