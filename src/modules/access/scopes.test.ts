// Scopes hold for every operation of the schema.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { operationOf } from '../../../test/http/values.ts'
import { ask, run } from '../../../test/testkit/client.ts'
import { inside } from '../../../test/testkit/inside.ts'
import { newPerson, newWorld, type Person } from '../../../test/testkit/world.ts'
import { buildSchema } from '../schema.ts'

const schema = buildSchema()
/** Mutations that take no more than reading does: all that they write is that it was asked. */
const reading = ['exportFindings']

const mutations = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(
  ({ name }) => !reading.includes(name),
)
const queries = Object.values(schema.getQueryType()?.getFields() ?? {})

/** How many rows each table has of the company, and how many changes the keys of the person made. */
async function rowsOf(companyId: string, person: Person): Promise<Record<string, number>> {
  const { db } = await inside()
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'company_id' order by 1`.execute(db)
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(name)} where company_id = ${companyId}`.execute(db)
    counts[name] = rows[0]?.count ?? 0
  }
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from audit_record where user_id = ${person.id}`.execute(db)
  return { ...counts, changes: rows[0]?.count ?? 0 }
}

describe('scopes', () => {
  test('a key that may only read executes none of the mutations', async () => {
    const { companyId } = await newWorld()
    const reader = await newPerson(companyId, 'OWNER', ['read'])
    const before = await rowsOf(companyId, reader)
    const codes: Record<string, string> = {}

    for (const field of mutations) {
      const { query, variables } = operationOf('mutation', field, companyId)
      const { data, errors } = await ask(reader.key, query, variables)
      expect(data?.[field.name] ?? null, field.name).toBeNull()
      codes[field.name] = errors[0]?.extensions.code ?? 'none'
    }

    const let_in = Object.entries(codes).filter(([, code]) => code !== 'FORBIDDEN')
    expect(await rowsOf(companyId, reader)).toEqual(before)
    expect(let_in.filter(([, code]) => !['BAD_USER_INPUT', 'NOT_FOUND'].includes(code))).toEqual([])
    expect(Object.keys(codes).length - let_in.length).toBeGreaterThan(mutations.length * 0.6)
  })

  test('a key that may only write what it names may not read', async () => {
    const { companyId } = await newWorld()
    const key = (await newPerson(companyId, 'OWNER', ['issues:decide'])).key
    const shown: string[] = []

    for (const field of queries) {
      const { query, variables } = operationOf('query', field, companyId)
      const { data } = await ask(key, query, variables)
      if (data !== null && data[field.name] !== null) shown.push(field.name)
    }

    expect(shown.filter((name) => !openToEveryKey.includes(name))).toEqual([])
  })

  test('a user who is in no company sees and changes nothing of any', async () => {
    const { companyId, owner } = await newWorld()
    const outsider = await newPerson(companyId, 'OWNER')
    const leave =
      'mutation ($input: UpdatePortalUserAccessInput!) { updatePortalUserAccess(input: $input) { clientMutationId } }'
    await run(owner.key, leave, { input: { companyId, id: outsider.id } })
    const before = await rowsOf(companyId, owner)
    const shown: string[] = []

    for (const [kind, fields] of [
      ['query', queries],
      ['mutation', mutations],
    ] as const) {
      for (const field of fields) {
        const { query, variables } = operationOf(kind, field, companyId)
        const { data, errors } = await ask(outsider.key, query, variables)
        const isEmpty = errors.length > 0 || data[field.name] === null
        if (!isEmpty) shown.push(field.name)
      }
    }

    expect(await rowsOf(companyId, owner)).toEqual(before)
    expect(shown.filter((name) => ![...openToEveryKey, ...openToOutsiders].includes(name))).toEqual([])
    const lists = await run(outsider.key, '{ companies { collection { id } } projects { collection { id } } }')
    expect(lists).toEqual({ companies: { collection: [] }, projects: { collection: [] } })
  })
})

/** What belongs to no company: the viewer, the limits, and catalogues that are public knowledge. */
const openToEveryKey = ['viewer', 'limits', 'projectTypes', 'projectStatuses']

/** What answers who is in no company besides: keys of their own, lists of nothing, and a batch of which each is refused. */
const openToOutsiders = [
  ...['apiKeys', 'createApiKey', 'exploitationFeeds'],
  ...['companies', 'projects', 'batchCreateOrUpdateFindings'],
]
