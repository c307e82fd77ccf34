// Explains why findings are one issue, and lets people correct it for good by merging and splitting issues.

import { type Trx, transaction } from '../../core/db/open.ts'
import type { IssueStatus } from '../../core/db/tables.generated.ts'
import { badUserInput, failedPrecondition, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { audit, authorize } from '../access/service.ts'
import type { Context } from '../context.ts'
import { holdAsset } from './findings/hold.ts'
import { placeAtHead } from './findings/standing.ts'
import { mergeFindings, releaseWitnesses, settleWitnesses, type Telling } from './findings/store-witnesses.ts'
import { findIssues, type IssueRecord } from './store.ts'
import { insertEvents } from './store-change.ts'
import * as store from './store-identity.ts'
import * as splits from './store-split.ts'
import { isPersonsWord } from './transitions.ts'

const MOST_MERGED = 100

/**
 * Makes the issues witnesses of `issueId`; their reports update it from now on. Overrides earlier decisions that some of them are distinct.
 * BAD_USER_INPUT for issues of another asset. Needs `issues:decide` if only some of them have a status that only a person sets.
 */
export async function mergeIssues(
  context: Context,
  companyId: Id,
  issueId: Id,
  mergeIds: readonly Id[],
  reason: string,
): Promise<IssueRecord> {
  await authorize(context, 'issues:write', companyId)
  const merged = mergeIds.filter((id) => id !== issueId)
  if (merged.length === 0) throw badUserInput('mergeIds names no other issue', 'input.mergeIds')
  if (merged.length > MOST_MERGED) throw badUserInput(`mergeIds takes at most ${MOST_MERGED} ids`, 'input.mergeIds')
  return transaction(context.db, async (trx) => {
    await holdAssetOf(trx, companyId, issueId)
    const all = [issueId, ...merged]
    const held = await holdIssues(trx, companyId, all)
    const statuses = new Set(held.map(({ status }) => status))
    if (statuses.size > 1 && [...statuses].some(isPersonsWord)) await authorize(context, 'issues:decide', companyId)
    const members = await store.findMembers(trx, companyId, all)
    const own = members.filter((member) => member.issueId === issueId)
    const others = members.filter((member) => member.issueId !== issueId)
    const pairs = own.flatMap(({ id }) => others.map((other) => [id, other.id] as const))
    await store.saveDecisions(trx, companyId, pairs, { verdict: 'SAME', reason, decidedById: context.viewer.userId })
    await mergeFindings(
      trx,
      companyId,
      merged.map((findingId) => ({ issueId, findingId, by: 'PERSON' as const })),
    )
    await settleWitnesses(trx, companyId, [issueId], tellingOf(context, `Merged with an open issue: ${reason}`))
    await insertEvents(trx, companyId, [
      event(context, issueId, 'MERGED', `${merged.join(', ')}: ${reason}`),
      ...merged.map((id) => event(context, id, 'MERGED_INTO', `${issueId}: ${reason}`)),
    ])
    await audit(trx, context, { companyId, object: `Issue ${issueId}`, after: { merged, reason } })
    return findOne(trx, context, issueId)
  })
}

/** The part to split off an issue: a witness, or what was reported since a certain place. */
export type Part = { witnessId: Id } | { placeId: Id }

/**
 * Makes a part of the issue an issue of its own, for good: no rule merges what people declared distinct. BAD_USER_INPUT if the part does not
 * belong to the issue, or is all of it.
 */
export async function splitIssue(
  context: Context,
  companyId: Id,
  issueId: Id,
  part: Part,
  reason: string,
): Promise<{ issue: IssueRecord; splitIssue: IssueRecord }> {
  await authorize(context, 'issues:write', companyId)
  return transaction(context.db, async (trx) => {
    await holdAssetOf(trx, companyId, issueId)
    const [issue] = await holdIssues(trx, companyId, [issueId])
    if (issue && isPersonsWord(issue.status)) await authorize(context, 'issues:decide', companyId)
    const members = await store.findMembers(trx, companyId, [issueId])
    const { splitId, before } =
      'witnessId' in part
        ? await releaseWitness(trx, companyId, issueId, part.witnessId, members)
        : { splitId: await splitPlaces(trx, companyId, issueId, part.placeId), before: null }
    const pairs = members.flatMap(({ id }) => (id === splitId ? [] : [[id, splitId] as const]))
    await store.saveDecisions(trx, companyId, pairs, {
      verdict: 'DISTINCT',
      reason,
      decidedById: context.viewer.userId,
    })
    await settleWitnesses(trx, companyId, [issueId, splitId], tellingOf(context, reason))
    const gone = 'It is on no branch since it was split'
    const closed = await splits.closeWhereGone(trx, companyId, [issueId, splitId], gone)
    const [kept, split] = [await findOne(trx, context, issueId), await findOne(trx, context, splitId)]
    const wasOpenAs = closed.find(({ id }) => id === issueId)?.status ?? kept.status
    await insertEvents(trx, companyId, [
      { ...event(context, issueId, 'SPLIT', `${splitId}: ${reason}`), ...turned(wasOpenAs, kept.status) },
      { ...event(context, splitId, 'SPLIT_OFF', `${issueId}: ${reason}`), ...turned(before, split.status) },
    ])
    await audit(trx, context, { companyId, object: `Issue ${issueId}`, after: { splitOff: splitId, ...part, reason } })
    return { issue: kept, splitIssue: split }
  })
}

async function releaseWitness(
  trx: Trx,
  companyId: Id,
  issueId: Id,
  witnessId: Id,
  members: readonly { id: Id }[],
): Promise<{ splitId: Id; before: IssueStatus | null }> {
  if (witnessId === issueId) throw badUserInput('An issue stays where its own finding is', 'input.witnessId')
  if (!members.some(({ id }) => id === witnessId)) throw notFound('Witness', witnessId)
  const [released] = await releaseWitnesses(trx, companyId, [witnessId])
  return { splitId: witnessId, before: released?.status ?? null }
}

async function splitPlaces(trx: Trx, companyId: Id, issueId: Id, placeId: Id): Promise<Id> {
  const point = await splits.findSplitPoint(trx, companyId, placeId)
  if (!point || point.issueId !== issueId) throw notFound('Place', placeId)
  if (point.before === null && !point.hasOtherBranch) {
    throw failedPrecondition('The issue has no earlier place and no other branch: nothing of it would be left')
  }
  if (point.before !== null && point.isCarried) {
    throw failedPrecondition(
      "No report put the finding there: a deploy's diff carried its line; split it at a place that a report matched",
    )
  }
  const splitId = await splits.copyFinding(trx, companyId, issueId)
  if (point.before === null) {
    await splits.moveBranch(trx, companyId, point, splitId)
  } else {
    await splits.movePlaces(trx, companyId, point, splitId, await stayingPlace(trx, companyId, point, point.before))
  }
  return splitId
}

/** Where the earlier place is now, as far as the deploys tell. */
async function stayingPlace(
  trx: Trx,
  companyId: Id,
  { headId }: splits.SplitPoint,
  { path, line, deployId }: NonNullable<splits.SplitPoint['before']>,
): Promise<splits.StayingPlace> {
  if (!path || deployId === null || headId === null) return { path, line, deployId }
  const carried = await placeAtHead(trx, companyId, { deployId, headId, path }, line)
  return carried === null ? { path, line, deployId } : { ...carried, deployId: headId }
}

/** Locks the issues until the transaction ends; NOT_FOUND for a missing one, BAD_USER_INPUT if they belong to several assets. */
async function holdIssues(trx: Trx, companyId: Id, ids: readonly Id[]) {
  const issues = await store.lockForIdentity(trx, companyId, ids)
  const missing = ids.find((id) => !issues.some((issue) => issue.id === id && issue.mergedIntoId === null))
  const [first] = issues
  if (missing !== undefined || !first) throw notFound('Issue', missing ?? '')
  if (issues.some(({ assetId }) => assetId !== first.assetId)) {
    throw badUserInput('Only issues of one asset can be merged', 'input.mergeIds')
  }
  return issues
}

/** Locks the asset before any of its findings, as reports and deploys do, so that they do not deadlock. */
async function holdAssetOf(trx: Trx, companyId: Id, issueId: Id): Promise<void> {
  const assetId = await store.findAssetOf(trx, companyId, issueId)
  if (assetId === null) throw notFound('Issue', issueId)
  await holdAsset(trx, companyId, assetId)
}

async function findOne(trx: Trx, context: Context, id: Id): Promise<IssueRecord> {
  const [issue] = await findIssues(trx, context.viewer, [id])
  if (!issue) throw notFound('Issue', id)
  return issue
}

const tellingOf = ({ viewer }: Context, reason: string): Telling => ({
  kind: 'PERSON',
  reason,
  authorId: viewer.userId,
  scanId: null,
  deployId: null,
})

/** How an event describes a status change: from another status, or with the finding's creation. */
const turned = (previousStatus: IssueStatus | null, status: IssueStatus) =>
  previousStatus === status ? {} : { previousStatus, status }

const event = ({ viewer }: Context, issueId: Id, action: string, reason: string) => ({
  issueId,
  kind: 'PERSON' as const,
  action,
  authorId: viewer.userId,
  reason,
})
