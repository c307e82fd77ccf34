// Findings and their cards, through the endpoint and the job, with a tracker that remembers.

import { describe, expect, test } from 'vitest'
import { PROJECT, serveBoards } from '../../../test/testkit/boards-fake.ts'
import { type Data, refusal, run } from '../../../test/testkit/client.ts'
import { serveTasks } from '../../../test/testkit/tasks-fake.ts'
import {
  changeStatus,
  createItem,
  deliveriesOf,
  itemOf,
  newBoardsWorld,
  newFinding,
  newTasksWorld,
  PREVIEW,
  statusOf,
  sync,
} from '../../../test/testkit/trackers.ts'
import { serverError } from '../../../test/testkit/vendor-answers.ts'
import { json } from '../../../test/testkit/vendor-fake.ts'
import { newWorld } from '../../../test/testkit/world.ts'

const HISTORY = 'query ($id: ID!) { issue(id: $id) { history { kind status previousStatus reason } } }'
const REPLAY = 'mutation ($input: ReplaySyncInput!) { replaySync(input: $input) { count } }'

/** A board with a finding that has its card. */
const withCard = async () => {
  const fake = await serveBoards()
  const world = await newBoardsWorld()
  const { id } = await newFinding(world)
  await createItem(world, id)
  await sync(world)
  return { fake, world, id }
}

describe('a card', () => {
  test('is made for a finding that is sent, and is returned with its place and state', async () => {
    const { fake, world, id } = await withCard()

    const item = await itemOf(world, id)
    const deliveries = await deliveriesOf(world)

    expect(item).toMatchObject({
      state: 'LINKED',
      externalId: '1',
      externalStatus: 'New',
      agreedStatus: 'IDENTIFIED',
      failure: null,
      nextAttemptAt: null,
      integration: { id: world.integrationId },
      issue: { id, status: 'IDENTIFIED' },
    })
    expect(item.url).toBe('https://dev.azure.com/acme/Fabrikam/_workitems/edit/1')
    expect(fake.cards.get(1)?.tags).toBe(`platform-issue-${id}; merlon`)
    expect(deliveries).toMatchObject([{ action: 'CREATE', outcome: 'DONE', answer: 'Created: 1, New', issueId: id }])
  })

  test('goes where its finding goes, and its own move is not taken for news', async () => {
    const { fake, world, id } = await withCard()

    await changeStatus(world, id, 'IN_PROGRESS')
    await sync(world)
    const seenThen = fake.seen.length
    await sync(world)

    expect(fake.writes).toEqual(['create 1', 'move 1 Active'])
    expect(fake.seen.slice(seenThen).map(({ method }) => method)).not.toContain('PATCH')
    expect(await statusOf(world, id)).toBe('IN_PROGRESS')
  })

  test('that a person closes asks for validation and closes nothing', async () => {
    const { fake, world, id } = await withCard()

    fake.move(1, 'Closed')
    await sync(world)
    await sync(world)

    const { issue } = await run(world.owner.key, HISTORY, { id })
    expect(await statusOf(world, id)).toBe('AWAITING_VALIDATION')
    expect(fake.writes).toEqual(['create 1'])
    expect(issue.history.find(({ status }: Data) => status === 'AWAITING_VALIDATION')).toMatchObject({
      kind: 'SYSTEM',
      previousStatus: 'IDENTIFIED',
      reason: 'The card 1 was moved to “Closed” by Ada',
    })
  })

  test('whose state the mapping has not is left, with a reason, once', async () => {
    const { fake, world, id } = await withCard()

    fake.move(1, 'Blocked')
    await sync(world)
    await sync(world)

    expect(await statusOf(world, id)).toBe('IDENTIFIED')
    expect((await itemOf(world, id)).failure).toContain('“Blocked”')
    expect(await deliveriesOf(world, ['SKIPPED'])).toHaveLength(1)
  })

  test('of which both sides were moved is settled in favour of the finding that is done', async () => {
    const { fake, world, id } = await withCard()
    fake.move(1, 'Active')
    await changeStatus(world, id, 'FIX_ACCEPTED')

    await sync(world)
    await sync(world)

    expect([fake.cards.get(1)?.state, await statusOf(world, id)]).toEqual(['Closed', 'FIX_ACCEPTED'])
    expect(fake.writes).toEqual(['create 1', 'move 1 Closed'])
    expect((await deliveriesOf(world))[0].request).toContain('it had been moved to Active meanwhile')
  })

  test('that was deleted is reported and not made again, until a person asks', async () => {
    const { fake, world, id } = await withCard()
    fake.remove(1)
    await changeStatus(world, id, 'IN_PROGRESS')
    await sync(world)
    const deleted = await itemOf(world, id)
    await changeStatus(world, id, 'IDENTIFIED')
    await sync(world)
    const writes = [...fake.writes]

    await createItem(world, id)
    await sync(world)

    expect([deleted.state, deleted.failure]).toEqual(['DELETED', expect.stringContaining('was deleted')])
    expect(writes).toEqual(['create 1'])
    expect(await itemOf(world, id)).toMatchObject({ state: 'LINKED', externalId: '2', failure: null })
  })

  test('that was moved to another project is reported, and kept in step again once it is back', async () => {
    const { fake, world, id } = await withCard()
    fake.carry(1, 'Elsewhere')
    await changeStatus(world, id, 'IN_PROGRESS')
    await sync(world)
    const moved = await itemOf(world, id)
    fake.carry(1, 'Fabrikam')
    await sync(world)

    expect([moved.state, moved.failure]).toEqual(['MOVED', expect.stringContaining('another project')])
    expect(await itemOf(world, id)).toMatchObject({ state: 'LINKED', failure: null })
    expect(fake.cards.get(1)?.state).toBe('Active')
  })

  test('is kept in step where its project was configured under another name, and where it is renamed later', async () => {
    const fake = await serveBoards()
    const world = await newBoardsWorld({ project: { ...PROJECT, name: 'Another' } })
    const { id } = await newFinding(world)
    await createItem(world, id)
    await sync(world)
    await changeStatus(world, id, 'IN_PROGRESS')
    await sync(world)
    const misnamed = await itemOf(world, id)
    fake.rename('Contoso')
    fake.move(1, 'Resolved')
    await sync(world)

    expect(misnamed).toMatchObject({ state: 'LINKED', externalStatus: 'Active', failure: null })
    expect(await itemOf(world, id)).toMatchObject({ state: 'LINKED', externalStatus: 'Resolved', failure: null })
    expect(await statusOf(world, id)).toBe('AWAITING_VALIDATION')
  })

  test('is one, also when the answer to its making was lost or it is asked for twice', async () => {
    const fake = await serveBoards()
    const world = await newBoardsWorld()
    const { id } = await newFinding(world)
    await Promise.all([createItem(world, id), createItem(world, id)])
    fake.trouble = ({ path }) => (path.includes('workitems/$') ? 'DROP_ANSWER' : null)
    await sync(world)
    const waiting = await itemOf(world, id)
    fake.trouble = null
    fake.move(1, 'Active')

    await sync(world)

    expect(waiting).toMatchObject({ state: 'PENDING', failure: expect.stringContaining('cannot be reached') })
    expect(waiting.nextAttemptAt).not.toBeNull()
    expect(fake.cards.size).toBe(1)
    expect(await itemOf(world, id)).toMatchObject({ state: 'LINKED', externalId: '1', failure: null })
    expect(await statusOf(world, id)).toBe('IN_PROGRESS')
  })
})

