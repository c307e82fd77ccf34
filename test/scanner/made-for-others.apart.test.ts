// What is made in another user's name: found where a field decides it, and not where the server does, or where everybody sees all.

import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

type Ways = 'takes who is sent' | 'takes who asks' | 'shows all to everybody' | 'shows the maker too'

/** Orders of two people, a by the id 11 and b by the id 12. */
function orders(way: Ways): Handler {
  const ids: Record<string, number> = { a: 11, b: 12 }
  const made: { userId: number; by: number; note: unknown; id: number }[] = []
  return ({ method, path, body, user }) => {
    const own = ids[user ?? '']
    if (own === undefined) return [401, {}]
    if (path === '/me') return [200, { id: own, username: `user-${user}` }]
    if (method === 'GET') {
      const mine = made.filter(({ userId, by }) => userId === own || (way === 'shows the maker too' && by === own))
      return [200, way === 'shows all to everybody' ? made : mine]
    }
    const { note, userId } = Object(body)
    const whose = way === 'takes who asks' || typeof userId !== 'number' ? own : userId
    made.push({ id: made.length, note, userId: whose, by: own })
    return [201, { message: 'thank you' }]
  }
}

const described = (body: Record<string, unknown>) => ({ 'GET /me': {}, 'GET /orders': {}, 'POST /orders': { body } })

const scanned = (handle: Handler, body: Record<string, unknown>) =>
  findingsOf(handle, ['made-for-others'], described(body), { profile: 'DEEP' })

test.each([
  ['that the description has', { note: 'by hand', userId: 11 }],
  ['that only the list has', { note: 'by hand' }],
])('an order of somebody else is found by a field %s', async (_, body) => {
  const handle = orders('takes who is sent')
  // there is one before the scan, as in every list that is in use
  await handle({ method: 'POST', path: '/orders', query: new URLSearchParams(), headers: {}, body: {}, user: 'a' })

  const found = await scanned(handle, body)

  expect(found.map(({ operation, cwes, parameter }) => [operation, cwes, parameter?.name])).toEqual([
    ['POST /orders', [639], 'userId'],
  ])
})

test.each<Ways>(['takes who asks', 'shows all to everybody', 'shows the maker too'])(
  'nothing is found where the service %s',
  async (way) => {
    expect(await scanned(orders(way), { note: 'by hand', userId: 11 })).toEqual([])
  },
)

test('an answer that says whose it is tells it where nothing lists what was made; one that repeats what was sent does not', async () => {
  const service =
    (isFilled: boolean): Handler =>
    ({ path, body, user }) => {
      const own = user === 'a' ? 11 : 12
      if (path === '/me') return [200, { id: own, username: `user-${user}` }]
      return [201, { ...(isFilled ? { userId: own } : {}), ...Object(body) }]
    }

  expect(await scanned(service(true), { note: 'by hand', userId: 11 })).toHaveLength(1)
  expect(await scanned(service(false), { note: 'by hand', userId: 11 })).toEqual([])
})

test('only a scan that may change what is others’ makes anything in their names', async () => {
  const sent: unknown[] = []
  const handle = orders('takes who is sent')
  const noting: Handler = (asked) => {
    if (asked.method === 'POST') sent.push(Object(asked.body).userId)
    return handle(asked)
  }

  await findingsOf(noting, [], described({ note: 'by hand', userId: 11 }), { profile: 'BALANCED', checks: undefined })

  expect(sent).toContain(11)
  expect(sent).not.toContain(12)
})

test('what people give each other to do is for whoever gives it to say', async () => {
  const handle = orders('takes who is sent')
  const asTasks: Handler = (asked) => handle({ ...asked, path: asked.path.replace('/tasks', '/orders') })
  const operations = { 'GET /me': {}, 'GET /tasks': {}, 'POST /tasks': { body: { note: 'by hand', userId: 11 } } }

  expect(await findingsOf(asTasks, ['made-for-others'], operations, { profile: 'DEEP' })).toEqual([])
})
