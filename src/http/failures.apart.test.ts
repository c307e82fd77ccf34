// How failures look from outside: a code and a sentence, and nothing of what is behind them.

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startApart } from '../../test/http/apart.ts'
import { startBreakable } from '../../test/http/broken-database.ts'
import { BOUNDARY, filePart, mapPart, multipart, operationsPart } from '../../test/http/parts.ts'
import { codesOf, send } from '../../test/http/send.ts'
import { refusal, run, unique } from '../../test/testkit/client.ts'
import { waitingStatements } from '../../test/testkit/inside.ts'
import { services, startService, withService } from '../../test/testkit/service.ts'
import { newWorld } from '../../test/testkit/world.ts'

const UPDATE =
  'mutation ($id: ID!, $label: String) { updateCompany(input: { id: $id, label: $label }) { company { label } } }'
const COMPANY = 'query ($id: ID!) { company(id: $id) { label } }'
const RESPONSE = 'application/graphql-response+json'

/** What must never leave: places in our code, files, statements. */
const leaks =
  /\bat \w+.*\(|node_modules|\.ts\b|file:\/\/|\/(tmp|work|home|usr|var)\/|\bselect\b.*\bfrom\b|\binsert into\b|ECONN|ENOENT|ENOTDIR/i

/** A grace that no test lives to see the end of: what stops within one has waited for nothing else. */
const AN_HOUR = 3_600_000

const body = (query: string, variables = {}) => JSON.stringify({ query, variables })

/** Holds the company's row while `work` runs. */
async function holding<T>(companyId: string, work: (release: () => void) => Promise<T>): Promise<T> {
  const [service] = await services()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const holder = service?.app.db.transaction().execute(async (trx) => {
    await sql`select 1 from company where id = ${companyId} for update`.execute(trx)
    hold()
    await released
  })
  await held
  try {
    return await work(release)
  } finally {
    release()
    await holder
  }
}

describe('variables that cannot be read', () => {
  const inputs: [string, string, unknown, string][] = [
    ['a missing required one', 'query ($id: ID!) { company(id: $id) { id } }', {}, 'id'],
    ['null for a required one', 'query ($id: ID!) { company(id: $id) { id } }', { id: null }, 'id'],
    ['an object for an id', 'query ($id: ID!) { company(id: $id) { id } }', { id: {} }, 'id'],
    ['a fraction for an Int', 'query ($n: Int) { companies(page: $n) { metadata { totalCount } } }', { n: 1.5 }, 'n'],
    [
      'an Int beyond 32 bits',
      'query ($n: Int) { companies(page: $n) { metadata { totalCount } } }',
      { n: 2 ** 31 },
      'n',
    ],
    ['a text for an Int', 'query ($n: Int) { companies(page: $n) { metadata { totalCount } } }', { n: '1' }, 'n'],
    [
      'an enum value that there is not',
      'query ($o: OrderParams) { companies(orderType: $o) { metadata { totalCount } } }',
      { o: 'UP' },
      'o',
    ],
    [
      'a missing field of an input',
      'mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { company { id } } }',
      { input: {} },
      'input.label',
    ],
    [
      'a wrong field of an input',
      'mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { company { id } } }',
      { input: { label: 7 } },
      'input.label',
    ],
    [
      'an unknown field of an input',
      'mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { company { id } } }',
      { input: { label: 'x', root: true } },
      'input',
    ],
    [
      'a list where an object belongs',
      'mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { company { id } } }',
      { input: ['x'] },
      'input',
    ],
    [
      'a wrong entry of a list',
      'mutation ($s: [String!]) { createApiKey(input: { name: "x", scopes: $s }) { key } }',
      { s: ['read', 1] },
      's.1',
    ],
    [
      'a date that is none',
      'mutation ($t: ISO8601DateTime) { createApiKey(input: { name: "x", expiresAt: $t }) { key } }',
      { t: 'soon' },
      't',
    ],
  ]

  test.each(inputs)('%s is reported with its place', async (_, query, variables, argument) => {
    const answer = await send({ body: body(query, variables as object) })

    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT'])
    expect(answer.errors[0]?.extensions.argument).toBe(argument)
    expect(answer.data).toBeUndefined()
  })

  test('are reported without their values, which may be secret', async () => {
    const query = 'mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { company { id } } }'
    const canary = 'canary-4711'

    const answers = [
      await send({ body: body(query, { input: { sid: canary } }) }),
      await send({ body: body(query, { input: { label: { secret: canary } } }) }),
      await send({ body: body(query, { input: { label: 'x', [canary]: 1 } }) }),
      await send({ body: body(query, { input: canary }) }),
    ]

    expect(answers.map(codesOf)).toEqual(Array.from({ length: 4 }, () => ['BAD_USER_INPUT']))
    for (const { text } of answers) expect(text).not.toContain(canary)
  })

  test('name the field that may be meant where there is none as sent, which may be a secret', async () => {
    const query = 'mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { company { id } } }'

    const near = await send({ body: body(query, { input: { label: 'x', brandurl: 'https://example.com' } }) })
    const far = await send({ body: body(query, { input: { label: 'x', root: true } }) })
    const odd = await send({ body: body(query, { input: { label: 'x', 'a "b" c': 1 } }) })

    expect([near, far, odd].map(({ errors }) => errors[0]?.message)).toEqual([
      'input: a field is not defined by type CreateCompanyInput; did you mean brandUrl?',
      'input: a field is not defined by type CreateCompanyInput',
      'input: a field is not defined by type CreateCompanyInput',
    ])
  })

  test('are reported twenty at a time', async () => {
    const query = 'mutation ($s: [String!]) { createApiKey(input: { name: "x", scopes: $s }) { key } }'

    const answer = await send({ body: body(query, { s: Array.from({ length: 500 }, () => 1) }) })

    expect(answer.errors).toHaveLength(20)
  })

  test('those of a document are reported five at a time', async () => {
    const fields = Array.from({ length: 500 }, (_, at) => `unknown${at}`).join(' ')

    const answer = await send({ body: body(`{ ${fields} }`) })

    expect(codesOf(answer)).toEqual(Array.from({ length: 6 }, () => 'GRAPHQL_VALIDATION_FAILED'))
    expect(answer.errors.map(({ message }) => /unknown\d+/.exec(message)?.[0])).toEqual([
      ...['unknown0', 'unknown1', 'unknown2', 'unknown3', 'unknown4'],
      undefined,
    ])
  })

  test.each(['\u0000', 'a\u0000b'])('text with the character U+0000 is bad input', async (label) => {
    const { companyId, owner } = await newWorld()

    const failure = await refusal(owner.key, UPDATE, { id: companyId, label })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.label' })
  })

  test('half of a surrogate pair is bad input, and is not kept as another character', async () => {
    const { companyId, owner } = await newWorld()
    const half = 'half \ud83d of a pair'
    const create = 'mutation ($input: CreateTicketInput!) { createTicket(input: $input) { ticket { id } } }'

    const failures = [
      await refusal(owner.key, UPDATE, { id: companyId, label: half }),
      await refusal(owner.key, create, { input: { companyId, type: 'BUG', title: half, description: 'd' } }),
      await refusal(owner.key, create, { input: { companyId, type: 'BUG', title: 't', description: half } }),
    ]

    expect(failures.map(({ extensions }) => [extensions.code, extensions.argument])).toEqual([
      ['BAD_USER_INPUT', 'input.label'],
      ['BAD_USER_INPUT', 'input.title'],
      ['BAD_USER_INPUT', 'input.description'],
    ])
  })
})

describe('time', () => {
  test('a statement that takes too long is TIMEOUT and may be tried again', async () => {
    const { companyId, owner } = await newWorld()

    const answer = await withService({ MERLON_STATEMENT_TIMEOUT_MS: '1500' }, ({ url }) =>
      holding(companyId, () =>
        send({ url, body: body(UPDATE, { id: companyId, label: 'Late' }), headers: { 'x-api-key': owner.key } }),
      ),
    )

    expect([answer.status, answer.data]).toEqual([200, { updateCompany: null }])
    expect(answer.errors[0]).toMatchObject({
      path: ['updateCompany'],
      extensions: { code: 'TIMEOUT', retryable: true },
    })
    expect(answer.text).not.toMatch(leaks)
  })

  test('a request that takes too long is TIMEOUT; its change is finished, and its retry gets the answer', async () => {
    const { companyId, owner } = await newWorld()
    const label = unique('Late')
    const headers = { 'x-api-key': owner.key, 'idempotency-key': unique('late').replace(' ', '-') }

    // the statement waits for the row however long the retry takes
    const limits = { MERLON_REQUEST_TIMEOUT_MS: '3000', MERLON_STATEMENT_TIMEOUT_MS: '60000' }
    const [late, running, retried] = await withService(limits, ({ url }) => {
      const change = () => send({ url, body: body(UPDATE, { id: companyId, label }), headers })
      return holding(companyId, async (release) => {
        const first = await change()
        const second = await change()
        release()
        await expect.poll(() => run(owner.key, COMPANY, { id: companyId })).toEqual({ company: { label } })
        return [first, second, await change()] as const
      })
    })

    expect([late.status, codesOf(late)]).toEqual([504, ['TIMEOUT']])
    expect(late.errors[0]?.extensions.retryable).toBe(true)
    expect([codesOf(running), running.errors[0]?.extensions.retryable]).toEqual([['CONFLICT'], true])
    expect(retried.data).toEqual({ updateCompany: { company: { label } } })
  })
})

describe('a service that is stopped', () => {
  test('answers what is under way, and then leaves at once', async () => {
    const { companyId, owner } = await newWorld()
    const { url, app } = await startService({})
    const change = () =>
      send({ url, body: body(UPDATE, { id: companyId, label: 'Last' }), headers: { 'x-api-key': owner.key } })

    const answers = await holding(companyId, async (release) => {
      const asked = Promise.all([change(), change(), change(), change(), change()])
      await expect.poll(waitingStatements).toBeGreaterThanOrEqual(5)
      const stopped = app.stop(AN_HOUR)
      release()
      const answers = await asked
      await stopped
      return answers
    })

    expect(answers.map(({ status, data }) => [status, data])).toEqual(
      answers.map(() => [200, { updateCompany: { company: { label: 'Last' } } }]),
    )
    await expect(change()).rejects.toThrow()
  })
})

describe('what breaks on our side', () => {
  test('is masked, has a request id, and is in the log', async () => {
    const { service, data, stop } = await startApart()
    await rm(join(data, 'objects', 'incoming'), { recursive: true })
    await writeFile(join(data, 'objects', 'incoming'), 'no directory')
    const parts = [operationsPart({ file: null }), mapPart({ 0: ['variables.file'] }), filePart('0')]
    const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

    const answer = await send({ url: service.url, body: multipart(parts), headers })
    await stop()

    const id = answer.errors[0]?.extensions.requestId
    expect(answer.status).toBe(500)
    expect(answer.errors).toEqual([
      {
        message: 'Something went wrong on our side',
        extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: answer.headers.get('x-request-id'), retryable: false },
      },
    ])
    expect(answer.text).not.toMatch(leaks)
    expect(service.logged.filter((line) => line.includes(String(id)) && line.includes('ENOTDIR'))).toHaveLength(1)
  })

  test('a database that is gone is UNAVAILABLE until it is back', async () => {
    const { companyId, owner } = await newWorld()
    const { service, cut, mend, stop } = await startBreakable()
    const { url } = service
    const headers = { 'x-api-key': owner.key }
    const ready = () => send({ url, path: '/readyz', method: 'GET', headers: { 'content-type': '' } })
    const company = () => send({ url, body: body(COMPANY, { id: companyId }), headers })

    const before = [await ready(), await company()]
    service.app.parts.forgetViewers()
    await cut()
    const during = [
      await company(),
      await send({ url, path: '/healthz', method: 'GET', headers: { 'content-type': '' } }),
    ]
    await expect.poll(async () => (await ready()).status).toBe(503)
    await mend()
    await expect.poll(async () => (await ready()).status).toBe(200)
    const after = await company()
    await stop()

    expect(before.map(({ status }) => status)).toEqual([200, 200])
    expect(during.map(({ status }) => status)).toEqual([503, 200])
    expect(during[0]?.errors[0]).toMatchObject({ extensions: { code: 'UNAVAILABLE', retryable: true } })
    expect(during[0]?.text).not.toMatch(leaks)
    expect(after.data).toMatchObject({ company: {} })
  })

  test('a connection that is lost in the middle of a change is UNAVAILABLE, and nothing is changed', async () => {
    const { companyId, owner } = await newWorld()
    const { service, cut, mend, stop } = await startBreakable()
    const { label } = (await run(owner.key, COMPANY, { id: companyId })).company

    const answer = await holding(companyId, async () => {
      const change = send({
        url: service.url,
        body: body(UPDATE, { id: companyId, label: 'Lost' }),
        headers: { 'x-api-key': owner.key },
      })
      await expect.poll(() => waitingStatements('%"company"%for no key update%')).toBeGreaterThan(0)
      await cut()
      return change
    })
    await mend()
    await stop()

    expect([answer.status, codesOf(answer)]).toEqual([200, ['UNAVAILABLE']])
    expect(answer.text).not.toMatch(leaks)
    expect((await run(owner.key, COMPANY, { id: companyId })).company.label).toBe(label)
  })
})

describe('documents', () => {
  test.each([
    ['{ company(', 'GRAPHQL_PARSE_FAILED'],
    ['{ company(id: "\\u12") }', 'GRAPHQL_PARSE_FAILED'],
    ['fragment F on Company { id }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ viewer }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ company(id: 1) { nothing } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['query ($a: Nothing) { viewer { id } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['subscription { viewer { id } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['subscription { issueEvents(companyId: "1") { __typename } }', 'BAD_REQUEST'],
    ['type Query { a: Int }', 'GRAPHQL_VALIDATION_FAILED'],
  ])('%s is refused with places and a code', async (query, code) => {
    const answer = await send({ body: body(query), headers: { accept: RESPONSE } })

    expect([answer.status, answer.errors[0]?.extensions.code]).toEqual([400, code])
    expect(answer.text).not.toMatch(leaks)
    expect(answer.extensions.requestId).toBe(answer.headers.get('x-request-id'))
  })

  test('a document’s faults are reported up to twenty', async () => {
    const query = `{ ${Array.from({ length: 200 }, (_, number) => `f${number}`).join(' ')} }`

    const answer = await send({ body: body(query) })

    expect(answer.errors.length).toBeLessThanOrEqual(21)
  })
})
