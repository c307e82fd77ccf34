// Random stories of findings and their cards: people's actions, and the fate of the tracker's answers and webhook calls.

import fc from 'fast-check'
import { expect } from 'vitest'
import type { IssueStatus } from '../../src/core/db/tables.generated.ts'
import { ask } from './client.ts'
import type { Call, DrivenTracker, TrackerKind } from './driven-trackers.ts'
import { createItem, newFinding, runWaitingJob, sync, type Tracked } from './trackers.ts'
import { serverError } from './vendor-answers.ts'

const findingStatuses = ['IDENTIFIED', 'IN_PROGRESS', 'AWAITING_VALIDATION', 'FIX_ACCEPTED', 'RISK_ACCEPTED'] as const
/** LOST: the request takes effect, but its answer is lost. RACE: a person moves the card just before. */
type Verdict = 'OK' | 'LOST' | 'FAULT' | 'RACE'
/**
 * The fate of one of the tracker's pending calls: COMES arrives, REPEAT arrives and will arrive again, DROP never
 * arrives. Calls not named arrive late.
 */
type Fate = { nth: number; is: 'COMES' | 'REPEAT' | 'DROP' }

type Step =
  | { do: 'FIND' }
  | { do: 'SEND'; nth: number }
  | { do: 'CARD'; nth: number; to: number }
  | { do: 'FINDING'; nth: number; to: IssueStatus }
  | { do: 'CARRY'; nth: number; isBack: boolean }
  | { do: 'REMOVE'; nth: number }
  | { do: 'SYNC'; verdicts: Verdict[]; isLagging: boolean }
  | { do: 'CALL'; fates: Fate[]; verdicts: Verdict[] }

const nth = fc.nat(2)
const verdicts = fc.array(fc.constantFrom<Verdict>('OK', 'OK', 'LOST', 'FAULT', 'RACE'), { maxLength: 12 })
const fate = fc.record({ nth: fc.nat(20), is: fc.constantFrom('COMES' as const, 'REPEAT' as const, 'DROP' as const) })
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('FIND' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('SEND' as const), nth }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('CARD' as const), nth, to: fc.nat(20) }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('FINDING' as const), nth, to: fc.constantFrom(...findingStatuses) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('CARRY' as const), nth, isBack: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('REMOVE' as const), nth }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('SYNC' as const), verdicts, isLagging: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('CALL' as const), fates: fc.array(fate, { maxLength: 6 }), verdicts }),
  },
)

/** What people did, which bounds what may be written. */
export type Deeds = { findings: string[]; changes: number; sends: number; removals: number }

/** Delivers a call as the vendor would, to the service at `url`. */
export const deliver = async (url: string, { path, headers, body }: Call) => {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
  expect((await fetch(url + path, sent)).status).toBe(200)
}

/** `url` is the address that the tracker calls. */
type Told = { world: Tracked; kind: TrackerKind; tracker: DrivenTracker; deeds: Deeds; url: string }

/** Runs `work` while the tracker answers as the verdicts say, one for each request. */
async function under({ kind, tracker, deeds }: Told, given: Verdict[], work: () => unknown) {
  const left = [...given]
  tracker.trouble((asked) => {
    const next = left.shift() ?? 'OK'
    const id = next === 'RACE' ? tracker.movedBy(asked) : null
    if (id !== null) {
      deeds.changes += 1
      tracker.move(id, kind.states[1] ?? '')
    }
    return next === 'LOST' ? 'DROP_ANSWER' : next === 'FAULT' ? serverError(503) : null
  })
  await work()
  tracker.trouble(null)
}

export async function perform(one: Step, told: Told) {
  const { world, kind, tracker, deeds } = told
  const finding = 'nth' in one ? deeds.findings[one.nth % Math.max(1, deeds.findings.length)] : undefined
  const card = tracker.cards().find(({ mark }) => mark === `platform-issue-${finding}`)
  switch (one.do) {
    case 'FIND':
      if (deeds.findings.length < 3) deeds.findings.push((await newFinding(world)).id)
      return
    case 'SEND':
      if (!finding) return
      deeds.sends += 1
      // refused if the finding is not open
      return createItem(world, finding).catch(() => {})
    case 'CARD':
      if (!card) return
      deeds.changes += 1
      return tracker.move(card.id, kind.states[one.to % kind.states.length] ?? '')
    case 'CARRY':
      return card && tracker.carry(card.id, one.isBack)
    case 'REMOVE':
      if (card) deeds.removals += 1
      return card && tracker.remove(card.id)
    case 'FINDING': {
      const document =
        'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }'
      const input = { id: finding ?? '', status: one.to, reason: 'Decided' }
      const { errors } = finding ? await ask(world.owner.key, document, { input }) : { errors: ['none'] }
      if (errors.length === 0) deeds.changes += 1
      return
    }
    case 'SYNC':
      tracker.lag(one.isLagging)
      await under(told, one.verdicts, () => sync(world))
      return tracker.lag(false)
    case 'CALL':
      for (const { nth, is } of one.fates) {
        const at = nth % Math.max(1, tracker.calls.length)
        const call = tracker.calls[at]
        if (call && is !== 'DROP') await deliver(told.url, call)
        if (is !== 'REPEAT') tracker.calls.splice(at, 1)
      }
      // the latest change is known only from its webhook call
      tracker.lag(true)
      await under(told, one.verdicts, () => runWaitingJob(world))
      return tracker.lag(false)
  }
}
