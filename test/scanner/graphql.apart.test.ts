// GraphQL that takes or tells too much, and the same with its limits: one service of the reference library for both.

import { buildSchema, graphql, NoSchemaIntrospectionCustomRule, parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { graphqlExposure } from '../../src/scanner/checks/graphql-exposure.ts'
import { graphqlLimits } from '../../src/scanner/checks/graphql-limits.ts'
import { scan } from '../../src/scanner/engine.ts'
import { type Handler, people, serving } from './tiny.ts'

const sdl = `
  type Query { author(id: ID): Author shelf: String boom: String }
  type Author { name: String books: [Book] }
  type Book { title: String author: Author }
  type Mutation { rename(name: String!): String }`
const schema = buildSchema(sdl)
const rootValue = {
  shelf: () => 'third',
  boom: () => {
    throw new Error('inside')
  },
}

/** How deep braces go in a query: what a limit of depth counts. */
const depthOf = (query: string) => {
  let depth = 0
  let most = 0
  for (const letter of query) {
    depth += letter === '{' ? 1 : letter === '}' ? -1 : 0
    most = Math.max(most, depth)
  }
  return most
}

const service =
  (isLoose: boolean): Handler =>
  async ({ method, path, query, headers, body }) => {
    if (path !== '/graphql') return [404, { message: 'nothing here' }]
    const one = async (text: string): Promise<Record<string, unknown>> => {
      if (!isLoose) {
        if (depthOf(text) > 8 || text.length > 900) return { errors: [{ message: 'This is too large' }] }
        const [wrong] = validate(schema, parse(text), [NoSchemaIntrospectionCustomRule])
        if (wrong) return { errors: [{ message: 'This is not allowed' }] }
      }
      const { data, errors } = await graphql({ schema, source: text, rootValue })
      const told = (isLoose ? errors : errors?.slice(0, 1))?.map(({ message, originalError }) => ({
        message: isLoose ? message : 'Failed',
        ...(isLoose && originalError ? { extensions: { exception: { stacktrace: ['at inside'] } } } : {}),
      }))
      return { ...(data === undefined ? {} : { data }), ...(told ? { errors: told } : {}) }
    }
    if (method === 'GET') {
      if (isLoose && headers.accept?.includes('text/html')) return [200, '<html><title>GraphiQL</title></html>']
      return isLoose ? [200, await one(query.get('query') ?? '')] : [405, { message: 'POST only' }]
    }
    if (Array.isArray(body)) return isLoose ? [200, await Promise.all(body.map((each) => one(each.query)))] : [400, {}]
    if (typeof body === 'string')
      return isLoose ? [200, await one(new URLSearchParams(body).get('query') ?? '')] : [415, {}]
    if (!isLoose && headers['content-type'] !== 'application/json') return [415, {}]
    return [200, await one(typeof body === 'object' && body !== null && 'query' in body ? String(body.query) : '')]
  }

const checks = [...graphqlExposure, ...graphqlLimits].map(({ id }) => id)

const scanned = (handle: Handler) =>
  serving(handle, async (url) => {
    const outcome = await scan({
      target: `${url}/graphql`,
      schema: { name: 'schema.graphql', text: sdl },
      format: 'GRAPHQL',
      browser: false,
      profile: 'BALANCED',
      identities: [],
      crawl: false,
      checks,
      allowed: readAllowed('127.0.0.0/8') ?? undefined,
    })
    return outcome.findings.map(({ check }) => check).sort()
  })

test('an exposed schema, missing limits and mutations that other sites can trigger are found', async () => {
  const found = await scanned(service(true))

  expect(found).toEqual([
    'graphql-aliases',
    'graphql-batch',
    'graphql-csrf',
    'graphql-csrf',
    'graphql-depth',
    'graphql-directives',
    'graphql-introspection',
    'graphql-repetition',
    'graphql-suggestions',
    'graphql-traces',
    'graphql-workbench',
  ])
})

test('a service with limits that tells nothing leaves nothing to find', async () => {
  const found = await scanned(service(false))

  expect(found).toEqual([])
})

test('a query that is named like what deletes is not asked', async () => {
  const queries: string[] = []
  const outcome = await serving(
    ({ body }) => {
      queries.push(JSON.stringify(body))
      return [200, { data: {} }]
    },
    (url) =>
      scan({
        target: `${url}/graphql`,
        schema: { name: 's', text: 'type Query { notes: [String] deletedNotes: [String] deleteAllNotes: Boolean }' },
        profile: 'BALANCED',
        identities: [],
        crawl: false,
        checks: ['graphql-introspection'],
        allowed: readAllowed('127.0.0.0/8') ?? undefined,
      }),
  )

  expect(outcome.skipped.map(({ operation }) => operation)).toEqual(['POST /graphql#Query.deleteAllNotes'])
  expect(queries.join()).toContain('deletedNotes')
  expect(queries.join()).not.toContain('deleteAllNotes')
})

test('a schema exposed only to signed-in users is reported as exposed to them', async () => {
  const open = service(true)
  const closed: Handler = (asked) => (asked.user === null ? [401, { message: 'sign in' }] : open(asked))

  const findings = await serving(closed, async (url) => {
    const outcome = await scan({
      target: `${url}/graphql`,
      schema: { name: 'schema.graphql', text: sdl },
      format: 'GRAPHQL',
      profile: 'BASIC',
      identities: people,
      crawl: false,
      browser: false,
      checks: ['graphql-introspection'],
      allowed: readAllowed('127.0.0.0/8') ?? undefined,
    })
    return outcome.findings.map(({ detail }) => detail)
  })

  expect(findings).toEqual([expect.stringContaining('user-a, who is signed in')])
})

test('an address that refuses to be read as a description and answers GraphQL is asked for its schema', async () => {
  const loose: Handler = (asked) =>
    asked.method === 'GET' ? [400, { errors: [{ message: 'no query' }] }] : service(true)(asked)

  const [told, silent] = await serving(loose, async (url) =>
    Promise.all(
      ['graphql', 'nothing'].map((place) =>
        scan({
          target: `${url}/`,
          schema: { name: place, text: '', url: `${url}/${place}`, status: 400 },
          profile: 'BASIC',
          identities: people,
          browser: false,
          checks: ['clickjacking'],
          allowed: readAllowed('127.0.0.0/8') ?? undefined,
        }),
      ),
    ),
  )

  expect(told?.operations).toContain('POST /graphql#Query.author')
  expect(silent).toMatchObject({ state: 'BAD_SCHEMA', reason: expect.stringContaining('nothing answered 400') })
})
