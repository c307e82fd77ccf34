// What checks of requirements read: what concerns their assets and patterns, however much else their company has.

import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { figuresOf, filledAfterOthers, keepFigures } from '../../../test/testkit/figures.ts'
import { fillWith } from '../../../test/testkit/inside.ts'
import { parts } from '../../../test/testkit/large-reports.ts'
import { countReads } from '../../../test/testkit/reads.ts'
import { newReportHome, type ReportHome } from '../../../test/testkit/reports.ts'
import type { Id } from '../../core/ids.ts'
import { openStatuses } from '../issues/service.ts'
import { findBrokenIds, findFindings, findScopeAssets } from './store-facts.ts'

const OTHERS = 2000
const ASSETS = 50
const FEW = 10

beforeEach(keepFigures)

type Filled = ReportHome & { projectId: Id; issueIds: Id[] }

/** Findings with one weakness and deploys, all but a few of the home's asset; projects of each asset, and many checks. */
async function filled(): Promise<Filled> {
  const home = await newReportHome()
  const { companyId, assetId } = home
  await fillWith(sql`
    with made as (
      insert into asset (company_id, name) select ${companyId}, 'Small ' || n from generate_series(1, ${ASSETS}::int) as n
      returning id),
    projects as (
      insert into project (company_id, pid, label, goal, scope, type_id, start_date)
      select ${companyId}, 'P' || id, 'P' || id, 'g', 's', 1, '2026-01-01' from made returning id, pid)
    insert into project_asset (company_id, project_id, asset_id)
    select ${companyId}, id, substr(pid, 2)::bigint from projects`)
  await fillWith(sql`
    insert into finding (company_id, asset_id, type, rule, title, severity, status, cwe_ids, birth_key)
    select ${companyId}, case when n <= ${OTHERS} then ${assetId}::bigint else (select max(id) from asset) end, 'SAST_FINDING',
      'rule', 'Finding', 'LOW', 'CREATED', '{79}', sha256(n::text::bytea)
    from generate_series(1, ${OTHERS + FEW}::int) as n`)
  await fillWith(sql`
    insert into deploy (company_id, asset_id, branch, previous_commit, current_commit, diff_state, lineage)
    select ${companyId}, ${assetId}, 'main', lpad(to_hex(n), 40, '0'), lpad(to_hex(n + 1), 40, '0'), 'PARSED', 'FOLLOWS'
    from generate_series(1, ${OTHERS}::int) as n`)
  await fillWith(sql`
    with made as (
      insert into requirement (company_id, label) select ${companyId}, 'R' from generate_series(1, ${OTHERS / 20}::int)
      returning id)
    insert into requirement_check (company_id, requirement_id, capec_id, label)
    select ${companyId}, made.id, nullif(n, 20), 'C' from made cross join generate_series(1, 20) as n`)
  const { rows } = await sql<{ projectId: Id; issueIds: Id[] }>`
    select max(p.project_id)::text as "projectId", array_agg(i.id::text) as "issueIds" from project_asset p
    join finding i on i.company_id = p.company_id and i.asset_id = p.asset_id where p.company_id = ${companyId}`.execute(
    (await parts()).db,
  )
  const [row] = rows
  if (!row) throw new Error('Nothing was made')
  return { ...home, ...row }
}

describe.each(figuresOf)('with figures $figures', ({ renew }) => {
  test('the last deploy of an asset that has none is not looked for among those of its company', async () => {
    const { companyId } = await filledAfterOthers(filled, renew)

    const read = await countReads(['deploy'], async (db) => {
      const assets = await findScopeAssets(db, [{ companyId, projectId: null }], { integrations: [], tools: [] })
      expect(assets).toHaveLength(ASSETS + 1)
    })

    expect(read).toBeLessThan(OTHERS)
  })

  test('the findings of a project are read from its assets alone', async () => {
    const { companyId, projectId } = await filledAfterOthers(filled, renew)
    const asked = { number: 0, companyId, projectId, cwes: [79], limit: FEW, offset: 0, after: null }

    const read = await countReads(['finding'], async (db) => {
      const [answer] = await findFindings(db, [asked], openStatuses)
      expect(answer?.ids).toHaveLength(FEW)
    })

    expect(read).toBeLessThan(FEW * 5)
  })

  test('the checks that findings violate are read by their patterns', async () => {
    const { companyId, issueIds } = await filledAfterOthers(filled, renew)
    const asked = issueIds.map((issueId, number) => ({ number, companyId, issueId, capecIds: [9999] }))

    const read = await countReads(['requirement_check', 'requirement'], async (db) => {
      expect(await findBrokenIds(db, asked, 100)).toHaveLength(FEW)
    })

    expect(read).toBeLessThan(FEW * 5)
  })
})
