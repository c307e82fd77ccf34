// Retries under an Idempotency-Key of mutations that call other hosts, and how much one company may hold meanwhile.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { codesOf, send } from '../../test/http/send.ts'
import { toThisMachine, until } from '../../test/testkit/events.ts'
import { inside, waitingStatements } from '../../test/testkit/inside.ts'
import { type Service, startService } from '../../test/testkit/service.ts'
import { newWorld, type World } from '../../test/testkit/world.ts'

const TEST =
  'mutation ($input: TestWebhookInput!) { testWebhook(input: $input) { delivery { id state responseStatus failure } } }'
const UPDATE =
  'mutation ($id: ID!, $label: String) { updateCompany(input: { id: $id, label: $label }) { company { label } } }'

/** A host that keeps every caller waiting until it is told to answer. */
async function openHeldHost() {
  const held: ServerResponse[] = []
  const server = createServer((_, response) => void held.push(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    held,
    answer: () => held.forEach((response) => void response.writeHead(204).end()),
    close: () => server.close().closeAllConnections(),
  }
}

let host: Awaited<ReturnType<typeof openHeldHost>>
let world: World
let started: Service[] = []

beforeEach(async () => {
  host = await openHeldHost()
  world = await newWorld()
})

afterEach(async () => {
  host.close()
  await Promise.all(started.map(({ app }) => app.stop(0)))
  started = []
})

async function serviceWith(environment: Record<string, string> = {}): Promise<string> {
  const service = await startService({ ...toThisMachine, ...environment })
  started.push(service)
  return service.url
}

const asked = (url: string, query: string, variables: object, idempotencyKey: string = randomUUID(), from = world) =>
  send({
    url,
    body: JSON.stringify({ query, variables }),
    headers: { 'x-api-key': from.owner.key, 'idempotency-key': idempotencyKey },
  })

async function newWebhook(url: string): Promise<{ input: { id: string } }> {
  const query = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }'
  const { data } = await asked(url, query, { input: { companyId: world.companyId, url: host.url } })
  return { input: { id: (data as { createWebhook: { webhook: { id: string } } }).createWebhook.webhook.id } }
}

const companyOf = (url: string, { companyId, owner }: World) =>
  send({
    url,
    body: JSON.stringify({ query: 'query ($id: ID!) { company(id: $id) { id } }', variables: { id: companyId } }),
    headers: { 'x-api-key': owner.key },
  })

const age = async (key: string) =>
  sql`update idempotency_record set created_at = created_at - interval '1 hour' where key = ${key}`.execute(
    (await inside()).db,
  )

describe('a mutation under an Idempotency-Key that waits for another host', () => {
  test('keeps no connection meanwhile: other companies are answered', async () => {
    const url = await serviceWith({ MERLON_DATABASE_CONNECTIONS: '4' })
    const [webhook, other] = [await newWebhook(url), await newWorld()]

    const waiting = Array.from({ length: 6 }, () => asked(url, TEST, webhook))
    await until(() => host.held.length === 6)
    const answer = await companyOf(url, other)
    host.answer()

    expect(codesOf(answer)).toEqual([])
    for (const { data } of await Promise.all(waiting)) {
      expect(data).toMatchObject({ testWebhook: { delivery: { state: 'DELIVERED', responseStatus: 204 } } })
    }
  })

  test('is in progress to whoever sends it again, and answered with the same afterwards', async () => {
    const url = await serviceWith()
    const [webhook, key] = [await newWebhook(url), randomUUID()]

    const first = asked(url, TEST, webhook, key)
    await until(() => host.held.length === 1)
    const meanwhile = await asked(url, TEST, webhook, key)
    const other = await asked(url, `${TEST} `, webhook, key)
    host.answer()
    const [done, again] = [await first, await asked(url, TEST, webhook, key)]

    expect(meanwhile.errors[0]?.extensions).toMatchObject({ code: 'CONFLICT', retryable: true })
    expect(other.errors[0]?.extensions).toMatchObject({ code: 'CONFLICT', retryable: false })
    expect(again.text).toBe(done.text)
    expect(host.held).toHaveLength(1)
  })

  test('that was cut short is never done again: the answer says that nobody knows what it did', async () => {
    const [url, dying] = [await serviceWith(), await startService(toThisMachine)]
    const [webhook, key] = [await newWebhook(url), randomUUID()]

    const cut = asked(dying.url, TEST, webhook, key).catch(() => null)
    await until(() => host.held.length === 1)
    await dying.app.stop(0)
    await cut
    const soon = await asked(url, TEST, webhook, key)
    await age(key)
    const later = await asked(url, TEST, webhook, key)

    expect(soon.errors[0]?.extensions).toMatchObject({ code: 'CONFLICT', retryable: true })
    expect(later.errors[0]).toMatchObject({
      message: expect.stringContaining('cut short'),
      extensions: { code: 'CONFLICT', retryable: false },
    })
    expect(host.held).toHaveLength(1)
  })

  test('is ended by the deadline, and its answer is kept', async () => {
    const url = await serviceWith({ MERLON_REQUEST_TIMEOUT_MS: '3000' })
    const [webhook, key] = [await newWebhook(url), randomUUID()]

    const late = await asked(url, TEST, webhook, key)
    await until(() => host.held[0]?.closed)
    const again = await until(async () => {
      const answer = await asked(url, TEST, webhook, key)
      return answer.errors.length === 0 && answer
    })

    expect(codesOf(late)).toEqual(['TIMEOUT'])
    expect(again.data).toMatchObject({
      testWebhook: { delivery: { failure: 'no complete response arrived in time', responseStatus: null } },
    })
    expect(host.held).toHaveLength(1)
  })

  test('that did nothing, for a reason that may pass, is tried anew', async () => {
    const url = await serviceWith({ MERLON_STATEMENT_TIMEOUT_MS: '1500' })
    const [webhook, key] = [await newWebhook(url), randomUUID()]

    const first = await (await inside()).db.transaction().execute(async (trx) => {
      await sql`select from webhook where id = ${webhook.input.id} for update`.execute(trx)
      return asked(url, TEST, webhook, key)
    })
    const second = asked(url, TEST, webhook, key)
    await until(() => host.held.length === 1)
    host.answer()

    expect(first.errors[0]?.extensions.retryable).toBe(true)
    expect((await second).data).toMatchObject({ testWebhook: { delivery: { state: 'DELIVERED' } } })
  })
})

test('of all mutations under keys one company holds half of the connections at most', async () => {
  const url = await serviceWith({ MERLON_DATABASE_CONNECTIONS: '4' })
  const other = await newWorld()
  const { companyId } = world
  const { db } = await inside()

  const { waiting, answer } = await db.transaction().execute(async (trx) => {
    await sql`select from company where id = ${companyId} for update`.execute(trx)
    const waiting = Array.from({ length: 8 }, () => asked(url, UPDATE, { id: companyId, label: 'Mine' }))
    await until(async () => (await waitingStatements('%"company"%for no key update%')) >= 2)
    return { waiting, answer: await companyOf(url, other) }
  })

  expect(codesOf(answer)).toEqual([])
  expect((await Promise.all(waiting)).flatMap(codesOf)).toEqual([])
})
