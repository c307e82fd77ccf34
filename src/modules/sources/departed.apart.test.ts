// Webhooks whose integration, association or asset is gone: a job removes them from their host, with a credential that still works.

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { askAt } from '../../../test/testkit/asking.ts'
import { serveBoards } from '../../../test/testkit/boards-fake.ts'
import { administratorKey, type Data, run } from '../../../test/testkit/client.ts'
import { dumpTables } from '../../../test/testkit/inside.ts'
import { AUDIT, DELETE, HOST_B, saved } from '../../../test/testkit/integrations.ts'
import { ROTATE } from '../../../test/testkit/secrets.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'
import { startSourceHost } from '../../../test/testkit/source-host.ts'
import { newBoardsWorld } from '../../../test/testkit/trackers.ts'
import { type Answer, json, type Seen } from '../../../test/testkit/vendor-fake.ts'
import { newAsset, newWorld } from '../../../test/testkit/world.ts'
import { transaction } from '../../core/db/open.ts'
import { placeOf } from '../integrations/connections.ts'
import { writeCredential } from '../integrations/kinds.ts'
import { updateSealed } from '../integrations/store.ts'
import { takeHookAway } from './departed.ts'
import { tasks } from './jobs.ts'
import { UNHOOK_TASK } from './jobs-of.ts'

const ASSOCIATE =
  'mutation ($input: AssociateProjectInput!) { associateProject(input: $input) { associatedProject { id } } }'
const DISSOCIATE = 'mutation ($input: DissociateProjectInput!) { dissociateProject(input: $input) { id } }'
const DELETE_ASSET =
  'mutation ($input: DeleteAssetInput!) { deleteAsset(input: $input) { asset { metadata { totalCount } } } }'
const DELETE_COMPANY = 'mutation ($input: DeleteCompanyInput!) { deleteCompany(input: $input) { id } }'
const HOOK = 'mutation ($input: CreateTrackerWebhookInput!) { createTrackerWebhook(input: $input) { isMade } }'
const PUBLIC = { MERLON_PUBLIC_URL: 'https://merlon.example.test' }
const FOUR_DAYS = 96

let service: Service

beforeAll(async () => {
  service = await startService(PUBLIC)
  return () => service.app.stop(0)
})

/** Written by hand: descriptions say nothing of hosts that are away or refuse. */
const refusing = (status: number) => (): Answer => ({
  write: (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ message: `${status}` })),
})
const away = refusing(503)

/** An asset that is a repository whose host calls. */
const newHooked = async (on: Service = service, origin?: string) => {
  const { companyId, owner } = await newWorld()
  const fake = await startSourceHost(origin === undefined ? {} : { origin })
  const token = `token-${randomBytes(6).toString('hex')}`
  const integration = { companyId, instanceUrl: fake.origin, personalToken: token, astScansEnabled: true }
  const { id: integrationId } = await saved(owner.key, HOST_B, integration)
  const associate = async () => {
    const { id: assetId } = await newAsset(owner.key, companyId)
    const input = { assetId, integrationId, externalProjectId: '1' }
    const { associateProject } = await askAt(on.url, owner.key, ASSOCIATE, { input })
    return { assetId, associationId: associateProject.associatedProject.id as string }
  }
  return { companyId, key: owner.key, fake, token, integrationId, associate, ...(await associate()) }
}
type Hooked = Awaited<ReturnType<typeof newHooked>>

const deleteIntegration = ({ key, integrationId }: Pick<Hooked, 'key' | 'integrationId'>) =>
  run(key, DELETE, { input: { id: integrationId } })

type Waiting = { task: string; payload: { companyId: string; id: string } }

/** What waits in the queue for the company's hooks. */
const waiting = async (companyId: string): Promise<Waiting[]> => {
  const { rows } = await sql<Waiting>`
    select task.identifier as task, job.payload from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = job.task_id
    where task.identifier = ${UNHOOK_TASK} and job.payload ->> 'companyId' = ${companyId} order by job.id`.execute(
    service.app.parts.db,
  )
  return rows
}

/** Does the jobs as they stand in the queue; answers with how each of them ended. */
const work = async (companyId: string, on: Service = service): Promise<string[]> => {
  const task = tasks.find(({ name }) => name === UNHOOK_TASK)
  const ended: string[] = []
  for (const { payload } of await waiting(companyId)) {
    const work = task?.run(on.app.parts, payload) ?? Promise.resolve()
    ended.push(
      await work.then(
        () => 'done',
        () => 'again',
      ),
    )
  }
  return ended
}

