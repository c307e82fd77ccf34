// Things of accounts that are called otherwise where they are read than where somebody signs in.

import { expect, test } from 'vitest'
import type { Identity } from '../../src/scanner/types.ts'
import { describe, findingsOf, type Handler, places } from './tiny.ts'

const PEOPLE = ['karine-le', 'foobar-sy']
const SHEEP: Record<string, string> = { 'karine-le': 'Blackie of the north hill', 'foobar-sy': 'Fluffy of the mill' }

/** The sign-in tells a `userId`, and the flock is kept for a `keeperId`. */
const flock =
  (isOpenToOthers: boolean): Handler =>
  ({ path, headers, body }) => {
    if (path === '/login') {
      const { name } = Object(body)
      return PEOPLE.includes(name) ? [200, { id: `t-${name}-9f`, token: `token-of-${name}`, userId: name }] : [401, {}]
    }
    const mine = PEOPLE.find((name) => headers.authorization === `Bearer token-of-${name}`)
    const asked = /^\/keepers\/([^/]+)\/sheep$/.exec(path)?.[1] ?? ''
    if (mine === undefined) return [401, {}]
    if (!PEOPLE.includes(asked) || (!isOpenToOthers && asked !== mine)) return [403, {}]
    return [200, { items: [{ id: `s-${asked}-77`, name: SHEEP[asked], note: `counted by hand for ${asked}` }] }]
  }

const keeper = (target: string, name: string): Identity => ({
  name,
  headers: [],
  cookies: [],
  query: [],
  login: {
    type: 'TOKEN',
    request: {
      method: 'POST',
      url: `${target}/login`,
      headers: [
        ['Host', new URL(target).host],
        ['Content-Type', 'application/json'],
        ['Content-Length', String(JSON.stringify({ name }).length)],
      ],
      body: JSON.stringify({ name }),
    },
  },
})

const foundAt = async (isOpenToOthers: boolean) => {
  const described = describe({ 'GET /keepers/{keeperId}/sheep': { path: { keeperId: 'none' } } })
  const text = described.replace(',"example":"none"', '')
  const more = (target: string) => ({
    schema: { name: 'openapi.json', text },
    identities: PEOPLE.map((name) => keeper(target, name)),
  })
  return places(await findingsOf(flock(isOpenToOthers), ['object-access'], {}, more))
}

test('what the other account gets by the id that the sign-in told is found, and nothing where it is refused', async () => {
  expect(await foundAt(true)).toEqual(['GET /keepers/{keeperId}/sheep'])
  expect(await foundAt(false)).toEqual([])
})
