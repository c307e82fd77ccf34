// How the states and fields of findings map to those of a board's work items.

import { badUserInput } from '../../core/errors.ts'
import { readName } from '../../core/text.ts'
import type { IssueStatusLabel } from '../api.generated.ts'

export type StatusMapping = { internalIssueStatus: IssueStatusLabel; externalIssueStatus: string }
export type FieldMapping = { internalField: string; externalField: string }

/** IDENTIFIED must be mapped, and no internal status twice. */
export function readStatusMappings(given: readonly StatusMapping[]): StatusMapping[] {
  const argument = 'input.statusMappings'
  const mapped = given.map(({ internalIssueStatus, externalIssueStatus }) => ({
    internalIssueStatus,
    externalIssueStatus: readName(externalIssueStatus, `${argument}.externalIssueStatus`, 200),
  }))
  const twice = repeated(mapped.map(({ internalIssueStatus }) => internalIssueStatus))
  if (twice !== undefined) throw badUserInput(`${twice} is mapped twice`, argument)
  if (!mapped.some(({ internalIssueStatus }) => internalIssueStatus === 'IDENTIFIED')) {
    throw badUserInput('IDENTIFIED must be mapped', argument)
  }
  return mapped
}

/** At most 50, and no external field twice. */
export function readFieldMappings(given: readonly FieldMapping[]): FieldMapping[] {
  const argument = 'input.fieldMappings'
  if (given.length > 50) throw badUserInput('fieldMappings has at most 50 entries', argument)
  const mapped = given.map(({ internalField, externalField }) => ({
    internalField: readName(internalField, `${argument}.internalField`, 200),
    externalField: readName(externalField, `${argument}.externalField`, 200),
  }))
  const twice = repeated(mapped.map(({ externalField }) => externalField))
  if (twice !== undefined) throw badUserInput(`${twice} is mapped twice`, argument)
  return mapped
}

/** Refuses a mapping to a state that the board does not have. */
export function requireStates(mapped: readonly StatusMapping[], states: readonly string[]): void {
  const unknown = mapped.find(({ externalIssueStatus }) => !states.includes(externalIssueStatus))
  if (!unknown) return
  throw badUserInput(
    `The board has no state ${unknown.externalIssueStatus}; it has ${states.join(', ')}`,
    'input.statusMappings',
  )
}

const repeated = <T>(values: readonly T[]): T | undefined =>
  values.find((value, index) => values.indexOf(value) !== index)
