// Applies one decision to its findings: in parts, to report progress, and in one transaction, so that it applies to all of them or none.

import { type Trx, transaction } from '../../core/db/open.ts'
import { ApplicationError } from '../../core/errors.ts'
import type { Context, Viewer, WorkParts } from '../context.ts'
import { type IssueRecord, lockIssues, permittedFrom, recordStatusChange } from '../issues/service.ts'
import { refusedAmong } from './service.ts'
import * as store from './store.ts'

/** The number of findings locked, and written, by one statement. */
const PART = 1_000
/** The most attempts: the findings may be locked by others, or the worker killed. */
const MOST_ATTEMPTS = 8

/** Safe to run twice, and after a worker was killed at any moment: nothing is visible before everything is written. */
export async function runDecision(parts: WorkParts, key: store.DecisionKey): Promise<void> {
  const claimed = await store.claimDecision(parts.db, key)
  if (!claimed) return
  try {
    await decide(parts, claimed)
  } catch (error) {
    if (claimed.attempts < MOST_ATTEMPTS) throw error
    parts.log.warn({ err: error, decisionId: key.id }, 'A decision failed')
    const failure = error instanceof ApplicationError ? error.message : givenUp
    await store.endDecision(parts.db, key, { ...nothing, state: 'FAILED', failure })
  }
}

const givenUp = `The decision was started ${MOST_ATTEMPTS} times and did not finish`
const nothing = { done: 0, unchanged: 0, refusals: [], failure: null }

async function decide(parts: WorkParts, claimed: store.Claimed): Promise<void> {
  const { companyId, status, isPartial, issueIds } = claimed
  const refusals = refusedAmong(await store.countStatuses(parts.db, companyId, issueIds), status)
  if (!isPartial && refusals.length > 0) {
    await store.endDecision(parts.db, claimed, { ...nothing, refusals, state: 'REFUSED' })
    return
  }
  const context = actingFor(parts, claimed)
  await transaction(parts.db, async (trx) => {
    let [done, changed] = [0, 0]
    for (let at = 0; at < issueIds.length; at += PART) {
      const part = issueIds.slice(at, at + PART)
      changed += await decidePart(trx, context, claimed, part)
      done += part.length
      await store.noteProgress(parts.db, claimed, done)
    }
    const unchanged = issueIds.length - changed
    const isOwn = await store.endDecision(trx, claimed, { ...nothing, done, unchanged, refusals, state: 'SUCCEEDED' })
    if (!isOwn) throw new Error('The decision was ended by someone else in the meantime')
  })
}

/** Changes the findings of the part whose status permits it, and returns how many. Throws if one does not and the decision is not partial. */
async function decidePart(
  trx: Trx,
  context: Context,
  decision: store.Claimed,
  ids: readonly string[],
): Promise<number> {
  const { companyId, status, reason, riskAcceptedUntil, isPartial } = decision
  const issues = await lockIssues(trx, companyId, ids)
  const mayGo = (issue: IssueRecord) => permittedFrom(issue.status).includes(status)
  const others = issues.filter((issue) => issue.status !== status)
  const going = others.filter(mayGo)
  // the next attempt refuses the whole decision, with the findings that prevent it
  if (!isPartial && going.length < others.length)
    throw new Error('A finding went where the decision does not lead from')
  await recordStatusChange(trx, context, going, 'PERSON', { status, reason, riskAcceptedUntil })
  return going.length
}

/** A context in the name of the person who decided. Their permission was checked when they did. */
function actingFor(parts: WorkParts, { companyId, saidBy }: store.Claimed): Context {
  const { request, ...who } = saidBy
  const viewer: Viewer = {
    ...who,
    isAdministrator: false,
    scopes: ['read', 'write', 'issues:decide'],
    memberships: new Map([[companyId, 'ANALYST']]),
    heldTo: [companyId],
  }
  return { ...parts, viewer, request, loaders: new Map() }
}
