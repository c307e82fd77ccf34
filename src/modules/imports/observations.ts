// Converts an observation from a report reader into a finding: long texts are truncated, and values out of range are dropped.

import { scoreOfVector } from '../../core/cvss.ts'
import type {
  CodeObservation,
  ComponentObservation,
  ExchangeObservation,
  Observation,
  ScannedObservation,
} from '../../reports/types.ts'
import { type Finding, readCode, readComponent, readExchange } from '../issues/findings/service.ts'
import { cut, keyOf, LONGEST_RULE, LONGEST_TITLE, LONGEST_WORD, MOST_PATTERNS, pathOf } from './cut.ts'
import { keptFinding } from './kept.ts'

const LONGEST_URL = 8000
const MOST_PLACES = 50
/** The largest value of PostgreSQL's `int`. */
const LARGEST_INT = 2_147_483_647

/** The finding of an observation, in the form in which the API's own inputs are read. */
export function findingOf(observation: Observation): Finding {
  const finding = observation.kind === 'KEPT' ? keptFinding(observation) : read(observation)
  return observation.decision?.status === 'FIX_ACCEPTED' ? { ...finding, isFixed: true } : finding
}

function read(observation: ScannedObservation): Finding {
  if (observation.kind === 'CODE') return readCode(observation.type, codeInput(observation)).finding
  if (observation.kind === 'COMPONENT') return readComponent(observation.type, componentInput(observation)).finding
  return readExchange(observation.type, exchangeInput(observation)).finding
}

const codeInput = (seen: CodeObservation) => ({
  ...commonInput(seen, withPlaces(seen)),
  fileName: pathOf(seen.fileName),
  vulnerableLine: number(seen.line),
  firstLine: number(seen.firstLine),
  column: number(seen.column),
  codeSnippet: cut(seen.codeSnippet),
  around: seen.around,
  source: cut(seen.source),
  sink: cut(seen.sink),
  flow: seen.flow,
})

const componentInput = (seen: ComponentObservation) => ({
  ...commonInput(seen, seen.description),
  package: cut(seen.package, LONGEST_WORD),
  affectedVersion: cut(seen.affectedVersion, LONGEST_WORD),
  patchedVersion: cut(seen.patchedVersion, LONGEST_WORD),
  cve: cut(mainIdOf(seen), LONGEST_WORD),
  fileName: pathOf(seen.fileName),
  packageManager: cut(seen.packageManager, LONGEST_WORD),
  purl: cut(seen.purl, LONGEST_WORD),
  image: cut(seen.image, LONGEST_WORD),
})

const exchangeInput = (seen: ExchangeObservation) => ({
  ...commonInput(seen, seen.description),
  url: cut(seen.url, LONGEST_URL),
  method: cut(seen.method, LONGEST_WORD),
  scheme: cut(seen.scheme, LONGEST_WORD),
  port: seen.port !== undefined && seen.port <= 65_535 ? number(seen.port) : null,
  parameters: cut(seen.parameters),
  request: cut(seen.request),
  response: cut(seen.response),
  proof: seen.proof,
})

function commonInput(seen: ScannedObservation, description: string | undefined) {
  const [cwe, ...otherCwes] = (seen.cweIds ?? []).map((id) => `CWE-${id}`)
  const names = [...otherCwes, ...(seen.vulnerabilityIds ?? []), ...(seen.tags ?? [])]
  return {
    assetId: 1,
    title: titleOf(seen),
    description: cut(withSeverity(seen, description)) ?? '',
    ruleId: keyOf(seen.ruleId, LONGEST_RULE),
    toolName: cut(seen.toolName, LONGEST_WORD),
    originalIssueIdFromTool: keyOf(seen.originalIssueIdFromTool),
    fingerprint: keyOf(seen.fingerprint),
    partialFingerprint: keyOf(seen.partialFingerprint),
    severity: seen.severity ?? null,
    cvssScore: seen.cvssScore !== undefined && seen.cvssScore >= 0 && seen.cvssScore <= 10 ? seen.cvssScore : null,
    cvssVector: seen.cvssVector !== undefined && scoreOfVector(seen.cvssVector) !== null ? seen.cvssVector : null,
    category: cwe ?? null,
    patterns: patternsOf(names),
    reference: cut(seen.reference),
    solution: cut(seen.solution),
  }
}

/** A finding without a severity gets one, because lists sort by it; that nobody rated it is said in words. */
const withSeverity = (
  { severity, toolName }: ScannedObservation,
  description: string | undefined,
): string | undefined =>
  severity !== undefined
    ? description
    : [description, `Severity not known: ${toolName || 'the report'} gives none.`].filter(Boolean).join('\n\n')

const titleOf = ({ title, ruleId, toolName }: ScannedObservation): string =>
  [title, ruleId, toolName].map((text) => cut(text, LONGEST_TITLE)?.trim()).find((text) => text) ?? 'Finding'

/** Of several ids, the one that most databases know. */
const mainIdOf = ({ vulnerabilityIds = [] }: ComponentObservation): string | undefined =>
  vulnerabilityIds.find((id) => id.startsWith('CVE-')) ?? vulnerabilityIds[0]

function patternsOf(names: readonly string[]): string[] | null {
  const words = names.map((name) => cut(name, LONGEST_WORD)?.trim()).filter((word) => word !== undefined && word !== '')
  const distinct = [...new Set(words)].filter((word) => word !== undefined)
  return distinct.length === 0 ? null : distinct.slice(0, MOST_PATTERNS)
}

/** Further places have no field of their own, so the description lists them. */
function withPlaces({ description, otherPlaces = [] }: CodeObservation): string | undefined {
  if (otherPlaces.length === 0) return description
  const shown = otherPlaces.slice(0, MOST_PLACES)
  const places = shown.map(({ fileName, line }) => `- ${fileName}${line === undefined ? '' : `:${line}`}`)
  const rest = otherPlaces.length > MOST_PLACES ? [`- and ${otherPlaces.length - MOST_PLACES} more`] : []
  return [description ?? '', 'Also at:', ...places, ...rest].join('\n').trimStart()
}

/** A whole number from 1 to the largest `int`; null otherwise. */
const number = (value: number | undefined): number | null =>
  value !== undefined && Number.isInteger(value) && value > 0 && value <= LARGEST_INT ? value : null
