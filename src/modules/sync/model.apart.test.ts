// The service and its job against trackers with a memory, under random moves of both sides, faults, lost answers, and calls that come
// late, twice, in any order or not at all.

import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { askAt } from '../../../test/testkit/asking.ts'
import { type TrackerKind, trackerKinds } from '../../../test/testkit/driven-trackers.ts'
import { inside } from '../../../test/testkit/inside.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'
import { type Deeds, deliver, perform, step } from '../../../test/testkit/tracker-story.ts'
import {
  changeStatus,
  createItem,
  newFinding,
  runWaitingJob,
  sync,
  type Tracked,
} from '../../../test/testkit/trackers.ts'
import type { IssueStatus } from '../../core/db/tables.generated.ts'
import { reconcile } from './reconcile.ts'

/** More than a few are for who changes the rules: `MERLON_MODEL_RUNS=200`. */
const RUNS = Number(process.env.MERLON_MODEL_RUNS ?? 12)
const HOOK = 'mutation ($input: CreateTrackerWebhookInput!) { createTrackerWebhook(input: $input) { isMade } }'

let service: Service

beforeAll(async () => {
  service = await startService({ MERLON_PUBLIC_URL: 'https://merlon.example.test' })
  return () => service.app.stop(0)
})

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
    select item.state, item.external_id as "externalId", item.agreed_status as "agreedStatus",
      item.agreed_state as "agreedState", item.failure, finding.status
    from work_item as item join finding on finding.company_id = item.company_id and finding.id = item.issue_id
    where item.company_id = ${companyId} and item.state = 'LINKED'`.execute(db)
  return rows
}

const storyOf = (kind: TrackerKind) =>
  fc.asyncProperty(
    fc.array(step, { minLength: 4, maxLength: 16 }),
    fc.constantFrom(...kind.rules),
    async (steps, closedTo) => {
      const tracker = await kind.serve(closedTo)
      const world = await tracker.newWorld()
      const made = await askAt(service.url, world.owner.key, HOOK, { input: { integrationId: world.integrationId } })
      expect(made.createTrackerWebhook.isMade).toBe(true)
      const deeds: Deeds = { findings: [(await newFinding(world)).id], changes: 0, sends: 1, removals: 0 }
      await createItem(world, deeds.findings[0] ?? '')
      for (const one of steps) {
        await perform(one, { world, kind, tracker, deeds, url: service.url })
        await passTime()
      }

      await passDay(world)
      for (let looks = 0; looks < 3; looks += 1) await sync(world)
      const settled = { tracker: [...tracker.writes], findings: await writesOf(world) }
      // what was under way till now, the newest first
      for (const call of [...tracker.calls].reverse()) await deliver(service.url, call)
      await runWaitingJob(world)
      for (let looks = 0; looks < 2; looks += 1) await sync(world)

      const owners = tracker.cards().map(({ mark }) => mark)
      expect(new Set(owners).size).toBe(owners.length)
      expect({ tracker: tracker.writes, findings: await writesOf(world) }).toEqual(settled)
      const moves = tracker.writes.filter((write) => write.startsWith('move')).length
      const creations = tracker.writes.length - moves
      expect(moves + settled.findings).toBeLessThanOrEqual(deeds.changes + creations)
      // one that was deleted before we heard that it was made is made again
      expect(creations).toBeLessThanOrEqual(deeds.sends + deeds.removals)
      for (const row of await linkedOf(world)) {
        const state = tracker.cards().find(({ id }) => id === row.externalId)?.state ?? ''
        const agreed = { status: row.agreedStatus, state: row.agreedState }
        expect(reconcile(row.status, state, agreed, kind.mappings).kind).toBe('NOTHING')
      }
      await tracker.end()
    },
  )

const kinds = trackerKinds.map((kind) => [kind.name, kind] as const)

test.each(kinds)(
  '%s: whatever happens, it settles, makes no second card, and writes no more than was changed',
  { timeout: 600_000 },
  async (_, kind) => {
    await fc.assert(storyOf(kind), { numRuns: RUNS, seed: 1_121 })
  },
)

test.each(kinds)(
  '%s: forty lost answers of makings and of moves leave forty cards, each moved once',
  async (_, kind) => {
    const tracker = await kind.serve([])
    const world = await tracker.newWorld()
    const ids: string[] = []
    for (let made = 0; made < 40; made += 1) ids.push((await newFinding(world)).id)
    const lost = new Set<string>()
    tracker.trouble((asked) => {
      const what = tracker.movedBy(asked) ?? (tracker.makes(asked) ? JSON.stringify(asked.body) : null)
      if (what === null || lost.has(what)) return null
      lost.add(what)
      return 'DROP_ANSWER'
    })
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

    const moved = tracker.cards().filter(({ state }) => state === kind.states[1])
    expect([lost.size, moved.length, new Set(tracker.writes).size, tracker.writes.length]).toEqual([80, 40, 80, 80])
    expect((await linkedOf(world)).filter(({ failure }) => failure === null)).toHaveLength(40)
  },
)
