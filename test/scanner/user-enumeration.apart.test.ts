// Answers that tell which accounts exist, and answers that are one for all.

import { expect, test } from 'vitest'
import { described, login } from './guesses.ts'
import { findingsOf, type Handler, places } from './tiny.ts'

test('a sign-in that tells unknown names is found', async () => {
  const found = await findingsOf(login({ isTelling: true }), ['user-enumeration'], described)

  expect(found.map(({ operation, parameter, cwes }) => [operation, parameter?.name, cwes])).toEqual([
    ['POST /login', 'username', [204]],
  ])
})

test('a sign-in that fails on unknown names tells them, and one that fails by turns, or is away, does not', async () => {
  let turn = 0
  const failing =
    (fails: (isKnown: boolean) => number): Handler =>
    ({ path, body, user }) => {
      if (path !== '/login') return user === null ? [401, {}] : [200, { username: `user-${user}` }]
      return [fails(/"user-[ab]"/.test(JSON.stringify(body))), { message: 'not now' }]
    }
  const found = async (fails: (isKnown: boolean) => number) =>
    places(await findingsOf(failing(fails), ['user-enumeration'], described))

  expect(await found((isKnown) => (isKnown ? 401 : 500))).toEqual(['POST /login'])
  expect(await found(() => (turn++ % 2 === 0 ? 401 : 500))).toEqual([])
  expect(await found((isKnown) => (isKnown ? 401 : 503))).toEqual([])
})

test('one answer for all names, steady or changing by itself, is not found', async () => {
  const steady = await findingsOf(login({}), ['user-enumeration'], described)
  const noisy = await findingsOf(login({ isNoisy: true }), ['user-enumeration'], described)

  expect(steady).toEqual([])
  expect(noisy).toEqual([])
})

test('one word of a long page tells names, and words that come by turns do not', async () => {
  const page = (word: string) => `<h1>Sign in</h1><p>${'tea and cake '.repeat(100)}</p><b>Wrong ${word}</b>`
  let turn = 0
  const telling: Handler = ({ body, user }) => {
    if (user !== null) return [200, { username: `user-${user}` }]
    return [200, page(JSON.stringify(body).includes('"user-a"') ? 'password' : 'name')]
  }
  const turning: Handler = ({ user }) => {
    if (user !== null) return [200, { username: `user-${user}` }]
    turn += 1
    return [200, page(turn % 2 === 0 ? 'password' : 'name')]
  }

  const [told, turned] = [
    await findingsOf(telling, ['user-enumeration'], described),
    await findingsOf(turning, ['user-enumeration'], described),
  ]

  expect(places(told)).toEqual(['POST /login'])
  expect(turned).toEqual([])
})

test('a name that stands in other words of one page for all tells nothing', async () => {
  const page = '<p>Wrong name or password</p><a href="/of-user-a/login">Again</a>'
  const same: Handler = ({ user }) => [200, user === null ? page : { username: `user-${user}` }]

  expect(await findingsOf(same, ['user-enumeration'], described)).toEqual([])
})

test('whose password it is that was forgotten is asked with names of accounts only where the scan may destroy', async () => {
  const asked: unknown[] = []
  const service: Handler = ({ path, body, user }) => {
    if (path === '/me') return user === null ? [401, {}] : [200, { email: `${user}@shop.example` }]
    asked.push(path, body)
    const isKnown = /[ab]@shop\.example/.test(`${path} ${JSON.stringify(body)}`)
    return isKnown ? [200, { message: 'A new password was sent' }] : [404, { message: 'There is no such account' }]
  }
  const forgotten = {
    'GET /me': {},
    'POST /password/forgot': { body: { email: '' }, isOpen: true },
    'POST /accounts/{email}/forgot-password': { path: { email: '' }, isOpen: true },
  }
  const isOfAccounts = () => /[ab]@shop\.example/.test(JSON.stringify(asked))

  const harmless = await findingsOf(service, ['user-enumeration'], forgotten)
  const wasAsked = isOfAccounts()
  const requested = await findingsOf(service, ['user-enumeration'], forgotten, { allowDestructive: true })

  expect([harmless, wasAsked]).toEqual([[], false])
  expect(places(requested)).toContain('POST /password/forgot')
})

test('what the program that asks has is no second password', async () => {
  const found = await findingsOf(login({ isTelling: true }), ['unlimited-guessing', 'user-enumeration'], {
    'GET /me': {},
    'POST /login': { body: { username: 'somebody', password: 'x', client_secret: 'y' }, isOpen: true },
  })

  expect(found.map(({ check }) => check).sort()).toEqual(['unlimited-guessing', 'user-enumeration'])
})
