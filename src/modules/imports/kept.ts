// Converts a finding exported by another installation into the form in which findings are matched and written.

import type { KeptObservation, KeptPlace } from '../../reports/types.ts'
import { type Finding, type KeptPlace as Place, readSnippet } from '../issues/findings/service.ts'
import { cut, keyOf, LONGEST_RULE, LONGEST_TITLE, LONGEST_WORD, MOST_PATTERNS } from './cut.ts'

const MOST_CWES = 100
const MOST_PLACES = 100
const MOST_DETAILS = 20

const inCode: readonly string[] = [
  'SAST_FINDING',
  'IAC_FINDING',
  'SECRET_FINDING',
  'MAST_FINDING',
  'SOURCE_CODE_VULNERABILITY',
]
const inComponents: readonly string[] = ['SCA_FINDING', 'CONTAINER_FINDING']

/** Keeps its texts and numbers, truncated where this installation's limits are lower. */
export function keptFinding(seen: KeptObservation): Finding {
  const places = seen.places.slice(0, MOST_PLACES).map((place) => placeOf(seen, place))
  const [own] = places
  const title = cut(seen.title, LONGEST_TITLE) ?? 'Finding'
  const word = (text: string | undefined) => cut(text, LONGEST_WORD)
  return {
    type: seen.type,
    toolName: word(seen.toolName) ?? '',
    rule: cut(seen.ruleId ?? title, LONGEST_RULE) ?? title,
    fields: {
      title,
      description: cut(seen.description) ?? '',
      severity: seen.severity ?? null,
      impactLevel: seen.impactLevel ?? null,
      probabilityLevel: seen.probabilityLevel ?? null,
      cvssScore: seen.cvssScore ?? null,
      cvssVector: word(seen.cvssVector),
      category: word(seen.category),
      cweIds: (seen.cweIds ?? []).slice(0, MOST_CWES),
      patterns: seen.patterns.slice(0, MOST_PATTERNS).flatMap((pattern) => word(pattern) ?? []),
      reference: cut(seen.reference),
      solution: cut(seen.solution),
      source: cut(seen.source),
      sink: cut(seen.sink),
      detail: detailOf(seen),
      originalIssueIdFromTool: keyOf(seen.originalIssueIdFromTool),
      fingerprint: keyOf(seen.fingerprint),
      partialFingerprint: keyOf(seen.partialFingerprint),
    },
    status: seen.status,
    place: {
      path: own?.path ?? null,
      line: own?.line ?? null,
      column: own?.column ?? null,
      token: inCode.includes(seen.type) ? null : (own?.snippet ?? null),
    },
    firstLine: own?.firstLine ?? null,
    text: own?.snippet ?? null,
    snippet: comparedOf(seen, own?.snippet ?? null),
    kept: {
      id: `kept ${seen.keptId}`,
      branch: own?.branch ?? '',
      reason: cut(seen.statusReason),
      isDecided: seen.isDecided,
      times: {
        createdAt: seen.createdAt ?? null,
        decidedAt: seen.decidedAt ?? null,
        closedAt: seen.closedAt ?? null,
        slaStartedAt: seen.slaStartedAt ?? null,
      },
      riskAcceptedUntil: seen.status === 'RISK_ACCEPTED' ? (seen.riskAcceptedUntil ?? null) : null,
      summary: cut(seen.summary),
      impactDescription: cut(seen.impactDescription),
      stepsToReproduce: cut(seen.stepsToReproduce),
      compromisedEnvironment: seen.compromisedEnvironment,
      places,
    },
  }
}

const placeOf = (seen: KeptObservation, place: KeptPlace): Place => ({
  branch: cut(place.branch, LONGEST_WORD) ?? '',
  path: cut(place.path, LONGEST_WORD),
  line: place.line ?? null,
  firstLine: place.firstLine ?? null,
  column: place.column ?? null,
  snippet: cut(place.snippet) ?? (isOfNoMethod(seen, place) ? NO_METHOD : null),
  snippetHash: comparedOf(seen, cut(place.snippet))?.hash ?? null,
  commit: cut(place.commit, LONGEST_WORD),
  disposition: place.disposition ?? null,
  isOpen: place.isOpen,
})

/** What an exchange without a method and without parameters has in a line's place, which an export leaves out. */
const NO_METHOD = ' '

const isOfNoMethod = ({ type }: KeptObservation, { path }: KeptPlace): boolean =>
  path !== undefined && !inCode.includes(type) && !inComponents.includes(type)

/** What is compared, as for reported findings: code, or a component's name; nothing for an HTTP exchange. */
function comparedOf({ type, detail }: KeptObservation, snippet: string | null) {
  if (inCode.includes(type)) return readSnippet(snippet)
  const name = detail.package ?? detail.purl
  return inComponents.includes(type) && name !== undefined ? readSnippet(String(name)) : null
}

const detailOf = ({ detail, flow, proof }: KeptObservation) => ({
  ...Object.fromEntries(
    Object.entries(detail)
      .slice(0, MOST_DETAILS)
      .map(([name, value]) => [name, typeof value === 'string' ? (cut(value) ?? '') : value]),
  ),
  ...(flow ? { flow } : {}),
  ...(proof ? { proof } : {}),
})