describe('a tracker', () => {
  test('that forbids a move is not asked again before something changes or it is replayed', async () => {
    const fake = await serveBoards(null, { closedTo: ['Active'] })
    const world = await newBoardsWorld()
    const { id } = await newFinding(world)
    await createItem(world, id)
    await sync(world)
    await changeStatus(world, id, 'IN_PROGRESS')
    await sync(world)
    await sync(world)
    const refused = await itemOf(world, id)
    const asked = fake.seen.filter(({ method }) => method === 'PATCH').length
    const since = new Date(Date.now() - 60_000).toISOString()

    const { replaySync } = await run(world.owner.key, REPLAY, { input: { integrationId: world.integrationId, since } })
    await sync(world)

    expect(refused.failure).toContain('not in the list of supported values')
    expect(await deliveriesOf(world, ['REFUSED'])).toHaveLength(2)
    expect([asked, replaySync.count]).toEqual([1, 1])
    expect(fake.seen.filter(({ method }) => method === 'PATCH')).toHaveLength(2)
  })

  test('that fails is asked again later, and the log names no credential', async () => {
    const { fake, world, id } = await withCard()
    fake.trouble = ({ method }) => (method === 'PATCH' ? serverError(503) : null)
    await changeStatus(world, id, 'IN_PROGRESS')
    await sync(world)
    const failed = await deliveriesOf(world, ['FAILED'])
    fake.trouble = null

    await sync(world)

    expect(failed).toMatchObject([{ action: 'MOVE', reason: 'BoardsTracker has an internal error at the moment' }])
    expect(JSON.stringify(failed)).not.toContain('Basic')
    expect(fake.cards.get(1)?.state).toBe('Active')
  })

  test('that refuses the second look at a card which was moved meanwhile has that in the log', async () => {
    const { fake, world, id } = await withCard()
    let isMoved = false
    fake.trouble = ({ method }) => {
      if (method === 'PATCH') {
        fake.move(1, 'Blocked')
        isMoved = true
      }
      return isMoved && method === 'GET' ? json({ message: 'Access denied' }, { status: 403 }) : null
    }
    await changeStatus(world, id, 'IN_PROGRESS')

    await sync(world)

    expect(await deliveriesOf(world, ['REFUSED'])).toMatchObject([
      { action: 'READ', request: '1', reason: expect.stringContaining('does not permit this') },
      { action: 'MOVE' },
    ])
    expect((await itemOf(world, id)).failure).toContain('does not permit this')
  })

  test('of tasks is kept in step as well', async () => {
    const fake = await serveTasks()
    const world = await newTasksWorld()
    const { id } = await newFinding(world)
    await createItem(world, id)
    await sync(world)
    await changeStatus(world, id, 'IN_PROGRESS')
    await sync(world)
    fake.move('9h1', 'complete')
    await sync(world)
    await sync(world)

    expect(fake.writes).toEqual(['create 9h1', 'move 9h1 in progress'])
    expect(await statusOf(world, id)).toBe('AWAITING_VALIDATION')
  })
})

