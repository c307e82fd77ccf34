// Requests that are refused as a whole: what is taken in their place, so that flaws behind them are seen.

import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import { type Handler, people, places, serving } from './tiny.ts'

const broken = 'unterminated quoted string at or near "\'"'

type Field = { type: string; format?: string; pattern?: string }

const describedAs = (fields: Record<string, Field>, required: string[], method = 'post', path = '/things'): string => {
  const schema = { type: 'object', properties: fields, required }
  const answered = { default: { description: '' } }
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title: 't', version: '1' },
    paths: {
      [path]: {
        [method]: { requestBody: { content: { 'application/json': { schema } } }, responses: answered },
        get: { responses: answered },
      },
    },
  })
}

const sentTo = (handle: Handler, text: string, checks = ['sql-injection-error']) =>
  serving(handle, (target) =>
    scan({
      target,
      schema: { name: 'openapi.json', text },
      profile: 'BALANCED',
      identities: people,
      crawl: false,
      browser: false,
      checks,
      allowed: readAllowed('127.0.0.0/8') ?? undefined,
    }),
  )

/** Keeps things whose fields it likes, with a statement that it builds of a title. */
const keeping =
  (refuses: (sent: Record<string, unknown>) => string | null): Handler =>
  ({ method, body }) => {
    if (method === 'GET') return [200, []]
    const sent: Record<string, unknown> = Object(body)
    const why = refuses(sent)
    if (why !== null) return [400, { message: why }]
    return String(sent.title).includes("'") ? [500, { error: broken }] : [201, { number: 7 }]
  }

const text: Field = { type: 'string' }

test('a field that a refusal names is left out, and what stands behind the others is found', async () => {
  const service = keeping((sent) => ('kind' in sent ? 'Cast to Kind failed at path "kind"' : null))

  const { findings } = await sentTo(service, describedAs({ title: text, kind: text }, ['title']))

  expect(findings.map(({ parameter }) => parameter?.name)).toEqual(['title'])
})

test('where a refusal names nothing, what is required is sent alone', async () => {
  const service = keeping((sent) => ('colour' in sent ? 'no' : null))

  const { findings } = await sentTo(service, describedAs({ title: text, size: text, colour: text }, ['title']))

  expect(findings.map(({ parameter }) => parameter?.name)).toEqual(['title'])
})

test('a name that somebody has already is asked for anew', async () => {
  const taken = 'merlonscan'
  const service = keeping((sent) => (sent.username === taken ? 'the username is taken' : null))

  const { findings } = await sentTo(service, describedAs({ title: text, username: text }, ['title', 'username']))

  expect(findings.map(({ parameter }) => parameter?.name)).toEqual(['title'])
})

test('a value that has to be one word by its pattern is that word', async () => {
  const service = keeping((sent) => (sent.grant === 'password' ? null : 'unsupported'))
  const grant: Field = { type: 'string', pattern: '^(?:password)$' }

  const { findings } = await sentTo(service, describedAs({ title: text, grant }, ['title', 'grant']))

  expect(findings.map(({ parameter }) => parameter?.name)).toEqual(['title'])
})

test('a request whose fault comes when its work is done is not sent again to have it taken', async () => {
  const kept: unknown[] = []
  const service: Handler = ({ method, body }) => {
    if (method === 'GET') return [200, { things: kept }]
    kept.push(body)
    return [500, { error: 'the mail about it could not be sent' }]
  }

  await sentTo(service, describedAs({ title: text, size: text, username: text }, ['title']), ['clickjacking'])

  expect(kept).toHaveLength(1)
})

test('an update is sent with what the thing has now, so that it keeps what is not probed', async () => {
  const thing: Record<string, unknown> = { title: 'Lamp', colour: 'red' }
  const service: Handler = ({ method, body }) => {
    if (method === 'PUT') Object.assign(thing, body)
    return [200, thing]
  }

  await sentTo(service, describedAs({ title: text, colour: text }, ['title'], 'put', '/thing'), ['undescribed-data'])

  expect(thing).toEqual({ title: 'Lamp', colour: 'red' })
})

test('what was not there to be read before the scan made it is asked again', async () => {
  const made: string[] = []
  const service: Handler = ({ method, path, user }) => {
    if (method !== 'POST') return made.includes(path.split('/')[2] ?? '') ? [200, { text: 'a letter' }] : [404, {}]
    if (user === null) return [401, {}]
    made.push('thing-1')
    return [201, { id: 'thing-1' }]
  }
  const schema = { type: 'string' }
  const answered = { default: { description: '' } }
  const description = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 't', version: '1' },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths: {
      '/things': { post: { responses: answered } },
      '/things/{id}': {
        get: { parameters: [{ name: 'id', in: 'path', required: true, schema }], responses: answered },
      },
    },
  })

  const { findings } = await sentTo(service, description, ['missing-authentication'])

  expect(places(findings)).toEqual(['GET /things/{id}'])
})

test('no update that is refused is tried with another name for who asks, or without it', async () => {
  const account: Record<string, unknown> = { username: 'user-a', colour: 'red' }
  const service: Handler = ({ method, body }) => {
    if (method === 'GET') return [200, account]
    if (Object(body).username === account.username) return [409, { message: 'username is taken' }]
    account.username = Object(body).username
    return [200, account]
  }

  await sentTo(service, describedAs({ username: text, colour: text }, ['colour'], 'put', '/me'))

  expect(account).toEqual({ username: 'user-a', colour: 'red' })
})

test('what says whom something reaches is never left out, however it is refused', async () => {
  const sent: unknown[] = []
  const fields = { title: text, filter: text, userIds: text, dryRun: text, colour: text }
  const service = keeping((body) => {
    sent.push(body)
    return 'filter' in body ? 'filter is invalid, as are userIds, dryRun and colour' : null
  })

  await sentTo(service, describedAs(fields, ['title']))

  expect(sent.length).toBeGreaterThan(2)
  for (const body of sent) expect(body).toMatchObject({ filter: expect.anything(), userIds: expect.anything() })
  for (const body of sent) expect(body).toHaveProperty('dryRun')
})
