// `merlon jobs` and `merlon jobs retry`, run as a person would.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { administratorKey, unique } from '../testkit/client.ts'
import { inside } from '../testkit/inside.ts'
import { newWorld } from '../testkit/world.ts'
import { merlon, merlonJson } from './command.ts'

/** A job that was tried as often as it may; nothing runs it. */
async function newGivenUp(task: string): Promise<string> {
  const { db } = await inside()
  const { rows } = await sql<{ id: string }>`
    select id from graphile_worker.add_job(${task}, max_attempts => 2)`.execute(db)
  const id = rows[0]?.id ?? ''
  await sql`select graphile_worker.permanently_fail_jobs(array[${id}]::bigint[], 'It cannot be done')`.execute(db)
  return id
}

describe('merlon jobs', () => {
  const key = administratorKey()

  test('shows an administrator what was given up and why, of the task that is asked for', async () => {
    const task = unique('task')
    const id = await newGivenUp(task)
    await newGivenUp(unique('task'))

    const table = await merlon(['jobs', '--state', 'GIVEN_UP', '--task', task], { key })
    const listed = await merlonJson(['jobs', 'list', '--task', task], { key })
    const running = await merlonJson(['jobs', '--state', 'RUNNING', '--task', task], { key })

    const [head, row, ...rest] = table.out.trimEnd().split('\n')
    expect([table.code, rest]).toEqual([0, []])
    expect(head).toMatch(/^ID +TASK +STATE +ATTEMPTS +RUNS +LAST ERROR/)
    expect(row).toMatch(new RegExp(`^${id} +${task} +GIVEN_UP +2/2 +\\S.*It cannot be done`))
    expect(listed).toMatchObject([{ id, task, state: 'GIVEN_UP', attempts: 2, lastError: 'It cannot be done' }])
    expect(running).toEqual([])
  })

  test('retry has a job tried again, with its attempts counted anew', async () => {
    const task = unique('task')
    const id = await newGivenUp(task)

    const retried = await merlon(['jobs', 'retry', id], { key })

    const [job] = await merlonJson(['jobs', '--task', task], { key })
    expect(retried).toMatchObject({ code: 0, err: '' })
    expect(retried.out).toBe(`Job ${id} runs as soon as a worker is free\n`)
    expect(job).toMatchObject({ id, state: 'WAITING', attempts: 0 })
  })

  test('ends with a sentence for who is no administrator, for a job that is not there and for a state that is none', async () => {
    const { owner } = await newWorld()
    const id = await newGivenUp(unique('task'))

    const ended = [
      await merlon(['jobs'], { key: owner.key }),
      await merlon(['jobs', 'retry', id], { key: owner.key }),
      await merlon(['jobs', 'retry', '999999999999'], { key }),
      await merlon(['jobs', '--state', 'TIRED'], { key }),
    ]

    for (const { code, out, err } of ended) {
      expect(code).toBeGreaterThan(0)
      expect(out).toBe('')
      expect(err).toMatch(/^[^\n]+\n$/)
    }
  })
})
