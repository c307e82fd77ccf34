// Brings both sides of a matching to the head of the branch: known findings with their evidence, and observations.

import type { Db, Trx } from '../../../core/db/open.ts'
import { unpackHunks } from '../../../diff/line-map.ts'
import { type CarryStart, type CarryStep, carryPlace } from './carry.ts'
import type { Observation } from './decide.ts'
import type { Candidate, Observed } from './evidence.ts'
import type { Finding } from './finding.ts'
import { type Scan, seenAt } from './scan.ts'
import { findCarrySteps, type KnownFinding } from './store-known.ts'
import { isCode } from './twins.ts'

/** A known finding as a candidate for one scan; `isSeen`: the scan is known to have reported it already. */
export function candidateOf(known: KnownFinding, scan: Scan, isSeen = false): Candidate {
  const isOwnBranch = known.branch === scan.branch
  const seen = !isOwnBranch ? 'UNKNOWN' : isSeen ? 'HERE' : seenAt(known, scan)
  const isOpen = known.isPresent && known.status !== 'FIX_ACCEPTED'
  const isAtHead = known.isKnownAtHead && scan.isExact && scan.headId !== null && known.touchedBy === null
  return {
    issueId: known.id,
    isOwnBranch,
    isOpen,
    toolId: known.originalIssueIdFromTool,
    fingerprint: known.fingerprint,
    partialFingerprint: known.partialFingerprint,
    place: {
      path: known.path,
      line: known.line,
      column: known.column,
      token: isCode(known.type) ? null : known.snippet,
    },
    snippetHash: known.snippetHash,
    code: isCode(known.type) ? known.snippet : null,
    isMapped: isOwnBranch && isOpen && (seen === 'HERE' || isAtHead),
    isTouched: isOwnBranch && known.touchedBy !== null && seen !== 'HERE',
    isGone: isOwnBranch && isOpen && known.disposition === 'REMOVED',
    seen,
  }
}

export const observedOf = ({ finding, place }: Observation): Observed => ({
  toolId: finding.fields.originalIssueIdFromTool,
  fingerprint: finding.fields.fingerprint,
  partialFingerprint: finding.fields.partialFingerprint,
  place,
  snippet: finding.snippet,
  code: isCode(finding.type) ? finding.text : null,
})

export type ScannedFinding = { scan: Scan; finding: Finding }

/**
 * Carries the findings of scans of older commits to the head of their branches; others stay as they are. If the deploys do not lead there,
 * the scan is no longer exact. One statement, or none if every scan is of a head.
 */
export async function carryToHead(
  db: Db | Trx,
  companyId: string,
  given: readonly ScannedFinding[],
): Promise<{ scan: Scan; observation: Observation }[]> {
  const starts = new Map<string, CarryStart>()
  for (const { scan, finding } of given) {
    const start = startOf(scan, finding)
    if (start) starts.set(JSON.stringify(start), start)
  }
  const walks = starts.size === 0 ? new Map<string, CarryStep[]>() : await findWalks(db, companyId, starts)
  return given.map(({ scan, finding }) => {
    const start = startOf(scan, finding)
    if (!start) return { scan, observation: { finding, place: finding.place, isGone: false } }
    const carried = carryPlace(finding.place, walks.get(JSON.stringify(start)) ?? [], start.headId)
    const isExact = carried.isWhole
    return {
      scan: isExact ? scan : { ...scan, isExact },
      observation: { finding, place: isExact ? carried.place : finding.place, isGone: carried.isGone },
    }
  })
}

const startOf = ({ isExact, isOlder, deployId, headId }: Scan, { place }: Finding): CarryStart | null =>
  isExact && isOlder && deployId !== null && headId !== null && place.path
    ? { deployId, headId, path: place.path }
    : null

async function findWalks(db: Db | Trx, companyId: string, starts: ReadonlyMap<string, CarryStart>) {
  const keys = [...starts.keys()]
  const walks = new Map<string, CarryStep[]>()
  for (const { n, deployId, path, hunks } of await findCarrySteps(db, companyId, [...starts.values()])) {
    const key = keys[n] ?? ''
    const walk = walks.get(key) ?? []
    walk.push({ deployId, path, hunks: hunks === null ? [] : unpackHunks(hunks) })
    walks.set(key, walk)
  }
  return walks
}

/** Where a line, as of a deploy's commit, is at the head; null if the deploys do not lead there. */
export async function placeAtHead(
  db: Db | Trx,
  companyId: string,
  start: CarryStart,
  line: number | null,
): Promise<{ path: string | null; line: number | null } | null> {
  const walks = await findWalks(db, companyId, new Map([['', start]]))
  const place = { path: start.path, line, column: null, token: null }
  const steps = walks.get('') ?? []
  if (start.deployId === start.headId) return { path: start.path, line }
  const carried = carryPlace(place, steps, start.headId)
  return carried.isWhole ? { path: carried.place.path, line: carried.place.line } : null
}
