// What becomes of the database's work when the caller leaves before it is answered.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { send } from '../../test/http/send.ts'
import { run } from '../../test/testkit/client.ts'
import { inside, waitingStatements } from '../../test/testkit/inside.ts'
import { newWorld } from '../../test/testkit/world.ts'

const VIEWS = 'query ($companyId: ID!) { savedViews(companyId: $companyId) { name } }'
const SAVE = `mutation ($companyId: ID!) {
  saveView(input: { companyId: $companyId, name: "Mine", filters: "status=CREATED" }) { savedView { id } } }`

/** Has nobody read or change views while `work` runs. */
async function withLockedViews(work: () => Promise<void>): Promise<void> {
  const { db } = await inside()
  await db.transaction().execute(async (trx) => {
    await sql`lock table saved_view in access exclusive mode`.execute(trx)
    await work()
  })
}

/** Sends the operation, and leaves once a statement waits for it. */
async function leave(key: string, query: string, companyId: string): Promise<void> {
  const leaving = new AbortController()
  const sent = send({
    headers: { 'x-api-key': key },
    body: JSON.stringify({ query, variables: { companyId } }),
    signal: leaving.signal,
  }).catch((error: Error) => error.name)
  await expect.poll(() => waitingStatements('%saved_view%')).toBe(1)
  leaving.abort()
  expect(await sent).toBe('AbortError')
}

/** How often the log says that the database was slow, which it was not for who left. */
async function slowAnswersLogged(): Promise<number> {
  const { logged } = await inside()
  return logged.filter((line) => line.includes('The database took too long to answer')).length
}

describe('a caller who leaves', () => {
  test('has the statement of a query cancelled, and of no later one', async () => {
    const { companyId, owner } = await newWorld()
    const before = await slowAnswersLogged()

    await withLockedViews(async () => {
      await leave(owner.key, VIEWS, companyId)
      await expect.poll(() => waitingStatements('%saved_view%')).toBe(0)
    })

    const after = Array.from({ length: 40 }, () => run(owner.key, VIEWS, { companyId }))
    for (const { savedViews } of await Promise.all(after)) expect(savedViews).toEqual([])
    expect(await slowAnswersLogged()).toBe(before)
  })

  test('has a mutation done all the same', async () => {
    const { companyId, owner } = await newWorld()

    await withLockedViews(() => leave(owner.key, SAVE, companyId))

    const names = async () => (await run(owner.key, VIEWS, { companyId })).savedViews
    await expect.poll(names).toEqual([{ name: 'Mine' }])
  })
})
