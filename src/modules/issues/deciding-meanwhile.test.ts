// Decisions about several issues while something else writes the same ones: neither waits for what the other holds.

import { expect, test } from 'vitest'
import { ask, type Data } from '../../../test/testkit/client.ts'
import { inside, waitingStatements } from '../../../test/testkit/inside.ts'
import { newReportHome, type ReportHome, result, sarif, sendReport } from '../../../test/testkit/reports.ts'
import { transaction } from '../../core/db/open.ts'
import { lockIssues } from './store.ts'

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

/** Runs the two at once while a third party holds one issue: each has begun, and waits, before that one is let go. */
async function whileHeld<A, B>(
  { companyId }: ReportHome,
  heldId: string,
  begin: () => Promise<A>,
  next: () => Promise<B>,
): Promise<[A, B]> {
  const { db } = await inside()
  const begun = await transaction(db, async (trx) => {
    await lockIssues(trx, companyId, [heldId])
    const one = begin()
    await expect.poll(() => waitingStatements()).toBeGreaterThan(0)
    const other = next()
    await expect.poll(() => waitingStatements()).toBeGreaterThan(1)
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
    () => decide(home, ids, 'IN_PROGRESS'),
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
    () => decide(home, ids, 'IN_PROGRESS'),
    () => decide(home, ids.toReversed(), 'AWAITING_VALIDATION'),
  )

  expect([...one.errors, ...other.errors]).toEqual([])
})
