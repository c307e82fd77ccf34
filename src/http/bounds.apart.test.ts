// The limits of requests, through the endpoint: documents, pages, cost, rate, files inside JSON.

import { describe, expect, test } from 'vitest'
import { codesOf, send } from '../../test/http/send.ts'
import { administratorKey, ask, refusal, run } from '../../test/testkit/client.ts'
import { withService } from '../../test/testkit/service.ts'
import { newAsset, newWorld } from '../../test/testkit/world.ts'

const RESPONSE = 'application/graphql-response+json'
const body = (query: string, variables = {}) => JSON.stringify({ query, variables })
const PAGE =
  'query ($page: Int, $limit: Int) { companies(page: $page, limit: $limit) { collection { id } metadata { limitValue currentPage } } }'

describe('a document is too complex', () => {
  const nested = (depth: number) => `{ viewer ${'{ profile(companyId: 1) '.repeat(depth)} { id } ${'}'.repeat(depth)} }`
  const documents: [string, string, RegExp][] = [
    ['above 64 KiB', `{ __typename } # ${'x'.repeat(65_536)}`, /65,536 bytes/],
    ['above 2,000 tokens', `{ ${'__typename '.repeat(2001)} }`, /2,000 tokens/],
    ['deeper than 15', nested(16), /15 are allowed/],
    [
      'with more than 30 aliases',
      `{ ${Array.from({ length: 31 }, (_, n) => `a${n}: __typename`).join(' ')} }`,
      /30 are allowed/,
    ],
    [
      'that costs more than 10,000',
      '{ companies(limit: 1000) { collection { id label sid brandUrl createdAt updatedAt integrations configured customFeatures brandId brandFilename brandSize } } }',
      /10,000 are allowed/,
    ],
    [
      'whose fragments go round',
      '{ viewer { ...A } } fragment A on PortalUser { id ...B } fragment B on PortalUser { ...A }',
      /./,
    ],
  ]

  test.each(documents)('%s', async (_, query, message) => {
    const response = await send({ body: body(query), headers: { accept: RESPONSE } })
    const json = await send({ body: body(query) })

    const code = query.includes('fragment') ? 'GRAPHQL_VALIDATION_FAILED' : 'QUERY_TOO_COMPLEX'
    expect([response.status, response.errors[0]?.extensions.code]).toEqual([400, code])
    expect([json.status, json.errors[0]?.extensions.code]).toEqual([200, code])
    expect(response.errors[0]?.message).toMatch(message)
  })

  test('also by a page size in a variable, and the answer has the cost', async () => {
    const query =
      'query ($n: Int) { companies(limit: $n) { collection { id label sid brandUrl createdAt updatedAt integrations configured customFeatures brandId brandFilename } } }'

    const [small, large] = [await send({ body: body(query, { n: 5 }) }), await send({ body: body(query, { n: 1000 }) })]

    expect([codesOf(small), codesOf(large)]).toEqual([[], ['QUERY_TOO_COMPLEX']])
    expect(small.extensions.cost).toBeGreaterThan(10)
    expect(large.extensions.cost).toBeGreaterThan(10_000)
  })

  test('under settings of its own', async () => {
    const codes = await withService({ MERLON_DOCUMENT_DEPTH: '2', MERLON_DOCUMENT_COST: '5' }, async ({ url }) => [
      codesOf(await send({ url, body: body('{ companies { collection { id } } }') })),
      codesOf(await send({ url, body: body('{ companies(limit: 50) { metadata { totalCount } } }') })),
      codesOf(await send({ url, body: body('{ viewer { id } }') })),
    ])

    expect(codes).toEqual([['QUERY_TOO_COMPLEX'], ['QUERY_TOO_COMPLEX'], []])
  })

  test('introspection is not', async () => {
    const { getIntrospectionQuery } = await import('graphql')

    const answer = await send({ body: body(getIntrospectionQuery()) })

    expect(codesOf(answer)).toEqual([])
  })
})

describe('a page', () => {
  test('above the largest is cut to it, and says so', async () => {
    const { companies } = await run(administratorKey(), PAGE, { limit: 5000 })

    expect(companies.metadata.limitValue).toBe(1000)
  })

  test.each([
    ['page', { page: 0 }],
    ['page', { page: -1 }],
    ['limit', { limit: 0 }],
    ['limit', { limit: -10 }],
  ])('below 1 is refused: %s %o', async (argument, variables) => {
    const failure = await refusal(administratorKey(), PAGE, variables)

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
  })

  test('far behind the end is empty, and farther than can be skipped is refused', async () => {
    const { companies } = await run(administratorKey(), PAGE, { page: 100_000, limit: 10 })
    const failure = await refusal(administratorKey(), PAGE, { page: 2_147_483_647, limit: 1000 })

    expect(companies.collection).toEqual([])
    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'page' })
  })

  test.each(['x', '', 'WyJ4Il0', 'W10', '"', 'bnVsbA', 'x'.repeat(5000)])(
    'after %j, which is no cursor, is refused',
    async (after) => {
      const failure = await refusal(
        administratorKey(),
        'query ($a: String) { companies(after: $a) { collection { id } } }',
        { a: after },
      )

      expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'after' })
    },
  )
})

