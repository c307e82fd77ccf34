// What a tool changed of its findings while they stayed where they were, which leaves no place of its own to replay.

import { type Evidence, nameOf } from './evidence.ts'
import type { PlaceRow } from './place-rows.ts'

/** A stored place, with what the tool last said of its finding. */
export type SaidPlace = PlaceRow & {
  /** the title of the finding and its ids, as the tool gave them last */
  said: Pick<Evidence, 'title' | 'toolId' | 'fingerprint' | 'partialFingerprint'>
  /** whether the last report that saw the finding on the branch was a whole one */
  isLastWhole: boolean
}

/** What a tool calls a finding. */
export const names = ['title', 'toolId', 'fingerprint', 'partialFingerprint'] as const

/**
 * The rows in chronological order, with one more for each finding that the tool calls otherwise now than at its places: where it is, at its
 * last report. Of several such changes the last remains. Pure.
 */
export function withChangesInPlace<Row extends SaidPlace>(rows: readonly Row[]): { rows: Row[]; changed: number } {
  const known = new Map<string, { evidence: Evidence; last: Row }>()
  for (const row of rows) {
    const before = known.get(row.findingId)
    const evidence = { ...before?.evidence, ...row.observed }
    if (!isEvidence(evidence)) continue
    const last = before && before.last.lastSeenAt > row.lastSeenAt ? before.last : row
    known.set(row.findingId, { evidence, last })
  }
  const added = [...known.values()].flatMap(({ evidence, last }) => {
    const said = { ...evidence, ...last.said, title: nameOf(last.said.title) }
    return names.every((name) => said[name] === evidence[name]) ? [] : [reportedAgain(last, said)]
  })
  const all = [...rows, ...added].map((row, place) => ({ row, place }))
  if (added.length > 0) all.sort((one, other) => compared(one.row.at, other.row.at) || one.place - other.place)
  return { rows: all.map(({ row }) => row), changed: added.length }
}

/** The first place of a finding may be one to which a deploy carried it, if older places are not looked at. */
const isEvidence = (evidence: Partial<Evidence>): evidence is Evidence => evidence.title !== undefined

const reportedAgain = <Row extends SaidPlace>(row: Row, observed: Evidence): Row => ({
  ...row,
  at: row.lastSeenAt,
  isWhole: row.isLastWhole,
  observed,
})

export const compared = (one: string, other: string): number => (one < other ? -1 : Number(one > other))
