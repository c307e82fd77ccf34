// TaskTracker speaks to ClickUp as its API description says: lists, statuses, tasks created once and moved, webhooks.

import { describe, expect, test } from 'vitest'
import { features, serveTasks, TASKS_ORIGIN } from '../../../test/testkit/tasks-fake.ts'
import { LIST_ID, STATUSES } from '../../../test/testkit/tasks-list.ts'
import { vendorContract } from '../../../test/testkit/vendor-contract.ts'
import { fakeVendor, get, json, post, put, remove } from '../../../test/testkit/vendor-fake.ts'
import { fakeSession } from '../../../test/testkit/vendor-session.ts'
import { liveThroughTroubles } from '../../../test/testkit/vendor-troubles.ts'
import { hmac } from '../../core/crypto.ts'
import type { Credential } from '../kinds.ts'
import type { NewItem, Tracker, TrackerPlace } from '../tracker.ts'
import { taskTracker } from './index.ts'

const contract = vendorContract('clickup/clickup')
const credential: Credential = { kind: 'TOKEN', token: 'pk_canary' }
const place: TrackerPlace = { project: null, team: null, board: null, listId: LIST_ID, workItemType: null, lane: null }

const tracker = (): Tracker => {
  if (!taskTracker.tracker) throw new Error('It is a tracker')
  return taskTracker.tracker
}
const open = (given: Credential = credential) => fakeSession(taskTracker, given, { workspaceId: '108' })

const newItem = (fields: Partial<NewItem> = {}): NewItem => ({
  place,
  key: 'platform-issue-7',
  title: 'SQL injection in /login',
  description: 'What is wrong',
  severity: 'CRITICAL',
  tags: ['merlon'],
  state: 'to do',
  fields: {},
  ...fields,
})

describe('lists', () => {
  const api = '/api/v2'
  const list = (id: string, name: string) => ({
    id,
    name,
    orderindex: 1,
    content: '',
    status: null,
    priority: null,
    assignee: null,
    task_count: null,
    due_date: null,
    start_date: null,
    folder: { id: '1', name: 'F', hidden: false, access: true },
    space: { id: '7', name: 'Web', access: true },
    archived: false,
    override_statuses: false,
    permission_level: 'create',
  })

  test('are found in spaces and folders, and named with them', async () => {
    const space = { id: '7', name: 'Web', private: false, statuses: [], multiple_assignees: false, features }
    const folder = { id: '1', name: 'Sprint', orderindex: 1, override_statuses: false, hidden: false, task_count: '0' }
    await fakeVendor(
      TASKS_ORIGIN,
      [
        get(`${api}/team/108/space`, json({ spaces: [space] })),
        get(
          `${api}/space/7/folder`,
          json({ folders: [{ ...folder, space: { id: '7', name: 'Web', access: true }, lists: [list('9', 'Two')] }] }),
        ),
        get(`${api}/space/7/list`, json({ lists: [list('8', 'One')] })),
      ],
      contract,
    )

    const found = await tracker().listProjects(open(), { search: 'o', page: 1, limit: 10, organizationName: null })

    expect(found).toEqual({
      items: [
        { id: '8', name: 'Web / One', branches: [] },
        { id: '9', name: 'Web / Sprint / Two', branches: [] },
      ],
      total: 2,
    })
  })

  test('are none where there are no spaces, or none in them', async () => {
    const space = { id: '7', name: 'Web', private: false, statuses: [], multiple_assignees: false, features }
    await fakeVendor(
      TASKS_ORIGIN,
      [
        get(`${api}/team/108/space`, json({ spaces: [] })),
        get(`${api}/team/108/space`, json({ spaces: [space] })),
        get(`${api}/space/7/folder`, json({ folders: [] })),
        get(`${api}/space/7/list`, json({ lists: [] })),
      ],
      contract,
    )
    const ask = () => tracker().listProjects(open(), { search: null, page: 1, limit: 10, organizationName: null })

    expect([await ask(), await ask()]).toEqual(Array(2).fill({ items: [], total: 0 }))
  })

  test('have their own statuses, or those of their space with ids of ours where it tells none', async () => {
    const own = await (async () => {
      await serveTasks(contract)
      return tracker().listStates(open(), place)
    })()
    await serveTasks(contract, { inherits: true })
    const inherited = await tracker().listStates(open(), place)

    expect(own.map(({ id, name }) => [id, name])).toEqual(STATUSES.map((name) => [`p1_${name}`, name]))
    expect(inherited.map(({ id, name }) => [id, name])).toEqual(STATUSES.map((name) => [`${LIST_ID}:${name}`, name]))
    expect(own.at(-1)).toMatchObject({ kind: 'closed', order: 3, color: '#d3d3d3' })
  })
})

