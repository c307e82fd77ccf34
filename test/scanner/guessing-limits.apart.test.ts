// What stops guesses, and what does not: limits, faults, and accounts that are still let in.

import { expect, test } from 'vitest'
import { post } from '../../src/scanner/requests.ts'
import { described, login } from './guesses.ts'
import { findingsOf, type Handler, places } from './tiny.ts'

test('a sign-in that stops after some guesses is not found', async () => {
  const found = await findingsOf(login({ limit: 12 }), ['unlimited-guessing'], described)

  expect(found).toEqual([])
})

test('a link to a page about captchas is no limit, and a captcha in the form is', async () => {
  const page =
    (text: string): Handler =>
    () => [200, `<p>Wrong name or password</p>${text}`]
  const asked = { 'POST /login': { body: { username: 'somebody', password: 'x' }, isOpen: true } }

  const linked = await findingsOf(page('<a href="/about/captcha">Captchas</a>'), ['unlimited-guessing'], asked)
  const asking = await findingsOf(page('<input name="captcha_answer">'), ['unlimited-guessing'], asked)

  expect(places(linked)).toEqual(['POST /login'])
  expect(asking).toEqual([])
})

test('a fault of the target that says that there is no such user is a refusal, another fault is none', async () => {
  const service =
    (error: string): Handler =>
    () => [500, { error }]

  const refusing = await findingsOf(service('User not found'), ['unlimited-guessing'], described)

  expect(places(refusing)).toEqual(['POST /login'])
  expect(await findingsOf(service('Invalid column user.password'), ['unlimited-guessing'], described)).toEqual([])
})

test('a limit that was met before, and whose words say nothing of it, is a limit', async () => {
  const service = (limit: number): Handler => {
    let asked = 0
    return () => {
      asked += 1
      return asked > limit ? [200, { session: null, error: 'Something went wrong' }] : [200, { session: null }]
    }
  }
  const nobody = { identities: [] }

  expect(await findingsOf(service(1), ['unlimited-guessing'], described, nobody)).toEqual([])
  expect(places(await findingsOf(service(1_000), ['unlimited-guessing'], described, nobody))).toEqual(['POST /login'])
})

test('a limit that was met before, and which sends whoever guesses elsewhere, is a limit', async () => {
  let asked = 0
  const service: Handler = () => {
    asked += 1
    return asked > 1 ? [302, '', { location: '/please-wait' }] : [401, { message: 'Invalid name or password' }]
  }

  expect(await findingsOf(service, ['unlimited-guessing'], described, { identities: [] })).toEqual([])
})

test('a sign-in that let in the account which the scan itself had made is guessed at still', async () => {
  let isIn = false
  const service: Handler = ({ path, body }) => {
    if (path !== '/login') return [200, 'tea']
    const isRight = !isIn && Object(body).password === 'right-1'
    isIn ||= isRight
    return isRight ? [302, '', { location: '/' }] : [200, '<p>Authentication failed: no such name or password</p>']
  }

  const found = await findingsOf(service, ['unlimited-guessing'], {
    'POST /login': { body: { username: 'somebody', password: 'right-1' }, isOpen: true },
  })

  expect(places(found)).toEqual(['POST /login'])
})

/** Fails at some of the wrong guesses, or at all of them. */
const failing = (isFault: (guess: number) => boolean): Handler => {
  let guesses = 0
  return ({ path, body }) => {
    if (path !== '/login') return [200, {}]
    if (typeof body === 'object' && body !== null && 'password' in body && body.password === 'right')
      return [200, { token: '6b1f0c7a9d3e4f5a8b2c' }]
    guesses += 1
    return isFault(guesses) ? [500, 'Internal Server Error'] : [401, { message: 'Wrong name or password' }]
  }
}

test('a fault between guesses stops nobody, and many of them may be what does', async () => {
  const some = await findingsOf(
    failing((guess) => guess === 9),
    ['unlimited-guessing'],
    described,
  )
  const many = await findingsOf(
    failing((guess) => guess > 9),
    ['unlimited-guessing'],
    described,
  )
  const first = await findingsOf(
    failing(() => true),
    ['unlimited-guessing'],
    described,
  )

  expect(places(some)).toEqual(['POST /login'])
  expect([...many, ...first]).toEqual([])
})

test('a sign-in that fails at each wrong password is found where somebody signed in with it', async () => {
  const found = await findingsOf(
    failing(() => true),
    ['unlimited-guessing'],
    described,
    (target) => ({
      identities: [
        {
          name: 'ann',
          headers: [],
          cookies: [],
          query: [],
          login: {
            type: 'TOKEN',
            request: post(
              `${target}/login`,
              'application/json',
              JSON.stringify({ username: 'ann', password: 'right' }),
            ),
          },
        },
      ],
    }),
  )

  expect(places(found)).toEqual(['POST /login'])
})

test.each([
  ['is still let in after all guesses', Number.POSITIVE_INFINITY, 1],
  ['is shut out after some', 10, 0],
])('an account that the scan has made between, and that %s, is told so: %i', async (_, most, count) => {
  const accounts = new Map<unknown, unknown>()
  let refused = 0
  const service: Handler = ({ path, body }) => {
    const { username, password } = Object(body)
    if (path === '/register') accounts.set(username, password)
    if (path === '/register') return [201, { message: 'welcome' }]
    if (!accounts.has(username)) return [401, { message: 'This user was not found' }]
    const isRight = accounts.get(username) === password && refused < most
    if (!isRight) refused += 1
    return isRight
      ? [200, { token: 'something' }]
      : [401, { message: 'The name and this do not belong together: wrong' }]
  }

  const found = await findingsOf(
    service,
    ['unlimited-guessing'],
    {
      'POST /login': { body: { username: 'somebody', password: 'x' }, isOpen: true },
      'POST /register': { body: { username: 'somebody', password: 'x' }, isOpen: true },
    },
    { identities: [] },
  )

  expect(found).toHaveLength(count)
})
