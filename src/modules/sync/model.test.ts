// The service and its job against a board with a memory, under random moves of both sides, faults and lost answers.

import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type BoardsFake, STATES, serveBoards } from '../../../test/testkit/boards-fake.ts'
import { ask } from '../../../test/testkit/client.ts'
import { inside } from '../../../test/testkit/inside.ts'
import {
  changeStatus,
  createItem,
  newBoardsWorld,
  newFinding,
  sync,
  type Tracked,
} from '../../../test/testkit/trackers.ts'
import { serverError } from '../../../test/testkit/vendor-answers.ts'
import type { IssueStatus } from '../../core/db/tables.generated.ts'
import { reconcile } from './reconcile.ts'

/** More than a few are for who changes the rules: `MERLON_MODEL_RUNS=200`. */
const RUNS = Number(process.env.MERLON_MODEL_RUNS ?? 12)

const findingStatuses = ['IDENTIFIED', 'IN_PROGRESS', 'AWAITING_VALIDATION', 'FIX_ACCEPTED', 'RISK_ACCEPTED'] as const
const nth = fc.nat(2)
/** LOST: done, and nobody hears of it. RACE: a person moves the card in the moment before. */
type Verdict = 'OK' | 'LOST' | 'FAULT' | 'RACE'
const verdict = fc.constantFrom<Verdict>('OK', 'OK', 'LOST', 'FAULT', 'RACE')

type Step =
  | { do: 'FIND' }
  | { do: 'SEND'; nth: number }
  | { do: 'CARD'; nth: number; to: string }
  | { do: 'FINDING'; nth: number; to: IssueStatus }
  | { do: 'CARRY'; nth: number; isBack: boolean }
  | { do: 'REMOVE'; nth: number }
  | { do: 'SYNC'; verdicts: Verdict[]; isLagging: boolean }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('FIND' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('SEND' as const), nth }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('CARD' as const), nth, to: fc.constantFrom(...STATES) }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('FINDING' as const), nth, to: fc.constantFrom(...findingStatuses) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('CARRY' as const), nth, isBack: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('REMOVE' as const), nth }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('SYNC' as const),
      verdicts: fc.array(verdict, { maxLength: 12 }),
      isLagging: fc.boolean(),
    }),
  },
)

/** What people did: no more may be written than that. */
type Deeds = { findings: string[]; changes: number; sends: number; removals: number }

async function perform(one: Step, world: Tracked, fake: BoardsFake, deeds: Deeds): Promise<void> {
  const finding = 'nth' in one ? deeds.findings[one.nth % Math.max(1, deeds.findings.length)] : undefined
  const card = [...fake.cards.values()].find(({ tags }) => tags.startsWith(`platform-issue-${finding};`))
  switch (one.do) {
    case 'FIND': {
      if (deeds.findings.length === 3) return
      deeds.findings.push((await newFinding(world)).id)
      return
    }
    case 'SEND':
      if (!finding) return
      deeds.sends += 1
      // refused for one that is not open
      return createItem(world, finding).catch(() => {})
    case 'CARD':
      if (!card) return
      deeds.changes += 1
      return fake.move(card.id, one.to)
    case 'CARRY':
      return card && fake.carry(card.id, one.isBack ? 'Fabrikam' : 'Elsewhere')
    case 'REMOVE':
      if (card) deeds.removals += 1
      return card && fake.remove(card.id)
    case 'FINDING': {
      const document =
        'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }'
      const input = { id: finding ?? '', status: one.to, reason: 'Decided' }
      const { errors } = finding ? await ask(world.owner.key, document, { input }) : { errors: ['none'] }
      if (errors.length === 0) deeds.changes += 1
      return
    }
    case 'SYNC': {
      const left = [...one.verdicts]
      fake.lag = one.isLagging
      fake.trouble = ({ method, path }) => {
        const next = left.shift() ?? 'OK'
        if (next === 'RACE' && method === 'PATCH') {
          deeds.changes += 1
          fake.move(Number(path.split('/').at(-1)), 'Active')
        }
        return next === 'LOST' ? 'DROP_ANSWER' : next === 'FAULT' ? serverError(503) : null
      }
      await sync(world)
      fake.trouble = null
      fake.lag = false
    }
  }
}

