// Decisions about several issues while something else writes the same ones: neither waits for what the other holds.

import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ask, type Data } from '../../../test/testkit/client.ts'
import { inside } from '../../../test/testkit/inside.ts'
import { newReportHome, type ReportHome, result, sarif, sendReport } from '../../../test/testkit/reports.ts'
import { transaction } from '../../core/db/open.ts'
import { lockIssues } from './locking.ts'

const first = result(1)
const second = result(2)
const third = result(3)

/** A home whose issues are of these results; their ids, which rise. */
async function newHomeWith(...found: readonly unknown[]) {
  const home = await newReportHome()
  const { data } = await sendReport(home, sarif(found))
  const ids: string[] = data.importFindings.import.rows.collection.map(({ issue }: Data) => issue.id)
  return { home, ids }
}

const decide = ({ key, companyId }: ReportHome, ids: readonly string[], status: string) =>
  ask(key, 'mutation ($input: BulkChangeIssueStatusInput!) { bulkChangeIssueStatus(input: $input) { jobId } }', {
    input: { companyId, ids, status },
  })

/** Runs the two at once while a third party holds one issue, which is let go when both have had the time to come to it. */
async function whileHeld<A, B>(
  { companyId }: ReportHome,
  heldId: string,
  begin: () => Promise<A>,
  next: () => Promise<B>,
): Promise<[A, B]> {
  const { db } = await inside()
  const begun = await transaction(db, async (trx) => {
    await lockIssues(trx, companyId, [heldId])
    const [one, other] = [begin(), next()]
    await delay(700)
    return [one, other] as const
  })
  return Promise.all(begun)
}

test('a report that closes an older finding after it changed a newer one does not stand in the way of a decision about both', async () => {
  const { home, ids } = await newHomeWith(first, second, third)
  const [, held = ''] = ids
  const changed = { ...third, message: { text: 'In other words' } }

  const [decided, reported] = await whileHeld(
    home,
    held,
    () => decide(home, ids, 'IDENTIFIED'),
    () => sendReport(home, sarif([changed, second]), { closeAbsent: true }),
  )

  expect([...decided.errors, ...reported.errors]).toEqual([])
})

test('two decisions that name the same issues in opposite order both come to their end', async () => {
  const { home, ids } = await newHomeWith(first, second, third)
  const [, held = ''] = ids

  const [one, other] = await whileHeld(
    home,
    held,
    () => decide(home, ids, 'IDENTIFIED'),
    () => decide(home, ids.toReversed(), 'IDENTIFIED'),
  )

  expect([...one.errors, ...other.errors]).toEqual([])
})

test('a decision about several issues does not wait for a report of their asset that has changed none of them', async () => {
  const { home, ids } = await newHomeWith(first, second)
  const { db } = await inside()

  const { errors } = await transaction(db, async (trx) => {
    // as a report does from its first change to its end
    await sql`select from asset where company_id = ${home.companyId} and id = ${home.assetId} for share`.execute(trx)
    return decide(home, ids, 'IN_PROGRESS')
  })

  expect(errors).toEqual([])
})
