// Adds to the stored places what whole reports said of findings that stayed where they were, which leaves no place.

import type { Evidence } from './evidence.ts'
import { compared, names } from './in-place.ts'
import type { PlaceRow } from './place-rows.ts'
import type { StoredReport } from './store-rules.ts'

/** Where a finding was last on a branch, and what was last observed of it. */
type Last<Place> = { row: Place; evidence: Evidence }

/**
 * The rows in chronological order, with one more for each finding that a report had where it was before; all rows of such a report name it.
 * Reports that are not kept, or are older than the first row, are left out. Pure.
 */
export function withReports<Place extends PlaceRow>(
  given: readonly Place[],
  reports: readonly StoredReport[],
): Place[] {
  const rows = given.toSorted((one, other) => compared(one.at, other.at))
  const [first] = rows
  const kept = reports.filter(({ isKept, at }) => isKept && first !== undefined && at >= first.at)
  const findings = findingsOf(rows)
  const named = (issueIds: readonly string[]) => issueIds.flatMap((id) => [...(findings.get(id) ?? [])])
  const last = new Map<string, Last<Place>>()
  const anywhere = new Map<string, Evidence>()
  const told: Place[] = []
  const tell = (row: Place) => {
    // a deploy copies a finding to a new branch, with what was observed of it on another
    const evidence = row.observed ?? last.get(keyOf(row))?.evidence ?? anywhere.get(row.findingId)
    if (evidence) {
      last.set(keyOf(row), { row, evidence })
      anywhere.set(row.findingId, { ...anywhere.get(row.findingId), ...evidence })
    }
    told.push(row)
  }
  /** how often a report said something else of a finding */
  const changes = new Map<string, number>()
  let next = 0
  const tellUntil = (isDue: (row: Place) => boolean) => {
    for (let row = rows[next]; row && isDue(row); row = rows[++next]) tell(row)
  }
  for (const { issueIds, changedIds, closedIds, isKept: _, ...report } of kept) {
    tellUntil(({ at }) => at < report.at)
    const listed = { ...report, closed: named(closedIds) }
    const own: Place[] = []
    for (let row = rows[next]; row && row.at === report.at && row.branch === report.branch; row = rows[++next]) {
      own.push(row.observed ? { ...row, report: listed } : row)
    }
    const moved = new Set(own.map(({ findingId }) => findingId))
    const again = new Set(named(issueIds).filter((id) => !moved.has(id)))
    for (const findingId of named(changedIds)) changes.set(findingId, (changes.get(findingId) ?? 0) + 1)
    for (const row of own) tell(row.observed ? { ...row, words: wordsOf(row, row.observed, changes) } : row)
    for (const findingId of again) {
      const before = last.get(keyOf({ findingId, branch: report.branch }))
      if (!before) continue
      const { row } = before
      const evidence = { ...before.evidence, ...namesIn(anywhere.get(findingId)) }
      const words = wordsOf(row, evidence, changes)
      told.push({ ...row, at: report.at, isWhole: true, observed: evidence, report: listed, words })
    }
  }
  tellUntil(() => true)
  return told
}

const wordsOf = (
  { findingId, path, line }: PlaceRow,
  evidence: Evidence,
  changes: ReadonlyMap<string, number>,
): string => JSON.stringify([path, line, evidence, changes.get(findingId) ?? 0])

/** What a finding is called is the same on all branches: a report that calls it otherwise on one of them leaves a place there. */
function namesIn(evidence: Evidence | undefined): Partial<Evidence> {
  const found = names.flatMap((name) => (evidence?.[name] === undefined ? [] : [[name, evidence[name]]]))
  return Object.fromEntries(found)
}

const keyOf = ({ findingId, branch }: Pick<PlaceRow, 'findingId' | 'branch'>): string => `${findingId} ${branch}`

/** The tool's findings of each issue; several if people merged them. */
function findingsOf(rows: readonly PlaceRow[]): Map<string, Set<string>> {
  const findings = new Map<string, Set<string>>()
  for (const { issueId, findingId } of rows) {
    findings.set(issueId, (findings.get(issueId) ?? new Set<string>()).add(findingId))
  }
  return findings
}
