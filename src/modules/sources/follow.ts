// Follows a branch of a repository: turns what has changed since its last deploy into a new deploy.

import { VendorFailed, VendorRefused } from '../../connectors/errors.ts'
import type { BranchHead, CommitRange } from '../../connectors/source-host.ts'
import { appendAudit, program } from '../../core/audit.ts'
import { transaction } from '../../core/db/open.ts'
import { ApplicationError } from '../../core/errors.ts'
import { enqueue } from '../../core/jobs.ts'
import { UploadedFile } from '../../core/uploads.ts'
import type { WorkParts } from '../context.ts'
import { addDeploy, findBranchHead, findNewestDeploy } from '../deploys/service.ts'
import { isFollowed } from './branches.ts'
import { askReport, FOLLOW_TASK, type FollowAsked, queueOf } from './jobs-of.ts'
import { type Opened, openSource } from './opened.ts'
import * as store from './store.ts'

/** The most branches of a repository examined at a time. */
const MOST_BRANCHES = 100

/**
 * Adds a deploy up to the branch's current head. The delivery's own commits are only hints, because deliveries come late, twice and out of
 * order. Safe to run twice. A refusal by the host is stored as a sentence; after a failure of the host the job is retried.
 */
export async function followBranch(parts: WorkParts, asked: FollowAsked): Promise<void> {
  const { companyId, branch } = asked
  const association = await store.findAssociation(parts.db, companyId, asked.id)
  if (!association?.isSource) return
  await keepingOutcome(parts, association, async () => {
    const opened = await openSource(parts, association)
    const { astScansEnabled, astBranchPattern } = opened.session.settings
    if (!astScansEnabled) return
    const head = await opened.source.getHead(opened.session, association.externalProjectId, branch)
    if (head && isFollowed(astBranchPattern, head.target ?? branch))
      await reach(parts, association, opened, head, asked)
  })
}

/** Stores failures that a person must resolve; throws only those that may be temporary. */
export async function keepingOutcome(
  parts: WorkParts,
  association: store.Association,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
    await store.noteOutcome(parts.db, association, null)
  } catch (error) {
    if (!(error instanceof ApplicationError)) throw error
    await store.noteOutcome(parts.db, association, error.message)
    if (error.retryable) throw error
    parts.log.warn({ err: error, companyId: association.companyId, id: association.id }, 'A repository is not followed')
  }
}

async function reach(
  parts: WorkParts,
  association: store.Association,
  opened: Opened,
  head: BranchHead,
  { before, isTold }: FollowAsked,
): Promise<void> {
  const { companyId, assetId, externalProjectId: projectId } = association
  const { branch } = head
  const { db } = parts
  const last = await findBranchHead(db, { companyId, assetId, branch })
  if (last?.currentCommit === head.commit) {
    // a pull request may have been opened since the last report
    if (isTold) await transaction(db, (trx) => askReport(trx, companyId, last.id))
    return
  }
  const starts = [last?.currentCommit, last ? null : await startOf(parts, association, opened, head)]
  let missing: VendorRefused | null = null
  for (const from of new Set([...starts, before, head.parent])) {
    if (!from || from === head.commit) continue
    const known = await findNewestDeploy(db, { companyId, assetId, previousCommit: from, currentCommit: head.commit })
    if (known) {
      // the same change was deployed on another branch, as after a fast-forward merge
      await transaction(db, (trx) => askReport(trx, companyId, known.id))
      return
    }
    try {
      await addFrom(parts, association, opened, { projectId, from, to: head.commit, branch })
      return
    } catch (error) {
      // the commit was removed by a rewritten history: the next one may still exist
      if (!(error instanceof VendorRefused) || error.kind !== 'MISSING') throw error
      missing = error
    }
  }
  if (missing) throw missing
}

/**
 * The commit at which a new branch starts: that of the default branch's last deploy, whose findings it then takes over; for a pull
 * request from a fork, that of its target branch.
 */
async function startOf(
  { db }: WorkParts,
  { companyId, assetId, externalProjectId }: store.Association,
  { source, session }: Opened,
  { branch, target }: BranchHead,
): Promise<string | null> {
  const from = target ?? (await source.getProject(session, externalProjectId)).defaultBranch
  if (from === null || from === branch) return null
  return (await findBranchHead(db, { companyId, assetId, branch: from }))?.currentCommit ?? null
}

async function addFrom(
  parts: WorkParts,
  { companyId, assetId, createdById }: store.Association,
  { name, source, session }: Opened,
  range: CommitRange & { branch: string },
): Promise<void> {
  const { objects, config, keyring } = parts
  const { chunks } = await source.openDiff(session, range)
  const stored = await objects.put(chunks, config.limits.diffBytes)
  const diffContent = new UploadedFile({ filename: `${range.to}.diff`, contentType: 'text/x-diff', stored })
  const given = {
    assetId,
    previousCommit: range.from,
    currentCommit: range.to,
    branchName: range.branch,
    diffContent,
    commitHistory: null,
  }
  try {
    await addDeploy(parts, companyId, given, {
      userId: createdById,
      // a stored deploy would end at the branch's head, so that the diff would never be requested again
      requireRead: ({ state }) => {
        if (state === 'NOT_A_DIFF')
          throw new VendorFailed(name, 'BROKEN_ANSWER', { detail: 'what it sent is not a diff' })
      },
      note: (trx, change) => appendAudit(trx, keyring.auditKey, program('followBranch'), change),
      follow: (trx, deploy) => askReport(trx, companyId, deploy.id),
    })
  } catch (error) {
    if (!(error instanceof ApplicationError) || error.code !== 'CONFLICT') throw error
  } finally {
    if (!diffContent.kept) await objects.remove(stored.objectKey).catch(() => {})
  }
}

/**
 * Asks the host for the heads of its branches, and enqueues following those that moved. Of other branches than the default one, new ones are
 * followed if they changed after the asset was associated.
 */
export async function lookAtRepository(parts: WorkParts, { companyId, id }: { companyId: string; id: string }) {
  const association = await store.findAssociation(parts.db, companyId, id)
  if (!association?.isSource) return
  await keepingOutcome(parts, association, async () => {
    const { source, session } = await openSource(parts, association)
    if (!session.settings.astScansEnabled) return
    // noted first, so that a repository that cannot be reached does not hold up the others
    await store.noteLook(parts.db, association)
    const { assetId, externalProjectId, createdAt } = association
    const { defaultBranch } = await source.getProject(session, externalProjectId)
    const heads = await source.listHeads(session, externalProjectId, MOST_BRANCHES)
    for (const { branch, commit, at } of heads) {
      if (!isFollowed(session.settings.astBranchPattern, branch)) continue
      const last = await findBranchHead(parts.db, { companyId, assetId, branch })
      const isNew = branch === defaultBranch || (at !== null && Date.parse(at) > Date.parse(createdAt))
      if (last ? last.currentCommit === commit : !isNew) continue
      const asked = { companyId, id, branch, before: null, isTold: false }
      await transaction(parts.db, (trx) =>
        enqueue(trx, FOLLOW_TASK, asked, `follow ${companyId}/${id}/${branch}`, queueOf(asked)),
      )
    }
  })
}
