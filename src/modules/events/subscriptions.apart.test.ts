// Subscriptions over a WebSocket: what is followed, by whom, from where on, and how a connection ends.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askAt } from '../../../test/testkit/asking.ts'
import { run } from '../../../test/testkit/client.ts'
import { BEGINNING, connect, follow, startWorkingService, until } from '../../../test/testkit/events.ts'
import { openReceiver } from '../../../test/testkit/receiver.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'
import { newAsset, newDeploy, newIssue, newPerson, newWorld, type World } from '../../../test/testkit/world.ts'

let worker: Service
let other: Service

beforeAll(async () => {
  worker = await startWorkingService()
  other = await startService({})
})

afterAll(async () => {
  await worker.app.stop(0)
  await other.app.stop(0)
})

const WEBHOOK = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }'

const kindsOf = (shown: { data: Record<string, { kind: string }> }[], field: string) =>
  shown.map(({ data }) => data[field]?.kind)

describe('A subscriber', () => {
  test('on one node receives what happens on another, with the record as it is then', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const subscriber = await connect(other.url, owner.key)
    subscriber.subscribe('1', follow('issueEvents', 'kind objectId data issue { id title }'), { companyId })

    const issues = new Map<string, string>()
    const [shown] = await until(async () => {
      const { id, title } = await newIssue(owner.key, asset.id)
      issues.set(id, title)
      return subscriber.shown('1').length > 0 && subscriber.shown('1')
    })
    subscriber.end()
    const { objectId: id } = shown.data.issueEvents
    expect(issues.keys()).toContain(id)
    expect(shown.data.issueEvents).toMatchObject({
      kind: 'issue.created',
      data: { companyId, id, assetId: asset.id, status: 'CREATED', severity: 'HIGH', by: 'PERSON' },
      issue: { id, title: issues.get(id) },
    })
  })

  test('goes on after its cursor, missing nothing and seeing nothing twice', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const first = await connect(other.url, owner.key)
    first.subscribe('1', follow('issueEvents'), { companyId, after: BEGINNING })
    const issues = [await newIssue(owner.key, asset.id)]
    const [shown] = await until(() => first.shown('1').length > 0 && first.shown('1'))
    first.end()

    for (let made = 0; made < 5; made += 1) issues.push(await newIssue(owner.key, asset.id))
    const second = await connect(other.url, owner.key)
    second.subscribe('1', follow('issueEvents'), { companyId, after: shown.data.issueEvents.cursor })

    await until(() => second.shown('1').length >= 5)
    issues.push(await newIssue(owner.key, asset.id))
    await until(() => second.shown('1').length >= 6)
    second.end()
    const told = second.shown('1').map(({ data }) => data.issueEvents.objectId)
    expect(told).toEqual(issues.slice(1).map(({ id }) => id))
  })

  test('to deploys, imports or scans receives its own kind alone', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const subscriber = await connect(other.url, owner.key)
    for (const field of ['deployEvents', 'importEvents', 'scanEvents']) {
      subscriber.subscribe(field, follow(field), { companyId, after: BEGINNING })
    }
    await newDeploy(owner.key, asset.id)
    await run(
      owner.key,
      'mutation ($input: ImportFindingsInput!) { importFindings(input: $input) { import { id status } } }',
      {
        input: {
          companyId,
          assetId: asset.id,
          file: {
            filename: 'report.sarif',
            contentType: 'application/json',
            base64: Buffer.from(
              JSON.stringify({
                version: '2.1.0',
                runs: [{ tool: { driver: { name: 'a tool' } }, results: [{ ruleId: 'r', message: { text: 'm' } }] }],
              }),
            ).toString('base64'),
          },
        },
      },
    )
    await run(
      owner.key,
      'mutation ($input: CreateControlSyncStatusInput!) { createControlSyncStatus(input: $input) { controlSyncStatus { id } } }',
      { input: { assetId: asset.id, integration: 'PLATFORM_AST', externalVulnerabilityCount: 3 } },
    )

    await until(() => subscriber.shown('scanEvents').length > 0 && subscriber.shown('importEvents').length > 1)
    await until(() => subscriber.shown('deployEvents').length > 0)
    subscriber.end()
    expect(kindsOf(subscriber.shown('deployEvents'), 'deployEvents')).toEqual(['deploy.created'])
    expect(kindsOf(subscriber.shown('importEvents'), 'importEvents')).toEqual(['import.created', 'import.succeeded'])
    expect(kindsOf(subscriber.shown('scanEvents'), 'scanEvents')[0]).toBe('scan.created')
  })

  test('to deliveries receives attempts that failed and attempts that succeeded, of its own company alone', async () => {
    const endpoints = [await openReceiver(() => 500), await openReceiver(() => 200)]
    const worlds = [await newWorld(), await newWorld()]
    const [{ companyId, owner }] = worlds as [World]
    const subscriber = await connect(other.url, owner.key)
    subscriber.subscribe('1', follow('deliveryEvents'), { companyId, after: BEGINNING })
    const webhookIds = []
    for (const world of worlds) {
      for (const { url } of endpoints) {
        const input = { companyId: world.companyId, url, kinds: ['issue.created'] }
        const { createWebhook } = await askAt(worker.url, world.owner.key, WEBHOOK, { input })
        webhookIds.push(createWebhook.webhook.id)
      }
    }

    const issues = []
    for (const world of worlds.toReversed()) {
      const asset = await newAsset(world.owner.key, world.companyId)
      issues.push(await newIssue(world.owner.key, asset.id))
      await until(() => endpoints.every(({ received }) => received.length >= issues.length))
    }

    await until(() => subscriber.shown('1').length > 1)
    subscriber.end()
    for (const { close } of endpoints) await close()
    const told = subscriber.shown('1').map(({ data }) => data.deliveryEvents)
    const common = { companyId, eventKind: 'issue.created', eventId: expect.stringMatching(/^evt_\d+$/), attempts: 1 }
    expect(told.toSorted((one, two) => one.kind.localeCompare(two.kind))).toMatchObject([
      { kind: 'delivery.delivered', data: { ...common, webhookId: webhookIds[1], responseStatus: 200 } },
      {
        kind: 'delivery.failed',
        data: { ...common, webhookId: webhookIds[0], responseStatus: 500, failure: 'The endpoint answered 500' },
      },
    ])
  })

  test('leaves one subscription and keeps the others', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const subscriber = await connect(other.url, owner.key)
    subscriber.subscribe('left', follow('issueEvents'), { companyId, after: BEGINNING })
    subscriber.subscribe('kept', follow('issueEvents'), { companyId, after: BEGINNING })
    await newIssue(owner.key, asset.id)
    await until(() => subscriber.shown('left').length > 0 && subscriber.shown('kept').length > 0)

    subscriber.send({ id: 'left', type: 'complete' })
    await newIssue(owner.key, asset.id)

    await until(() => subscriber.shown('kept').length > 1)
    subscriber.end()
    expect(subscriber.shown('left')).toHaveLength(1)
  })
})

