// Vulnerabilities that people enter manually: creation and full replacement, with history and audit records.

import { type Trx, transaction, violates } from '../../core/db/open.ts'
import { badUserInput, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { audit, authorize } from '../access/service.ts'
import { authorizeAsset } from '../assets/service.ts'
import type { Context } from '../context.ts'
import { recordStatusChange } from './decisions.ts'
import { settleWords } from './findings/store-witness-words.ts'
import { lockIssues } from './locking.ts'
import type { ReadManual } from './manual-input.ts'
import { authorizeIssue } from './reading.ts'
import type { IssueRecord } from './store.ts'
import { hasDeploy, hasScan, insertEvents } from './store-change.ts'
import * as store from './store-manual.ts'
import { isPersonsWord, requireTransition } from './transitions.ts'

/** Creates a vulnerability, with status CREATED unless another is given. */
export async function createManual(context: Context, { write, status }: ReadManual): Promise<IssueRecord> {
  const { companyId } = await authorizeAsset(context, 'issues:write', write.assetId)
  const { userId } = context.viewer
  return transaction(context.db, async (trx) => {
    await requireOfAsset(trx, companyId, write)
    const issue = await store
      .insertManual(trx, companyId, userId, status ?? 'CREATED', write)
      .catch(refuseForeign(write))
    await store.upsertPlace(trx, issue, write)
    await recordEvent(trx, context, issue, 'CREATED')
    await audit(trx, context, { companyId, object: `Issue ${issue.id}`, after: write })
    return issue
  })
}

/** Replaces a vulnerability; a different status must be a transition that changeIssueStatus permits. */
export async function updateManual(context: Context, id: Id, { write, status }: ReadManual): Promise<IssueRecord> {
  const { companyId } = await authorizeIssue(context, 'issues:write', id)
  const asset = await authorizeAsset(context, 'issues:write', write.assetId)
  if (asset.companyId !== companyId) throw notFound('Asset', asset.id)
  return transaction(context.db, async (trx) => {
    const [before] = await lockIssues(trx, companyId, [id])
    if (!before) throw notFound('Issue', id)
    if (before.type !== write.type) throw badUserInput(`The issue ${id} is a ${before.type}`, 'input.id')
    await requireOfAsset(trx, companyId, write)
    await store.updateManual(trx, companyId, id, write).catch(refuseForeign(write))
    await settleWords(trx, companyId, [id])
    await store.upsertPlace(trx, before, write)
    await recordEvent(trx, context, before, 'UPDATED')
    await audit(trx, context, { companyId, object: `Issue ${id}`, before, after: write })
    if (status !== null && status !== before.status) {
      if (isPersonsWord(before.status)) await authorize(context, 'issues:decide', companyId)
      requireTransition(before.status, status)
      await recordStatusChange(trx, context, [before], 'PERSON', { status })
    }
    const [after] = await lockIssues(trx, companyId, [id])
    return after ?? before
  })
}

const recordEvent = (trx: Trx, { viewer }: Context, issue: IssueRecord, action: 'CREATED' | 'UPDATED') =>
  insertEvents(trx, issue.companyId, [
    { issueId: issue.id, kind: 'PERSON', action, authorId: viewer.userId, status: issue.status },
  ])

/** NOT_FOUND for a scan or deploy of another asset, as for one that does not exist. */
async function requireOfAsset(trx: Trx, companyId: Id, write: store.ManualWrite): Promise<void> {
  const { assetId, controlSyncStatusId: scanId, deployId } = write
  if (scanId && !(await hasScan(trx, companyId, assetId, scanId))) throw notFound('ControlSyncStatus', scanId)
  if (deployId && !(await hasDeploy(trx, companyId, assetId, deployId))) throw notFound('Deploy', deployId)
}

/** The foreign key includes the company, so a project of another company is NOT_FOUND, as one that does not exist. */
const refuseForeign =
  ({ projectId }: store.ManualWrite) =>
  (error: unknown): never => {
    if (violates(error, 'issue_company_id_project_id_fkey')) throw notFound('Project', projectId ?? '')
    throw error
  }
