// Slow endpoints: how much of the worker a webhook or a company may hold, and who is served meanwhile.

import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runAt } from '../../../test/testkit/client.ts'
import { startWorkingService, toThisMachine, until } from '../../../test/testkit/events.ts'
import { openReceiver } from '../../../test/testkit/receiver.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'
import { newAsset, newIssue, newWorld, type World } from '../../../test/testkit/world.ts'

const CREATE = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }'

async function newWebhook({ url }: Service, { companyId, owner }: World, to: string): Promise<string> {
  const input = { companyId, url: to, kinds: ['issue.created'] }
  return (await runAt(url, owner.key, CREATE, { input })).createWebhook.webhook.id
}

/** The jobs of a company that the worker is at. */
async function jobsOf({ app }: Service, { companyId }: World): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from graphile_worker._private_jobs
    where locked_at is not null and payload ->> 'companyId' = ${companyId}`.execute(app.db)
  return rows.map(({ id }) => id)
}

test('a webhook whose endpoint is slow gives its slot back once the calls under way have ended', async () => {
  const service = await startService(toThisMachine)
  onTestFinished(() => service.app.stop(0))
  const world = await newWorld()
  const asset = await newAsset(world.owner.key, world.companyId)
  const letGo = Promise.withResolvers<void>()
  const jobs: string[] = []
  const receiver = await openReceiver(async () => {
    jobs.push(...(await jobsOf(service, world)))
    await letGo.promise
    return 204
  })
  onTestFinished(receiver.close)
  await newWebhook(service, world, receiver.url)
  for (let made = 0; made < 20; made += 1) await newIssue(world.owner.key, asset.id)

  await service.app.startWorker(['deliver-webhook'])
  await until(() => jobs.length === 8)
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 5_000)
  onTestFinished(() => clock.mockRestore())
  letGo.resolve()
  await until(() => jobs.length === 20)

  const [first] = jobs
  expect(jobs.filter((job) => job === first)).toHaveLength(8)
})

test('a company whose endpoints are all slow leaves slots to the deliveries of another', async () => {
  const service = await startWorkingService()
  onTestFinished(() => service.app.stop(0))
  const [theirs, ours] = [await newWorld(), await newWorld()]
  const letGo = Promise.withResolvers<void>()
  let held: string[] | null = null
  const slow = await openReceiver(async () => {
    await letGo.promise
    return 204
  })
  const quick = await openReceiver(async () => {
    held ??= await jobsOf(service, theirs)
    return 204
  })
  onTestFinished(async () => {
    letGo.resolve()
    await Promise.all([slow.close(), quick.close()])
  })
  for (let made = 0; made < 20; made += 1) await newWebhook(service, theirs, slow.url)
  await newWebhook(service, ours, quick.url)
  const [theirAsset, ourAsset] = [
    await newAsset(theirs.owner.key, theirs.companyId),
    await newAsset(ours.owner.key, ours.companyId),
  ]

  await newIssue(theirs.owner.key, theirAsset.id)
  await until(() => slow.received.length > 0)
  await newIssue(ours.owner.key, ourAsset.id)
  const heldMeanwhile = await until(() => held)

  expect(heldMeanwhile.length).toBeLessThanOrEqual(4)
})
