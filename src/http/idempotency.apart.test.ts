// Retries under an Idempotency-Key, through the endpoint.

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { send } from '../../test/http/send.ts'
import { type Answer, administratorKey, ask, run, unique } from '../../test/testkit/client.ts'
import { inside } from '../../test/testkit/inside.ts'
import { services, startService } from '../../test/testkit/service.ts'
import { newPerson, newWorld } from '../../test/testkit/world.ts'
import { UploadedFile } from '../core/uploads.ts'
import { hashRequest } from './idempotency.ts'

const CREATE = 'mutation ($label: String!) { createCompany(input: { label: $label }) { company { id label } } }'
const UPDATE =
  'mutation ($id: ID!, $label: String) { updateCompany(input: { id: $id, label: $label }) { company { id label } } }'

const under = (
  key: string,
  query: string,
  variables: Record<string, unknown>,
  idempotencyKey: string,
): Promise<Answer> => ask(key, query, variables, { 'idempotency-key': idempotencyKey })

const codes = ({ errors }: Answer) => errors.map(({ extensions }) => extensions.code)

async function countCompanies(label: string): Promise<number> {
  const { companies } = await run(
    administratorKey(),
    'query ($l: String) { companies(params: { labelCont: $l }) { metadata { totalCount } } }',
    { l: label },
  )
  return companies.metadata.totalCount
}

