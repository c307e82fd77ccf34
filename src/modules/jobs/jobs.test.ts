// Jobs: an administrator sees what the worker gave up, and has it tried again.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { administratorKey, refusal, run, unique } from '../../../test/testkit/client.ts'
import { services, serviceUrl } from '../../../test/testkit/service.ts'
import { newWorld } from '../../../test/testkit/world.ts'

/** A job that was tried as often as it may; nothing runs it. */
async function newGivenUp(task: string): Promise<string> {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { db } = service.app
  const { rows } = await sql<{
    id: string
  }>`select id from graphile_worker.add_job(${task}, max_attempts => 2)`.execute(db)
  const [job] = rows
  if (!job) throw new Error('No job was made')
  await sql`select graphile_worker.permanently_fail_jobs(array[${job.id}]::bigint[], 'It cannot be done')`.execute(db)
  return job.id
}

const list = `query ($states: [JobState!], $task: String) { jobs(states: $states, task: $task) {
  collection { id task state attempts maxAttempts lastError } metadata { totalCount } } }`

test('a job that was given up is found by its state and its task, with why it failed', async () => {
  const task = unique('task')
  const id = await newGivenUp(task)

  const { jobs } = await run(administratorKey(), list, { states: ['GIVEN_UP'], task })
  const none = await run(administratorKey(), list, { states: ['RUNNING'], task })

  expect(jobs).toEqual({
    collection: [{ id, task, state: 'GIVEN_UP', attempts: 2, maxAttempts: 2, lastError: 'It cannot be done' }],
    metadata: { totalCount: 1 },
  })
  expect(none.jobs.collection).toEqual([])
})

test('retryJob lets it run again, with its attempts counted anew', async () => {
  const id = await newGivenUp(unique('task'))

  const { retryJob } = await run(
    administratorKey(),
    'mutation ($id: ID!) { retryJob(input: { id: $id }) { job { id state attempts } } }',
    { id },
  )

  expect(retryJob.job).toEqual({ id, state: 'WAITING', attempts: 0 })
})

test('the figures tell how many jobs were given up, and since when one waits', async () => {
  const before = await figures()
  await newGivenUp(unique('task'))
  const [service] = await services()
  await sql`select graphile_worker.add_job(${unique('task')}, run_at => now() - interval '1 day')`.execute(
    service?.app.db ?? expect.fail(),
  )

  const after = await figures()

  expect(after.givenUp).toBeGreaterThan(before.givenUp)
  expect(after.overdue).toBeGreaterThanOrEqual(24 * 60 * 60)
})

async function figures() {
  const text = await (await fetch(`${await serviceUrl()}/metrics`)).text()
  const numberAt = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(name))
        ?.split(' ')[1],
    )
  return { givenUp: numberAt('merlon_jobs{state="GIVEN_UP"}'), overdue: numberAt('merlon_jobs_overdue_seconds ') }
}

test('an owner sees no jobs', async () => {
  const { owner } = await newWorld()

  const failure = await refusal(owner.key, list)

  expect(failure.extensions.code).toBe('FORBIDDEN')
})
