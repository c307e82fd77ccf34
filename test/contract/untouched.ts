// Detects changes to companies' rows: one hash for every table that has such rows.

import { sql } from 'kysely'
import { services } from '../testkit/service.ts'

/**
 * Exports and decisions on filters record that they were requested, even if they match nothing, and in the caller's own
 * company whatever the filters name. Such records are not changes.
 */
const ofReading: Readonly<Record<string, ReturnType<typeof sql>>> = {
  export: sql`false`,
  issue_decision: sql`total > 0`,
  audit_record: sql`operation <> 'exportFindings' and (operation <> 'decideOnIssues' or after ->> 'total' <> '0')`,
}

/** The time of the last success is recorded whoever caused the request to the vendor. */
const withoutSuccess = sql`(to_jsonb(t) - 'last_success_at')::text`

/** Hashes by table over all rows of these companies, all users and all keys, except for when a key was last used. */
export async function hashRows(companyIds: readonly string[]): Promise<Record<string, string>> {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { db } = service.app
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attname = 'company_id' order by 1`.execute(db)
  const ofCompanies = tables.map(({ name }) =>
    hashOf(
      name,
      sql`select ${name === 'integration' ? withoutSuccess : sql`t::text`} as row from ${sql.table(name)} t
      where company_id = any(${companyIds}::bigint[]) and ${ofReading[name] ?? sql`true`}`,
    ),
  )
  const others = [
    hashOf('company', sql`select t::text as row from company t where id = any(${companyIds}::bigint[])`),
    hashOf(
      'api_key',
      sql`select (to_jsonb(t) - 'last_used_at')::text as row from api_key t
      where user_id in (select user_id from membership where company_id = any(${companyIds}::bigint[]))`,
    ),
    hashOf(
      'portal_user',
      sql`select t::text as row from portal_user t
      where id in (select user_id from membership where company_id = any(${companyIds}::bigint[]))`,
    ),
  ]
  const { rows } = await sql<{
    name: string
    hash: string
  }>`${sql.join([...ofCompanies, ...others], sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
}

const hashOf = (name: string, of: ReturnType<typeof sql>) => sql`
  select ${sql.lit(name)} as name, count(*) || ' ' || md5(coalesce(string_agg(row, '|' order by row), '')) as hash
  from (${of}) x`
