// What a service works with in its answers: the environment of its process, its own keys, and what a parameter asks to be shown besides.

import { expect, test } from 'vitest'
import { findingsOf, type Handler, places } from './tiny.ts'

const PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/bin', '/bin'].join(':')
const scanned = (answers: Record<string, unknown>, check: string, identities?: []) =>
  findingsOf(
    ({ path, user }) => {
      if (path === '/hooks' && user === null && identities === undefined) return [401, {}]
      const text = typeof answers[path] === 'string' ? { 'content-type': 'text/plain' } : undefined
      return [200, answers[path] ?? {}, text]
    },
    [check],
    Object.fromEntries(Object.keys(answers).map((path) => [`GET ${path}`, {}])),
    identities ? { identities } : {},
  )

test('the environment of the process is found as JSON, as a list of settings with values, and as text', async () => {
  const found = await scanned(
    {
      '/json': { debug: { env: { PATH, HOME: '/srv/shop', SHOP: '1' } } },
      '/actuator': { properties: { PATH: { value: PATH }, LANG: { value: 'C' } } },
      '/text': `SHOP=1\nPATH=${PATH}\nPWD=/srv/shop\n`,
      '/paths': { PATH: '/orders', HOME: '/start' },
      '/path': { path: PATH },
      '/help': `PATH=${PATH}\nis where programs are looked for`,
    },
    'environment-told',
  )

  expect(places(found)).toEqual(['GET /actuator', 'GET /json', 'GET /text'])
  expect(found[0]?.cwes).toEqual([497, 526, 200])
})

test('an answer to a fault may have the environment too, which is one finding wherever it shows', async () => {
  const found = await findingsOf(() => [500, { error: 'no', env: { PATH, HOME: '/srv/shop' } }], ['environment-told'], {
    'GET /teas': {},
    'GET /pots': {},
  })

  expect(found.map(({ operation, others }) => [operation, ...others])).toEqual([['GET /teas', 'GET /pots']])
})

test('keys of the service are secrets whoever asks; those of somebody are where nobody has signed in', async () => {
  const answers = {
    '/config': { jwtSecret: 'tulip-field-71', databasePassword: 'Harbour-5' },
    '/hooks': { webhookSecret: 'tulip-field-72' },
    '/plain': { hasSecret: true, secretName: 'tulip' },
  }

  const signedIn = await scanned(answers, 'excessive-data')
  const nobody = await scanned(answers, 'excessive-data', [])

  expect(new Set(places(signedIn))).toEqual(new Set(['GET /config']))
  expect(new Set(places(nobody))).toEqual(new Set(['GET /config', 'GET /hooks']))
})

test('a reading is asked to show all that it can, and a change is not', async () => {
  const asked: string[] = []
  const service: Handler = ({ method, query, path }) => {
    asked.push(`${method} ${query}`)
    return [
      200,
      path === '/users' && query.get('include_hidden') === 'true' ? [{ id: 1, password: 'Tulip-7-field' }] : [],
    ]
  }
  const parameter = (name: string, type: string, more = {}) => ({ name, in: 'query', schema: { type, ...more } })
  const flags = [
    parameter('include_hidden', 'string'),
    parameter('all', 'boolean', { default: false }),
    parameter('shown', 'string'),
    parameter('view', 'string', { enum: ['short'] }),
  ]
  const text = JSON.stringify({
    openapi: '3.0.3',
    paths: {
      '/users': { get: { parameters: flags, responses: {} } },
      '/sync': { post: { parameters: flags, responses: {} } },
    },
  })

  const found = await findingsOf(service, ['excessive-data'], {}, { schema: { name: 'openapi.json', text } })

  expect(places(found)).toEqual(['GET /users'])
  expect(asked).toContain('GET include_hidden=true&all=true&shown=merlon&view=short')
  expect(asked.filter((one) => one.startsWith('POST') && one.includes('include_hidden=true'))).toEqual([])
})