const left = async (companyId: string): Promise<{ hooks: number; credentials: number }> => {
  const { rows } = await sql<{ hooks: number; credentials: number }>`
    select (select count(*)::int from departed_hook where company_id = ${companyId}) as hooks,
      (select count(*)::int from departed_integration where company_id = ${companyId} and sealed is not null) as credentials
    `.execute(service.app.parts.db)
  return rows[0] ?? { hooks: -1, credentials: -1 }
}

const grow = (companyId: string, hours: number) =>
  sql`update departed_hook set departed_at = now() - make_interval(hours => ${hours}) where company_id = ${companyId}`.execute(
    service.app.parts.db,
  )

const audited = async ({ key, companyId }: Pick<Hooked, 'key' | 'companyId'>): Promise<Data[]> =>
  (await run(key, AUDIT, { companyId })).auditRecords.collection.filter(
    ({ operation }: Data) => operation === 'takeHookAway',
  )

const removals = ({ seen }: { seen: Seen[] }) => seen.filter(({ method }) => method === 'DELETE')

/** Of an integration with an expired token and two webhooks, at a service that may exchange it. */
const newExpired = async () => {
  const origin = `https://git-${randomBytes(6).toString('hex')}.example.test`
  const client = { MERLON_HOST_B_CLIENT_ID: 'client', MERLON_HOST_B_CLIENT_SECRET: 'client-secret' }
  const node = await startService({ ...PUBLIC, ...client, MERLON_HOST_B_INSTANCE_URL: origin })
  const hooked = await newHooked(node, origin)
  await hooked.associate()
  const { companyId, integrationId, fake } = hooked
  const expired = {
    kind: 'OAUTH' as const,
    accessToken: 'old-access',
    refreshToken: 'old-refresh',
    expiresAt: new Date(Date.now() - 3_600_000).toISOString(),
  }
  await transaction(node.app.parts.db, async (trx) => {
    const place = placeOf(companyId, integrationId)
    const sealed = await node.app.parts.keyring.seal(trx, place, writeCredential(expired))
    await updateSealed(trx, companyId, integrationId, sealed)
  })
  const tokens = { access_token: 'new-access', token_type: 'Bearer', refresh_token: 'new-refresh', expires_in: 7200 }
  fake.trouble = ({ path }) => (path === '/oauth/token' ? json(tokens) : null)
  return { node, hooked }
}

const deleteCompany = async (companyId: string) => {
  const key = administratorKey()
  const { company } = await run(key, 'query ($id: ID!) { company(id: $id) { label } }', { id: companyId })
  await run(key, DELETE_COMPANY, { input: { id: companyId, label: company.label } })
}

