// Guessing and enumeration: found where nothing stops or hides them, and not where a limit or one answer for all does.

import { expect, test } from 'vitest'
import { post } from '../../src/scanner/requests.ts'
import { findingsOf, type Handler, places } from './tiny.ts'

type Ways = { limit?: number; isTelling?: boolean; isNoisy?: boolean }

const login = ({ limit = Number.POSITIVE_INFINITY, isTelling = false, isNoisy = false }: Ways): Handler => {
  let refused = 0
  return ({ path, body, user }) => {
    if (path !== '/login') return user === null ? [401, {}] : [200, { username: `user-${user}` }]
    const name = typeof body === 'object' && body !== null && 'username' in body ? body.username : ''
    refused += 1
    if (refused > limit) return [429, { message: 'too many attempts' }]
    const isKnown = name === 'user-a' || name === 'user-b'
    const message = isTelling && !isKnown ? 'This user does not exist here' : 'Wrong name or password'
    return [
      401,
      isNoisy
        ? { message, hint: ['a tip for today', 'another piece of advice', 'some words'][refused % 3] }
        : { message },
    ]
  }
}
const described = {
  'POST /login': { body: { username: 'somebody', password: 'x' }, isOpen: true },
  'GET /me': {},
  'POST /register': { body: { username: 'somebody', password: 'x' }, isOpen: true },
}

test('a sign-in that never refuses a guess is found; registering is not one', async () => {
  const found = await findingsOf(login({}), ['unlimited-guessing'], described)

  expect(places(found)).toEqual(['POST /login'])
  expect(found[0]?.cwes).toEqual([307])
})

test('what no name says to be a sign-in is found where it says that the password is wrong', async () => {
  const service =
    (message: string): Handler =>
    () => [200, { message }]
  const diagnostics = { 'POST /diagnostics': { body: { username: 'somebody', password: 'x', task: 'uptime' } } }

  const refusing = await findingsOf(service('Password incorrect'), ['unlimited-guessing'], diagnostics)
  const other = await findingsOf(service('Done; password unchanged'), ['unlimited-guessing'], diagnostics)
  const ofForm = await findingsOf(service('Invalid password: eight letters are needed'), ['unlimited-guessing'], {
    'POST /people': { body: { username: 'somebody', password: 'x' } },
  })

  expect(places(refusing)).toEqual(['POST /diagnostics'])
  expect([...other, ...ofForm]).toEqual([])
})

test('a form that has the name filled in already is no sign-in', async () => {
  const profile =
    (name: string): Handler =>
    ({ path, method }) => {
      if (path === '/') return [200, '<a href=/desk>Me</a>']
      if (method === 'POST') return [401, { error: 'No' }]
      if (path !== '/desk') return [404, '']
      return [200, `<form method=post><input name=name value="${name}"><input name=password type=password></form>`]
    }
  const found = async (name: string) =>
    places(await findingsOf(profile(name), ['unlimited-guessing'], {}, { schema: null, crawl: true, identities: [] }))

  expect(await found('')).toEqual(['POST /desk#name&password'])
  expect(await found('Foo')).toEqual([])
})

test('a field is a password by what the description says it holds, whatever its name', async () => {
  const service: Handler = () => [401, { message: 'No such account or word' }]
  const described = (format: string) =>
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 't', version: '1' },
      paths: {
        '/doLogin': {
          post: {
            requestBody: {
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    properties: {
                      uid: { type: 'string', example: 'x' },
                      word: { type: 'string', format, example: 'x' },
                    },
                  },
                },
              },
            },
            responses: { default: { description: '' } },
          },
        },
      },
    })
  const asked = (format: string) =>
    findingsOf(service, ['unlimited-guessing'], {}, { schema: { name: 'api.json', text: described(format) } })

  const [password, other] = [await asked('password'), await asked('byte')]

  expect(places(password)).toEqual(['POST /doLogin'])
  expect(other).toEqual([])
})

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

test('what is refused for its form alone says nothing of guesses', async () => {
  const found = await findingsOf(() => [415, { message: 'send a form' }], ['unlimited-guessing'], described)

  expect(found).toEqual([])
})

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

test('a form that makes an account and leads to the sign-in refuses nothing', async () => {
  const leading: Handler = () => [302, '', { location: '/user/login' }]
  const asked = { body: { username: 'somebody', password: 'x' }, isOpen: true }

  const found = await findingsOf(leading, ['unlimited-guessing'], {
    'POST /user/login': asked,
    'POST /user/create': asked,
  })

  expect(places(found)).toEqual(['POST /user/login'])
})

test('a page that looks at no code, whatever its form has, is not found', async () => {
  const service =
    (isLooking: boolean): Handler =>
    ({ query }) => [200, isLooking && query.has('otp') ? '<p>Wrong code</p>' : '<p>Wrong codes are shown in red</p>']
  const asked = { 'GET /verify': { query: { otp: '1', name: 'somebody' }, isOpen: true } }

  expect(places(await findingsOf(service(true), ['unlimited-guessing'], asked))).toEqual(['GET /verify'])
  expect(await findingsOf(service(false), ['unlimited-guessing'], asked)).toEqual([])
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

test('what the program that asks has is no second password', async () => {
  const found = await findingsOf(login({ isTelling: true }), ['unlimited-guessing', 'user-enumeration'], {
    'GET /me': {},
    'POST /login': { body: { username: 'somebody', password: 'x', client_secret: 'y' }, isOpen: true },
  })

  expect(found.map(({ check }) => check).sort()).toEqual(['unlimited-guessing', 'user-enumeration'])
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
