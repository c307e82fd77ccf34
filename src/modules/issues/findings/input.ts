// Reads findings from callers' input into one form for all types, checking lengths, lines and ids, and naming the faulty argument.

import { scoreOfVector } from '../../../core/cvss.ts'
import type { IssueStatus, IssueType, SeverityCategory } from '../../../core/db/tables.generated.ts'
import { badUserInput } from '../../../core/errors.ts'
import { parseId, parseOptionalId } from '../../../core/ids.ts'
import { readBranchName, readName, readText } from '../../../core/text.ts'
import type { FlowStep, ProofRange } from '../../../reports/types.ts'
import { cwesIn } from '../cwe.ts'
import { type Level, severityOf } from '../severity.ts'
import { readAddress } from './address.ts'
import type { Finding, ScanFields } from './finding.ts'
import { linesAround, readSnippet } from './snippet.ts'
import type { ScanAsk } from './store-scan.ts'

type Text = string | null | undefined

/** The fields that the inputs of all types share. */
type CommonInput = {
  assetId: number
  title: string
  description: string
  ruleId?: Text
  toolName?: Text
  originalIssueIdFromTool?: Text
  fingerprint?: Text
  partialFingerprint?: Text
  severity?: SeverityCategory | null
  impactLevel?: Level | null
  probabilityLevel?: Level | null
  cvssScore?: number | null
  cvssVector?: Text
  category?: Text
  patterns?: readonly string[] | null
  reference?: Text
  solution?: Text
  status?: IssueStatus | null
  branchName?: Text
  commitRef?: Text
  deployId?: Text
  projectId?: number | null
  controlSyncStatusId?: Text
}

export type CodeInput = CommonInput & {
  fileName?: Text
  vulnerableLine?: number | null
  firstLine?: number | null
  column?: number | null
  codeSnippet?: Text
  /** only from reports: the snippet with the lines around it */
  around?: { code: string; firstLine: number }
  source?: Text
  sink?: Text
  /** only from reports, whose readers bound its size */
  flow?: readonly FlowStep[]
}

export type ComponentInput = CommonInput & {
  package?: Text
  affectedVersion?: Text
  patchedVersion?: Text
  cve?: Text
  fileName?: Text
  packageManager?: Text
  purl?: Text
  image?: Text
}

export type ExchangeInput = CommonInput & {
  url?: Text
  method?: Text
  scheme?: Text
  port?: number | null
  parameters?: Text
  request?: Text
  response?: Text
  /** only from dynamic scans, which bound its size */
  proof?: readonly ProofRange[]
}

/** A finding with the origin of its report. */
export type Report = { ask: ScanAsk; finding: Finding }

/** A finding in code: its place is a line of a file, and its snippet the code that was sent. */
export function readCode(type: IssueType, input: CodeInput): Report {
  const line = lineNumber(input.vulnerableLine, 'vulnerableLine')
  const firstLine = lineNumber(input.firstLine, 'firstLine') ?? line
  const text = long(input.codeSnippet, 'codeSnippet')
  const detail = input.flow === undefined ? null : { flow: input.flow }
  const own = { source: long(input.source, 'source'), sink: long(input.sink, 'sink'), detail }
  const around = linesAround(input.around?.code ?? text, input.around?.firstLine ?? firstLine, line)
  const place = { path: path(input.fileName), line, column: lineNumber(input.column, 'column'), token: null }
  return report(type, input, own, { place, firstLine, text, snippet: readSnippet(text) }, around)
}

/** A finding in a component: its place is the file or image that contains it, with package and version instead of a line. */
export function readComponent(type: IssueType, input: ComponentInput): Report {
  const detail = {
    package: short(input.package, 'package'),
    affectedVersion: short(input.affectedVersion, 'affectedVersion'),
    patchedVersion: short(input.patchedVersion, 'patchedVersion'),
    cve: short(input.cve, 'cve'),
    fileName: path(input.fileName) || null,
    packageManager: short(input.packageManager, 'packageManager'),
    purl: short(input.purl, 'purl'),
    image: short(input.image, 'image'),
  }
  const name = detail.package ?? detail.purl
  const token = name === null ? null : `${name}@${detail.affectedVersion ?? ''}`
  const place = { path: path(input.fileName ?? input.image), line: null, column: null, token }
  const where = { place, firstLine: null, text: token, snippet: readSnippet(name) }
  return report(type, { ...input, ruleId: input.ruleId || detail.cve }, { detail: compact(detail) }, where, null)
}

/** A finding in a running application: its place is the address, with method and parameters instead of a line. */
export function readExchange(type: IssueType, input: ExchangeInput): Report {
  const url = readText(input.url || null, 'input.url', 8000)
  const detail = {
    url,
    method: input.method ?? null,
    scheme: input.scheme ?? null,
    port: port(input.port),
    parameters: long(input.parameters, 'parameters'),
    request: long(input.request, 'request'),
    response: long(input.response, 'response'),
  }
  const address = readAddress(url ?? '', detail.parameters)
  const token = `${detail.method ?? ''} ${address.parameters}`
  const place = { path: address.path, line: null, column: null, token }
  const own = { detail: { ...compact(detail), ...(input.proof?.length ? { proof: input.proof } : {}) } }
  return report(type, input, own, { place, firstLine: null, text: token, snippet: null }, null)
}

