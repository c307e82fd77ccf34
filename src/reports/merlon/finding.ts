// Reads a finding as a Merlon writes it: in a line of NDJSON, in the properties of a SARIF result, or in a row of CSV.

import { issueStatuses, issueTypes, severities } from '../../core/issue-words.ts'
import { EXPORT_FORMAT } from '../../core/own-exports.ts'
import { flowOf } from '../flow.ts'
import {
  type FlowStep,
  type KeptObservation,
  type KeptPlace,
  type KeptStatus,
  type ProofRange,
  ReportFault,
  type Row,
} from '../types.ts'
import { at, between, code, type Fields, isObject, list, moment, objects, some, text, uniq, whole } from '../values.ts'

/** Throws ReportFault for an export whose `format` is another. */
export function requireFormat(value: unknown): void {
  if (at(value, 'format') === EXPORT_FORMAT) return
  throw new ReportFault('The export is of another version of Merlon, whose format is not known here')
}

const levels = ['LOW', 'MEDIUM', 'HIGH'] as const
const dispositions = ['UNCHANGED', 'MOVED', 'RENAMED', 'TOUCHED', 'REMOVED'] as const

/** Ranges of one finding; a scan by the platform marks fewer. */
const MOST_RANGES = 100

const among = <T>(known: readonly T[], value: unknown): T | undefined => known.find((each) => each === value)

/** A row with the finding, or why it is left out. */
export function findingRow(value: Fields, place: string): Row {
  const [type, status, title] = [among(issueTypes, value.type), among(issueStatuses, value.status), code(value.title)]
  const keptId = text(value.id, 100)
  if (type === undefined || status === undefined) {
    return { kind: 'LEFT_OUT', at: place, reason: 'Its type or its status is not known' }
  }
  if (title === undefined || keptId === undefined) {
    return { kind: 'LEFT_OUT', at: place, reason: 'It has no title or no id' }
  }
  const statusReason = code(value.statusReason)
  const observation: KeptObservation = {
    kind: 'KEPT',
    type,
    keptId,
    title,
    description: code(value.description),
    severity: among(severities, value.severity),
    impactLevel: among(levels, value.impactLevel),
    probabilityLevel: among(levels, value.probabilityLevel),
    status,
    statusReason,
    isDecided: moment(value.decidedAt) !== undefined,
    createdAt: moment(value.createdAt),
    decidedAt: moment(value.decidedAt),
    closedAt: moment(value.closedAt),
    slaStartedAt: moment(value.slaStartedAt),
    riskAcceptedUntil: moment(value.riskAcceptedUntil),
    decision: decisionOf(status, statusReason, moment(value.riskAcceptedUntil)),
    cvssScore: between(value.cvssScore, 0, 10),
    cvssVector: code(value.cvssVector),
    category: code(value.category),
    cweIds: uniq(list(value.cweIds).map((id) => whole(id))),
    toolName: code(value.toolName) ?? '',
    ruleId: code(value.rule),
    originalIssueIdFromTool: code(value.originalIssueIdFromTool),
    fingerprint: code(value.fingerprint),
    partialFingerprint: code(value.partialFingerprint),
    reference: code(value.reference),
    solution: code(value.solution),
    patterns: uniq(list(value.patterns).map((pattern) => code(pattern))),
    source: code(value.source),
    sink: code(value.sink),
    flow: flowOf(objects(at(value.detail, 'flow')).map(stepOf)),
    proof: proofOf(objects(at(value.detail, 'proof'))),
    summary: code(value.summary),
    impactDescription: code(value.impactDescription),
    stepsToReproduce: code(value.stepsToReproduce),
    compromisedEnvironment: value.compromisedEnvironment === true,
    detail: detailOf(value.detail),
    places: objects(value.places).map(placeOf),
  }
  return { kind: 'OBSERVATION', at: place, observation }
}

/** The part that also applies to a finding that is known already. */
function decisionOf(
  status: KeptStatus,
  reason: string | undefined,
  until: string | undefined,
): KeptObservation['decision'] {
  if (status !== 'FIX_ACCEPTED' && status !== 'RISK_ACCEPTED' && status !== 'FALSE_POSITIVE' && status !== 'SUPPRESSED')
    return undefined
  return { status, reason: reason ?? 'Decided in the export', until }
}

/** The path of a finding reported without one; a manually entered finding has none. */
const NO_FILE = ''

const placeOf = (value: Fields): KeptPlace => ({
  branch: code(value.branch, 500) ?? '',
  path: value.path === NO_FILE ? NO_FILE : code(value.path),
  line: whole(value.line, 0),
  column: whole(value.column, 0),
  firstLine: whole(value.firstLine, 0),
  snippet: code(value.snippet),
  commit: code(value.commit),
  disposition: among(dispositions, value.disposition),
  isOpen: value.isOpen !== false,
})

const stepOf = (value: Fields): FlowStep => ({
  path: code(value.path),
  line: whole(value.line),
  text: code(value.text),
})

/** Ranges that are proof; undefined if there are none. */
function proofOf(ranges: readonly Fields[]): readonly ProofRange[] | undefined {
  const proof = ranges.slice(0, MOST_RANGES).flatMap((range) => {
    const [from, to] = [whole(range.from, 0), whole(range.to)]
    return from === undefined || to === undefined ? [] : [{ from, to, isInRequest: range.isInRequest === true }]
  })
  return some(proof)
}

/** Texts and whole numbers: the values that type-specific details have. */
function detailOf(value: unknown): Record<string, string | number> {
  const detail: Record<string, string | number> = {}
  for (const [name, each] of isObject(value) ? Object.entries(value) : []) {
    if (!/^[a-zA-Z]{1,40}$/.test(name) || name === 'constructor') continue
    if (typeof each === 'number') detail[name] = each
    const kept = code(each)
    if (kept !== undefined) detail[name] = kept
  }
  return detail
}
