// What runs and the errors of clients read: those that they are about, however many others their company has.

import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { figuresOf, filledAfterOthers, keepFigures } from '../../../test/testkit/figures.ts'
import { fillWith } from '../../../test/testkit/inside.ts'
import { parts } from '../../../test/testkit/large-reports.ts'
import { countReads } from '../../../test/testkit/reads.ts'
import { newReportHome, type ReportHome } from '../../../test/testkit/reports.ts'
import { newAsset } from '../../../test/testkit/world.ts'
import { transaction } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Viewer } from '../context.ts'
import { findScans } from './store.ts'
import { insertAstError } from './store-configurations.ts'

const OTHERS = 2000
const FEW = 50

beforeEach(keepFigures)

async function filled(): Promise<ReportHome> {
  const home = await newReportHome()
  await fillWith(sql`
    insert into scan (company_id, asset_id, integration) select ${home.companyId}, ${home.assetId}, 'MERLON_CLI'
    from generate_series(1, ${OTHERS}::int)`)
  await fillWith(sql`
    insert into ast_error (company_id, asset_id, log) select ${home.companyId}, ${home.assetId}, 'log'
    from generate_series(1, ${OTHERS}::int)`)
  return home
}

test.each(figuresOf)(
  'runs by their ids, and the errors of an asset, are read alone, with figures $figures',
  async ({ renew }) => {
    const { companyId, key } = await filledAfterOthers(filled, renew)
    const { id: assetId } = await newAsset(key, companyId)
    const { db } = await parts()
    const { rows } = await sql<{ id: Id; userId: Id }>`
    select scan.id, membership.user_id as "userId" from scan join membership using (company_id)
    where company_id = ${companyId} order by scan.id desc limit ${FEW}`.execute(db)
    const viewer = { memberships: new Map([[companyId, 'OWNER']]) } as unknown as Viewer

    const ofRuns = await countReads(['scan'], async (own) => {
      const ids = rows.map(({ id }) => id)
      expect(await findScans(own, viewer, ids)).toHaveLength(FEW)
    })
    const ofErrors = await countReads(['ast_error'], async (own) => {
      const error = { companyId, assetId, log: 'log', userId: rows[0]?.userId ?? null }
      await transaction(own, (trx) => insertAstError(trx, error, 100))
    })

    expect(ofRuns).toBeLessThan(2 * FEW)
    expect(ofErrors).toBeLessThan(10)
  },
)
