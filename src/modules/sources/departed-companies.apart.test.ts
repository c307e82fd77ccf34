// Webhooks of a company that is deleted: a job removes them, with credentials that outlive the company's keys.

import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { administratorKey } from '../../../test/testkit/client.ts'
import {
  audited,
  deleteCompany,
  deleteIntegration,
  left,
  newExpired,
  newHooked,
  PUBLIC,
  removals,
  work,
} from '../../../test/testkit/departed-hooks.ts'
import { dumpTables } from '../../../test/testkit/inside.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'

let service: Service

beforeAll(async () => {
  service = await startService(PUBLIC)
  return () => service.app.stop(0)
})

describe('a company that is deleted', () => {
  test('has the webhooks of its integrations taken away, with credentials that outlive its keys, sealed', async () => {
    const hooked = await newHooked(service)
    await deleteCompany(hooked.companyId)
    const meanwhile = await left(service, hooked.companyId)
    const dump = await dumpTables()

    const ended = await work(service, hooked.companyId)

    expect(meanwhile).toEqual({ hooks: 1, credentials: 1 })
    expect(dump).not.toContain(hooked.token)
    expect([ended, hooked.fake.hooks]).toEqual([['done'], []])
    expect(removals(hooked.fake)).toMatchObject([{ headers: { 'private-token': hooked.token } }])
    expect(await left(service, hooked.companyId)).toEqual({ hooks: 0, credentials: 0 })
  })

  test('loses also the webhooks that waited already, of an integration that was deleted before', async () => {
    const hooked = await newHooked(service)
    await deleteIntegration(hooked)

    await deleteCompany(hooked.companyId)

    expect([await work(service, hooked.companyId), hooked.fake.hooks]).toEqual([['done'], []])
  })

  test('is not kept from going by a credential that cannot be opened, and says which webhook stays', async () => {
    const hooked = await newHooked(service)
    const { companyId } = hooked
    await sql`update integration set sealed = '\\x00' where company_id = ${companyId}`.execute(service.app.parts.db)

    await deleteCompany(companyId)

    expect([await work(service, companyId), hooked.fake.hooks.length]).toEqual([['done'], 1])
    expect(await left(service, companyId)).toEqual({ hooks: 0, credentials: 0 })
    expect(await audited({ key: administratorKey(), companyId })).toMatchObject([
      { after: { webhookLeft: expect.stringMatching(/no credential/) } },
    ])
  })

  test('has an expired token exchanged once, and kept for the next webhook', async () => {
    const { node, hooked } = await newExpired()

    await deleteCompany(hooked.companyId)
    const ended = await work(node, hooked.companyId)
    await node.app.stop(0)

    expect([ended, hooked.fake.hooks]).toEqual([['done', 'done'], []])
    expect(hooked.fake.seen.filter(({ path }) => path === '/oauth/token')).toHaveLength(1)
    expect(await left(service, hooked.companyId)).toEqual({ hooks: 0, credentials: 0 })
  })
})
