// Backdates findings in the database: the API cannot, and trends over weeks must be tested.

import { sql } from 'kysely'
import { inside } from '../../test/testkit/inside.ts'

export async function foundDaysAgo(companyId: string, issueId: string, days: number): Promise<void> {
  const { db } = await inside()
  await sql`
    update issue_event set at = now() - make_interval(days => ${days})
    where company_id = ${companyId} and issue_id = ${issueId} and action = 'CREATED'`.execute(db)
  await sql`
    update issue set created_at = now() - make_interval(days => ${days})
    where company_id = ${companyId} and id = ${issueId}`.execute(db)
}
