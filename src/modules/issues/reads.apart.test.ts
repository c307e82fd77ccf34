// What a look-up of issues by their ids reads: those, however many others their company has.

import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { keepFigures } from '../../../test/testkit/figures.ts'
import { parts } from '../../../test/testkit/large-reports.ts'
import { countReads } from '../../../test/testkit/reads.ts'
import { imported, newReportHome, results, sarif } from '../../../test/testkit/reports.ts'
import type { Viewer } from '../context.ts'
import { findIssues } from './store.ts'

const ROWS = 2000
const FEW = 50

beforeEach(keepFigures)

test('the issues of a page are read alone, also of a company that is in none of the figures', async () => {
  const { db } = await parts()
  await imported(await newReportHome(), sarif(results(ROWS)))
  await sql`analyze`.execute(db)
  const home = await newReportHome()
  await imported(home, sarif(results(ROWS)))
  const { rows } = await sql<{ id: string }>`
    select id from finding where company_id = ${home.companyId} order by id desc limit ${FEW}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const viewer = { memberships: new Map([[home.companyId, 'OWNER']]) } as unknown as Viewer

  const read = await countReads(['finding'], async (own) => {
    expect(await findIssues(own, viewer, ids)).toHaveLength(FEW)
  })

  expect(read).toBeLessThan(2 * FEW)
})
