// Reads an issue in the format that SonarQube imports from other tools ("generic issue data").

import type { CodeObservation, Row } from '../types.ts'
import {
  at,
  cwesIn,
  type Fields,
  headline,
  objects,
  paragraphs,
  text,
  textAt,
  vulnerabilityIdsIn,
  whole,
} from '../values.ts'
import { severities } from './issue.ts'

/** What the report says of its rules, where it does, by their id; since SonarQube 10.3 severity and type stand there. */
type ExternalRules = ReadonlyMap<string, Fields>

export const rulesById = (value: unknown): ExternalRules =>
  new Map(
    objects(value).flatMap((rule) => (text(rule.id, 500) === undefined ? [] : [[text(rule.id, 500) ?? '', rule]])),
  )

export const isExternal = (issue: Fields): boolean => typeof at(issue, 'primaryLocation') === 'object'

export function externalRow(issue: Fields, place: string, rules: ExternalRules): Row {
  const ruleId = text(issue.ruleId, 500)
  const message = textAt(issue, 'primaryLocation', 'message')
  if (ruleId === undefined) return { kind: 'LEFT_OUT', at: place, reason: 'It names no rule' }
  const rule = rules.get(ruleId) ?? {}
  const impacts = objects(rule.impacts)
  const impact = impacts.find(({ softwareQuality }) => softwareQuality === 'SECURITY')
  const type = text(issue.type, 100) ?? text(rule.type, 100)
  const isOther = impact === undefined && (impacts.length > 0 || type === 'CODE_SMELL' || type === 'BUG')
  if (isOther) return { kind: 'PASSED_OVER', at: place, reason: 'SonarQube does not class it as security' }
  const range = at(issue, 'primaryLocation', 'textRange')
  const column = whole(at(range, 'startColumn'), 0)
  const severity = text(issue.severity) ?? text(rule.severity) ?? text(impact?.severity)
  const observation: CodeObservation = {
    kind: 'CODE',
    type: 'SAST_FINDING',
    toolName: text(issue.engineId, 200) ?? text(rule.engineId, 200) ?? 'SonarQube',
    ruleId,
    title: headline(message ?? text(rule.name), ruleId),
    description: paragraphs(message, text(rule.description)),
    severity: severities.get(severity?.toUpperCase() ?? ''),
    cweIds: cwesIn(message, text(rule.description)),
    vulnerabilityIds: vulnerabilityIdsIn(message),
    fileName: textAt(issue, 'primaryLocation', 'filePath'),
    line: whole(at(range, 'startLine')),
    column: column === undefined ? undefined : column + 1,
  }
  return { kind: 'OBSERVATION', at: place, observation }
}
