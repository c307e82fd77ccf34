// Which findings get a card: those that a configuration asks for, and those that people request.

import { describe, expect, test } from 'vitest'
import { serveBoards } from '../../../test/testkit/boards-fake.ts'
import { refusal, run } from '../../../test/testkit/client.ts'
import {
  CREATE_ITEM,
  changeStatus,
  createItem,
  itemOf,
  newBoardsWorld,
  newFinding,
  sync,
} from '../../../test/testkit/trackers.ts'
import { newAsset, newIssue, newWorld } from '../../../test/testkit/world.ts'

describe('cards by themselves', () => {
  test('are made for findings of the severity that the configuration asks for, found after it', async () => {
    const fake = await serveBoards()
    const world = await newBoardsWorld({ createFrom: 'HIGH' })
    const high = await newFinding(world, { severity: 'HIGH' })
    const low = await newFinding(world, { severity: 'LOW' })

    await sync(world)

    expect([...fake.cards.values()].map(({ tags }) => tags)).toEqual([`platform-issue-${high.id}; merlon`])
    expect(await itemOf(world, low.id)).toBeUndefined()
  })

  test('are made for all open findings of an asset when a person asks', async () => {
    const fake = await serveBoards()
    const world = await newBoardsWorld()
    for (const severity of ['CRITICAL', 'HIGH', 'LOW']) await newFinding(world, { severity })
    const document = 'mutation ($input: CreateWorkItemsInput!) { createWorkItems(input: $input) { count } }'
    const input = { assetId: world.assetId, minimumSeverity: 'HIGH' }

    const first = await run(world.owner.key, document, { input })
    const second = await run(world.owner.key, document, { input })
    await sync(world)

    expect([first.createWorkItems.count, second.createWorkItems.count]).toEqual([2, 0])
    expect(fake.cards.size).toBe(2)
  })

  test('are refused for a finding that is not open, and where no tracker is configured', async () => {
    await serveBoards()
    const world = await newBoardsWorld()
    const { id } = await newFinding(world)
    await createItem(world, id)
    await changeStatus(world, id, 'FALSE_POSITIVE')
    const bare = await newWorld()
    const asset = await newAsset(bare.owner.key, bare.companyId)
    const unsent = await newIssue(bare.owner.key, asset.id)

    const document = 'mutation ($input: CreateWorkItemInput!) { createWorkItem(input: $input) { workItem { id } } }'
    const closed = await refusal(world.owner.key, document, { input: { issueId: id } })
    const none = await refusal(bare.owner.key, CREATE_ITEM, { input: { issueId: unsent.id } })

    expect([closed.extensions.code, none.extensions.code]).toEqual(['FAILED_PRECONDITION', 'FAILED_PRECONDITION'])
  })
})
