// Which findings count as open: one definition for every list, figure and grade.

import { type RawBuilder, sql } from 'kysely'
import type { IssueStatus } from './tables.generated.ts'

/** The statuses of findings that still need work. A draft has not been reported yet, and counts nowhere. */
export const openStatuses: readonly IssueStatus[] = ['CREATED', 'IDENTIFIED', 'IN_PROGRESS', 'AWAITING_VALIDATION']

/** True for rows of issue that are open; the statuses are written out, so that the planner can estimate with them. */
export const isOpenIssue: RawBuilder<boolean> = sql`issue.status in (${sql.join(openStatuses.map((status) => sql.lit(status)))})`
