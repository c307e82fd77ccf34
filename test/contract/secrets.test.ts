// Secrets are never returned: each place that takes one gets a canary, which is then searched for in everything that leaves the service.

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AllVendors, serveAllVendors } from '../testkit/all-vendors.ts'
import { type Answer, administratorKey, ask, type Variables } from '../testkit/client.ts'
import { services, serviceUrl } from '../testkit/service.ts'
import { newPerson, type Person } from '../testkit/world.ts'
import { calls, ownVariables } from './samples/index.ts'
import { newSubject } from './samples/subject.ts'
import type { Subject } from './samples/types.ts'
import { built, leavesOf, rootFields } from './schema.ts'

const canary = (): string => `canary${randomBytes(10).toString('hex')}`

const secretValues = () => [
  { type: 'BASIC_AUTH', values: { username: canary(), password: canary() } },
  { type: 'BEARER_TOKEN', values: { token: canary() } },
  { type: 'HEADER', values: { name: 'X-Api-Key', value: canary() } },
  { type: 'COOKIE', values: { name: 'session', value: canary() } },
  { type: 'QUERY_PARAMETER', values: { name: 'key', value: canary() } },
  {
    type: 'FORM_LOGIN',
    values: {
      loginUrl: `https://shop.example.test/${canary()}`,
      username: canary(),
      password: canary(),
      usernameSelector: `#${canary()}`,
      passwordSelector: `#${canary()}`,
      submitSelector: `#${canary()}`,
      // base32 has no 0, 1, 8 and 9
      totp: canary().replace(/[0189]/g, '2'),
    },
  },
]

/** Whether the value at this path is a secret; among a secret's values, a header's or parameter's name is not. */
const isSecret = (path: string): boolean =>
  /\.(password|token|secretKey|apiToken|accessToken|personalToken|code|state)$|\.values\.(?!name$)/.test(path)

const credentialInputs: Readonly<Record<string, object[]>> = {
  createOrUpdateHostAIntegration: [{ accessToken: canary() }, { email: 'a@example.test', apiToken: canary() }, oauth()],
  createOrUpdateHostBIntegration: [{ personalToken: canary() }, oauth()],
  createOrUpdateScannerAIntegration: [{ accessKey: 'identifier-of-a-key', secretKey: canary() }],
  createOrUpdateScannerBIntegration: [{ apiToken: canary(), region: 'EU_1' }],
  createOrUpdateBoardsTrackerIntegration: [{ personalToken: canary(), organizationName: 'acme' }, oauth()],
  createOrUpdateTaskTrackerIntegration: [{ personalToken: canary() }, oauth()],
}

function oauth() {
  return { code: canary(), state: canary() }
}

const given = new Set<string>()
const answers: string[] = []
let subject: Subject
let reader: Person
let vendors: AllVendors

/** Remembers every canary in the value, and returns the value. */
function noted<T>(value: T): T {
  for (const found of JSON.stringify(value).match(/canary[0-9a-f]{20}/g) ?? []) given.add(found)
  return value
}

async function told(key: string, document: string, variables: Variables): Promise<Answer> {
  const answer = await ask(key, document, noted(variables))
  answers.push(JSON.stringify([answer.data, answer.errors, answer.extensions, [...answer.headers]]))
  return answer
}

const documentOf = (field: string): string => calls.find((call) => call.name === field)?.document ?? ''

beforeAll(async () => {
  vendors = await serveAllVendors('MAKER')
  subject = await newSubject()
  reader = await newPerson(subject.companyId, 'READER', ['read'])
  const { companyId, owner } = subject
  for (const secret of secretValues()) {
    const input = { companyId, name: 'A secret', ...secret }
    const made = await told(owner.key, documentOf('createSecret'), { input })
    expect(made.errors).toEqual([])
    const again = {
      id: made.data.createSecret.secret.id,
      values: secretValues().find(({ type }) => type === secret.type)?.values,
    }
    expect((await told(owner.key, documentOf('updateSecret'), { input: again })).errors).toEqual([])
  }
  for (const [field, inputs] of Object.entries(credentialInputs)) {
    for (const input of inputs) {
      const made = await told(owner.key, documentOf(field), { input: { companyId, ...input } })
      // an unknown state is refused before the code is looked at
      const failures = made.errors.map(({ extensions }) => extensions.argument)
      expect(failures).toEqual('state' in input ? ['input.state'] : [])
    }
  }
})

afterAll(() => vendors.end())

async function rowsOfAll(): Promise<string> {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { db } = service.app
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db)
  const texts = []
  for (const { name } of rows) {
    const found = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(db)
    texts.push(found.rows.map(({ row }) => row).join('\n'))
  }
  return texts.join('\n')
}

const found = (text: string): string[] => [...given].filter((secret) => text.includes(secret))

