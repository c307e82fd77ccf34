// Webhooks of an integration that is deleted: a job removes them from their host, with a credential that is kept for it.

import { beforeAll, describe, expect, test, vi } from 'vitest'
import { askAt } from '../../../test/testkit/asking.ts'
import { serveBoards } from '../../../test/testkit/boards-fake.ts'
import { run } from '../../../test/testkit/client.ts'
import {
  audited,
  away,
  deleteIntegration,
  FOUR_DAYS,
  grow,
  HOOK,
  left,
  newExpired,
  newHooked,
  PUBLIC,
  refusing,
  removals,
  waiting,
  work,
} from '../../../test/testkit/departed-hooks.ts'
import { dumpTables } from '../../../test/testkit/inside.ts'
import { ROTATE } from '../../../test/testkit/secrets.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'
import { newBoardsWorld } from '../../../test/testkit/trackers.ts'
import { takeHookAway } from './departed.ts'
import { UNHOOK_TASK } from './jobs-of.ts'

let service: Service

beforeAll(async () => {
  service = await startService(PUBLIC)
  return () => service.app.stop(0)
})

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
    expect(await left(service, hooked.companyId)).toEqual({ hooks: 0, credentials: 0 })
    expect(await audited(hooked)).toMatchObject([{ object: `Integration ${hooked.integrationId}`, after: null }])
  })

  test('waits for no host: one that is away loses the webhook once it is back, with the credential kept sealed till then', async () => {
    const hooked = await newHooked(service)
    hooked.fake.trouble = away

    const { deleteIntegration: deleted } = await deleteIntegration(hooked)
    const first = await work(service, hooked.companyId)
    const meanwhile = await left(service, hooked.companyId)
    const dump = await dumpTables()
    hooked.fake.trouble = () => null
    await service.app.parts.vendors.clock.sleep(120_000)
    const second = await work(service, hooked.companyId)

    expect(deleted.id).toBe(hooked.integrationId)
    expect([first, meanwhile]).toEqual([['again'], { hooks: 1, credentials: 1 }])
    expect(dump).not.toContain(hooked.token)
    expect([second, hooked.fake.hooks]).toEqual([['done'], []])
    expect(await left(service, hooked.companyId)).toEqual({ hooks: 0, credentials: 0 })
  })

  test('keeps its credential until the last of several webhooks is gone', async () => {
    const hooked = await newHooked(service)
    await hooked.associate()

    await deleteIntegration(hooked)
    const [one, other] = await waiting(service, hooked.companyId)
    await takeHookAway(service.app.parts, one?.payload ?? { companyId: '0', id: '0' })
    const between = await left(service, hooked.companyId)
    await takeHookAway(service.app.parts, other?.payload ?? { companyId: '0', id: '0' })

    expect([between, await left(service, hooked.companyId)]).toEqual([
      { hooks: 1, credentials: 1 },
      { hooks: 0, credentials: 0 },
    ])
    expect(hooked.fake.hooks).toEqual([])
  })

  test('whose token has expired has it exchanged once, and the next webhook goes with the new one', async () => {
    const { node, hooked } = await newExpired()
    const { companyId, fake } = hooked

    await deleteIntegration(hooked)
    const ended = await work(node, companyId)
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
    ['after three days of failures', away, FOUR_DAYS, /an internal error/],
    ['when the host refuses its credential', refusing(401), 0, /accept/],
    ['when it may not take it away', refusing(403), 0, /permit/],
  ])('leaves its webhook %s, says so in the audit, and forgets the credential', async (_, trouble, hours, reason) => {
    const hooked = await newHooked(service)
    hooked.fake.trouble = trouble

    await deleteIntegration(hooked)
    await grow(service, hooked.companyId, hours)
    const ended = await work(service, hooked.companyId)

    expect([ended, await left(service, hooked.companyId)]).toEqual([['done'], { hooks: 0, credentials: 0 }])
    expect(hooked.fake.hooks).toHaveLength(1)
    expect(await audited(hooked)).toMatchObject([{ after: { webhookLeft: expect.stringMatching(reason) } }])
  })

  test('has its kept credential sealed anew when the data key is rotated', async () => {
    const hooked = await newHooked(service)
    await deleteIntegration(hooked)

    const { rotateDataKey } = await run(hooked.key, ROTATE, { input: { companyId: hooked.companyId } })

    expect(rotateDataKey.reencrypted).toBe(1)
    expect([await work(service, hooked.companyId), hooked.fake.hooks]).toEqual([['done'], []])
  })

  test('of a tracker has the webhooks taken away as well', async () => {
    const fake = await serveBoards()
    const world = await newBoardsWorld()
    await askAt(service.url, world.owner.key, HOOK, { input: { integrationId: world.integrationId } })
    const before = fake.subscriptions.length

    await deleteIntegration({ key: world.owner.key, integrationId: world.integrationId })
    const ended = await work(service, world.companyId)

    expect([before, ended, fake.subscriptions]).toEqual([2, ['done'], []])
  })
})
