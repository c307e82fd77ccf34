// Whether rows of companies are what they were: one hash over every table that has them.

import { sql } from 'kysely'
import { services } from '../testkit/service.ts'

/** Asking for an export leaves that it was asked, and of one's own company whatever its filters name. */
const ofReading: Readonly<Record<string, ReturnType<typeof sql>>> = {
  export: sql`false`,
  audit_record: sql`operation <> 'exportFindings'`,
}

/** That a vendor answered is noted whoever asked it. */
const withoutSuccess = sql`(to_jsonb(t) - 'last_success_at')::text`

/** Hashes by table, over all rows of these companies, of all users and of all keys; when a key was last used is left out. */
export async function hashRows(companyIds: readonly string[]): Promise<Record<string, string>> {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { db } = service.app
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'company_id' order by 1`.execute(db)
  const hashes: Record<string, string> = {}
  for (const { name } of tables) {
    hashes[name] =
      await hashOf(sql`select ${name === 'integration' ? withoutSuccess : sql`t::text`} as row from ${sql.table(name)} t
      where company_id = any(${companyIds}::bigint[]) and ${ofReading[name] ?? sql`true`}`)
  }
  hashes.company = await hashOf(sql`select t::text as row from company t where id = any(${companyIds}::bigint[])`)
  hashes.api_key = await hashOf(sql`
    select (to_jsonb(t) - 'last_used_at')::text as row from api_key t
    where user_id in (select user_id from membership where company_id = any(${companyIds}::bigint[]))`)
  hashes.portal_user = await hashOf(sql`
    select t::text as row from portal_user t
    where id in (select user_id from membership where company_id = any(${companyIds}::bigint[]))`)
  return hashes

  async function hashOf(of: ReturnType<typeof sql>): Promise<string> {
    const { rows } = await sql<{ hash: string }>`
      select count(*) || ' ' || md5(coalesce(string_agg(row, '|' order by row), '')) as hash from (${of}) x`.execute(db)
    return rows[0]?.hash ?? ''
  }
}
