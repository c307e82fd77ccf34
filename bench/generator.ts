// Creates the benchmark's data: one company with a million issues on a hundred assets, generated inside the database.

import type pg from 'pg'

const ASSETS = 100

/** Fills the database once with `issues` findings and their places, and resolves to the ids of the company and its assets. */
export async function fill(client: pg.Client, issues: number): Promise<{ companyId: string; assetIds: string[] }> {
  const company = await client.query<{ id: string }>(`select id from company where sid = 'bench'`)
  const companyId = company.rows[0]?.id ?? (await makeCompany(client))
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from issue where company_id = $1',
    [companyId],
  )
  const present = rows[0]?.count ?? 0
  if (present < issues) await makeIssues(client, companyId, present, issues)
  const assets = await client.query<{ id: string }>('select id from asset where company_id = $1 order by id', [
    companyId,
  ])
  return { companyId, assetIds: assets.rows.map(({ id }) => id) }
}

async function makeCompany(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into company (label, sid) values ('Benchmark', 'bench') returning id`,
  )
  const companyId = rows[0]?.id ?? ''
  await client.query(
    `insert into asset (company_id, name, tags) select $1, 'asset ' || n, array['tag ' || n % 7] from generate_series(1, $2) n`,
    [companyId, ASSETS],
  )
  return companyId
}

/** So many issues are enough for the database to plan the checks of foreign keys of all further ones. */
const FIRST = 1000

async function makeIssues(client: pg.Client, companyId: string, present: number, issues: number): Promise<void> {
  console.log(`Making ${issues - present} issues, once …`)
  const first = Math.min(issues, present + FIRST)
  await insertIssues(client, companyId, present, first)
  await analyze(client)
  await client.query('discard plans')
  await insertIssues(client, companyId, first, issues)
  // one in 10,000 is close to its due date, and one in 10,000 is overdue
  for (const part of [0.9, 1.1]) {
    await client.query(
      `update finding set sla_started_at = now() - $2::float8 * (sla_due_at - sla_started_at), revalue_at = now()
       where company_id = $1 and sla_due_at is not null and id % 10000 = $3`,
      [companyId, part, part < 1 ? 1 : 2],
    )
  }
  await analyze(client)
}

async function analyze(client: pg.Client): Promise<void> {
  for (const table of ['finding', 'occurrence', 'asset']) await client.query(`vacuum analyze ${table}`)
}

/** Like real reports: titles repeat, severities and statuses are unevenly distributed, and lines and files are spread out. */
async function insertIssues(client: pg.Client, companyId: string, after: number, last: number): Promise<void> {
  await client.query(
    `with made as (
       insert into issue (company_id, asset_id, type, tool_name, rule, title, description, severity, status, category, cwe_ids, detail, birth_key)
       select $1, a.id, 'SAST_FINDING', 'bench', 'rule-' || n % 400, 'Finding of rule ' || n % 400,
              'Untrusted input reaches a sensitive function in request handler ' || n || '.',
              (array['NOTIFICATION','LOW','LOW','MEDIUM','MEDIUM','MEDIUM','HIGH','HIGH','CRITICAL'])[1 + n % 9]::severity_category,
              (array['CREATED','CREATED','IDENTIFIED','IN_PROGRESS','FIX_ACCEPTED','FALSE_POSITIVE'])[1 + n % 6]::issue_status,
              'CWE-' || cwe, array[cwe],
              jsonb_build_object('fileName', 'src/handlers/file' || n % 5000 || '.ts', 'vulnerableLine', n % 900 + 1),
              sha256(('bench ' || n)::bytea)
       from generate_series($2::int + 1, $3::int) n
       cross join lateral (
         select case when n % 10000 = 0 then 611 else (array[79, 89, 22, 78, 502])[1 + n % 5] end as cwe) as weakness
       join (select id, row_number() over (order by id) - 1 as number from asset where company_id = $1) a on a.number = n % ${ASSETS}
       returning company_id, id, asset_id, detail)
     insert into occurrence (company_id, issue_id, asset_id, branch, path, line, first_line, snippet, snippet_hash)
     select company_id, id, asset_id, 'main', detail->>'fileName', (detail->>'vulnerableLine')::int, (detail->>'vulnerableLine')::int,
            'const value = read(' || id || ')', id from made`,
    [companyId, after, last],
  )
}