describe('an integration that is deleted', () => {
  test('has its webhook taken from the host by a job of the worker, and nothing of its credential stays', async () => {
    const node = await startService(PUBLIC)
    await node.app.startWorker([UNHOOK_TASK])
    const hooked = await newHooked(node)
    const before = hooked.fake.hooks.length

    await deleteIntegration(hooked)
    await vi.waitFor(async () => expect(await audited(hooked)).toHaveLength(1), { timeout: 60_000 })
    await node.app.stop()

    expect([before, hooked.fake.hooks]).toEqual([1, []])
    expect(removals(hooked.fake)).toMatchObject([{ headers: { 'private-token': hooked.token } }])
    expect(await left(hooked.companyId)).toEqual({ hooks: 0, credentials: 0 })
    expect(await audited(hooked)).toMatchObject([{ object: `Integration ${hooked.integrationId}`, after: null }])
  })

  test('waits for no host: one that is away loses the webhook once it is back, with the credential kept sealed till then', async () => {
    const hooked = await newHooked()
    hooked.fake.trouble = away

    const { deleteIntegration: deleted } = await deleteIntegration(hooked)
    const first = await work(hooked.companyId)
    const meanwhile = await left(hooked.companyId)
    const dump = await dumpTables()
    hooked.fake.trouble = () => null
    await service.app.parts.vendors.clock.sleep(120_000)
    const second = await work(hooked.companyId)

    expect(deleted.id).toBe(hooked.integrationId)
    expect([first, meanwhile]).toEqual([['again'], { hooks: 1, credentials: 1 }])
    expect(dump).not.toContain(hooked.token)
    expect([second, hooked.fake.hooks]).toEqual([['done'], []])
    expect(await left(hooked.companyId)).toEqual({ hooks: 0, credentials: 0 })
  })

  test('keeps its credential until the last of several webhooks is gone', async () => {
    const hooked = await newHooked()
    await hooked.associate()

    await deleteIntegration(hooked)
    const [one, other] = await waiting(hooked.companyId)
    await takeHookAway(service.app.parts, one?.payload ?? { companyId: '0', id: '0' })
    const between = await left(hooked.companyId)
    await takeHookAway(service.app.parts, other?.payload ?? { companyId: '0', id: '0' })

    expect([between, await left(hooked.companyId)]).toEqual([
      { hooks: 1, credentials: 1 },
      { hooks: 0, credentials: 0 },
    ])
    expect(hooked.fake.hooks).toEqual([])
  })

  test('whose token has expired has it exchanged once, and the next webhook goes with the new one', async () => {
    const { node, hooked } = await newExpired()
    const { companyId, fake } = hooked

    await deleteIntegration(hooked)
    const ended = await work(companyId, node)
    await node.app.stop(0)

    expect([ended, fake.hooks]).toEqual([['done', 'done'], []])
    expect(fake.seen.filter(({ path }) => path === '/oauth/token').map(({ body }) => body)).toMatchObject([
      { refresh_token: 'old-refresh' },
    ])
    expect(removals(fake).map(({ headers }) => headers.authorization)).toEqual([
      'Bearer new-access',
      'Bearer new-access',
    ])
  })

  test.each([
    ['after three days of failures', away, FOUR_DAYS, /fault of its own/],
    ['when the host refuses its credential', refusing(401), 0, /accept/],
    ['when it may not take it away', refusing(403), 0, /allow/],
  ])('leaves its webhook %s, says so in the audit, and forgets the credential', async (_, trouble, hours, reason) => {
    const hooked = await newHooked()
    hooked.fake.trouble = trouble

    await deleteIntegration(hooked)
    await grow(hooked.companyId, hours)
    const ended = await work(hooked.companyId)

    expect([ended, await left(hooked.companyId)]).toEqual([['done'], { hooks: 0, credentials: 0 }])
    expect(hooked.fake.hooks).toHaveLength(1)
    expect(await audited(hooked)).toMatchObject([{ after: { webhookLeft: expect.stringMatching(reason) } }])
  })

  test('has its kept credential sealed anew when the data key is rotated', async () => {
    const hooked = await newHooked()
    await deleteIntegration(hooked)

    const { rotateDataKey } = await run(hooked.key, ROTATE, { input: { companyId: hooked.companyId } })

    expect(rotateDataKey.reencrypted).toBe(1)
    expect([await work(hooked.companyId), hooked.fake.hooks]).toEqual([['done'], []])
  })

  test('of a tracker has the webhooks taken away as well', async () => {
    const fake = await serveBoards()
    const world = await newBoardsWorld()
    await askAt(service.url, world.owner.key, HOOK, { input: { integrationId: world.integrationId } })
    const before = fake.subscriptions.length

    await deleteIntegration({ key: world.owner.key, integrationId: world.integrationId })
    const ended = await work(world.companyId)

    expect([before, ended, fake.subscriptions]).toEqual([2, ['done'], []])
  })
})

