// The trackers' task of each minute: whose cards it looks at, and whose it leaves alone.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { serveBoards } from '../../../test/testkit/boards-fake.ts'
import { inside } from '../../../test/testkit/inside.ts'
import { createItem, newBoardsWorld, newFinding, type Tracked } from '../../../test/testkit/trackers.ts'
import { tasks } from './jobs.ts'

/** The integrations whose jobs wait, which no longer do. */
async function takeJobs(): Promise<string[]> {
  const { db } = await inside()
  const { rows } = await sql<{ key: string; taken: unknown }>`
    select key, graphile_worker.remove_job(key) as taken from graphile_worker.jobs
    where task_identifier = 'sync-tracker'`.execute(db)
  return rows.map(({ key }) => key)
}

const keyOf = ({ companyId, integrationId }: Tracked) => `tracker ${companyId}/${integrationId}`

test('a tracker is woken when a card is due or nobody asked it for five minutes, and no other one', async () => {
  await serveBoards()
  const { db, ...parts } = await inside()
  const worlds = {
    quiet: await newBoardsWorld(),
    unasked: await newBoardsWorld(),
    due: await newBoardsWorld(),
    dueLater: await newBoardsWorld(),
    refused: await newBoardsWorld(),
  }
  const { unasked, due, dueLater, refused } = worlds
  const set = {
    asked: ({ companyId }: Tracked, minutes: number) =>
      sql`update defect_tracker_configuration set polled_at = now() - make_interval(mins => ${minutes}::int)
        where company_id = ${companyId}`.execute(db),
    item: ({ companyId }: Tracked, minutes: number) =>
      sql`update work_item set due_at = now() + make_interval(mins => ${minutes}::int)
        where company_id = ${companyId}`.execute(db),
  }
  for (const world of [due, dueLater, refused]) await createItem(world, (await newFinding(world)).id)
  for (const world of Object.values(worlds)) await set.asked(world, 4)
  await set.asked(unasked, 6)
  await set.asked(refused, 6)
  await set.item(due, 0)
  await set.item(dueLater, 10)
  await sql`update integration set broken_since = now() where company_id = ${refused.companyId}`.execute(db)
  const wake = tasks.find(({ name }) => name === 'wake-trackers')
  await takeJobs()

  await wake?.run({ ...parts, db }, null)
  await wake?.run({ ...parts, db }, null)

  const mine = Object.values(worlds).map(keyOf)
  const woken = (await takeJobs()).filter((key) => mine.includes(key))
  expect(woken.sort()).toEqual([keyOf(unasked), keyOf(due)].sort())
})