function report(
  type: IssueType,
  input: CommonInput,
  own: Partial<ScanFields>,
  where: Pick<Finding, 'place' | 'firstLine' | 'text' | 'snippet'>,
  around: string | null,
): Report {
  const title = readName(input.title, 'input.title', 2000)
  const fields = { ...commonFields(input, title, around), ...own }
  const rule = short(input.ruleId, 'ruleId', 2000) ?? title
  const finding = {
    type,
    toolName: short(input.toolName, 'toolName') ?? '',
    rule,
    fields,
    status: status(input),
    ...where,
  }
  return { ask: readAsk(input), finding }
}

function commonFields(input: CommonInput, title: string, around: string | null): ScanFields {
  const category = short(input.category, 'category')
  const patterns = readPatterns(input.patterns)
  const cweIds = cwesIn([category, ...(patterns ?? [])])
  const { impactLevel = null, probabilityLevel = null, severity = null } = input
  const cvssVector = short(input.cvssVector, 'cvssVector')
  const ofVector = cvssVector === null ? null : scoreOf(cvssVector)
  const cvssScore = score(input.cvssScore) ?? ofVector
  return {
    title,
    description: long(input.description, 'description') ?? '',
    severity: severityOf({ cvssScore, severity, impact: impactLevel, probability: probabilityLevel }),
    impactLevel,
    probabilityLevel,
    cvssScore,
    cvssVector,
    category,
    cweIds,
    patterns,
    reference: long(input.reference, 'reference'),
    solution: long(input.solution, 'solution'),
    source: null,
    sink: null,
    detail: null,
    originalIssueIdFromTool: key(input.originalIssueIdFromTool, 'originalIssueIdFromTool'),
    fingerprint: key(input.fingerprint, 'fingerprint'),
    partialFingerprint: key(input.partialFingerprint, 'partialFingerprint') ?? around,
  }
}

function readAsk(input: CommonInput): ScanAsk {
  const commitRef = short(input.commitRef, 'commitRef')
  return {
    assetId: parseId(input.assetId, 'input.assetId'),
    deployId: parseOptionalId(input.deployId || null, 'input.deployId'),
    commitRef: commitRef?.toLowerCase() ?? null,
    branchName: readBranchName(input.branchName, 'input.branchName'),
    scanId: parseOptionalId(input.controlSyncStatusId, 'input.controlSyncStatusId'),
    projectId: parseOptionalId(input.projectId, 'input.projectId'),
  }
}

const firstStatuses: readonly IssueStatus[] = ['DRAFT', 'CREATED', 'IDENTIFIED']

function status({ status = null }: CommonInput): IssueStatus | null {
  if (status === null || firstStatuses.includes(status)) return status
  throw badUserInput(`A scan reports findings as ${firstStatuses.join(', ')} only`, 'input.status')
}

function readPatterns(patterns: readonly string[] | null | undefined): readonly string[] | null {
  if (!patterns) return null
  if (patterns.length > 100) throw badUserInput('patterns takes at most 100 entries', 'input.patterns')
  return patterns.map((pattern, index) => readName(pattern, `input.patterns.${index}`))
}

/** An empty text counts as missing. */
const long = (text: Text, name: string): string | null => readText(text || null, `input.${name}`)

const short = (text: Text, name: string, longest = 500): string | null =>
  readText(text?.trim() || null, `input.${name}`, longest)

/** The longest value, in bytes, that is looked up in an index. */
const LONGEST_KEY = 1500

const key = (text: Text, name: string): string | null => {
  const read = short(text, name, LONGEST_KEY)
  if (read === null || Buffer.byteLength(read) <= LONGEST_KEY) return read
  throw badUserInput(`${name} has at most ${LONGEST_KEY} bytes`, `input.${name}`)
}

/** A path as in diffs: with forward slashes, without a leading `./`; '' if there is none. */
const path = (fileName: Text): string => (key(fileName, 'fileName') ?? '').replaceAll('\\', '/').replace(/^(\.\/)+/, '')

/** A line or column, from 1; tools write 0 for none. */
function lineNumber(value: number | null | undefined, name: string): number | null {
  if (value === null || value === undefined || value === 0) return null
  if (value > 0) return value
  throw badUserInput(`${name} is counted from 1`, `input.${name}`)
}

function score(value: number | null | undefined): number | null {
  if (value === null || value === undefined) return null
  if (value >= 0 && value <= 10) return Math.round(value * 10) / 10
  throw badUserInput('cvssScore lies between 0 and 10', 'input.cvssScore')
}

function scoreOf(vector: string): number {
  const read = scoreOfVector(vector)
  if (read === null) throw badUserInput('cvssVector is a whole vector of CVSS 2.0, 3.0, 3.1 or 4.0', 'input.cvssVector')
  return read
}

function port(value: number | null | undefined): number | null {
  if (value === null || value === undefined) return null
  if (value >= 0 && value <= 65_535) return value
  throw badUserInput('port is a number from 0 to 65535', 'input.port')
}

const compact = (detail: Record<string, string | number | null>): Record<string, string | number> =>
  Object.fromEntries(Object.entries(detail).filter((entry): entry is [string, string | number] => entry[1] !== null))

type Readers = Record<string, (input: never) => Report>

/** The finding of a batch entry; BAD_USER_INPUT unless the entry has exactly one. */
export function readOne<R extends Readers>(entry: { [K in keyof R]?: Parameters<R[K]>[0] | null }, readers: R): Report {
  const given = Object.keys(readers).filter((name) => entry[name] !== null && entry[name] !== undefined)
  const [name] = given
  const [reader, input] = name === undefined ? [] : [readers[name], entry[name]]
  if (!reader || !input || given.length > 1) {
    throw badUserInput(`An entry holds one of ${Object.keys(readers).join(', ')}`, 'input.findings')
  }
  return reader(input as never)
}
