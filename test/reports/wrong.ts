// What every row must satisfy, whatever report it comes from: the promised types, and texts that a store accepts.

import type { Row } from '../../src/reports/types.ts'
import { textsIn } from './reading.ts'

const kinds: readonly unknown[] = [
  'OBSERVATION',
  'LEFT_OUT',
  'PASSED_OVER',
  'UNSEEN_FILE',
  'COMPONENT',
  'SCOPE',
  'TOOL',
  'TRUNCATED',
]
const severities: readonly unknown[] = [undefined, 'NOTIFICATION', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL']
const numbers = new Set(['cvssScore', 'exploitProbability', 'line', 'column', 'firstLine', 'port'])
const lists = new Set(['cweIds', 'vulnerabilityIds', 'tags', 'otherPlaces', 'flow'])

/** Characters of one text. */
const LONGEST = 110_000

/** What is wrong with a row, in words; empty for a good one. */
export function wrongWith(row: Row): string[] {
  if (!kinds.includes(row.kind)) return [`no kind of row: ${String(row.kind)}`]
  if (row.kind === 'UNSEEN_FILE') return [...textFault('file', row.fileName), ...textFault('reason', row.reason)]
  if (row.kind === 'LEFT_OUT' || row.kind === 'PASSED_OVER')
    return [...textFault('at', row.at), ...textFault('reason', row.reason)]
  if (row.kind === 'TRUNCATED') return textFault('reason', row.reason)
  if (row.kind === 'SCOPE') return textFault('scope', row.scope)
  if (row.kind === 'TOOL') return textFault('tool', row.toolName)
  const told: Record<string, unknown> = row.kind === 'COMPONENT' ? row.component : row.observation
  // What Merlon itself exported comes back as it was, blank names too.
  if (row.kind === 'OBSERVATION' && row.observation.kind === 'KEPT') return textsIn(told).flatMap(storeFault)
  const name = row.kind === 'COMPONENT' ? 'name' : 'title'
  return [
    ...textFault('at', row.at),
    ...(told[name] === undefined ? [`no ${name}`] : []),
    ...(severities.includes(told.severity) ? [] : [`severity ${String(told.severity)}`]),
    ...Object.entries(told).flatMap(([field, value]) => fieldFaults(field, value)),
  ]
}

function fieldFaults(field: string, value: unknown): string[] {
  if (value === undefined) return []
  if (numbers.has(field)) return typeof value === 'number' && Number.isFinite(value) ? [] : [`${field} is no number`]
  if (typeof value === 'object' && !Array.isArray(value))
    return Object.entries(Object(value)).flatMap(([key, each]) => fieldFaults(key, each))
  if (!lists.has(field)) return textFault(field, value)
  if (!Array.isArray(value)) return [`${field} is no list`]
  return value.flatMap((each) => {
    if (field === 'flow') return Object.entries(Object(each)).flatMap(([key, told]) => fieldFaults(key, told))
    if (field === 'cweIds') return Number.isInteger(each) ? [] : ['a CWE is no number']
    return field === 'otherPlaces' ? textFault('fileName', Object(each).fileName) : textFault(field, each)
  })
}

function textFault(field: string, value: unknown): string[] {
  if (typeof value !== 'string') return [`${field} is no text`]
  if (value.trim() === '') return [`${field} is blank`]
  if (value.length > LONGEST) return [`${field} has ${value.length} characters`]
  return storeFault(value)
}

const storeFault = (value: string): string[] =>
  value.includes('\0') || !value.isWellFormed() ? ['a text holds what no store takes'] : []
