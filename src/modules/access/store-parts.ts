// The condition that some columns have a part that was searched for.

import { sql } from 'kysely'

/** Whether one of the columns has the part, in any case. */
export const hasPart = (part: string, columns: readonly string[]) => {
  const found = columns.map((column) => sql`strpos(lower(${sql.ref(column)}), ${part.toLowerCase()}) > 0`)
  return sql<boolean>`(${sql.join(found, sql` or `)})`
}
