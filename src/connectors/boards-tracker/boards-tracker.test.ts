// BoardsTracker speaks to Azure DevOps as its API description says: places, work items created once and moved by revision, hooks.

import { describe, expect, test } from 'vitest'
import { BOARD, BOARDS_ORIGIN, PROJECT, STATES, serveBoards, TEAM } from '../../../test/testkit/boards-fake.ts'
import { vendorContract } from '../../../test/testkit/vendor-contract.ts'
import { fakeVendor, get, json, post } from '../../../test/testkit/vendor-fake.ts'
import { fakeSession } from '../../../test/testkit/vendor-session.ts'
import { liveThroughTroubles } from '../../../test/testkit/vendor-troubles.ts'
import type { Credential } from '../kinds.ts'
import type { NewItem, Tracker, TrackerPlace } from '../tracker.ts'
import { boardsTracker } from './index.ts'
import { htmlOf } from './text.ts'

const contract = vendorContract('azure-devops/azure-devops')
const credential: Credential = { kind: 'TOKEN', token: 'pat-canary' }
const settings = { organizationName: 'acme' }
const place: TrackerPlace = {
  project: PROJECT,
  team: TEAM,
  board: BOARD,
  listId: null,
  workItemType: 'Bug',
  lane: null,
}

const tracker = (): Tracker => {
  if (!boardsTracker.tracker) throw new Error('It is a tracker')
  return boardsTracker.tracker
}
const open = (given: Credential = credential) => fakeSession(boardsTracker, given, settings)

const newItem = (fields: Partial<NewItem> = {}): NewItem => ({
  place,
  key: 'platform-issue-7',
  title: 'SQL injection in /login',
  description: 'A <b>bold</b> one\n\n```js\nquery(id)\n```',
  severity: 'HIGH',
  tags: ['merlon'],
  state: 'Active',
  fields: {},
  ...fields,
})

describe('places', () => {
  test('are listed in three pages and an empty one, without a total, which the vendor does not give', async () => {
    const page = (size: number, from: number) =>
      Array.from({ length: size }, (_, index) => ({ ...PROJECT, name: `Project ${from + index}` }))
    const path = '/acme/_apis/projects'
    await fakeVendor(
      BOARDS_ORIGIN,
      [
        get(path, json({ count: 2, value: page(2, 0) }), { query: { 'api-version': '7.1', $top: '2', $skip: '0' } }),
        get(path, json({ count: 2, value: page(2, 2) }), { query: { $skip: '2' } }),
        get(path, json({ count: 1, value: page(1, 4) }), { query: { $skip: '4' } }),
        get(path, json({ count: 0, value: [] }), { query: { $skip: '6' } }),
      ],
      contract,
    )
    const ask = (number: number) =>
      tracker().listProjects(open(), { search: null, page: number, limit: 2, organizationName: null })

    const pages = [await ask(1), await ask(2), await ask(3), await ask(4)]

    expect(pages.map(({ items, total }) => [items.map(({ name }) => name), total])).toEqual([
      [['Project 0', 'Project 1'], null],
      [['Project 2', 'Project 3'], null],
      [['Project 4'], null],
      [[], null],
    ])
  })

  test('are searched by name, and lead to teams, boards and states', async () => {
    await serveBoards(contract)
    const session = open()

    const projects = await tracker().listProjects(session, {
      search: 'fabri',
      page: 1,
      limit: 10,
      organizationName: 'other',
    })
    const teams = await tracker().listTeams?.(session, PROJECT.id)
    const boards = await tracker().listBoards?.(session, PROJECT.id, TEAM.id)
    const states = await tracker().listStates(session, place)

    expect(projects).toEqual({ items: [{ ...PROJECT, branches: [] }], total: 1 })
    expect([teams, boards]).toEqual([[TEAM], [BOARD]])
    expect(states.map(({ id, name, color, order }) => [id, name, color, order])).toEqual(
      STATES.map((name, order) => [name, name, '#b2b2b2', order]),
    )
  })

  test('are settled with the type that fits best, and refused with a type or lane that is not there', async () => {
    await serveBoards(contract)
    const settled = await tracker().settlePlace(open(), { ...place, workItemType: null, lane: 'Fast' })
    const refuse = (change: Partial<TrackerPlace>) => tracker().settlePlace(open(), { ...place, ...change })

    expect(settled).toEqual({ ...place, workItemType: 'Bug', lane: 'Fast' })
    await expect(refuse({ workItemType: 'Theme' })).rejects.toThrow('no work item type Theme; it has Bug, User Story')
    await expect(refuse({ lane: 'Slow' })).rejects.toThrow('no lane Slow')
  })

  test('are refused with a type that the project has and the board does not show', async () => {
    await serveBoards(contract)

    const settling = tracker().settlePlace(open(), { ...place, workItemType: 'Epic' })

    await expect(settling).rejects.toMatchObject({
      kind: 'INVALID',
      message: expect.stringContaining('the board shows no work items of the type Epic; it shows Bug, User Story'),
    })
  })

  test('are settled under the names that the vendor has, whatever names are given', async () => {
    await serveBoards(contract)
    const misnamed = ({ id }: { id: string }) => ({ id, name: 'Another' })
    const asked = { ...place, project: misnamed(PROJECT), team: misnamed(TEAM), board: misnamed(BOARD) }

    expect(await tracker().settlePlace(open(), asked)).toEqual(place)
  })

  test.each(['project', 'team', 'board'])('are refused as missing when the %s is not there', async (part) => {
    await serveBoards(contract)
    const gone = { id: '99999999-9999-4999-8999-999999999999', name: 'Gone' }

    const settling = tracker().settlePlace(open(), { ...place, [part]: gone })

    await expect(settling).rejects.toMatchObject({ kind: 'MISSING', code: 'NOT_FOUND' })
  })
})

