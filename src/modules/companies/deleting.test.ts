// Deleting a company in which others are writing.

import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { administratorKey, ask, run } from '../../../test/testkit/client.ts'
import { newHome } from '../../../test/testkit/deploys.ts'
import { inside } from '../../../test/testkit/inside.ts'
import { isDeadlock } from '../../core/db/deadlock.ts'

const DELETE = 'mutation ($input: DeleteCompanyInput!) { deleteCompany(input: $input) { id } }'

const company = (id: string) => sql`select from company where id = ${id} for key share`
const asset = (id: string) => sql`select from asset where id = ${id} for share`

/**
 * Deletes a company while a writer has the row `first`; once the deletion waits for that, the writer also takes `second`. The rows of others
 * refer to the company, so that writing them takes a key share of it.
 */
async function deleteBeside(
  order: (company: RawBuilder<unknown>, asset: RawBuilder<unknown>) => RawBuilder<unknown>[],
) {
  const { companyId, assetId, key } = await newHome()
  const { label } = (await run(key, 'query ($id: ID!) { company(id: $id) { label } }', { id: companyId })).company
  const { db } = await inside()
  const [first, second] = order(company(companyId), asset(assetId))
  const deleting = await db.transaction().execute(async (writer) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(writer)
    await first?.execute(writer)
    const answer = ask(administratorKey(), DELETE, { input: { id: companyId, label } })
    while (!(await isWaitedFor(rows[0]?.pid ?? 0))) await delay(10)
    await second?.execute(writer).catch(acceptDeadlock)
    return { answer }
  })
  return { companyId, ...(await deleting.answer) }
}

/** The database ends a deadlock by undoing either of both: the deletion, if the writer comes to its second lock within a second. */
function acceptDeadlock(error: unknown): void {
  if (!isDeadlock(error)) throw error
}

async function isWaitedFor(pid: number): Promise<boolean> {
  const { db } = await inside()
  const { rows } = await sql`select from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`.execute(db)
  return rows.length > 0
}

test('a company is deleted after a report or a deploy that holds an asset, which needs not wait for the deletion', async () => {
  const deleted = await deleteBeside((company, asset) => [asset, sql`${company} nowait`])

  expect(deleted).toMatchObject({ errors: [], data: { deleteCompany: { id: deleted.companyId } } })
})

test('a company is deleted also where a writer takes its locks in the opposite order', async () => {
  const deleted = await deleteBeside((company, asset) => [company, asset])

  expect(deleted).toMatchObject({ errors: [], data: { deleteCompany: { id: deleted.companyId } } })
})