const writesOf = async ({ companyId }: Tracked): Promise<number> => {
  const { db } = await inside()
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from sync_delivery
    where company_id = ${companyId} and action = 'UPDATE_FINDING' and outcome = 'DONE'`.execute(db)
  return rows[0]?.count ?? 0
}

/** Lets pauses pass that faults left behind. */
const passTime = async () => {
  const { vendors } = await inside()
  await vendors.clock.sleep(3_600_000)
}

/** Has every card read again, as happens once a day: no list tells of what was deleted or carried off. */
const passDay = async ({ companyId }: Tracked) => {
  const { db } = await inside()
  await sql`update work_item set looked_at = now() - interval '2 days' where company_id = ${companyId}`.execute(db)
}

type Row = {
  issueId: string
  state: string
  externalId: string
  status: IssueStatus
  agreedStatus: IssueStatus
  agreedState: string
  failure: string | null
}

const linkedOf = async ({ companyId }: Tracked): Promise<Row[]> => {
  const { db } = await inside()
  const { rows } = await sql<Row>`
    select item.issue_id as "issueId", item.state, item.external_id as "externalId", item.agreed_status as "agreedStatus",
      item.agreed_state as "agreedState", item.failure, finding.status
    from work_item as item join finding on finding.company_id = item.company_id and finding.id = item.issue_id
    where item.company_id = ${companyId} and item.state = 'LINKED'`.execute(db)
  return rows
}

const mappings = [
  { status: 'IDENTIFIED', states: ['New'] },
  { status: 'IN_PROGRESS', states: ['Active'] },
  { status: 'AWAITING_VALIDATION', states: ['Resolved'] },
  { status: 'FIX_ACCEPTED', states: ['Closed'] },
] as const

const story = fc.asyncProperty(
  fc.array(step, { minLength: 4, maxLength: 16 }),
  fc.constantFrom<readonly string[]>([], ['Resolved']),
  async (steps, closedTo) => {
    const fake = await serveBoards(null, { closedTo })
    const world = await newBoardsWorld()
    const deeds: Deeds = { findings: [(await newFinding(world)).id], changes: 0, sends: 1, removals: 0 }
    await createItem(world, deeds.findings[0] ?? '')
    for (const one of steps) {
      await perform(one, world, fake, deeds)
      await passTime()
    }

    await passDay(world)
    for (let looks = 0; looks < 3; looks += 1) await sync(world)
    const settled = { board: [...fake.writes], findings: await writesOf(world) }
    for (let looks = 0; looks < 2; looks += 1) await sync(world)

    const owners = [...fake.cards.values()].map(({ tags }) => tags.split(';')[0])
    expect(new Set(owners).size).toBe(owners.length)
    expect({ board: fake.writes, findings: await writesOf(world) }).toEqual(settled)
    const moves = fake.writes.filter((write) => write.startsWith('move')).length
    const creations = fake.writes.length - moves
    expect(moves + settled.findings).toBeLessThanOrEqual(deeds.changes + creations)
    // one that was deleted before we heard that it was made is made again
    expect(creations).toBeLessThanOrEqual(deeds.sends + deeds.removals)
    for (const row of await linkedOf(world)) {
      const state = fake.cards.get(Number(row.externalId))?.state ?? ''
      const agreed = { status: row.agreedStatus, state: row.agreedState }
      expect(reconcile(row.status, state, agreed, mappings).kind).toBe('NOTHING')
    }
    await fake.end()
  },
)

test('whatever happens, it settles, makes no second card, and writes no more than was changed', {
  timeout: 600_000,
}, async () => {
  await fc.assert(story, { numRuns: RUNS, seed: 1_121 })
})

test('forty lost answers of makings and of moves leave forty cards, each moved once', async () => {
  const fake = await serveBoards()
  const world = await newBoardsWorld()
  const ids: string[] = []
  for (let made = 0; made < 40; made += 1) ids.push((await newFinding(world)).id)
  const lost = new Set<string>()
  fake.trouble = ({ method, path, body }) => {
    const what = method === 'PATCH' ? path : path.includes('workitems/$') ? JSON.stringify(body) : null
    if (what === null || lost.has(what)) return null
    lost.add(what)
    return 'DROP_ANSWER'
  }
  const settle = async () => {
    for (let looks = 0; looks < 45; looks += 1) {
      await sync(world)
      await passTime()
    }
  }

  for (const id of ids) await createItem(world, id)
  await settle()
  for (const id of ids) await changeStatus(world, id, 'IN_PROGRESS')
  await settle()

  const moved = [...fake.cards.values()].filter(({ state, rev }) => state === 'Active' && rev === 2)
  expect([lost.size, fake.cards.size, moved.length, fake.writes.length]).toEqual([80, 40, 40, 80])
  expect((await linkedOf(world)).filter(({ failure }) => failure === null)).toHaveLength(40)
})
