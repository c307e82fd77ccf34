// Methods that go past the check of credentials: found where one is answered what GET is refused, and not where it is not.

import { expect, test } from 'vitest'
import { findingsOf, type Handler, places } from './tiny.ts'

type Asked = Parameters<Handler>[0]

const REPORT = { month: 'October', total: 4210, best: 'teapots', by: 'Ann of the third floor' }

/** Refuses strangers where `isChecked` says so. */
const service =
  (isChecked: (asked: Asked) => boolean): Handler =>
  (asked) => {
    if (asked.path !== '/report') return [404, { error: 'nothing' }]
    if (asked.user === null && isChecked(asked)) return [401, { error: 'sign in first' }]
    const isRead =
      asked.method === 'GET' || asked.method === 'HEAD' || asked.headers['x-http-method-override'] === 'GET'
    return isRead || asked.method === 'POST' ? [200, REPORT] : [405, { error: 'no such method' }]
  }

test.each([
  ['any but GET', ({ method }: Asked) => method === 'GET'],
  ['POST that says it is GET', ({ method, headers }: Asked) => method !== 'POST' || !headers['x-http-method-override']],
])('a report that %s opens is found', async (_, isChecked) => {
  const found = await findingsOf(service(isChecked), ['verb-tampering'], { 'GET /report': {} })

  expect(found.map(({ operation, cwes }) => [operation, cwes[0]])).toEqual([['GET /report', 650]])
})

test('a report that is refused by every method, or open to all, is not found', async () => {
  const closed = await findingsOf(
    service(() => true),
    ['verb-tampering'],
    { 'GET /report': {} },
  )
  const open = await findingsOf(
    service(() => false),
    ['verb-tampering'],
    { 'GET /report': {} },
  )

  expect([...places(closed), ...places(open)]).toEqual([])
})

test('what POST makes is not made in search of another way in', async () => {
  const posted: string[] = []
  const handle = service(({ method }) => method === 'GET')

  await findingsOf(
    (asked) => {
      if (asked.method === 'POST' && asked.user === null) posted.push(asked.path)
      return asked.method === 'HEAD' ? [405, ''] : handle(asked)
    },
    ['verb-tampering'],
    { 'GET /report': {}, 'POST /report': { body: { month: 'May' } } },
  )

  expect(posted).toEqual([])
})
