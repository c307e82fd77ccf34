// Computing priorities anew while a report writes the same findings: neither waits for what the other has locked.

import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Data } from '../../../test/testkit/client.ts'
import { inside } from '../../../test/testkit/inside.ts'
import { newReportHome, type ReportHome, result, sarif, sendReport } from '../../../test/testkit/reports.ts'
import { type Db, transaction } from '../../core/db/open.ts'
import { lockIssues } from '../issues/locking.ts'
import { applyExploitationData } from './exploitation.ts'
import { revalueCompany } from './jobs.ts'

const results = [result(1), result(2), result(3)]

/** A home whose issues are of these results; their ids, which rise. */
async function newHomeWithIssues() {
  const home = await newReportHome()
  const { data } = await sendReport(home, sarif(results))
  const ids: string[] = data.importFindings.import.rows.collection.map(({ issue }: Data) => issue.id)
  return { home, ids }
}

/** Values anew while a third party holds the second issue, and a report changes the last and then closes the first. */
async function valueBesideReport(home: ReportHome, ids: readonly string[], value: (db: Db) => Promise<unknown>) {
  const { db } = await inside()
  const [, second, third] = results
  const report = sarif([{ ...third, message: { text: 'In other words' } }, second])
  const [valued, reported] = await transaction(db, async (trx) => {
    await lockIssues(trx, home.companyId, [ids[1] ?? ''])
    const both = [value(db), sendReport(home, report, { closeAbsent: true })] as const
    await delay(700)
    return both
  })
  await valued
  return reported
}

test('a report that closes an older finding after it changed a newer one does not stand in the way of a new policy', async () => {
  const { home, ids } = await newHomeWithIssues()

  const { errors } = await valueBesideReport(home, ids, (db) => revalueCompany(db, home.companyId, null))

  expect(errors).toEqual([])
})

test('nor in the way of what is published of vulnerabilities', async () => {
  const { home, ids } = await newHomeWithIssues()
  const { db } = await inside()
  const cve = `CVE-2099-${Date.now()}`
  await sql`update issue set vulnerability_ids = ${[cve]} where company_id = ${home.companyId}`.execute(db)
  await sql`insert into epss (cve, score, percentile) values (${cve}, 0.5, 0.9)`.execute(db)

  const { errors } = await valueBesideReport(home, ids, applyExploitationData)

  expect(errors).toEqual([])
})
