// Sessions whose cookie every answer renews and whose former value ends, and sessions that end more often than a scan signs in.

import { expect, test } from 'vitest'
import type { ScanOptions } from '../../src/scanner/options.ts'
import type { Login } from '../../src/scanner/types.ts'
import { describe, type Handler, scanOfItems, serving } from './tiny.ts'

const form = '<form method="post"><input name="user"><input type="password" name="pass"></form>'
const asAnn = (url: string): Login => ({ type: 'FORM', url: `${url}/login`, username: 'ann', password: 'right' })

/** Each value of the cookie is good for so many questions; where it is `renewed`, every answer gives the next. */
function service({
  uses,
  renewed,
  turnsAway,
}: {
  uses: number
  renewed: boolean
  turnsAway: 'plainly' | 'with a cookie'
}) {
  const left = new Map<string, number>()
  let signIns = 0
  let count = 0
  const next = (): Record<string, string> => {
    count += 1
    const id = `value-number-${String(count).padStart(8, '0')}`
    left.set(id, uses)
    return { 'set-cookie': `sid=${id}; Path=/` }
  }
  const handle: Handler = ({ method, path, headers, query, body }) => {
    const id = /sid=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? ''
    if (path === '/login' && method === 'GET') return [200, form]
    if (path === '/login') {
      if (new URLSearchParams(String(body)).get('pass') !== 'right') return [200, form]
      signIns += 1
      return [302, '', { location: '/', ...next() }]
    }
    const isLeft = left.get(id) ?? 0
    if (isLeft === 0) {
      const visitors: Record<string, string> =
        turnsAway === 'plainly' ? {} : { 'set-cookie': 'sid=nobody-nobody-nobody; Path=/' }
      return [302, '', { location: '/login', ...visitors }]
    }
    left.set(id, isLeft - 1)
    const renewal: Record<string, string> = renewed ? next() : {}
    return [200, `<p>Welcome</p>${path === '/' ? '' : `<p>${query.get('name')}</p>`}`, renewal]
  }
  return { handle, signIns: () => signIns }
}

const scanned = ({ handle }: ReturnType<typeof service>, more: Partial<ScanOptions> = {}) =>
  serving(handle, (url) => scanOfItems(url, asAnn(url), more))

const places = Array.from({ length: 8 }, (_, index) => `/items${index}`)
const eightPlaces = describe(Object.fromEntries(places.map((place) => [`GET ${place}`, { query: { name: 'tea' } }])))
const ofEightPlaces = { schema: { name: 'openapi.json', text: eightPlaces } }

test.each(['plainly', 'with a cookie'] as const)(
  'a session whose cookie is good once is followed from answer to answer, where an old value is turned away %s',
  async (turnsAway) => {
    const target = service({ uses: 1, renewed: true, turnsAway })

    const outcome = await scanned(target, ofEightPlaces)

    expect([outcome.state, outcome.notes]).toEqual(['COMPLETED', []])
    expect(outcome.findings.map(({ check, operation }) => `${check} ${operation}`).sort()).toEqual(
      places.map((place) => `cross-site-scripting GET ${place}`),
    )
    expect(outcome.covered.map(({ place }) => place)).toEqual(
      expect.arrayContaining(places.map((place) => `GET ${place}`)),
    )
    expect(target.signIns()).toBeLessThan(4)
  },
)

test('it is noted when the target ends sessions more often than the scan signs in', async () => {
  const target = service({ uses: 2, renewed: false, turnsAway: 'plainly' })

  const outcome = await scanned(target, ofEightPlaces)

  expect(outcome.state).toBe('COMPLETED')
  expect(outcome.notes).toEqual([expect.stringContaining('sent without credentials, not as ann')])
  expect(outcome.covered).toEqual([])
  expect(target.signIns()).toBe(31)
})
