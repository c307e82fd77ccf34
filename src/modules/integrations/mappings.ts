// How statuses and fields of findings map to those of work items on a board.

import { badUserInput } from '../../core/errors.ts'
import { readName, readWords } from '../../core/text.ts'
import type { IssueStatusLabel } from '../api.generated.ts'

/** The first external status is the one that is written; all of them are recognised when reading. */
export type StatusMapping = {
  internalIssueStatus: IssueStatusLabel
  externalIssueStatus: string
  alsoExternalIssueStatuses: string[]
}
export type GivenMapping = Omit<StatusMapping, 'alsoExternalIssueStatuses'> & {
  alsoExternalIssueStatuses?: readonly string[] | null
}
export type FieldMapping = { internalField: string; externalField: string }

/** IDENTIFIED must be mapped, and no internal status may occur twice. */
export function readStatusMappings(given: readonly GivenMapping[], argument = 'input.statusMappings'): StatusMapping[] {
  const mapped = given.map((mapping, index) => readStatusMapping(mapping, `${argument}.${index}`))
  const twice = repeated(mapped.map(({ internalIssueStatus }) => internalIssueStatus))
  if (twice !== undefined) throw badUserInput(`${twice} is mapped twice`, argument)
  if (!mapped.some(({ internalIssueStatus }) => internalIssueStatus === 'IDENTIFIED')) {
    throw badUserInput('IDENTIFIED must be mapped', argument)
  }
  return mapped
}

function readStatusMapping(given: GivenMapping, argument: string): StatusMapping {
  const also = `${argument}.alsoExternalIssueStatuses`
  return {
    internalIssueStatus: given.internalIssueStatus,
    externalIssueStatus: readName(given.externalIssueStatus, `${argument}.externalIssueStatus`, 200),
    alsoExternalIssueStatuses: (readWords(given.alsoExternalIssueStatuses, also) ?? []).map((word, index) =>
      readName(word, `${also}.${index}`, 200),
    ),
  }
}

/** At most 50, and no external field may occur twice. */
export function readFieldMappings(given: readonly FieldMapping[]): FieldMapping[] {
  const argument = 'input.fieldMappings'
  if (given.length > 50) throw badUserInput('fieldMappings has at most 50 entries', argument)
  const mapped = given.map(({ internalField, externalField }, index) => ({
    internalField: readName(internalField, `${argument}.${index}.internalField`, 200),
    externalField: readName(externalField, `${argument}.${index}.externalField`, 200),
  }))
  const twice = repeated(mapped.map(({ externalField }) => externalField))
  if (twice !== undefined) throw badUserInput(`${twice} is mapped twice`, argument)
  return mapped
}

/** The mappings with states in the tracker's spelling; refuses a state that the tracker does not have. */
export function settleStates(mapped: readonly StatusMapping[], states: readonly string[]): StatusMapping[] {
  const settle = (asked: string): string => {
    const found = states.find((state) => state === asked) ?? states.find((state) => isSame(state, asked))
    if (found !== undefined) return found
    throw badUserInput(`The tracker has no state ${asked}; it has ${states.join(', ')}`, 'input.statusMappings')
  }
  return mapped.map(({ internalIssueStatus, externalIssueStatus, alsoExternalIssueStatuses }) => ({
    internalIssueStatus,
    externalIssueStatus: settle(externalIssueStatus),
    alsoExternalIssueStatuses: alsoExternalIssueStatuses.map(settle),
  }))
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const repeated = <T>(values: readonly T[]): T | undefined =>
  values.find((value, index) => values.indexOf(value) !== index)
