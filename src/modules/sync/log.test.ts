// The log of exchanges with a tracker: changes and failures always, every read and question for those who ask.

import { expect, test } from 'vitest'
import { serveBoards } from '../../../test/testkit/boards-fake.ts'
import { type Data, run } from '../../../test/testkit/client.ts'
import { createItem, newBoardsWorld, newFinding, sync } from '../../../test/testkit/trackers.ts'

const LOG = `query ($companyId: ID!, $includeReads: Boolean) {
  syncDeliveries(companyId: $companyId, includeReads: $includeReads) {
    collection { action outcome request answer } metadata { totalCount } } }`

test('every exchange is in the log, and successful reads are listed on request', async () => {
  const fake = await serveBoards()
  const world = await newBoardsWorld()
  const { companyId, owner } = world
  await createItem(world, (await newFinding(world)).id)
  await sync(world)
  fake.move(1, 'Active')
  await sync(world)
  const ask = async (includeReads?: boolean): Promise<Data> =>
    (await run(owner.key, LOG, { companyId, includeReads })).syncDeliveries

  const told = await ask()
  const all = await ask(true)

  expect(told.collection.map(({ action }: Data) => action)).toEqual(['UPDATE_FINDING', 'CREATE'])
  expect(all.collection).toMatchObject([
    { action: 'UPDATE_FINDING' },
    { action: 'READ', outcome: 'DONE', request: '1', answer: 'Active, revision 2' },
    { action: 'POLL', outcome: 'DONE', request: 'What changed in Fabrikam / Bugs', answer: '1 changed' },
    { action: 'CREATE' },
  ])
  expect([told.metadata.totalCount, all.metadata.totalCount]).toEqual([2, 4])
})
