// The rule between a finding and its card settles, passes on each change once, and leaves decisions to people and scans.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { IssueStatus } from '../../core/db/tables.generated.ts'
import { permittedFrom } from '../issues/service.ts'
import { type Action, type Agreed, type Mapping, reconcile } from './reconcile.ts'

const statuses: readonly IssueStatus[] = [
  'CREATED',
  'DRAFT',
  'IDENTIFIED',
  'IN_PROGRESS',
  'AWAITING_VALIDATION',
  'FIX_ACCEPTED',
  'RISK_ACCEPTED',
  'FALSE_POSITIVE',
  'SUPPRESSED',
]
const done: readonly IssueStatus[] = ['FIX_ACCEPTED', 'RISK_ACCEPTED', 'FALSE_POSITIVE', 'SUPPRESSED']

const usual: readonly Mapping[] = [
  { status: 'IDENTIFIED', states: ['New', 'Reopened'] },
  { status: 'IN_PROGRESS', states: ['Active'] },
  { status: 'AWAITING_VALIDATION', states: ['Resolved'] },
  { status: 'FIX_ACCEPTED', states: ['Closed', 'Removed'] },
  { status: 'RISK_ACCEPTED', states: ["Won't do"] },
]
const states = ['New', 'Reopened', 'Active', 'Resolved', 'Closed', 'Removed', "Won't do", 'Blocked']

const everyMapping: readonly (readonly Mapping[])[] = [
  usual,
  [{ status: 'IDENTIFIED', states: ['New'] }],
  [
    { status: 'IDENTIFIED', states: ['New'] },
    { status: 'CREATED', states: ['New'] },
    { status: 'FIX_ACCEPTED', states: ['Closed'] },
  ],
  statuses.map((status) => ({ status, states: ['New'] as const })),
  statuses.map((status, index) => ({ status, states: [states[index % states.length] ?? 'New'] as const })),
  [
    { status: 'IDENTIFIED', states: ['New'] },
    { status: 'CREATED', states: ['Blocked'] },
    { status: 'DRAFT', states: ['Removed'] },
    { status: 'SUPPRESSED', states: ['Closed'] },
  ],
]

/** What both sides are after an action that nobody interferes with. */
const after = (status: IssueStatus, state: string, agreed: Agreed, action: Action) => {
  if (action.kind === 'NOTHING') return { status, state, agreed }
  const next = {
    status: action.kind === 'PULL' ? (action.path.at(-1) ?? status) : status,
    state: action.kind === 'PUSH' ? action.state : state,
  }
  return { ...next, agreed: next }
}

const everyCase = everyMapping.flatMap((mapping) =>
  statuses.flatMap((status) =>
    states.flatMap((state) =>
      statuses.flatMap((was) =>
        states.map((stood) => ({ mapping, status, state, agreed: { status: was, state: stood } })),
      ),
    ),
  ),
)

describe('of every status, state and agreement under every mapping', () => {
  test('the next look has nothing to do', () => {
    const restless = everyCase.filter(({ mapping, status, state, agreed }) => {
      const next = after(status, state, agreed, reconcile(status, state, agreed, mapping))
      return reconcile(next.status, next.state, next.agreed, mapping).kind !== 'NOTHING'
    })

    expect(restless).toEqual([])
    expect(everyCase.length).toBe(6 * 9 * 8 * 9 * 8)
  })

  test('nothing is done where nothing changed, and a side that did not change overrules none', () => {
    const argued = everyCase.filter(({ mapping, status, state, agreed }) => {
      const { kind } = reconcile(status, state, agreed, mapping)
      if (status === agreed.status && state === agreed.state) return kind !== 'NOTHING'
      if (status === agreed.status) return kind === 'PUSH'
      return state === agreed.state && kind === 'PULL'
    })

    expect(argued).toEqual([])
  })

  test('a card closes no finding, undoes no decision of a person, and takes no way that is not permitted', () => {
    const wrong = everyCase.filter(({ mapping, status, state, agreed }) => {
      const action = reconcile(status, state, agreed, mapping)
      if (action.kind !== 'PULL') return false
      const steps = [status, ...action.path]
      const isBarred = steps.some((step, index) => {
        const next = steps[index + 1]
        return next !== undefined && !permittedFrom(step).includes(next)
      })
      return (
        isBarred ||
        action.path.some((step) => done.includes(step)) ||
        ['DRAFT', 'RISK_ACCEPTED', 'FALSE_POSITIVE', 'SUPPRESSED'].includes(status)
      )
    })

    expect(wrong).toEqual([])
  })

  test('only the first state of a status is written', () => {
    const written = everyCase.flatMap(({ mapping, status, state, agreed }) => {
      const action = reconcile(status, state, agreed, mapping)
      return action.kind === 'PUSH' ? [[mapping.find((one) => one.status === status)?.states[0], action.state]] : []
    })

    expect(written.filter(([wanted, given]) => wanted !== given)).toEqual([])
    expect(written.length).toBeGreaterThan(0)
  })
})