describe('a mutation under an Idempotency-Key', () => {
  test('has one effect when a hundred ask at once, and every answer is that one or says that it is in progress', async () => {
    const label = unique('Once')
    const key = randomUUID()

    const answers = await Promise.all(
      Array.from({ length: 100 }, () => under(administratorKey(), CREATE, { label }, key)),
    )

    const done = answers.filter(({ errors }) => errors.length === 0)
    const waiting = answers.filter(({ errors }) => errors.length > 0)
    expect(await countCompanies(label)).toBe(1)
    expect(new Set(done.map(({ data }) => data.createCompany.company.id)).size).toBe(1)
    for (const { errors } of waiting) expect(errors[0]?.extensions).toMatchObject({ code: 'CONFLICT', retryable: true })
  })

  test('is answered with the same bytes again', async () => {
    const label = unique('Again')
    const key = randomUUID()

    const first = await under(administratorKey(), CREATE, { label }, key)
    const second = await under(administratorKey(), CREATE, { label }, key)

    expect(second.data).toEqual(first.data)
    expect(second.extensions).toEqual(first.extensions)
    expect(await countCompanies(label)).toBe(1)
  })

  test('is a conflict when the variables, the document or the operation are others', async () => {
    const label = unique('Other')
    const key = randomUUID()
    await under(administratorKey(), CREATE, { label }, key)

    const variables = await under(administratorKey(), CREATE, { label: `${label} 2` }, key)
    const document = await under(administratorKey(), `${CREATE} `, { label }, key)

    for (const answer of [variables, document]) {
      expect(answer.errors[0]?.extensions).toMatchObject({ code: 'CONFLICT', retryable: false })
    }
    expect(await countCompanies(label)).toBe(1)
  })

  test('that failed by its input keeps its failure', async () => {
    const { companyId, owner } = await newWorld()
    const key = randomUUID()

    const first = await under(owner.key, UPDATE, { id: companyId, label: ' ' }, key)
    const second = await under(owner.key, UPDATE, { id: companyId, label: ' ' }, key)

    expect(codes(first)).toEqual(['BAD_USER_INPUT'])
    expect(second.errors).toEqual(first.errors)
  })

  test('that was refused is refused again with its status, and its line of the log says why', async () => {
    const body = JSON.stringify({ query: CREATE, variables: {} })
    const headers = { accept: 'application/graphql-response+json', 'idempotency-key': randomUUID() }

    const first = await send({ body, headers })
    const second = await send({ body, headers })

    const id = second.headers.get('x-request-id')
    const line = (await services()).flatMap(({ logged }) => logged).find((line) => line.includes(String(id)))
    expect([first.status, second.status]).toEqual([400, 400])
    expect(JSON.parse(String(line))).toMatchObject({ requestId: id, status: 400, codes: ['BAD_USER_INPUT'] })
  })

  test('that failed for a reason that may pass is tried anew', async () => {
    const { companyId, owner } = await newWorld()
    const key = randomUUID()
    const label = unique('Anew')
    const hasty = await startService({ MERLON_STATEMENT_TIMEOUT_MS: '1500' })
    const attempt = async () => {
      const body = JSON.stringify({ query: UPDATE, variables: { id: companyId, label } })
      return send({ url: hasty.url, body, headers: { 'x-api-key': owner.key, 'idempotency-key': key } })
    }

    const first = await (await inside()).db.transaction().execute(async (trx) => {
      await sql`select from company where id = ${companyId} for update`.execute(trx)
      return attempt()
    })
    const second = await attempt().finally(() => hasty.app.stop(0))

    expect(first.errors[0]?.extensions.retryable).toBe(true)
    expect(second.data).toEqual({ updateCompany: { company: { id: companyId, label } } })
  })

  test('of several, one that fails for a reason that may pass undoes all, and nothing is said to be done', async () => {
    const { companyId, owner } = await newWorld()
    const [key, name, label] = [randomUUID(), unique('Asset'), unique('Both')]
    const hasty = await startService({ MERLON_STATEMENT_TIMEOUT_MS: '1500' })
    const both = `mutation ($id: ID!, $companyId: Int!, $name: String!, $label: String!) {
      a: createAsset(input: { companyId: $companyId, name: $name }) { asset { name } }
      b: updateCompany(input: { id: $id, label: $label }) { company { label } } }`
    const attempt = async () => {
      const variables = { id: companyId, companyId: Number(companyId), name, label }
      const body = JSON.stringify({ query: both, variables })
      return send({ url: hasty.url, body, headers: { 'x-api-key': owner.key, 'idempotency-key': key } })
    }
    const { db } = await inside()

    const first = await db.transaction().execute(async (trx) => {
      await sql`select from company where id = ${companyId} for no key update`.execute(trx)
      return attempt()
    })
    const { rows: left } = await sql`select from asset where name = ${name}`.execute(db)
    const second = await attempt().finally(() => hasty.app.stop(0))

    expect(first.data).toEqual({ a: null, b: null })
    expect(first.errors.map(({ path, extensions }) => [path, extensions.code, extensions.retryable])).toEqual([
      [['b'], 'TIMEOUT', true],
      [['a'], 'CONFLICT', true],
    ])
    expect(left).toEqual([])
    expect(second.data).toEqual({ a: { asset: { name } }, b: { company: { label } } })
  })

  test('of several, one that fails takes nothing back of the others', async () => {
    const [first, second] = [unique('First'), unique('Second')]
    const both = `mutation ($a: String!, $b: String!, $sid: String!) {
      a: createCompany(input: { label: $a, sid: $sid }) { company { id } }
      taken: createCompany(input: { label: $a, sid: $sid }) { company { id } }
      b: createCompany(input: { label: $b }) { company { id } } }`
    const key = randomUUID()

    const answer = await under(administratorKey(), both, { a: first, b: second, sid: key }, key)
    const again = await under(administratorKey(), both, { a: first, b: second, sid: key }, key)

    expect(answer.errors.map(({ path, extensions }) => [path, extensions.code])).toEqual([[['taken'], 'CONFLICT']])
    expect(again.data).toEqual(answer.data)
    expect([await countCompanies(first), await countCompanies(second)]).toEqual([1, 1])
  })

  test('counts for its user and company alone', async () => {
    const [mine, other] = [await newWorld(), await newWorld()]
    const colleague = await newPerson(mine.companyId, 'READER')
    const key = randomUUID()
    await under(mine.owner.key, UPDATE, { id: mine.companyId, label: 'Mine' }, key)

    const elsewhere = await under(other.owner.key, UPDATE, { id: other.companyId, label: 'Other' }, key)
    const byColleague = await under(colleague.key, UPDATE, { id: mine.companyId, label: 'Mine' }, key)

    expect(elsewhere.data.updateCompany.company.label).toBe('Other')
    expect(codes(byColleague)).toEqual(['FORBIDDEN'])
  })

  test('is answered to a rotated key', async () => {
    const { companyId, owner } = await newWorld()
    const key = randomUUID()
    const first = await under(owner.key, UPDATE, { id: companyId, label: 'Rotated' }, key)
    const { apiKeys } = await run(owner.key, '{ apiKeys { id } }')
    const { rotateApiKey } = await run(owner.key, 'mutation ($id: ID!) { rotateApiKey(input: { id: $id }) { key } }', {
      id: apiKeys[0].id,
    })

    const again = await under(rotateApiKey.key, UPDATE, { id: companyId, label: 'Rotated' }, key)

    expect(again.extensions).toEqual(first.extensions)
  })

  test('counts for keys of the same reach alone: what a lesser key was refused or may not see is its own', async () => {
    const { companyId, owner } = await newWorld()
    const issue = 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key apiKey { id } } }'
    const reading = await run(owner.key, issue, { input: { name: 'Reads', scopes: ['read'] } })
    const [first, second] = [randomUUID(), randomUUID()]

    const refused = await under(reading.createApiKey.key, UPDATE, { id: companyId, label: 'Mine' }, first)
    const done = await under(owner.key, UPDATE, { id: companyId, label: 'Mine' }, first)
    const issued = await under(owner.key, issue, { input: { name: 'Shown once' } }, second)
    const peeked = await under(reading.createApiKey.key, issue, { input: { name: 'Shown once' } }, second)

    expect(codes(refused)).toEqual(['FORBIDDEN'])
    expect(done.data.updateCompany.company.label).toBe('Mine')
    expect(issued.data.createApiKey.key).toMatch(/^mrl_/)
    expect(codes(peeked)).toEqual(['FORBIDDEN'])
  })

  test('is forgotten after 24 hours', async () => {
    const { companyId, owner } = await newWorld()
    const key = randomUUID()
    const first = await under(owner.key, UPDATE, { id: companyId, label: 'Old' }, key)
    await sql`update idempotency_record set created_at = created_at - interval '24 hours' where key = ${key}`.execute(
      (await inside()).db,
    )

    const later = await under(owner.key, UPDATE, { id: companyId, label: 'New' }, key)

    expect(later.data.updateCompany.company.label).toBe('New')
    expect(later.extensions.requestId).not.toBe(first.extensions.requestId)
  })

  test('keeps no answer in the clear', async () => {
    const { companyId, owner } = await newWorld()
    const label = unique('Canary')
    const key = randomUUID()
    await under(owner.key, UPDATE, { id: companyId, label }, key)

    const { rows } = await sql<{
      response: Buffer
    }>`select response from idempotency_record where key = ${key}`.execute((await inside()).db)

    expect(rows).toHaveLength(1)
    expect(rows[0]?.response.toString('latin1')).not.toContain(label)
  })

  test('may be a query, which is simply asked again', async () => {
    const key = randomUUID()

    const [first, second] = [
      await under(administratorKey(), '{ viewer { id } }', {}, key),
      await under(administratorKey(), '{ viewer { name } }', {}, key),
    ]

    expect([first.data.viewer.id, second.data.viewer.name]).toEqual([expect.any(String), expect.any(String)])
  })

  test.each([
    ['the longest', 'k'.repeat(255), 200],
    ['one too long', 'k'.repeat(256), 400],
    ['one with a space', 'a b', 400],
    ['an odd but printable one', '!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~', 200],
    ['one beyond ASCII', 'schl\u00fcssel', 400],
  ])('takes a key that is printable ASCII up to 255: %s', async (_, key, status) => {
    const { companyId, owner } = await newWorld()

    const answer = await under(owner.key, UPDATE, { id: companyId, label: 'x' }, key)

    expect([answer.status, codes(answer)]).toEqual([status, status === 200 ? [] : ['BAD_REQUEST']])
  })

  test('refuses variables that are nested without end', async () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)

    expect(() => hashRequest(UPDATE, undefined, { deep })).toThrow('nested too deeply')
  })
})

test('a file counts by its name and content', () => {
  const file = (filename: string, text: string) =>
    new UploadedFile({ filename, contentType: 'text/plain', inline: Buffer.from(text) })
  const hashOf = (filename: string, text: string) =>
    hashRequest('q', undefined, { file: file(filename, text) }).toString('hex')

  expect(hashOf('a', 'x')).toBe(hashOf('a', 'x'))
  expect(new Set([hashOf('a', 'x'), hashOf('a', 'y'), hashOf('b', 'x')]).size).toBe(3)
})
