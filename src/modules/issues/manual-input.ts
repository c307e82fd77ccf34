// Reads manually entered vulnerabilities: checks lengths, numbers and ids, and names the faulty argument.

import type { IssueStatus, IssueType, SeverityCategory } from '../../core/db/tables.generated.ts'
import { badUserInput } from '../../core/errors.ts'
import { parseId, parseOptionalId } from '../../core/ids.ts'
import { LONGEST_TEXT, readName, readText } from '../../core/text.ts'
import { cwesIn } from './cwe.ts'
import type { Level } from './severity.ts'
import type { ManualWrite } from './store-manual.ts'
import { isPersonsWord } from './transitions.ts'

type Text = string | null | undefined

/** The fields that the three inputs share. */
type ManualInput = {
  assetId: number
  title: string
  description: string
  reference?: Text
  category?: Text
  patterns?: readonly string[] | null
  controlSyncStatusId?: Text
  solution: string
  impactLevel: Level
  probabilityLevel: Level
  severity: SeverityCategory
  summary: string
  impactDescription: string
  stepsToReproduce: string
  compromisedEnvironment?: boolean | null
  projectId?: number | null
  status?: IssueStatus | null
}

type NetworkInput = ManualInput & { address: string; protocol: string; port: number; attackVector: string }

type CodeInput = ManualInput & {
  codeSnippet: string
  vulnerableLine: number
  firstLine: number
  fileName: string
  source?: Text
  sink?: Text
  commitRef?: Text
  deployId?: Text
}

type WebInput = ManualInput & {
  request: string
  response: string
  method: string
  scheme: string
  url: string
  port: number
  parameters?: Text
}

/** A checked vulnerability: the fields to write, and the status if one was given. */
export type ReadManual = { write: ManualWrite; status: IssueStatus | null }

export const readNetwork = (input: NetworkInput): ReadManual =>
  read('NETWORK_VULNERABILITY', input, {
    detail: {
      address: readName(input.address, 'input.address', 2000),
      protocol: readName(input.protocol, 'input.protocol', 100),
      port: port(input.port),
      attackVector: readText(input.attackVector, 'input.attackVector'),
    },
  })

export const readCode = (input: CodeInput): ReadManual =>
  read('SOURCE_CODE_VULNERABILITY', input, {
    source: optional(input.source, 'source', LONGEST_TEXT),
    sink: optional(input.sink, 'sink', LONGEST_TEXT),
    commitRef: optional(input.commitRef, 'commitRef', 500),
    deployId: parseOptionalId(input.deployId, 'input.deployId'),
    place: {
      fileName: readName(input.fileName, 'input.fileName', 4000),
      vulnerableLine: lineNumber(input.vulnerableLine, 'vulnerableLine'),
      firstLine: lineNumber(input.firstLine, 'firstLine'),
      codeSnippet: readText(input.codeSnippet, 'input.codeSnippet'),
    },
  })

export const readWeb = (input: WebInput): ReadManual =>
  read('WEB_VULNERABILITY', input, {
    detail: {
      method: input.method,
      scheme: input.scheme,
      url: readName(input.url, 'input.url', 8000),
      port: port(input.port),
      parameters: optional(input.parameters, 'parameters', LONGEST_TEXT),
      request: readText(input.request, 'input.request'),
      response: readText(input.response, 'input.response'),
    },
  })

function read(type: IssueType, input: ManualInput, own: Partial<ManualWrite>): ReadManual {
  const { status = null, severity, impactLevel, probabilityLevel } = input
  if (status !== null && isPersonsWord(status)) {
    throw badUserInput(`${status} is decided with changeIssueStatus, which takes the reason`, 'input.status')
  }
  const category = optional(input.category, 'category', 500)
  const patterns = readPatterns(input.patterns ?? [])
  const write = {
    type,
    assetId: parseId(input.assetId, 'input.assetId'),
    title: readName(input.title, 'input.title', 2000),
    description: readText(input.description, 'input.description'),
    severity,
    impactLevel,
    probabilityLevel,
    category,
    patterns,
    cweIds: cwesIn([category, ...patterns]),
    reference: optional(input.reference, 'reference', LONGEST_TEXT),
    solution: readText(input.solution, 'input.solution'),
    summary: readText(input.summary, 'input.summary'),
    impactDescription: readText(input.impactDescription, 'input.impactDescription'),
    stepsToReproduce: readText(input.stepsToReproduce, 'input.stepsToReproduce'),
    compromisedEnvironment: input.compromisedEnvironment ?? false,
    source: null,
    sink: null,
    commitRef: null,
    projectId: parseOptionalId(input.projectId, 'input.projectId'),
    controlSyncStatusId: parseOptionalId(input.controlSyncStatusId, 'input.controlSyncStatusId'),
    deployId: null,
    detail: {},
    place: null,
    ...own,
  }
  return { write, status }
}

function readPatterns(patterns: readonly string[]): string[] {
  if (patterns.length > 100) throw badUserInput('patterns takes at most 100 entries', 'input.patterns')
  return patterns.map((pattern, index) => readName(pattern, `input.patterns.${index}`))
}

/** An optional text of at most `longest` characters; an empty one counts as missing. */
const optional = (value: Text, name: string, longest: number): string | null =>
  readText(value || null, `input.${name}`, longest)

function port(value: number): number {
  if (value >= 0 && value <= 65_535) return value
  throw badUserInput('port is a number from 0 to 65535', 'input.port')
}

function lineNumber(value: number, name: string): number {
  if (value >= 0) return value
  throw badUserInput(`${name} is a line's number, not below 0`, `input.${name}`)
}
