// New scores for findings that came just now, on an installation whose tables were empty when the planner's statistics were made.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { planOf, withDatabase } from '../../../test/testkit/plans.ts'
import { type Db, transaction } from '../../core/db/open.ts'
import { openLog } from '../../core/log.ts'
import { applyFeeds } from './jobs.ts'

/** More findings than the hundred pages below which a table is left to the database. */
const FINDINGS = 4000

async function insertFindings(db: Db): Promise<void> {
  await sql`alter table finding set (autovacuum_enabled = false)`.execute(db)
  await sql`analyze`.execute(db)
  await sql`insert into company (id, label) overriding system value values (1000, 'One')`.execute(db)
  await sql`insert into asset (company_id, name) values (1000, 'first')`.execute(db)
  await sql`
    insert into finding (company_id, asset_id, type, tool_name, rule, title, severity, status, birth_key, detail)
    select 1000, 1, 'SCA_FINDING', 'tool', 'rule', 'Finding', 'LOW', 'CREATED', sha256(n::text::bytea), '{"cve": "CVE-2021-10000"}'
    from generate_series(1, ${FINDINGS}) as n`.execute(db)
  await sql`insert into epss (cve, score, percentile) values ('CVE-2021-10000', 0.5, 0.9)`.execute(db)
}

test('a batch is met with the findings as a set or through their key, and not compared with each finding of the company', async () => {
  await withDatabase(async (db, sent) => {
    await insertFindings(db)

    await applyFeeds({ db, log: openLog('silent') })

    const statement = sent.findLast((text) => text.includes('now_known')) ?? ''
    const { reads, filters } = await transaction(db, (trx) => planOf(trx, statement))
    expect(new Set(reads.filter((read) => read.startsWith('finding by issue_')))).toEqual(
      new Set(['finding by issue_pkey']),
    )
    expect(filters).toEqual([])
    const { rows } = await sql`select distinct epss from finding`.execute(db)
    expect(rows).toEqual([{ epss: 0.5 }])
  })
})
