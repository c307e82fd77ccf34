// The jobs of pulls and decisions as they are queued, run with the queued payloads, with only the scanner faked.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Data, run } from '../../../test/testkit/client.ts'
import { inside } from '../../../test/testkit/inside.ts'
import { ignorePath, issue, newSnykHome, SNYK, scanOf, snykHas, sync } from '../../../test/testkit/scanners.ts'
import { fakeVendor, json, post } from '../../../test/testkit/vendor-fake.ts'
import { tasks } from './jobs.ts'

const ISSUES = `query ($companyId: ID!, $assetIds: [ID!]) { issues(companyId: $companyId, pagination: {},
  filters: { assetIds: $assetIds }) { collection { id status } } }`
const CHANGE = `mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }`
const DELIVERIES = `query ($integrationId: ID!) { scannerDeliveries(integrationId: $integrationId) {
  collection { state } } }`
const NAME = 'SNYK-JS-QS-1'

type Queued = { name: string; queue: string; flags: unknown; payload: unknown }

/** The job that waits under a key. */
async function queued(key: string): Promise<Queued | undefined> {
  const { db } = await inside()
  const { rows } = await sql<Queued>`
    select task.identifier as name, queue.queue_name as queue, job.flags, job.payload from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = job.task_id
    join graphile_worker._private_job_queues as queue on queue.id = job.job_queue_id where job.key = ${key}`.execute(db)
  return rows[0]
}

const work = async (job: Queued | undefined) =>
  tasks.find(({ name }) => name === job?.name)?.run(await inside(), job?.payload)

test('a pull and a decision wait in the queue of their integration, and are done as they stand there', async () => {
  const home = await newSnykHome()
  const { companyId, integrationId, associationId } = home
  await fakeVendor(SNYK, [...snykHas([issue(NAME)]), post(ignorePath(NAME), json({}))])

  const [scan] = await sync(home)
  const pull = await queued(`pull ${companyId}/${associationId}`)
  await work(pull)
  const { issues } = await run(home.key, ISSUES, { companyId, assetIds: [home.assetId] })
  const [found]: Data[] = issues.collection
  await run(home.key, CHANGE, { input: { id: found.id, status: 'FALSE_POSITIVE', reason: 'It is not reached' } })
  const decision = await queued(`tell-scanner ${companyId}/${integrationId}`)
  await work(decision)

  const queue = `scanner ${companyId}/${integrationId}`
  const flags = { [`company ${companyId}`]: true }
  expect([pull, decision]).toMatchObject([
    { name: 'pull-scanner', queue, flags, payload: { scanId: scan.id } },
    { name: 'tell-scanner', queue, flags },
  ])
  expect((await scanOf(home, scan.id)).status).toBe('SUCCEEDED')
  expect((await run(home.key, DELIVERIES, home)).scannerDeliveries.collection).toEqual([{ state: 'DELIVERED' }])
})
