// Decides the outcome of one reported finding: the row to write, and what the caller is told.

import type { Id } from '../../../core/ids.ts'
import type { IssueRecord } from '../store.ts'
import { evidenceOf, type Match, type MatchedBy } from './evidence.ts'
import { changeOf, digestOf, noChange } from './fields.ts'
import type { Finding, Place, ScanFields } from './finding.ts'
import { isCountable, type Scan } from './scan.ts'
import type { KnownFinding } from './store-known.ts'
import type { FindingWrite, PlaceWrite } from './store-write.ts'

type Outcome = 'CREATED' | 'UPDATED' | 'UNCHANGED' | 'REOPENED'

export type Decision = { outcome: Outcome; matchedBy: MatchedBy; known: KnownFinding | null; write: FindingWrite }

/** The outcome of one reported finding. */
export type Recorded = {
  issue: IssueRecord
  /** the finding that the report matched: the issue itself, or a witness of it */
  findingId: Id
  /** whether the finding has witnesses, or is one */
  isShared: boolean
  /** whether it became a witness of the issue with this report */
  isJoined: boolean
  outcome: Outcome
  matchedBy: MatchedBy
  branch: string
}

/** A finding of a scan, with its place carried to the head of the branch. */
export type Observation = { finding: Finding; place: Place; isGone: boolean }

/** The severity of findings that come without one: medium, as a reminder to look rather than an alarm. */
const UNKNOWN_SEVERITY = 'MEDIUM'

export function decideNew(n: number, scan: Scan, { finding, place, isGone }: Observation, birthKey: string): Decision {
  const fields = { ...finding.fields, severity: finding.fields.severity ?? UNKNOWN_SEVERITY } satisfies ScanFields
  const write: FindingWrite = {
    ...base(n, scan, finding),
    birthKey,
    status: finding.status ?? 'CREATED',
    fields,
    digest: finding.fields.severity === null ? { ...digestOf(fields), unrated: UNKNOWN_SEVERITY } : digestOf(fields),
    place: { ...placeOf(scan, finding, place), disposition: isGone ? 'REMOVED' : null },
    introducedBy: scan.isExact ? scan.deployId : null,
    matchedBy: 'NEW',
  }
  return { outcome: 'CREATED', matchedBy: 'NEW', known: null, write }
}

/** What is compared of a finding apart from its place and its code. */
const compared = ['title', 'originalIssueIdFromTool', 'fingerprint', 'partialFingerprint'] as const

/** The outcome for a known finding: it keeps its id and everything that a person decided. */
export function decideKnown(
  n: number,
  scan: Scan,
  { finding, place }: Observation,
  { matchedBy, candidate }: Match,
  known: KnownFinding,
): Decision {
  const isHere = candidate?.isOwnBranch ?? false
  const isOutdated = isHere && isBehind(scan, known)
  const change = isOutdated ? noChange : changeOf(fieldsOf(known), known.scanDigest, finding.fields)
  const isHeld = finding.isFixed || known.isStatedFixed
  const reopens = known.status === 'FIX_ACCEPTED' && !scan.isOlder && !isHeld
  const fillsProject = known.projectId === null && scan.projectId !== null
  const isChanged = reopens || fillsProject || Object.keys(change.set).length > 0
  const isRenamed = compared.some((name) => name in change.set)
  const placed = isHere ? moved(scan, finding, place, known, isRenamed) : placeOf(scan, finding, place)
  const isBack = isHere && (reopens || (!known.isPresent && placed.isPresent)) && wentBefore(scan, known)
  const write: FindingWrite = {
    ...base(n, scan, finding),
    issueId: known.id,
    matchedBy,
    updatedAt: known.updatedAt,
    fields: change.set,
    digest: change.digest,
    isChanged,
    reopens,
    place: isBack ? { ...placed, disposition: null } : placed,
    introducedBy: (!isHere || isBack) && scan.isExact ? scan.deployId : null,
    presentAt: isHere && known.disposition === 'REMOVED' && placed.disposition !== 'REMOVED' ? scan.headId : null,
    standsAnew: !isGone(placed) && (!isHere || isGone(known)),
  }
  const isUpdated = isChanged || !isHere || !isSameOccurrence(placed, known)
  const outcome = reopens ? 'REOPENED' : isUpdated ? 'UPDATED' : 'UNCHANGED'
  return { outcome, matchedBy, known, write }
}

/** Whether a deploy before the scanned one removed or replaced its line, so that the scanned one brought it back. */
const wentBefore = ({ isExact, headId }: Scan, { touchedBy }: KnownFinding): boolean =>
  isExact && touchedBy !== null && touchedBy !== headId

/**
 * Whether the finding was last reported at a newer commit of the branch than the scanned one, whose report is outdated then. The position among
 * the commits is not known of a deploy that arrived late, nor of another branch's with a higher number than the head.
 */
