// What can be guessed at: sign-ins and what says that a password is wrong, and nothing else that has such a field.

import { expect, test } from 'vitest'
import { described, login } from './guesses.ts'
import { findingsOf, type Handler, places } from './tiny.ts'

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

test('what is refused for its form alone says nothing of guesses', async () => {
  const found = await findingsOf(() => [415, { message: 'send a form' }], ['unlimited-guessing'], described)

  expect(found).toEqual([])
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