describe('a webhook whose integration is still there', () => {
  test('goes with its association, also when the credential was replaced meanwhile', async () => {
    const hooked = await newHooked()
    hooked.fake.trouble = ({ method }) => (method === 'DELETE' ? refusing(401)() : null)

    await run(hooked.key, DISSOCIATE, { input: { id: hooked.associationId } })
    const refused = await work(hooked.companyId)
    hooked.fake.trouble = () => null
    const { companyId } = hooked
    await saved(hooked.key, HOST_B, { companyId, instanceUrl: hooked.fake.origin, personalToken: 'another' })
    const accepted = await work(companyId)

    expect([refused, accepted, hooked.fake.hooks]).toEqual([['again'], ['done'], []])
    expect(removals(hooked.fake).at(-1)?.headers['private-token']).toBe('another')
    expect(await left(companyId)).toEqual({ hooks: 0, credentials: 0 })
  })

  test('goes with its asset', async () => {
    const { companyId, key, assetId, fake } = await newHooked()

    await run(key, DELETE_ASSET, { input: { companyId: Number(companyId), id: Number(assetId) } })

    expect([await work(companyId), fake.hooks]).toEqual([['done'], []])
  })

  test('that waits is taken away with the credential of then when the integration is deleted as well', async () => {
    const hooked = await newHooked()
    hooked.fake.trouble = away
    await run(hooked.key, DISSOCIATE, { input: { id: hooked.associationId } })
    const failed = await work(hooked.companyId)

    await deleteIntegration(hooked)
    hooked.fake.trouble = () => null
    await service.app.parts.vendors.clock.sleep(120_000)

    expect([failed, await work(hooked.companyId), hooked.fake.hooks]).toEqual([['again'], ['done'], []])
  })

  test('is taken from the host that it was made at when the integration moves to another address', async () => {
    const hooked = await newHooked()
    const other = await startSourceHost()

    const moved = { companyId: hooked.companyId, instanceUrl: other.origin, personalToken: 'other' }
    await saved(hooked.key, HOST_B, moved)
    const ended = await work(hooked.companyId)

    expect([ended, hooked.fake.hooks, removals(other)]).toEqual([['done'], [], []])
    expect(removals(hooked.fake)).toMatchObject([{ headers: { 'private-token': hooked.token } }])
  })

  test('of a backup that was restored without its jobs is found again', async () => {
    const { companyId, key, fake, associationId } = await newHooked()
    await run(key, DISSOCIATE, { input: { id: associationId } })
    await sql`delete from graphile_worker._private_jobs where payload ->> 'companyId' = ${companyId}`.execute(
      service.app.parts.db,
    )

    await tasks.find(({ name }) => name === 'look-after-departed-hooks')?.run(service.app.parts, {})

    expect([await work(companyId), fake.hooks]).toEqual([['done'], []])
  })
})

describe('a company that is deleted', () => {
  test('has the webhooks of its integrations taken away, with credentials that outlive its keys, sealed', async () => {
    const hooked = await newHooked()
    await deleteCompany(hooked.companyId)
    const meanwhile = await left(hooked.companyId)
    const dump = await dumpTables()

    const ended = await work(hooked.companyId)

    expect(meanwhile).toEqual({ hooks: 1, credentials: 1 })
    expect(dump).not.toContain(hooked.token)
    expect([ended, hooked.fake.hooks]).toEqual([['done'], []])
    expect(removals(hooked.fake)).toMatchObject([{ headers: { 'private-token': hooked.token } }])
    expect(await left(hooked.companyId)).toEqual({ hooks: 0, credentials: 0 })
  })

  test('loses also the webhooks that waited already, of an integration that was deleted before', async () => {
    const hooked = await newHooked()
    await deleteIntegration(hooked)

    await deleteCompany(hooked.companyId)

    expect([await work(hooked.companyId), hooked.fake.hooks]).toEqual([['done'], []])
  })

  test('is not kept from going by a credential that cannot be opened, and says which webhook stays', async () => {
    const hooked = await newHooked()
    const { companyId } = hooked
    await sql`update integration set sealed = '\\x00' where company_id = ${companyId}`.execute(service.app.parts.db)

    await deleteCompany(companyId)

    expect([await work(companyId), hooked.fake.hooks.length]).toEqual([['done'], 1])
    expect(await left(companyId)).toEqual({ hooks: 0, credentials: 0 })
    expect(await audited({ key: administratorKey(), companyId })).toMatchObject([
      { after: { webhookLeft: expect.stringMatching(/no credential/) } },
    ])
  })

  test('has an expired token exchanged once, and kept for the next webhook', async () => {
    const { node, hooked } = await newExpired()

    await deleteCompany(hooked.companyId)
    const ended = await work(hooked.companyId, node)
    await node.app.stop(0)

    expect([ended, hooked.fake.hooks]).toEqual([['done', 'done'], []])
    expect(hooked.fake.seen.filter(({ path }) => path === '/oauth/token')).toHaveLength(1)
    expect(await left(hooked.companyId)).toEqual({ hooks: 0, credentials: 0 })
  })
})
