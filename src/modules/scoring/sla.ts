// When a finding is due, and its state with respect to that date.

import { openStatuses } from '../../core/db/open-issues.ts'
import type { IssueStatus } from '../../core/db/tables.generated.ts'
import type { SlaState } from '../../core/issue-words.ts'

/** Times are ISO 8601. */
type SlaFacts = { status: IssueStatus; startedAt: string | null; dueAt: string | null; closedAt: string | null }

export type Sla = { state: SlaState; dueAt: string; daysRemaining: number }

const DAY = 86_400_000

/** The last part of the time, in which a finding is said to approach its end. */
const LAST_PART = 1 / 5

/**
 * How a finding stands at `now`, in milliseconds; null where nothing says when it is due. Of one that is closed the days are
 * those that were left when it was.
 */
export function slaOf({ status, startedAt, dueAt, closedAt }: SlaFacts, now: number): Sla | null {
  if (dueAt === null || startedAt === null) return null
  const [started, due] = [Date.parse(startedAt), Date.parse(dueAt)]
  const isOpen = openStatuses.includes(status)
  const at = isOpen ? now : Date.parse(closedAt ?? dueAt)
  return { state: isOpen ? stateOf(started, due, now) : 'RESOLVED', dueAt, daysRemaining: Math.floor((due - at) / DAY) }
}

function stateOf(started: number, due: number, now: number): SlaState {
  if (now >= due) return 'BREACHED'
  return now >= due - (due - started) * LAST_PART ? 'APPROACHING' : 'ON_TRACK'
}
