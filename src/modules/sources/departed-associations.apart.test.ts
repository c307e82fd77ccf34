// Webhooks whose association or asset is gone, or whose integration has moved: a job removes them from where they were made.

import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import {
  away,
  DELETE_ASSET,
  DISSOCIATE,
  deleteIntegration,
  left,
  newHooked,
  PUBLIC,
  refusing,
  removals,
  work,
} from '../../../test/testkit/departed-hooks.ts'
import { HOST_B, saved } from '../../../test/testkit/integrations.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'
import { startSourceHost } from '../../../test/testkit/source-host.ts'
import { tasks } from './jobs.ts'

let service: Service

beforeAll(async () => {
  service = await startService(PUBLIC)
  return () => service.app.stop(0)
})

describe('a webhook whose integration is still there', () => {
  test('goes with its association, also when the credential was replaced meanwhile', async () => {
    const hooked = await newHooked(service)
    hooked.fake.trouble = ({ method }) => (method === 'DELETE' ? refusing(401)() : null)

    await run(hooked.key, DISSOCIATE, { input: { id: hooked.associationId } })
    const refused = await work(service, hooked.companyId)
    hooked.fake.trouble = () => null
    const { companyId } = hooked
    await saved(hooked.key, HOST_B, { companyId, instanceUrl: hooked.fake.origin, personalToken: 'another' })
    const accepted = await work(service, companyId)

    expect([refused, accepted, hooked.fake.hooks]).toEqual([['again'], ['done'], []])
    expect(removals(hooked.fake).at(-1)?.headers['private-token']).toBe('another')
    expect(await left(service, companyId)).toEqual({ hooks: 0, credentials: 0 })
  })

  test('goes with its asset', async () => {
    const { companyId, key, assetId, fake } = await newHooked(service)

    await run(key, DELETE_ASSET, { input: { companyId: Number(companyId), id: Number(assetId) } })

    expect([await work(service, companyId), fake.hooks]).toEqual([['done'], []])
  })

  test('that waits is taken away with the credential of then when the integration is deleted as well', async () => {
    const hooked = await newHooked(service)
    hooked.fake.trouble = away
    await run(hooked.key, DISSOCIATE, { input: { id: hooked.associationId } })
    const failed = await work(service, hooked.companyId)

    await deleteIntegration(hooked)
    hooked.fake.trouble = () => null
    await service.app.parts.vendors.clock.sleep(120_000)

    expect([failed, await work(service, hooked.companyId), hooked.fake.hooks]).toEqual([['again'], ['done'], []])
  })

  test('is taken from the host that it was made at when the integration moves to another address', async () => {
    const hooked = await newHooked(service)
    const other = await startSourceHost()

    const moved = { companyId: hooked.companyId, instanceUrl: other.origin, personalToken: 'other' }
    await saved(hooked.key, HOST_B, moved)
    const ended = await work(service, hooked.companyId)

    expect([ended, hooked.fake.hooks, removals(other)]).toEqual([['done'], [], []])
    expect(removals(hooked.fake)).toMatchObject([{ headers: { 'private-token': hooked.token } }])
  })

  test('of a backup that was restored without its jobs is found again', async () => {
    const { companyId, key, fake, associationId } = await newHooked(service)
    await run(key, DISSOCIATE, { input: { id: associationId } })
    await sql`delete from graphile_worker._private_jobs where payload ->> 'companyId' = ${companyId}`.execute(
      service.app.parts.db,
    )

    await tasks.find(({ name }) => name === 'look-after-departed-hooks')?.run(service.app.parts, {})

    expect([await work(service, companyId), fake.hooks]).toEqual([['done'], []])
  })
})
