// What reviews of deploys read: those of the deploys that are shown, however many others their company has.

import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { figuresOf, filledAfterOthers, keepFigures } from '../../../test/testkit/figures.ts'
import { fillWith } from '../../../test/testkit/inside.ts'
import { parts } from '../../../test/testkit/large-reports.ts'
import { countReads } from '../../../test/testkit/reads.ts'
import { newReportHome } from '../../../test/testkit/reports.ts'
import type { Id } from '../../core/ids.ts'
import type { Viewer } from '../context.ts'
import { findReviews, findShortfalls } from './store.ts'

const DEPLOYS = 2000
const FEW = 50

beforeEach(keepFigures)

async function filled(): Promise<Id> {
  const { companyId, assetId } = await newReportHome()
  await fillWith(sql`
    with made as (
      insert into deploy (company_id, asset_id, branch, previous_commit, current_commit, diff_state, lineage)
      select ${companyId}, ${assetId}, 'main', lpad(to_hex(n), 40, '0'), lpad(to_hex(n + 1), 40, '0'), 'PARSED', 'FOLLOWS'
      from generate_series(1, ${DEPLOYS}::int) as n returning id)
    insert into deploy_review (company_id, deploy_id) select ${companyId}, id from made`)
  return companyId
}

test.each(figuresOf)('reviews are read by their deploys, with figures $figures', async ({ renew }) => {
  const companyId = await filledAfterOthers(filled, renew)
  const { rows } = await sql<{ id: Id }>`
    select deploy_id as id from deploy_review where company_id = ${companyId} order by deploy_id desc limit ${FEW}`.execute(
    (await parts()).db,
  )
  const viewer = { memberships: new Map([[companyId, 'OWNER']]) } as unknown as Viewer

  const read = await countReads(['deploy_review'], async (db) => {
    const ids = rows.map(({ id }) => id)
    expect(await findReviews(db, viewer, ids)).toHaveLength(FEW)
    expect(
      await findShortfalls(
        db,
        ids.map((id) => ({ companyId, id })),
      ),
    ).toHaveLength(FEW)
  })

  expect(read).toBeLessThan(3 * FEW)
})