function isBehind({ isOlder, isLate, deployId, passedId, headId }: Scan, { seenDeployId }: KnownFinding): boolean {
  if (passedId !== null && seenDeployId !== null) return BigInt(passedId) <= BigInt(seenDeployId)
  if (!isOlder || deployId === null || headId === null || seenDeployId === null) return false
  return isLate || BigInt(deployId) < BigInt(seenDeployId) || BigInt(deployId) > BigInt(headId)
}

const base = (n: number, scan: Scan, finding: Finding) => ({
  n,
  assetId: scan.assetId,
  branch: scan.branch,
  issueId: null,
  updatedAt: null,
  birthKey: null,
  newId: null,
  observed: evidenceOf(finding),
  type: finding.type,
  toolName: finding.toolName,
  rule: finding.rule,
  status: null,
  isChanged: false,
  reopens: false,
  projectId: scan.projectId,
  scanId: scan.scanId,
  deployId: scan.deployId,
  seenDeployId: scan.seenDeployId,
  commit: scan.commit,
  introducedBy: null,
  presentAt: null,
  standsAnew: false,
  reportKey: null,
  reportAsk: null,
  newestDeployId: scan.newestDeployId,
})

const placeOf = (scan: Scan, finding: Finding, place: Place): PlaceWrite => ({
  path: place.path,
  line: place.line,
  firstLine: shifted(finding, place),
  column: place.column,
  snippet: finding.text,
  snippetHash: finding.snippet?.hash ?? null,
  commitRef: scan.commit,
  disposition: null,
  isPresent: true,
  isAbsent: false,
  isExact: isCountable(scan),
  isNew: true,
})

/** The first line of the snippet moves with the finding's line. */
const shifted = ({ firstLine, place }: Finding, { line }: Place): number | null =>
  firstLine === null || line === null || place.line === null || line === place.line
    ? firstLine
    : Math.max(firstLine + line - place.line, 1)

/**
 * The place after a report; it counts as new also if only its code differs, or what its tool calls it (`isRenamed`). A report of an older
 * commit moves nothing. Fields that a report leaves out are kept, and so is the whole place if the report says that the finding is gone. A
 * place known from the deploys stays exact if a report of any commit confirms it.
 */
function moved(scan: Scan, finding: Finding, place: Place, known: KnownFinding, isRenamed: boolean): PlaceWrite {
  const before: PlaceWrite = { ...pick(known), isExact: known.isExact && known.isKnownAtHead, isNew: false }
  if (scan.isOlder || (isGone(known) && saysGone(finding))) return before
  const now = placeOf(scan, finding, place)
  const after = {
    ...now,
    line: now.line ?? known.line,
    firstLine: now.firstLine ?? known.firstLine,
    column: now.column ?? (now.line === known.line ? known.column : null),
    snippet: now.snippet ?? known.snippet,
    snippetHash: now.snippetHash ?? known.snippetHash,
    commitRef: now.commitRef ?? known.commitRef,
    disposition: known.disposition === 'REMOVED' ? ('TOUCHED' as const) : known.disposition,
  }
  const isElsewhere = after.path !== known.path || after.line !== known.line
  const isOtherCode = known.snippetHash !== null && after.snippetHash !== known.snippetHash
  const isExact = now.isExact || (known.isKnownAtHead && !isElsewhere)
  return { ...after, isExact, isNew: isElsewhere || isOtherCode || isRenamed }
}

const isGone = ({ isPresent, disposition }: Pick<KnownFinding, 'isPresent' | 'disposition'>): boolean =>
  !isPresent || disposition === 'REMOVED'

function saysGone({ isFixed, kept }: Finding): boolean {
  const own = kept?.places[0]
  return own ? isGone({ ...own, isPresent: own.isOpen }) : (isFixed ?? false)
}

const pick = ({
  path,
  line,
  firstLine,
  column,
  snippet,
  snippetHash,
  commitRef,
  disposition,
  isPresent,
  isAbsent,
  isExact,
}: KnownFinding) => ({
  path,
  line,
  firstLine,
  column,
  snippet,
  snippetHash,
  commitRef,
  disposition,
  isPresent,
  isAbsent,
  isExact,
})

const isSameOccurrence = (place: PlaceWrite, known: KnownFinding): boolean =>
  place.path === known.path &&
  place.line === known.line &&
  place.firstLine === known.firstLine &&
  place.column === known.column &&
  place.snippet === known.snippet &&
  place.disposition === known.disposition &&
  place.isPresent === known.isPresent &&
  place.isAbsent === known.isAbsent

const fieldsOf = (known: KnownFinding): ScanFields => ({
  title: known.title,
  description: known.description,
  severity: known.ownSeverity ?? known.severity,
  impactLevel: known.impactLevel,
  probabilityLevel: known.probabilityLevel,
  cvssScore: known.cvssScore,
  cvssVector: known.cvssVector,
  category: known.category,
  cweIds: known.cweIds,
  patterns: known.patterns,
  reference: known.reference,
  solution: known.solution,
  source: known.source,
  sink: known.sink,
  detail: known.detail,
  originalIssueIdFromTool: known.originalIssueIdFromTool,
  fingerprint: known.fingerprint,
  partialFingerprint: known.partialFingerprint,
})