test('a run that a person asks for, the work items and the log are the company’s, and foreign ones are missing', async () => {
  const { world } = await withCard()
  const theirs = await newWorld()
  const document = 'mutation ($input: SyncTrackerInput!) { syncTracker(input: $input) { success } }'
  const lists = `query ($companyId: ID!) { workItems(companyId: $companyId) { metadata { totalCount } }
    syncDeliveries(companyId: $companyId) { metadata { totalCount } } }`

  const { syncTracker } = await run(world.owner.key, document, { input: { integrationId: world.integrationId } })
  const foreign = await refusal(theirs.owner.key, document, { input: { integrationId: world.integrationId } })
  const mine = await run(world.owner.key, lists, { companyId: world.companyId })
  const unseen = await refusal(theirs.owner.key, lists, { companyId: world.companyId })

  expect(syncTracker.success).toBe(true)
  expect([foreign.extensions.code, unseen.extensions.code]).toEqual(['NOT_FOUND', 'NOT_FOUND'])
  expect([mine.workItems.metadata.totalCount, mine.syncDeliveries.metadata.totalCount]).toEqual([1, 1])
})

describe('what would be done', () => {
  test('is said and not done', async () => {
    const { fake, world, id } = await withCard()
    const other = await newFinding(world)
    await createItem(world, other.id)
    fake.move(1, 'Resolved')

    const { previewSync } = await run(world.owner.key, PREVIEW, { id: world.configurationId })

    expect(previewSync.isCut).toBe(false)
    expect(previewSync.steps).toMatchObject([
      { action: 'CREATE', from: null, to: 'New', issue: { id: other.id } },
      { action: 'UPDATE_FINDING', from: 'IDENTIFIED', to: 'AWAITING_VALIDATION', issue: { id } },
    ])
    expect(fake.writes).toEqual(['create 1'])
    expect(await statusOf(world, id)).toBe('IDENTIFIED')
  })

  test('is said for another mapping as well, and that one is neither kept nor taken unread', async () => {
    const { fake, world } = await withCard()
    fake.move(1, 'Blocked')
    const ask = (statusMappings: unknown) => ({ id: world.configurationId, statusMappings })
    const document = `query ($id: ID!, $statusMappings: [DefectTrackerStatusMappingInput!]) {
      previewSync(configurationId: $id, statusMappings: $statusMappings) { steps { action from to } } }`
    const mapping = (internalIssueStatus: string, externalIssueStatus: string) => ({
      internalIssueStatus,
      externalIssueStatus,
    })

    const other = await run(
      world.owner.key,
      document,
      ask([mapping('IDENTIFIED', 'New'), mapping('IN_PROGRESS', 'Blocked')]),
    )
    const own = await run(world.owner.key, document, { id: world.configurationId })
    const wrong = await refusal(world.owner.key, document, ask([mapping('IN_PROGRESS', 'Blocked')]))

    expect(other.previewSync.steps).toEqual([{ action: 'UPDATE_FINDING', from: 'IDENTIFIED', to: 'IN_PROGRESS' }])
    expect(own.previewSync.steps).toEqual([{ action: 'NONE', from: 'Blocked', to: null }])
    expect(wrong.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'statusMappings' })
  })
})
