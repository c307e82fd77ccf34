// Decides how a finding and its card affect each other: a pure rule over their current states and those they last agreed on.

import type { IssueStatus } from '../../core/db/tables.generated.ts'
import { permittedFrom } from '../issues/service.ts'

/** A status of findings with the tracker's states that mean it: the first is written, all are read. */
export type Mapping = { status: IssueStatus; states: readonly [string, ...string[]] }

/** What both sides were when they last agreed. */
export type Agreed = { status: IssueStatus; state: string }

/**
 * What to do. AGREE: remember the two states, because they mean the same or one side cannot express the other's. PUSH: move the card.
 * PULL: move the finding through these statuses. SKIP: as AGREE, with a reason that a person should read. `lost` names the state that
 * was overruled if both had changed.
 */
export type Action =
  | { kind: 'NOTHING' }
  | { kind: 'AGREE' }
  | { kind: 'SKIP'; reason: string }
  | { kind: 'PUSH'; state: string; lost: string | null }
  | { kind: 'PULL'; path: readonly IssueStatus[]; lost: IssueStatus | null }

/** The final statuses of a finding; a card never sets one, however it is mapped. */
const done: readonly IssueStatus[] = ['FIX_ACCEPTED', 'RISK_ACCEPTED', 'FALSE_POSITIVE', 'SUPPRESSED']
/** The statuses that a card may set, in the order of the work. */
const open: readonly IssueStatus[] = ['IDENTIFIED', 'IN_PROGRESS', 'AWAITING_VALIDATION']
/** The statuses that mean that the work on a card has ended, validated or not. */
const ended: readonly IssueStatus[] = [...done, 'AWAITING_VALIDATION']
const decided: readonly IssueStatus[] = ['RISK_ACCEPTED', 'FALSE_POSITIVE', 'SUPPRESSED']

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const means = (mappings: readonly Mapping[], status: IssueStatus, state: string): boolean =>
  mappings.some((mapping) => mapping.status === status && mapping.states.some((one) => isSame(one, state)))

/** The state that a card gets for a status; null if it is not mapped. */
const stateFor = (mappings: readonly Mapping[], status: IssueStatus): string | null =>
  mappings.find((mapping) => mapping.status === status)?.states[0] ?? null

/** The state of a new card: that of the status or, if it is not mapped, of IDENTIFIED, which always is. */
export const firstStateFor = (mappings: readonly Mapping[], status: IssueStatus): string | null =>
  stateFor(mappings, status) ?? stateFor(mappings, 'IDENTIFIED')

/**
 * Settles in one step: unless something else changes, the next call returns NOTHING. A side that has not changed since they agreed never
 * overrules the one that has, so each change is passed on once and none of ours comes back.
 */
export function reconcile(status: IssueStatus, state: string, agreed: Agreed, mappings: readonly Mapping[]): Action {
  const isOursChanged = status !== agreed.status
  const isTheirsChanged = !isSame(state, agreed.state)
  if (!isOursChanged && !isTheirsChanged) return { kind: 'NOTHING' }
  if (means(mappings, status, state)) return { kind: 'AGREE' }
  if (!isTheirsChanged) return outwards(status, null, mappings)
  const target = targetOf(state, mappings)
  if (target === null) {
    if (isOursChanged) return outwards(status, state, mappings)
    return { kind: 'SKIP', reason: `The mapping has no status for “${state}”; the finding stays ${status}` }
  }
  if (!isOursChanged) return inwards(status, state, target, null)
  const isReopened = ended.includes(agreed.status) && !ended.includes(status)
  if (done.includes(status) || isReopened) return outwards(status, state, mappings)
  return inwards(status, state, target, status)
}

/** The status that a card's state asks for: the mapped one if a card may set it, AWAITING_VALIDATION for a final one, else IDENTIFIED; null
 * if the state is not mapped. */
function targetOf(state: string, mappings: readonly Mapping[]): IssueStatus | null {
  const meant = mappings.filter(({ status }) => means(mappings, status, state)).map(({ status }) => status)
  const working = meant.find((status) => open.includes(status))
  if (working) return working
  if (meant.some((status) => done.includes(status))) return 'AWAITING_VALIDATION'
  return meant.length > 0 ? 'IDENTIFIED' : null
}

function outwards(status: IssueStatus, lost: string | null, mappings: readonly Mapping[]): Action {
  const state = stateFor(mappings, status)
  return state === null ? { kind: 'AGREE' } : { kind: 'PUSH', state, lost }
}

function inwards(status: IssueStatus, state: string, target: IssueStatus, lost: IssueStatus | null): Action {
  if (status === target) return { kind: 'AGREE' }
  if (status === 'DRAFT') return { kind: 'SKIP', reason: 'The finding is a draft; drafts get no card' }
  if (decided.includes(status)) {
    return { kind: 'SKIP', reason: `A person set the finding to ${status}, which “${state}” does not undo` }
  }
  if (status === 'FIX_ACCEPTED' && target === 'AWAITING_VALIDATION') return { kind: 'AGREE' }
  return { kind: 'PULL', path: pathTo(status, target), lost }
}

/** The statuses from one to the other, ending with `to`; never through a final one. */
function pathTo(from: IssueStatus, to: IssueStatus): IssueStatus[] {
  if (permittedFrom(from).includes(to)) return [to]
  return ['IDENTIFIED', to]
}
