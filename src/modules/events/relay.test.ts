// The relay's statements stay cheap when there are many more findings than events.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { takenByJob } from '../../../test/testkit/large-reports.ts'
import { newReportHome, results, sarif } from '../../../test/testkit/reports.ts'
import { services } from '../../../test/testkit/service.ts'
import { type Trx, transaction } from '../../core/db/open.ts'
import { relaySome } from './store-relay.ts'

/** How often the connection has read all findings, as far as it has not told yet. */
async function wholeReads(trx: Trx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select seq_scan::int as count from pg_stat_xact_user_tables where relname = 'finding'`.execute(trx)
  return rows[0]?.count ?? 0
}

test('a step of the relay reads the findings that its events are of by their keys, and never all', async () => {
  const home = await newReportHome()
  await takenByJob(home, sarif(results(5000)))
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { db } = service.app.parts
  await sql`analyze finding`.execute(db)

  const { count, whole } = await transaction(db, async (trx) => {
    const before = await wholeReads(trx)
    const relayed = await relaySome(trx)
    return { count: relayed.count, whole: (await wholeReads(trx)) - before }
  })

  expect(count).toBeGreaterThanOrEqual(1000)
  expect(whole).toBe(0)
})