describe('a task', () => {
  test('is made with its status, priority and mark, once, also when its answer was lost', async () => {
    const fake = await serveTasks(contract)
    fake.trouble = ({ method }) => (method === 'POST' ? 'DROP_ANSWER' : null)
    const session = open()
    await expect(tracker().createItem(session, newItem())).rejects.toMatchObject({ kind: 'UNREACHABLE' })
    fake.trouble = null

    const again = await tracker().createItem(session, newItem())

    expect(fake.writes).toEqual(['create 9h1'])
    expect(again).toMatchObject({ isFound: true, refused: null, item: { id: '9h1', state: 'to do', isInPlace: true } })
    expect(fake.tasks.get('9h1')?.asked).toMatchObject({
      name: 'SQL injection in /login',
      priority: 1,
      tags: ['platform-issue-7', 'merlon'],
      markdown_content: 'What is wrong\n\n[platform-issue-7]',
    })
    expect(fake.seen[0]?.headers.authorization).toBe('pk_canary')
  })

  test('is found by the mark in its text when its tags were lost', async () => {
    const fake = await serveTasks(contract, { losesTags: true })
    const session = open()
    await tracker().createItem(session, newItem())

    const again = await tracker().createItem(session, newItem())

    expect([fake.writes, again.isFound]).toEqual([['create 9h1'], true])
  })

  test('is moved at the revision that was seen, and not at another', async () => {
    const fake = await serveTasks(contract)
    const session = open()
    const { item } = await tracker().createItem(session, newItem())

    const moved = await tracker().setState(session, place, item.id, 'in progress', item.revision)
    const stale = tracker().setState(session, place, item.id, 'complete', item.revision)

    await expect(stale).rejects.toMatchObject({ kind: 'CONFLICT' })
    expect([moved.state, fake.tasks.get(item.id)?.status]).toEqual(['in progress', 'in progress'])
  })

  test('that gets a status that the list has not is refused in the vendor’s words', async () => {
    await serveTasks(contract)
    const session = open()
    const { item } = await tracker().createItem(session, newItem())

    const moving = tracker().setState(session, place, item.id, 'gone', item.revision)

    await expect(moving).rejects.toThrow('TaskTracker does not accept this: Status does not exist')
  })

  test('is missed once deleted, and found among those that changed, page by page', async () => {
    const fake = await serveTasks(contract)
    const session = open()
    for (let number = 1; number <= 201; number += 1) {
      fake.tasks.set(`t${number}`, {
        id: `t${number}`,
        status: 'complete',
        tags: [],
        text: '',
        created: number,
        updated: number,
        listId: LIST_ID,
        asked: {},
      })
    }

    const pages: number[] = []
    const since = new Date(0).toISOString()
    for await (const items of tracker().changedSince(session, place, since, () => true)) pages.push(items.length)
    fake.remove('t1')

    expect(pages).toEqual([100, 100, 1])
    expect(await tracker().readItem(session, place, 't1')).toBeNull()
    expect(await tracker().readItem(session, place, 't2')).toMatchObject({ state: 'complete', revision: '2' })
  })
})

