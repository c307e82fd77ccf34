// Integrations whose host calls by webhooks, and the jobs that remove the webhooks of those that are gone.

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { transaction } from '../../src/core/db/open.ts'
import { placeOf } from '../../src/modules/integrations/connections.ts'
import { writeCredential } from '../../src/modules/integrations/kinds.ts'
import { updateSealed } from '../../src/modules/integrations/store.ts'
import { tasks } from '../../src/modules/sources/jobs.ts'
import { UNHOOK_TASK } from '../../src/modules/sources/jobs-of.ts'
import { askAt } from './asking.ts'
import { administratorKey, type Data, run } from './client.ts'
import type { Answer, Seen } from './exchanges.ts'
import { AUDIT, DELETE, HOST_B, saved } from './integrations.ts'
import { type Service, startService } from './service.ts'
import { startSourceHost } from './source-host.ts'
import { json } from './vendor-fake.ts'
import { newAsset, newWorld } from './world.ts'

const ASSOCIATE =
  'mutation ($input: AssociateProjectInput!) { associateProject(input: $input) { associatedProject { id } } }'
export const DISSOCIATE = 'mutation ($input: DissociateProjectInput!) { dissociateProject(input: $input) { id } }'
export const DELETE_ASSET =
  'mutation ($input: DeleteAssetInput!) { deleteAsset(input: $input) { asset { metadata { totalCount } } } }'
const DELETE_COMPANY = 'mutation ($input: DeleteCompanyInput!) { deleteCompany(input: $input) { id } }'
export const HOOK = 'mutation ($input: CreateTrackerWebhookInput!) { createTrackerWebhook(input: $input) { isMade } }'
export const PUBLIC = { MERLON_PUBLIC_URL: 'https://merlon.example.test' }
export const FOUR_DAYS = 96

/** Written by hand: descriptions say nothing of hosts that are away or refuse. */
export const refusing = (status: number) => (): Answer => ({
  write: (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ message: `${status}` })),
})
export const away = refusing(503)

/** An asset that is a repository whose host calls. */
export const newHooked = async (on: Service, origin?: string) => {
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

export const deleteIntegration = ({ key, integrationId }: Pick<Hooked, 'key' | 'integrationId'>) =>
  run(key, DELETE, { input: { id: integrationId } })

type Waiting = { task: string; payload: { companyId: string; id: string } }

/** What waits in the queue for the company's hooks. */
export const waiting = async ({ app }: Service, companyId: string): Promise<Waiting[]> => {
  const { rows } = await sql<Waiting>`
    select task.identifier as task, job.payload from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = job.task_id
    where task.identifier = ${UNHOOK_TASK} and job.payload ->> 'companyId' = ${companyId} order by job.id`.execute(
    app.parts.db,
  )
  return rows
}

/** Does the jobs as they stand in the queue; answers with how each of them ended. */
export const work = async (on: Service, companyId: string): Promise<string[]> => {
  const task = tasks.find(({ name }) => name === UNHOOK_TASK)
  const ended: string[] = []
  for (const { payload } of await waiting(on, companyId)) {
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

export const left = async ({ app }: Service, companyId: string): Promise<{ hooks: number; credentials: number }> => {
  const { rows } = await sql<{ hooks: number; credentials: number }>`
    select (select count(*)::int from departed_hook where company_id = ${companyId}) as hooks,
      (select count(*)::int from departed_integration where company_id = ${companyId} and sealed is not null) as credentials
    `.execute(app.parts.db)
  return rows[0] ?? { hooks: -1, credentials: -1 }
}

export const grow = ({ app }: Service, companyId: string, hours: number) =>
  sql`update departed_hook set departed_at = now() - make_interval(hours => ${hours}) where company_id = ${companyId}`.execute(
    app.parts.db,
  )

export const audited = async ({ key, companyId }: Pick<Hooked, 'key' | 'companyId'>): Promise<Data[]> =>
  (await run(key, AUDIT, { companyId })).auditRecords.collection.filter(
    ({ operation }: Data) => operation === 'takeHookAway',
  )

export const removals = ({ seen }: { seen: Seen[] }) => seen.filter(({ method }) => method === 'DELETE')

/** Of an integration with an expired token and two webhooks, at a service that may exchange it. */
export const newExpired = async () => {
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

export const deleteCompany = async (companyId: string) => {
  const key = administratorKey()
  const { company } = await run(key, 'query ($id: ID!) { company(id: $id) { label } }', { id: companyId })
  await run(key, DELETE_COMPANY, { input: { id: companyId, label: company.label } })
}