describe('an answer', () => {
  const names = Array.from({ length: 29 }, (_, at) => `a${at}: description`).join(' ')
  const report = (assetId: string, index: number) => ({
    sastFinding: {
      assetId: Number(assetId),
      title: `Finding ${index}`,
      description: 'x'.repeat(100_000),
      ruleId: `rule ${index}`,
      toolName: 'a tool',
      codeSnippet: 'eval(input)',
      fileName: `src/${index}.ts`,
      vulnerableLine: 3,
      firstLine: 1,
    },
  })

  test('that would be larger than is allowed is refused before it is written, and what a mutation did stays', async () => {
    const { companyId, owner } = await newWorld()
    const { id: assetId } = await newAsset(owner.key, companyId)
    const asked = (query: string, variables: object) =>
      send({ body: body(query, variables), headers: { 'x-api-key': owner.key } })
    const page = (perPage: number) =>
      asked(
        `query ($id: ID!, $n: Int!) { issues(companyId: $id, pagination: { perPage: $n }) { collection { ${names} } } }`,
        { id: companyId, n: perPage },
      )

    const made = await asked(
      `mutation ($input: BatchCreateOrUpdateFindingsInput!) { batchCreateOrUpdateFindings(input: $input) { issues { ${names} } } }`,
      { input: { findings: Array.from({ length: 12 }, (_, index) => report(assetId, index)) } },
    )
    const [few, all] = [await page(2), await page(12)]

    expect(made.errors.map(({ message }) => message)).toEqual([
      'It was done, but the answer has more than the 33,554,432 characters allowed: ask for fewer fields or smaller pages',
    ])
    expect([codesOf(made), codesOf(few), codesOf(all)]).toEqual([['QUERY_TOO_COMPLEX'], [], ['QUERY_TOO_COMPLEX']])
    expect(few.text.length).toBeGreaterThan(2 * 29 * 100_000)
    expect(all.errors[0]?.message).toMatch(/^The answer has more than/)
  })
})

describe('the rate', () => {
  test('of a key ends in 429 with the seconds to wait, and other keys go on', async () => {
    const { owner } = await newWorld()

    const [answers, other] = await withService({ MERLON_REQUESTS_PER_MINUTE: '5' }, async ({ url }) => {
      const one = () => send({ url, body: body('{ viewer { id } }'), headers: { 'x-api-key': owner.key } })
      const asked = []
      for (let count = 0; count < 7; count += 1) asked.push(await one())
      return [asked, await send({ url, body: body('{ viewer { id } }') })] as const
    })

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(codesOf(answers[6] ?? { errors: [] })).toEqual(['RATE_LIMITED'])
    expect(answers[6]?.errors[0]?.extensions.retryable).toBe(true)
    expect(Number(answers[6]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(other.status).toBe(200)
  })
})

describe('a file inside a JSON body', () => {
  const file = (size: number) => ({
    filename: 'a.txt',
    contentType: 'text/plain',
    base64: Buffer.alloc(size, 1).toString('base64'),
  })

  test('has its own limit, and a fault names its argument', async () => {
    const { companyId, owner } = await newWorld()
    const query = 'mutation ($input: CreateAttachmentInput!) { createAttachment(input: $input) { attachment { id } } }'
    const sendFile = async (archive: unknown) => (await ask(owner.key, query, { input: { companyId, archive } })).errors

    const argument = 'input.archive'
    expect(await sendFile(file(1_048_576))).toEqual([])
    expect(await sendFile(file(1_048_577))).toMatchObject([
      { message: expect.stringContaining('1048576 bytes'), extensions: { code: 'PAYLOAD_TOO_LARGE', argument } },
    ])
    for (const value of [
      { ...file(3), base64: 'no base64!' },
      { ...file(3), base64: 'abc' },
      { ...file(3), base64: 7 },
      { ...file(3), filename: null },
      { ...file(3), contentType: 7 },
      { filename: 'a' },
      'a text',
      7,
      [],
    ]) {
      expect(await sendFile(value)).toMatchObject([
        { message: expect.stringContaining(argument), extensions: { code: 'BAD_USER_INPUT', argument } },
      ])
    }
  })
})