describe('a work item', () => {
  test('is made in the area of its team, marked with its finding, and moved to its state', async () => {
    const { cards, seen } = await serveBoards(contract)

    const { item, isFound, refused } = await tracker().createItem(open(), newItem())

    const card = cards.get(1)
    expect([item.state, item.revision, item.isInPlace, isFound, refused]).toEqual(['Active', '2', true, false, null])
    expect(item.url).toBe('https://dev.azure.com/acme/Fabrikam/_workitems/edit/1')
    expect(card?.fields).toMatchObject({
      'System.Title': 'SQL injection in /login',
      'System.AreaPath': 'Fabrikam\\Web',
      'System.Tags': 'platform-issue-7; merlon',
      'Microsoft.VSTS.Common.Severity': '2 - High',
      'Microsoft.VSTS.Common.Priority': 2,
    })
    expect(card?.fields['System.Description']).toContain('A &lt;b&gt;bold&lt;/b&gt; one')
    expect(seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from(':pat-canary').toString('base64')}`)
  })

  test('is the one that there is already, also when its answer was lost', async () => {
    const fake = await serveBoards(contract)
    fake.trouble = ({ path }) => (path.includes('workitems/$') ? 'DROP_ANSWER' : null)
    const session = open()
    await expect(tracker().createItem(session, newItem())).rejects.toMatchObject({ kind: 'UNREACHABLE' })
    fake.trouble = null

    const again = await tracker().createItem(session, newItem())
    fake.move(1, 'Resolved')
    const moved = await tracker().createItem(session, newItem())

    expect(fake.writes).toEqual(['create 1', 'move 1 Active'])
    expect([again.isFound, again.item.state]).toEqual([true, 'Active'])
    expect([moved.isFound, moved.item.state]).toEqual([true, 'Resolved'])
  })

  test('that may not have its state says so in the vendor’s words and is there all the same', async () => {
    await serveBoards(contract, { closedTo: ['Active'] })

    const { item, refused } = await tracker().createItem(open(), newItem())

    expect(item.state).toBe('New')
    expect(refused).toContain('not in the list of supported values')
  })

  test('is moved at the revision that was seen, and not at another', async () => {
    const fake = await serveBoards(contract)
    const session = open()
    const { item } = await tracker().createItem(session, newItem())

    const moved = await tracker().setState(session, place, item.id, 'Resolved', item.revision)
    const stale = tracker().setState(session, place, item.id, 'Closed', item.revision)

    await expect(stale).rejects.toMatchObject({ kind: 'CONFLICT' })
    expect([moved.state, fake.cards.get(1)?.state]).toEqual(['Resolved', 'Resolved'])
  })

  test('is read with who changed it, is distinct from one that was moved elsewhere, and is missing once deleted', async () => {
    const fake = await serveBoards(contract)
    const session = open()
    const { item } = await tracker().createItem(session, newItem())
    fake.move(1, 'Closed')
    const moved = await tracker().readItem(session, place, item.id)
    fake.carry(1, 'Elsewhere')
    const carried = await tracker().readItem(session, place, item.id)
    fake.remove(1)
    const deleted = await tracker().readItem(session, place, item.id)

    expect([moved?.state, moved?.changedBy, moved?.isInPlace]).toEqual(['Closed', 'Ada', true])
    expect(carried?.isInPlace).toBe(false)
    expect(deleted).toBeNull()
  })

  test('stays in place when its project is renamed, and not when it is carried out of it', async () => {
    const fake = await serveBoards(contract)
    const session = open()
    for (const number of [1, 2]) await tracker().createItem(session, newItem({ key: `platform-issue-${number}` }))
    fake.rename('Contoso')
    fake.carry(2, 'Elsewhere')

    const read = await tracker().readItem(session, place, '1')
    const moved = await tracker().setState(session, place, '1', 'Resolved', null)
    const carried = await tracker().readItem(session, place, '2')

    expect([read?.isInPlace, moved.isInPlace, carried?.isInPlace]).toEqual([true, true, false])
    expect(read?.url).toBe('https://dev.azure.com/acme/Contoso/_workitems/edit/1')
    const changed = tracker().changedSince(session, place, new Date(0).toISOString(), () => true)
    for await (const items of changed) expect(items.map(({ id, isInPlace }) => [id, isInPlace])).toEqual([['1', true]])
  })

  test('is found among those that changed since a time, of those that are known', async () => {
    const fake = await serveBoards(contract)
    const session = open()
    for (const number of [1, 2, 3]) await tracker().createItem(session, newItem({ key: `platform-issue-${number}` }))
    const since = new Date((fake.cards.get(3)?.changedAt ?? 0) + 1).toISOString()
    for (const number of [1, 2]) fake.move(number, 'Closed')

    const found: string[] = []
    for await (const items of tracker().changedSince(session, place, since, (id) => id !== '2')) {
      found.push(...items.map(({ id, state }) => `${id} ${state}`))
    }

    expect(found).toEqual(['1 Closed'])
  })
})

describe('a service hook', () => {
  const subscription = (id: string, eventType: string) => ({
    id,
    eventType,
    publisherInputs: { projectId: PROJECT.id },
    consumerInputs: { url: 'https://merlon.example.test/hooks/1' },
  })
  const plan = { projectId: PROJECT.id, ownerId: null, url: 'https://merlon.example.test/hooks/1', secret: 'hush' }
  const path = '/acme/_apis/hooks/subscriptions'

  test('is subscribed once for changes and deletions', async () => {
    const [first, second] = ['44444444-4444-4444-8444-444444444441', '44444444-4444-4444-8444-444444444442']
    await fakeVendor(
      BOARDS_ORIGIN,
      [
        get(path, json({ count: 1, value: [subscription(first, 'workitem.updated')] })),
        post(path, json(subscription(second, 'workitem.deleted')), {
          body: {
            eventType: 'workitem.deleted',
            consumerInputs: { basicAuthUsername: 'merlon', basicAuthPassword: 'hush' },
          },
        }),
      ],
      contract,
    )

    const made = await tracker().ensureHook(open(), plan)

    expect(made).toEqual({ hookId: `${first},${second}`, isSigned: true })
  })

  test('is left to a person when the credential may not', async () => {
    await fakeVendor(BOARDS_ORIGIN, [get(path, json({ message: 'Access denied' }, { status: 403 }))], contract)

    expect(await tracker().ensureHook(open(), plan)).toBeNull()
  })

  test('is believed with the password alone, and says which item changed', () => {
    const body = Buffer.from(
      JSON.stringify({
        id: 'event-1',
        eventType: 'workitem.updated',
        resource: {
          id: 5,
          workItemId: 12,
          rev: 4,
          revisedBy: { displayName: 'Ada' },
          revision: { fields: { 'System.State': 'Closed' } },
        },
        resourceContainers: { project: { id: PROJECT.id } },
      }),
    )
    const deliver = (authorization: string) =>
      tracker().readHook({ headers: { authorization }, body, receivedAt: new Date(0) }, 'hush')
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

    expect(deliver(basic('merlon:hush'))).toEqual({
      deliveryId: 'event-1',
      kind: 'ITEM_CHANGED',
      project: PROJECT.id,
      item: '12',
      state: 'Closed',
      revision: '4',
      actor: 'Ada',
    })
    expect([deliver(basic('merlon:other')), deliver('')]).toEqual([null, null])
  })
})

test('Markdown becomes HTML of which nothing is markup of its own', () => {
  expect(htmlOf('a <script>\nb\n\nc')).toBe('<div>a &lt;script&gt;<br>b</div><div>c</div>')
  expect(htmlOf('see\n```html\n<b>"x"</b>\n```\nend')).toBe(
    '<div>see</div><pre>&lt;b&gt;&quot;x&quot;&lt;/b&gt;</pre><div>end</div>',
  )
})

liveThroughTroubles({
  connector: boardsTracker,
  credential,
  settings,
  good: get('/acme/_apis/projects', json({ count: 1, value: [PROJECT] })),
  call: (session) => boardsTracker.check(session),
})
