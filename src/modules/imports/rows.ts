// The outcome of each finding of a group: the rows to write, and how many are still open.

import { openStatuses } from '../../core/db/open-issues.ts'
import type { Id } from '../../core/ids.ts'
import type { RecordedInBulk as Recorded } from '../issues/findings/service.ts'
import type { ImportRow } from './store-rows.ts'
import type { StagedFinding } from './store-stage.ts'

/** Adds, by section, the findings that were known and are open. */
export function countOpen(
  staged: readonly StagedFinding[],
  recorded: readonly Recorded[],
  rows: readonly ImportRow[],
  stillOpen: number[],
): void {
  const sections = new Map(staged.map(({ number, section }) => [number, section]))
  const open = new Set(recorded.flatMap(({ issue }) => (openStatuses.includes(issue.status) ? [issue.id] : [])))
  for (const { number, disposition, issueId } of rows) {
    const wasKnown = disposition === 'UPDATED' || disposition === 'UNCHANGED'
    const section = wasKnown && issueId !== null && open.has(issueId) ? sections.get(number) : undefined
    if (section !== undefined) stillOpen[section] = (stillOpen[section] ?? 0) + 1
  }
}

/** The outcome of each row, in the report's order; adds to `seen` where each issue occurred first. */
export function rowsOf(
  staged: readonly StagedFinding[],
  recorded: readonly Recorded[],
  changed: ReadonlySet<Id>,
  seen: Map<Id, string>,
): ImportRow[] {
  const inOrder = staged
    .flatMap((row, index) => {
      const result = recorded[index]
      return result ? [{ row, result }] : []
    })
    .sort((left, right) => left.row.number - right.row.number)
  return inOrder.map(({ row, result: { issue, findingId, isJoined, outcome, matchedBy } }) => {
    const { number, at, decision } = row
    const first = seen.get(findingId)
    if (first !== undefined) {
      return { number, at, disposition: 'MERGED', matchedBy, issueId: issue.id, reason: `The same finding as ${first}` }
    }
    seen.set(findingId, at)
    if (isJoined) {
      const whose = issue.toolName === null ? '' : ` of ${issue.toolName}`
      const unheard =
        decision === null ? '' : `, which other tools report, so this report does not make it ${decision.status}`
      const reason = `The same weakness as issue ${issue.id}${whose}${unheard}`
      return { number, at, disposition: 'MERGED', matchedBy, issueId: issue.id, reason }
    }
    const disposition = outcome === 'UNCHANGED' && changed.has(issue.id) ? 'UPDATED' : outcome
    return { number, at, disposition, matchedBy, issueId: issue.id, reason: null }
  })
}
