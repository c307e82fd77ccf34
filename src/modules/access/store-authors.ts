// The SQL that finds the user to whom the program's own actions are attributed.

import { sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'

export type Author = { userId: Id; email: string; name: string }

/** The user who caused the action, or else the company's first owner; null if there is neither. */
export async function findAuthor(db: Db, companyId: Id, userId: Id | null): Promise<Author | null> {
  const { rows } = await sql<Author>`
    select id as "userId", email, name from portal_user where id = coalesce(${userId}::bigint, (
      select min(user_id) from membership where company_id = ${companyId} and role = 'OWNER'))`.execute(db)
  return rows[0] ?? null
}