describe('a webhook', () => {
  const url = 'https://merlon.example.test/hooks/1'
  const hook = (status: string) => ({
    id: 'hook-1',
    userid: 1,
    team_id: 108,
    endpoint: url,
    client_id: 'C',
    events: ['taskMoved'],
    task_id: null,
    list_id: null,
    folder_id: null,
    space_id: null,
    health: { status, fail_count: 0 },
    secret: 'theirs',
  })
  const plan = { projectId: null, ownerId: null, url, secret: 'ours' }
  const path = '/api/v2/team/108/webhook'

  test('is made with a secret of the vendor’s', async () => {
    const events = ['taskStatusUpdated', 'taskDeleted', 'taskMoved']
    await fakeVendor(
      TASKS_ORIGIN,
      [
        get(path, json({ webhooks: [] })),
        post(path, json({ id: 'hook-1', webhook: hook('active') }), { body: { endpoint: url, events } }),
      ],
      contract,
    )

    expect(await tracker().ensureHook(open(), plan)).toEqual({ hookId: 'hook-1', isSigned: true, secret: 'theirs' })
  })

  test('that was suspended is woken and not made again', async () => {
    const woken = put('/api/v2/webhook/hook-1', json({ id: 'hook-1', webhook: hook('active') }), {
      body: { status: 'active' },
    })
    await fakeVendor(TASKS_ORIGIN, [get(path, json({ webhooks: [hook('suspended')] })), woken], contract)

    expect(await tracker().ensureHook(open(), plan)).toEqual({ hookId: 'hook-1', isSigned: true, secret: 'theirs' })
  })

  test('is made in none of several workspaces, because each has a secret of its own, and one of before is taken away', async () => {
    const teams = ['108', '109'].map((id) => ({ ...team, id }))
    await fakeVendor(
      TASKS_ORIGIN,
      [
        get('/api/v2/team', json({ teams })),
        get(path, json({ webhooks: [hook('active'), { ...hook('active'), id: 'theirs', endpoint: `${url}2` }] })),
        remove('/api/v2/webhook/hook-1', json({})),
        get('/api/v2/team/109/webhook', json({ webhooks: [] })),
      ],
      contract,
    )
    const session = fakeSession(taskTracker, credential, { workspaceId: null })

    expect(await tracker().ensureHook(session, plan)).toBeNull()
  })

  test('is made in the one workspace that the credential sees', async () => {
    await fakeVendor(
      TASKS_ORIGIN,
      [
        get('/api/v2/team', json({ teams: [team] })),
        get(path, json({ webhooks: [] })),
        post(path, json({ id: 'hook-1', webhook: hook('active') })),
      ],
      contract,
    )
    const session = fakeSession(taskTracker, credential, { workspaceId: null })

    expect(await tracker().ensureHook(session, plan)).toMatchObject({ hookId: 'hook-1' })
  })

  test('is believed by the signature of its raw bytes alone', () => {
    const body = Buffer.from(
      '{"event":"taskStatusUpdated","task_id":"9h1","webhook_id":"hook-1","history_items":[{"id":"77","user":{"username":"Ada"},"after":{"status":"complete"}}]}',
    )
    const deliver = (signature: string, bytes = body) =>
      tracker().readHook({ headers: { 'x-signature': signature }, body: bytes, receivedAt: new Date(0) }, 'theirs')
    const signature = hmac(Buffer.from('theirs'), body).toString('hex')

    expect(deliver(signature)).toEqual({
      deliveryId: 'hook-1/77',
      kind: 'ITEM_CHANGED',
      project: null,
      item: '9h1',
      state: 'complete',
      revision: null,
      actor: 'Ada',
    })
    expect([deliver(''), deliver(signature, Buffer.concat([body, Buffer.from(' ')]))]).toEqual([null, null])
  })
})

const team = { id: '108', name: 'Acme', color: '#000', avatar: '', members: [] }

liveThroughTroubles({
  connector: taskTracker,
  credential,
  good: get('/api/v2/team', json({ teams: [team] })),
  call: (session) => taskTracker.check(session),
})
