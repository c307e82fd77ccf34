// Compiled operations answer as plain execution does, and the schema contains nothing that the compiler cannot handle.

import { type GraphQLInputObjectType, getIntrospectionQuery, getNamedType, isInputObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../../test/http/send.ts'
import { run, unique } from '../../test/testkit/client.ts'
import { type Service, startService } from '../../test/testkit/service.ts'
import { newWorld, type World } from '../../test/testkit/world.ts'
import { buildSchema } from '../modules/schema.ts'

let compiled: Service
let plain: Service
let world: World

beforeAll(async () => {
  compiled = await startService({}, { compile: 'always' })
  plain = await startService({}, { compile: 'never' })
  world = await newWorld()
  const sid = unique('sid').replace(' ', '-')
  const update = 'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { company { id } } }'
  await run(world.owner.key, update, { input: { id: world.companyId, sid } })
})
afterAll(() => Promise.all([compiled.app.stop(0), plain.app.stop(0)]))

const COMPANIES = 'companies(limit: 2) { collection { id label sid } metadata { totalCount endCursor } }'

type Case = [string, string, Record<string, unknown>?]

/** `COMPANY` in variables stands for the test's own company. */
const cases: Case[] = [
  ['plain fields', `{ viewer { id name email isAdministrator createdAt } }`],
  ['a list with what is said of it', `{ ${COMPANIES} }`],
  ['names of types', `{ __typename viewer { __typename } companies { __typename collection { __typename } } }`],
  ['aliases', `{ a: viewer { x: id } b: viewer { y: id z: name } }`],
  ['the same field twice', `{ viewer { id } viewer { name } viewer { id email } }`],
  ['fragments', `{ viewer { ...A } } fragment A on PortalUser { id ...B } fragment B on PortalUser { name }`],
  ['inline fragments', `{ viewer { ... { id } ... on PortalUser { name } } }`],
  [
    'skip and include',
    `query ($yes: Boolean!, $no: Boolean!) { viewer { id @skip(if: $no) name @include(if: $yes) email @skip(if: $yes) } }`,
    { yes: true, no: false },
  ],
  ['skip of all', `query ($yes: Boolean!) { viewer @skip(if: $yes) { id } }`, { yes: true }],
  [
    'include of a fragment',
    `query ($no: Boolean = false) { viewer { ...A @include(if: $no) id } } fragment A on PortalUser { name }`,
  ],
  ['skip without its variable', `query ($yes: Boolean!) { viewer @skip(if: $yes) { id } }`],
  ['a default', `query ($limit: Int = 1) { companies(limit: $limit) { metadata { limitValue } } }`],
  [
    'a default that is overridden',
    `query ($limit: Int = 1) { companies(limit: $limit) { metadata { limitValue } } }`,
    { limit: 3 },
  ],
  [
    'a default against null',
    `query ($limit: Int = 1) { companies(limit: $limit) { metadata { limitValue } } }`,
    { limit: null },
  ],
  [
    'an enum',
    `query ($o: OrderScopesParams) { companies(order: $o, limit: 1) { metadata { limitValue } } }`,
    { o: 'LABEL' },
  ],
  [
    'a wrong enum',
    `query ($o: OrderScopesParams) { companies(order: $o) { metadata { limitValue } } }`,
    { o: 'label' },
  ],
  [
    'an enum that is a number',
    `query ($o: OrderScopesParams) { companies(order: $o) { metadata { limitValue } } }`,
    { o: 1 },
  ],
  ['an id as a number', `query ($id: ID!) { company(id: $id) { id } }`, { id: 'COMPANY' }],
  ['an id that is missing', `query ($id: ID!) { company(id: $id) { id } }`],
  ['an id that is null', `query ($id: ID!) { company(id: $id) { id } }`, { id: null }],
  ['an id that is true', `query ($id: ID!) { company(id: $id) { id } }`, { id: true }],
  ['an id that is a fraction', `query ($id: ID!) { company(id: $id) { id } }`, { id: 1.5 }],
  ['an id that is a list', `query ($id: ID!) { company(id: $id) { id } }`, { id: ['1'] }],
  ['a record that is not there', `query ($id: ID!) { company(id: $id) { id } viewer { id } }`, { id: '999999999' }],
  ['two failures', `{ a: company(id: 999999998) { id } b: company(id: 999999999) { id } }`],
  ['an Int that is a text', `query ($n: Int) { companies(page: $n) { metadata { limitValue } } }`, { n: '1' }],
  ['an Int that is whole', `query ($n: Int) { companies(page: $n) { metadata { currentPage } } }`, { n: 1.0 }],
  [
    'an Int that is too large',
    `query ($n: Int) { companies(page: $n) { metadata { limitValue } } }`,
    { n: 3_000_000_000 },
  ],
  ['an Int that is no number', `query ($n: Int) { companies(page: $n) { metadata { limitValue } } }`, { n: 'NaN' }],
  [
    'an object',
    `query ($s: CompanySearch) { companies(params: $s, limit: 1) { metadata { limitValue } } }`,
    { s: { labelCont: 'nothing has this' } },
  ],
  [
    'an empty object',
    `query ($s: CompanySearch) { companies(params: $s, limit: 1) { metadata { limitValue } } }`,
    { s: {} },
  ],
  [
    'an object with null',
    `query ($s: CompanySearch) { companies(params: $s, limit: 1) { metadata { limitValue } } }`,
    { s: { labelCont: null } },
  ],
  [
    'an object with too much',
    `query ($s: CompanySearch) { companies(params: $s) { metadata { limitValue } } }`,
    { s: { other: 1 } },
  ],
  [
    'an object that is a text',
    `query ($s: CompanySearch) { companies(params: $s) { metadata { limitValue } } }`,
    { s: 'x' },
  ],
  [
    'an object that is a list',
    `query ($s: CompanySearch) { companies(params: $s) { metadata { limitValue } } }`,
    { s: [{}] },
  ],
  [
    'an object with a wrong field',
    `query ($s: CompanySearch) { companies(params: $s) { metadata { limitValue } } }`,
    { s: { labelCont: 5 } },
  ],
  [
    'an object made in the document',
    `query ($l: String) { companies(params: { labelCont: $l }, limit: 1) { metadata { limitValue } } }`,
    { l: 'x' },
  ],
  [
    'an object made without its variable',
    `query ($l: String) { companies(params: { labelCont: $l }, limit: 1) { metadata { limitValue } } }`,
  ],
  [
    'a list made of one',
    `mutation ($s: [String!]) { createApiKey(input: { name: "", scopes: $s }) { key } }`,
    { s: 'read' },
  ],
  [
    'a list with a wrong entry',
    `mutation ($s: [String!]) { createApiKey(input: { name: "", scopes: $s }) { key } }`,
    { s: ['read', null] },
  ],
  [
    'a required field that is missing',
    `mutation ($i: UpdateCompanyInput!) { updateCompany(input: $i) { company { id } } }`,
    { i: {} },
  ],
  [
    'a mutation',
    `mutation ($i: UpdateCompanyInput!) { updateCompany(input: $i) { clientMutationId company { id label } } }`,
    { i: { id: 'COMPANY', label: 'Compiled', clientMutationId: 'c' } },
  ],
  [
    'a mutation that fails',
    `mutation ($i: UpdateCompanyInput!) { updateCompany(input: $i) { company { id } } }`,
    { i: { id: 'COMPANY', label: '' } },
  ],
  [
    'mutations in order',
    `mutation ($id: ID!) { a: updateCompany(input: { id: $id, label: "A" }) { company { label } } b: updateCompany(input: { id: $id, label: "" }) { company { label } } c: updateCompany(input: { id: $id, label: "C" }) { company { label } } }`,
    { id: 'COMPANY' },
  ],
  ['an unknown variable', `query ($id: ID!) { company(id: $id) { id } }`, { id: 'COMPANY', other: 1 }],
  [
    'a date',
    `mutation ($t: ISO8601DateTime) { createApiKey(input: { name: "", expiresAt: $t }) { key } }`,
    { t: '2026-13-45' },
  ],
  [
    'the schema',
    `{ __schema { queryType { name } directives { name } } __type(name: "Company") { name fields { name type { kind } } } }`,
  ],
  [
    'the whole schema',
    getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true, schemaDescription: true }),
  ],
  [
    'the schema by variables',
    `query ($name: String!, $old: Boolean, $yes: Boolean!) { __type(name: $name) { ...T fields(includeDeprecated: $old) { a: name args(includeDeprecated: $old) { name defaultValue type { kind ofType { ...T ofType { ...T } } } } isDeprecated deprecationReason @include(if: $yes) } } viewer { __typename } } fragment T on __Type { __typename name kind specifiedByURL isOneOf possibleTypes { name } interfaces { name } enumValues(includeDeprecated: $old) { name @skip(if: $yes) } inputFields { name } }`,
    { name: 'Issue', old: true, yes: true },
  ],
  [
    'the schema without its variables',
    `query ($name: String! = "IssueType", $old: Boolean) { __type(name: $name) { name kind enumValues(includeDeprecated: $old) { name } } __schema { description directives { name isRepeatable locations args { name } } subscriptionType { name } } }`,
  ],
  ['a name of a type that is null', `query ($name: String!) { __type(name: $name) { name } }`, { name: null }],
  ['a type that there is not', `{ __type(name: "Nothing") { name } }`],
  ['a document that is not valid', `{ viewer { nothing } }`],
  ['a limit', `{ limits { documentBytes attachmentBytes requestsPerMinute } }`],
]