describe('A connection', () => {
  test('ends when its key is revoked, and receives nothing that happens after that', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const person = await newPerson(companyId, 'OWNER')
    const subscriber = await connect(other.url, person.key)
    subscriber.subscribe('1', follow('issueEvents'), { companyId, after: BEGINNING })
    await newIssue(owner.key, asset.id)
    await until(() => subscriber.shown('1').length > 0)
    const { apiKeys } = await run(person.key, '{ apiKeys { id } }')

    await run(person.key, 'mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }', {
      id: apiKeys[0].id,
    })
    await newIssue(owner.key, asset.id)

    expect((await subscriber.closed).code).toBe(4403)
    expect(subscriber.shown('1')).toHaveLength(1)
  })

  test('whose viewer leaves the company receives no more, and ends', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const person = await newPerson(companyId, 'READER')
    const subscriber = await connect(other.url, person.key)
    subscriber.subscribe('1', follow('issueEvents'), { companyId, after: BEGINNING })
    await newIssue(owner.key, asset.id)
    await until(() => subscriber.shown('1').length > 0)

    await run(
      owner.key,
      'mutation ($input: UpdatePortalUserAccessInput!) { updatePortalUserAccess(input: $input) { portalUserAccess { role } } }',
      { input: { companyId, id: person.id, role: null } },
    )
    await newIssue(owner.key, asset.id)

    await until(() => subscriber.messages.some(({ type }) => type === 'complete'))
    subscriber.end()
    const [, last] = subscriber.shown('1')
    expect(last).toMatchObject({ data: null, errors: [{ extensions: { code: 'NOT_FOUND' } }] })
  })

  test.each([
    ['a query', '{ viewer { name } }', 'BAD_REQUEST'],
    ['a document that cannot be read', 'subscription {', 'GRAPHQL_PARSE_FAILED'],
    [
      'a document that is not valid',
      'subscription { issueEvents(companyId: 1) { nothing } }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [
      'a document with too many aliases',
      `subscription { issueEvents(companyId: 1) { ${Array.from({ length: 31 }, (_, n) => `a${n}: kind`).join(' ')} } }`,
      'QUERY_TOO_COMPLEX',
    ],
  ])('refuses %s and goes on', async (_, query, code) => {
    const { owner } = await newWorld()
    const subscriber = await connect(other.url, owner.key)

    subscriber.subscribe('1', query)

    const refusal = await until(() => subscriber.messages.find(({ type }) => type === 'error'))
    expect(refusal.payload).toMatchObject([{ extensions: { code } }])
    expect(subscriber.socket.readyState).toBe(1)
    subscriber.end()
  })

  test('has no more than twenty subscriptions', async () => {
    const { companyId, owner } = await newWorld()
    const subscriber = await connect(other.url, owner.key)

    for (let n = 0; n <= 20; n += 1) subscriber.subscribe(String(n), follow('issueEvents'), { companyId })

    const refusal = await until(() => subscriber.messages.find(({ type }) => type === 'error'))
    subscriber.end()
    expect(refusal).toMatchObject({ id: '20', payload: [{ extensions: { code: 'RATE_LIMITED' } }] })
  })

  test.each([
    ['a cursor that is none', 'nothing', 'BAD_USER_INPUT'],
    ['a cursor before what is kept', Buffer.from('[1]').toString('base64url'), 'FAILED_PRECONDITION'],
  ])('refuses %s', async (_, after, code) => {
    const { companyId, owner } = await newWorld()
    await other.app.db.insertInto('event_horizon').values({ company_id: companyId, sequence: '5' }).execute()
    const subscriber = await connect(other.url, owner.key)

    subscriber.subscribe('1', follow('issueEvents'), { companyId, after })

    const refusal = await until(() => subscriber.messages.find(({ type }) => type === 'error'))
    subscriber.end()
    expect(refusal.payload).toMatchObject([{ extensions: { code } }])
  })

  test.each([
    [
      'speaks before it said who it is',
      { id: '1', type: 'subscribe', payload: { query: '{ viewer { name } }' } },
      4401,
    ],
    ['says what is no message', { type: 'nothing' }, 4400],
  ])('that %s is closed', async (_, message, code) => {
    const subscriber = await connect(other.url, null)

    subscriber.send(message)

    expect((await subscriber.closed).code).toBe(code)
  })

  test('of another protocol, of another path or with a huge message is refused', async () => {
    const { owner } = await newWorld()
    const old = await connect(other.url, null, { protocols: ['graphql-ws'] })
    const elsewhere = await connect(`${other.url}/elsewhere`, null)
    const loud = await connect(other.url, owner.key)

    loud.subscribe('1', 'x'.repeat(200_000))

    expect([1006, 4406]).toContain((await old.closed).code)
    expect((await elsewhere.closed).code).toBe(1006)
    expect((await loud.closed).code).toBe(1009)
  })

  test('is closed as going away when the service stops', async () => {
    const { owner } = await newWorld()
    const leaving = await startService({})
    const subscriber = await connect(leaving.url, owner.key)

    await leaving.app.stop(2_000)

    expect((await subscriber.closed).code).toBe(1001)
  })
})
