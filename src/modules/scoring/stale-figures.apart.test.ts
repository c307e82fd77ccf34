// New scores for findings that came just now, on an installation whose tables were empty when the planner's statistics were made.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { planOf, withDatabase } from '../../../test/testkit/plans.ts'
import { type Db, type Trx, transaction } from '../../core/db/open.ts'
import { openLog } from '../../core/log.ts'
import { applyFeeds } from './jobs.ts'
import { findWorths } from './store.ts'

/** More findings than the hundred pages below which a table is left to the database. */
const FINDINGS = 4000

async function makeAsset(db: Db): Promise<void> {
  await sql`analyze`.execute(db)
  await sql`insert into company (id, label) overriding system value values (1000, 'One')`.execute(db)
  await sql`insert into asset (company_id, name) values (1000, 'first')`.execute(db)
}

async function insertFindings(db: Db, from: number, to: number): Promise<void> {
  await sql`
    insert into finding (company_id, asset_id, type, tool_name, rule, title, severity, status, birth_key, detail)
    select 1000, 1, 'SCA_FINDING', 'tool', 'rule', 'Finding', 'LOW', 'CREATED', sha256(n::text::bytea), '{"cve": "CVE-2021-10000"}'
    from generate_series(${from}::int, ${to}::int) as n`.execute(db)
}

const insertScores = (db: Db, count: number) =>
  sql`insert into epss (cve, score, percentile) select 'CVE-2021-' || 10000 + n, 0.5, 0.9 from generate_series(0, ${count - 1}::int) as n`.execute(
    db,
  )

async function readsOfScores(trx: Trx): Promise<{ whole: number; byKey: number }> {
  const { rows } = await sql<{ whole: number; byKey: number }>`
    select seq_scan::int as whole, idx_scan::int as "byKey" from pg_stat_xact_user_tables where relname = 'epss'`.execute(
    trx,
  )
  return rows[0] as { whole: number; byKey: number }
}

test('a batch is met with the findings as a set or through their key, and not compared with each finding of the company', async () => {
  await withDatabase(async (db, sent) => {
    await makeAsset(db)
    await insertFindings(db, 1, FINDINGS)
    await insertScores(db, 1)

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

test('findings that are valued one by one meet the scores through their key, even if there were none when the first was valued', async () => {
  await withDatabase(async (db) => {
    await makeAsset(db)
    await insertFindings(db, 1, 1)
    await insertScores(db, 5000)

    const [before, after] = await transaction(db, async (trx) => {
      const earlier = await readsOfScores(trx)
      await insertFindings(trx, 2, 11)
      return [earlier, await readsOfScores(trx)] as const
    })

    expect({ whole: after.whole - before.whole, byKey: after.byKey - before.byKey }).toEqual({ whole: 0, byKey: 10 })
    const { rows } = await sql`select epss, count(*)::int as findings from finding group by epss order by epss`.execute(
      db,
    )
    expect(rows).toEqual([
      { epss: 0.5, findings: 10 },
      { epss: null, findings: 1 },
    ])
  })
})

test('what some findings are worth is looked up by their keys, even if there were none when the figures were made', async () => {
  await withDatabase(async (db) => {
    await makeAsset(db)
    await insertFindings(db, 1, FINDINGS)
    const keys = Array.from({ length: 50 }, (_, n) => `1000/${n + 1}`)

    const read = await transaction(db, async (trx) => {
      expect(await findWorths(trx, keys)).toHaveLength(keys.length)
      const { rows } = await sql<{ read: number }>`
        select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'finding'`.execute(
        trx,
      )
      return rows[0]?.read
    })

    expect(read).toBeLessThanOrEqual(keys.length)
  })
})
