// What synchronisation reads: the items that it is about, however many others their integration has.

import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { figuresOf, filledAfterOthers, keepFigures } from '../../../test/testkit/figures.ts'
import { fillWith } from '../../../test/testkit/inside.ts'
import { parts } from '../../../test/testkit/large-reports.ts'
import { countReads } from '../../../test/testkit/reads.ts'
import { imported, newReportHome, results, sarif } from '../../../test/testkit/reports.ts'
import type { Id } from '../../core/ids.ts'
import { askChanged, listWorks } from './store.ts'
import { deleteOldDeliveries } from './store-deliveries.ts'

const ITEMS = 2000
const FEW = 10

beforeEach(keepFigures)

/** A company whose integration has a card of each finding, and two entries about each in its log, of which one is old. */
async function filled(): Promise<{ companyId: Id; integrationId: Id }> {
  const home = await newReportHome()
  const { companyId } = home
  await imported(home, sarif(results(ITEMS)))
  await fillWith(sql`insert into integration (company_id, type) values (${companyId}, 'TASK_TRACKER')`)
  const ofCompany = sql`(select id from integration where company_id = ${companyId})`
  await fillWith(sql`
    insert into work_item (company_id, integration_id, issue_id, state, external_id, answered)
    select ${companyId}, ${ofCompany}, id, 'LINKED', 'card ' || row_number() over (order by id), 1
    from finding where company_id = ${companyId}`)
  await fillWith(sql`
    insert into sync_delivery (company_id, integration_id, action, outcome, duration, at)
    select ${companyId}, ${ofCompany}, 'MOVE', 'DONE', 1, now() - make_interval(days => case when n <= ${ITEMS} then 40 else 0 end)
    from generate_series(1, ${ITEMS * 2}::int) as n`)
  const { rows } = await sql<{ id: Id }>`select id from integration where company_id = ${companyId}`.execute(
    (await parts()).db,
  )
  return { companyId, integrationId: rows[0]?.id ?? '' }
}

describe.each(figuresOf)('with figures $figures', ({ renew }) => {
  test('cards that changed are found by their ids', async () => {
    const { companyId, integrationId } = await filledAfterOthers(filled, renew)
    const changed = Array.from({ length: FEW }, (_, n) => ({ id: `card ${n + 1}`, revision: null }))

    const read = await countReads(['work_item'], async (db) => {
      expect(await askChanged(db, companyId, integrationId, changed)).toBe(FEW)
    })

    expect(read).toBeLessThan(FEW * 10)
  })

  test('only the findings of the newest items are read', async () => {
    const { companyId, integrationId } = await filledAfterOthers(filled, renew)

    const read = await countReads(['finding'], async (db) => {
      expect(await listWorks(db, companyId, integrationId, FEW)).toHaveLength(FEW)
    })

    expect(read).toBeLessThan(FEW * 5)
  })

  test('some old entries of the log are deleted without reading the log again to find them', async () => {
    await filledAfterOthers(filled, renew)

    const read = await countReads(['sync_delivery'], async (db) => {
      expect(await deleteOldDeliveries(db, 30, ITEMS / 2)).toBe(ITEMS / 2)
    })

    expect(read).toBeLessThan(ITEMS + FEW)
  })
})
