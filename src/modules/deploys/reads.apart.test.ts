// What lists of deploys and of their files read: about what they show, however large their company and their diff are.

import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { keepFigures } from '../../../test/testkit/figures.ts'
import { fillWith } from '../../../test/testkit/inside.ts'
import { parts } from '../../../test/testkit/large-reports.ts'
import { countReads } from '../../../test/testkit/reads.ts'
import { newReportHome, type ReportHome } from '../../../test/testkit/reports.ts'
import { newDeploy } from '../../../test/testkit/world.ts'
import { listByCompany } from './store.ts'
import { findFiles } from './store-beside.ts'

const DEPLOYS = 1000
const FILES = 2000

beforeEach(keepFigures)

/** Deploys of the asset, one after the other, with a verdict on each. */
async function deployed({ companyId, assetId }: ReportHome): Promise<void> {
  await fillWith(sql`
    with made as (
      insert into deploy (company_id, asset_id, branch, previous_commit, current_commit, diff_state, lineage)
      select ${companyId}, ${assetId}, 'main', lpad(to_hex(n), 40, '0'), lpad(to_hex(n + 1), 40, '0'), 'PARSED', 'FOLLOWS'
      from generate_series(1, ${DEPLOYS}::int) as n returning id)
    insert into deploy_verdict (company_id, deploy_id, decision) select ${companyId}, id, 'PASS' from made`)
}

test('the deploys with a verdict are counted once each, also of a company that is in none of the figures', async () => {
  const { db } = await parts()
  for (let others = 0; others < 3; others += 1) await deployed(await newReportHome())
  await sql`analyze deploy, deploy_verdict`.execute(db)
  const home = await newReportHome()
  await deployed(home)
  const asked = { assetIds: null, decisions: ['PASS'] as const }

  const read = await countReads(['deploy', 'deploy_verdict'], async (own) => {
    const { metadata } = await listByCompany(own, home.companyId, asked, { page: 1, limit: 10, after: null })
    expect(metadata.totalCount).toBe(DEPLOYS)
  })

  expect(read).toBeLessThan(3 * DEPLOYS)
})

test('a page of the files of a deploy reads no others', async () => {
  const home = await newReportHome()
  const { id } = await newDeploy(home.key, home.assetId)
  await fillWith(sql`
    insert into deploy_file (company_id, deploy_id, number, old_path, new_path, kind, added, removed, hunks)
    select ${home.companyId}, ${id}, n, 'a/' || n, 'a/' || n, 'MODIFIED', 0, 0, ''
    from generate_series(1, ${FILES}::int) as n`)

  const read = await countReads(['deploy_file'], async (own) => {
    const files = await findFiles(own, [{ companyId: home.companyId, id, after: FILES / 2, limit: 10 }], 1)
    expect(files).toHaveLength(10)
  })

  expect(read).toBeLessThan(50)
})