describe('compiled and plain execution', () => {
  test.each(cases)('answer the same to %s', async (_, query, variables = {}) => {
    const body = JSON.stringify({ query, variables }).replaceAll('"COMPANY"', `"${world.companyId}"`)
    const headers = { 'x-api-key': world.owner.key }
    const ask = async ({ url }: Service) => {
      const { status, text, extensions } = await send({ url, body, headers })
      return { status, text: text.replaceAll(String(extensions.requestId), 'ID') }
    }

    const [first, second, third] = [await ask(compiled), await ask(plain), await ask(compiled)]

    expect(first).toEqual(second)
    expect(third).toEqual(second)
    expect(first.text).not.toContain('INTERNAL_SERVER_ERROR')
  })
})

describe('the schema', () => {
  const schema = buildSchema()
  const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType)

  test('has no input type that holds itself', () => {
    const recursive = inputs.filter((input) => reaches(input, input, new Set()))

    expect(recursive.map(({ name }) => name)).toEqual([])
  })

  test('has no input type of which one field alone may be given', () => {
    expect(inputs.filter(({ isOneOf }) => isOneOf).map(({ name }) => name)).toEqual([])
  })
})

function reaches(from: GraphQLInputObjectType, to: GraphQLInputObjectType, seen: Set<GraphQLInputObjectType>): boolean {
  for (const field of Object.values(from.getFields())) {
    const type = getNamedType(field.type)
    if (type === to) return true
    if (!isInputObjectType(type) || seen.has(type)) continue
    seen.add(type)
    if (reaches(type, to, seen)) return true
  }
  return false
}

test('a variable declared as Issue is read as IssueType', async () => {
  const declared = 'query ($types: [Issue!]!, $companyId: ID!) { company(id: $companyId) { id } }'

  const failure = await run(world.owner.key, declared, { types: [], companyId: world.companyId }).catch(
    (error) => error,
  )

  expect(String(failure)).toMatch(/GRAPHQL_VALIDATION_FAILED: Variable "\$types" is never used/)
})