test('every input that takes a secret is given a canary', () => {
  const places = rootFields
    .flatMap(({ name, args }) => args.flatMap((argument) => leavesOf(argument).map((path) => `${name} ${path}`)))
    .filter((place) => isSecret(place) && !/ input\.activities\.0\./.test(place))
  const tried = [
    ...Object.entries(credentialInputs).flatMap(([field, inputs]) =>
      inputs.flatMap((input) => Object.keys(input).map((name) => `${field} input.${name}`)),
    ),
    ...['createSecret', 'updateSecret'].flatMap((field) =>
      secretValues().flatMap(({ values }) => Object.keys(values).map((name) => `${field} input.values.${name}`)),
    ),
  ]

  expect(places.filter((place) => !tried.includes(place))).toEqual([])
  expect(given.size).toBeGreaterThan(30)
})

test('no operation ever answers with a secret, to whoever may see the record', async () => {
  for (const call of calls) {
    const variables = await ownVariables(call, subject, { fresh: true })
    const key = call.administrator ? administratorKey() : subject.owner.key

    await told(key, call.document, variables)
    if (!call.isMutation) await told(reader.key, call.document, variables)
  }

  expect(found(answers.join('\n'))).toEqual([])
})

test('no failure repeats the secret that it is about', async () => {
  const { companyId, owner } = subject
  const secret = (values: unknown) => ({ input: { companyId, name: 'A secret', type: 'BEARER_TOKEN', values } })
  const wrong = [
    secret({ token: `${canary()}\n` }),
    secret({ token: canary().repeat(2000) }),
    secret({ token: [canary()] }),
    secret({ token: { inner: canary() } }),
    secret({ [canary()]: canary() }),
    secret({ token: canary(), [canary()]: 1 }),
    secret(canary()),
    { input: { companyId, name: 'A secret', type: canary(), values: { token: canary() } } },
    { input: { companyId: '2147483646', name: 'A secret', type: 'BEARER_TOKEN', values: { token: canary() } } },
    { input: { name: 'A secret', type: 'BEARER_TOKEN', values: { token: canary() } } },
    { input: { companyId, name: 'A secret', type: 'FORM_LOGIN', values: { loginUrl: `ftp://${canary()}` } } },
  ]
  for (const variables of wrong) {
    for (const key of [owner.key, reader.key]) {
      const { errors } = await told(key, documentOf('createSecret'), variables)
      expect(errors).not.toEqual([])
    }
  }
  vendors.accepts = false
  for (const [field, inputs] of Object.entries(credentialInputs)) {
    for (const input of inputs) {
      const { errors } = await told(owner.key, documentOf(field), { input: { companyId, addAnother: true, ...input } })
      const wanted = 'state' in input ? 'BAD_USER_INPUT' : 'FAILED_PRECONDITION'
      expect(errors.map(({ extensions }) => extensions.code)).toEqual([wanted])
    }
  }
  vendors.accepts = true

  expect(found(answers.join('\n'))).toEqual([])
})

test('a value of the wrong kind inside the document is not repeated', async () => {
  const { owner } = subject
  const literals = [
    '424242424242',
    canary(),
    `["${canary()}"]`,
    `{ inner: "${canary()}" }`,
    `"${canary()}" "${canary()}"`,
  ]

  for (const literal of literals) {
    const document = `mutation { createSecret(input: { companyId: "1", name: "n", type: BEARER_TOKEN,
      values: { token: ${literal} } }) { secret { id } } }`
    await told(owner.key, document, noted({ literal }))
  }

  expect(found(answers.join('\n'))).toEqual([])
  expect(answers.join('\n')).not.toContain('424242424242')
})

test('a retry under an Idempotency-Key keeps no secret in the open', async () => {
  const { companyId, owner } = subject
  const input = noted({ companyId, name: 'A secret', type: 'BEARER_TOKEN', values: { token: canary() } })
  const headers = { 'idempotency-key': randomBytes(8).toString('hex') }

  for (const _ of [1, 2]) {
    const answer = await ask(owner.key, documentOf('createSecret'), { input }, headers)
    answers.push(JSON.stringify(answer))
    expect(answer.errors).toEqual([])
  }

  expect(found(await rowsOfAll())).toEqual([])
})

test('an access key is whole for who manages integrations and masked for others', async () => {
  const { companyId, owner } = subject
  const query = built('integrations', 'collection { ... on ScannerAIntegration { accessKey } }')

  const byOwner = JSON.stringify((await ask(owner.key, query, { companyId, type: 'SCANNER_A' })).data)
  const byReader = JSON.stringify((await ask(reader.key, query, { companyId, type: 'SCANNER_A' })).data)

  expect(byOwner).toMatch(/"[\w-]{20,}"/)
  expect(byReader).toMatch(/"\*{4}.{4}"/)
  expect(byReader).not.toMatch(/"[\w-]{20,}"/)
})

test('neither secrets nor keys stand in the log, the figures, the audit records or any table', async () => {
  const keys = [subject.owner.key, reader.key, administratorKey()].map((key) => key.split('_').at(-1) ?? key)
  const logged = (await services()).flatMap((service) => service.logged).join('\n')
  const figures = await (await fetch(`${await serviceUrl()}/metrics`)).text()
  const rows = await rowsOfAll()

  for (const text of [logged, figures, rows]) {
    expect(found(text)).toEqual([])
    expect(keys.filter((key) => text.includes(key))).toEqual([])
  }
  expect(logged).toContain('createSecret')
  expect(rows).toContain('rotateDataKey')
})