describe('the rules, one by one', () => {
  const from = (status: IssueStatus, state: string) => ({ status, state })
  test.each<[string, IssueStatus, string, Agreed, Action]>([
    [
      'a finding that goes on moves its card',
      'IN_PROGRESS',
      'New',
      from('IDENTIFIED', 'New'),
      { kind: 'PUSH', state: 'Active', lost: null },
    ],
    [
      'a card that goes on moves its finding',
      'IDENTIFIED',
      'Active',
      from('IDENTIFIED', 'New'),
      { kind: 'PULL', path: ['IN_PROGRESS'], lost: null },
    ],
    [
      'a closed card asks for validation',
      'IDENTIFIED',
      'Closed',
      from('IDENTIFIED', 'New'),
      { kind: 'PULL', path: ['AWAITING_VALIDATION'], lost: null },
    ],
    [
      'a card that is not to be done asks for validation too',
      'IN_PROGRESS',
      "Won't do",
      from('IN_PROGRESS', 'Active'),
      { kind: 'PULL', path: ['AWAITING_VALIDATION'], lost: null },
    ],
    [
      'a new finding gets there by steps',
      'CREATED',
      'Closed',
      from('CREATED', 'New'),
      { kind: 'PULL', path: ['IDENTIFIED', 'AWAITING_VALIDATION'], lost: null },
    ],
    [
      'another word for the same changes nothing',
      'IDENTIFIED',
      'Reopened',
      from('IDENTIFIED', 'New'),
      { kind: 'AGREE' },
    ],
    [
      'words are compared as the tracker does, whatever their case',
      'IDENTIFIED',
      'NEW',
      from('IDENTIFIED', 'New'),
      { kind: 'NOTHING' },
    ],
    [
      'a scan that confirms the fix leaves the closed card',
      'FIX_ACCEPTED',
      'Closed',
      from('AWAITING_VALIDATION', 'Closed'),
      { kind: 'AGREE' },
    ],
    [
      'a scan that finds it again reopens the card',
      'IDENTIFIED',
      'Closed',
      from('AWAITING_VALIDATION', 'Closed'),
      { kind: 'PUSH', state: 'New', lost: null },
    ],
    [
      'a person who reopens the card reopens a fixed finding',
      'FIX_ACCEPTED',
      'Active',
      from('FIX_ACCEPTED', 'Closed'),
      { kind: 'PULL', path: ['IDENTIFIED', 'IN_PROGRESS'], lost: null },
    ],
    [
      'both changed, and the finding is done',
      'FIX_ACCEPTED',
      'Active',
      from('IDENTIFIED', 'New'),
      { kind: 'PUSH', state: 'Closed', lost: 'Active' },
    ],
    [
      'both changed, and the finding was reopened',
      'IDENTIFIED',
      'Active',
      from('AWAITING_VALIDATION', 'Resolved'),
      { kind: 'PUSH', state: 'New', lost: 'Active' },
    ],
    [
      'both changed, and both are being worked at',
      'IN_PROGRESS',
      'Closed',
      from('IDENTIFIED', 'New'),
      { kind: 'PULL', path: ['AWAITING_VALIDATION'], lost: 'IN_PROGRESS' },
    ],
    [
      'both changed, and the mapping has not what the card was moved to',
      'IN_PROGRESS',
      'Blocked',
      from('IDENTIFIED', 'New'),
      { kind: 'PUSH', state: 'Active', lost: 'Blocked' },
    ],
    ['both changed to the same', 'IN_PROGRESS', 'Active', from('IDENTIFIED', 'New'), { kind: 'AGREE' }],
    ['a status without a state leaves the card', 'FALSE_POSITIVE', 'New', from('IDENTIFIED', 'New'), { kind: 'AGREE' }],
  ])('%s', (_, status, state, agreed, action) => {
    expect(reconcile(status, state, agreed, usual)).toEqual(action)
  })

  test('a decision of a person stands, a draft stays one, and a state that is not in the mapping is reported', () => {
    const decided = reconcile('RISK_ACCEPTED', 'Active', from('RISK_ACCEPTED', "Won't do"), usual)
    const unknown = reconcile('IDENTIFIED', 'Blocked', from('IDENTIFIED', 'New'), usual)
    const draft = reconcile('DRAFT', 'Active', from('DRAFT', 'New'), usual)

    expect(draft).toEqual({ kind: 'SKIP', reason: expect.stringContaining('draft') })
    expect(decided).toEqual({ kind: 'SKIP', reason: expect.stringContaining('RISK_ACCEPTED') })
    expect(unknown).toEqual({ kind: 'SKIP', reason: expect.stringContaining('Blocked') })
  })
})

test('after any changes of both sides, as many writes follow as there were changes, at most', () => {
  const change = fc.oneof(
    fc.record({ side: fc.constant('ours' as const), to: fc.constantFrom(...statuses) }),
    fc.record({ side: fc.constant('theirs' as const), to: fc.constantFrom(...states) }),
  )
  const run = fc.property(
    fc.constantFrom(...everyMapping),
    fc.array(fc.tuple(change, fc.boolean())),
    (mapping, changes) => {
      let now = {
        status: 'IDENTIFIED' as IssueStatus,
        state: 'New',
        agreed: { status: 'IDENTIFIED' as IssueStatus, state: 'New' },
      }
      let writes = 0
      const look = () => {
        const action = reconcile(now.status, now.state, now.agreed, mapping)
        if (action.kind === 'PUSH' || action.kind === 'PULL') writes += 1
        now = after(now.status, now.state, now.agreed, action)
      }
      for (const [{ side, to }, isLookedAt] of changes) {
        now = side === 'ours' ? { ...now, status: to as IssueStatus } : { ...now, state: to }
        if (isLookedAt) look()
      }
      for (let looks = 0; looks < 5; looks += 1) look()

      expect(writes).toBeLessThanOrEqual(changes.length)
      expect(reconcile(now.status, now.state, now.agreed, mapping).kind).toBe('NOTHING')
    },
  )

  fc.assert(run, { numRuns: 2_000, seed: 32 })
})
