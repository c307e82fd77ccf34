// Repositories that are polled: often if their host sends no webhooks, seldom if it does.

import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { askAt } from '../../../test/testkit/asking.ts'
import { HOST_B, saved } from '../../../test/testkit/integrations.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'
import { startSourceHost } from '../../../test/testkit/source-host.ts'
import { newAsset, newWorld } from '../../../test/testkit/world.ts'
import { tasks } from './jobs.ts'

const ASSOCIATE = `mutation ($input: AssociateProjectInput!) { associateProject(input: $input) {
  associatedProject { id watch } } }`

let service: Service

beforeAll(async () => {
  service = await startService({ MERLON_PUBLIC_URL: 'https://merlon.example.test' })
  return () => service.app.stop(0)
})

/** A repository that an asset is; its host calls, unless it lets no webhook be made. */
async function newAssociated(mayHook: boolean, astScansEnabled = true) {
  const { companyId, owner } = await newWorld()
  const fake = await startSourceHost({ mayHook })
  fake.push('main')
  const asset = await newAsset(owner.key, companyId)
  const integration = { companyId, instanceUrl: fake.origin, personalToken: 'token', astScansEnabled }
  const { id: integrationId } = await saved(owner.key, HOST_B, integration)
  const input = { assetId: asset.id, integrationId, externalProjectId: '1' }
  const { associateProject } = await askAt(service.url, owner.key, ASSOCIATE, { input })
  return { companyId, id: associateProject.associatedProject.id as string }
}

type Associated = Awaited<ReturnType<typeof newAssociated>>

/** Whether the clock has it looked at, which was looked at so many minutes ago; null: never. */
async function isLookedAt({ companyId, id }: Associated, minutesAgo: number | null): Promise<boolean> {
  const { parts, db } = service.app
  const key = `look ${companyId}/${id}`
  await sql`select graphile_worker.remove_job(${key})`.execute(db)
  await sql`update external_project set looked_at = now() - make_interval(mins => ${minutesAgo}::int)
    where company_id = ${companyId} and id = ${id}`.execute(db)
  await tasks.find(({ name }) => name === 'look-at-repositories')?.run(parts, null)
  const { rows } = await sql<{ task: string }>`
    select task_identifier as task from graphile_worker.jobs where key = ${key}`.execute(db)
  await sql`select graphile_worker.remove_job(key) from graphile_worker.jobs
    where task_identifier = 'look-at-repository'`.execute(db)
  return rows.some(({ task }) => task === 'look-at-repository')
}

describe('a repository is looked at by the clock', () => {
  test('after nine minutes where its host does not call, and not before', async () => {
    const associated = await newAssociated(false)

    const looked = [
      await isLookedAt(associated, null),
      await isLookedAt(associated, 10),
      await isLookedAt(associated, 8),
    ]

    expect(looked).toEqual([true, true, false])
  })

  test('after an hour where its host calls, also where a person has entered the webhook there', async () => {
    const called = await newAssociated(true)
    const byHand = await newAssociated(false)
    await sql`update inbound_hook set last_delivery_at = now() - interval '1 day'
      where company_id = ${byHand.companyId}`.execute(service.app.db)

    const looked = []
    for (const associated of [called, byHand]) {
      looked.push([await isLookedAt(associated, 60), await isLookedAt(associated, 58)])
    }

    expect(looked).toEqual(Array(2).fill([true, false]))
  })

  test('never while its integration follows nothing, has a credential that is refused, or has none', async () => {
    const { db } = service.app
    const [idle, refused, blank] = [
      await newAssociated(false, false),
      await newAssociated(false),
      await newAssociated(false),
    ]
    await sql`update integration set broken_since = now() where company_id = ${refused.companyId}`.execute(db)
    await sql`update integration set sealed = null, key_version = null where company_id = ${blank.companyId}`.execute(
      db,
    )

    const looked = []
    for (const associated of [idle, refused, blank]) looked.push(await isLookedAt(associated, null))

    expect(looked).toEqual([false, false, false])
  })
})
