// GraphQL that was seen: its literals become variables that the target takes, whether it tells its schema or not.

import { buildSchema, execute, NoSchemaIntrospectionCustomRule, parse, specifiedRules, validate } from 'graphql'
import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import type { ScanOptions } from '../../src/scanner/options.ts'
import { type Handler, serving } from './tiny.ts'

const schema = buildSchema(`
  scalar Day
  enum Colour { RED GREEN }
  input Filter { name: String, colours: [Colour!] }
  type Item { id: ID!, name: String }
  type Query {
    item(id: ID!): Item
    items(filter: Filter, colour: Colour, since: Day, weight: Float): [Item!]
  }`)

const queries = [
  'query { item(id: "7") { name } }',
  'query Some { items(filter: { name: "tea", colours: [RED] }, colour: GREEN, since: "2026-01-01", weight: 3) { id } }',
]

type Asked = { query: string; variables: Record<string, unknown> }

/** Answers as the schema says; `asked` has what passed its validation. */
function service(tellsSchema: boolean, asked: Asked[]): Handler {
  const rules = tellsSchema ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule]
  return async ({ body }) => {
    const { query, variables = {} } = body as Asked
    try {
      const document = parse(query)
      const errors = validate(schema, document, rules)
      if (errors.length > 0) return [400, { errors }]
      asked.push({ query, variables })
      const items = () => [{ id: '7', name: 'tea' }]
      const rootValue = { items, item: () => items()[0] }
      return [200, await execute({ schema, document, variableValues: variables, rootValue })]
    } catch (error) {
      return [400, { errors: [{ message: String(error) }] }]
    }
  }
}

async function scanned(tellsSchema: boolean): Promise<{ asked: Asked[]; skipped: readonly object[] }> {
  const asked: Asked[] = []
  const outcome = await serving(service(tellsSchema, asked), (url) => {
    const entries = queries.map((query) => ({
      request: {
        method: 'POST',
        url: `${url}/graphql`,
        headers: [],
        postData: { mimeType: 'application/json', text: JSON.stringify({ query }) },
      },
    }))
    const options: ScanOptions = {
      target: url,
      schema: { name: 'shop.har', text: JSON.stringify({ log: { version: '1.2', entries } }) },
      profile: 'BALANCED',
      identities: [],
      crawl: false,
      browser: false,
      checks: ['sql-injection-error'],
      allowed: readAllowed('127.0.0.0/8') ?? undefined,
    }
    return scan(options)
  })
  expect(outcome.state).toBe('COMPLETED')
  return { asked, skipped: outcome.skipped }
}

const declared = (asked: Asked[], of: string) =>
  [...new Set(asked.map(({ query }) => query).filter((query) => query.includes(of)))].map(
    (query) => /\((.*?)\) \{/s.exec(query)?.[1],
  )

test('by the schema, literals of every type are lifted with the type of their argument, and their values are changed', async () => {
  const { asked } = await scanned(true)

  expect(declared(asked, 'item(')).toEqual(['$id: ID!'])
  expect(declared(asked, 'items(')).toEqual(['$since: Day, $weight: Float, $filter: Filter, $colour: Colour'])
  const filters = asked.flatMap(({ variables }) => (variables.filter ? [variables.filter] : []))
  expect(filters).toContainEqual({ name: 'tea', colours: ['RED'] })
  expect(new Set(filters.map((one) => JSON.stringify(one))).size).toBeGreaterThan(2)
})

test('without the schema, the types come from what the target complains of', async () => {
  const { asked } = await scanned(false)

  expect(declared(asked, 'item(')).toEqual(['$id: ID!'])
  expect(declared(asked, 'items(')).toEqual(['$since: Day, $weight: Float'])
  expect(new Set(asked.map(({ variables }) => variables.id)).size).toBeGreaterThan(2)
})
