// Reads another Merlon installation's NDJSON export: its findings with their state, and components.

import { issueStatuses, issueTypes, severities } from '../../core/issue-words.ts'
import { flowOf } from '../flow.ts'
import { jsonRows } from '../json-rows.ts'
import {
  type FlowStep,
  type KeptObservation,
  type KeptPlace,
  type KeptStatus,
  ReportFault,
  type ReportReader,
  type ReportSource,
  type Row,
} from '../types.ts'
import {
  at,
  between,
  code,
  type Fields,
  isObject,
  list,
  moment,
  object,
  objects,
  text,
  textAt,
  uniq,
  whole,
} from '../values.ts'

export const merlon: ReportReader = {
  format: 'merlon',
  label: 'Merlon NDJSON',
  recognises: ({ text: head }) => /^\s*\{\s*"kind"\s*:\s*"merlon-export"/.test(head),
  read,
}

/** The supported version of the format. */
const FORMAT = 1

/** The last line has the number of lines before it; if it is missing or differs, the file was truncated. */
async function* read(source: ReportSource): AsyncGenerator<Row> {
  const count = { findings: 0, components: 0 }
  let scope = ''
  let lines = 0
  let isWhole = false
  const read = function* ({ value }: { value: unknown }): Generator<Row> {
    lines += 1
    const kind = textAt(value, 'kind')
    if (kind === 'merlon-export') requireFormat(value)
    else if (kind === 'finding') {
      count.findings += 1
      yield findingRow(object(value), `line ${lines}`)
    } else if (kind === 'component') {
      count.components += 1
      const own = code(at(value, 'scope'), 500) ?? ''
      if (own !== scope) yield { kind: 'SCOPE', scope: own }
      scope = own
      yield componentRow(object(value), `line ${lines}`)
    } else if (kind === 'end') {
      isWhole = at(value, 'findings') === count.findings && at(value, 'components') === count.components
    } else yield { kind: 'LEFT_OUT', at: `line ${lines}`, reason: 'It is neither a finding nor a component' }
  }
  let isTold = false
  for await (const row of jsonRows(source, [''], read)) {
    isTold ||= row.kind === 'TRUNCATED'
    yield row
  }
  if (!isWhole && !isTold) yield { kind: 'TRUNCATED', reason: 'The export does not end with the count of its lines' }
}

function requireFormat(value: unknown): void {
  if (at(value, 'format') === FORMAT) return
  throw new ReportFault('The export is of another version of Merlon, whose format is not known here')
}

const levels = ['LOW', 'MEDIUM', 'HIGH'] as const
const dispositions = ['UNCHANGED', 'MOVED', 'RENAMED', 'TOUCHED', 'REMOVED'] as const

const among = <T>(known: readonly T[], value: unknown): T | undefined => known.find((each) => each === value)

function findingRow(value: Fields, place: string): Row {
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
  return { status, reason: reason ?? 'The export says so', until }
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

function componentRow(value: Fields, place: string): Row {
  const name = code(value.name)
  if (name === undefined) return { kind: 'LEFT_OUT', at: place, reason: 'The component has no name' }
  const component = {
    name,
    version: code(value.version),
    purl: code(value.purl),
    packageManager: code(value.packageManager),
    license: code(value.license),
    technology: code(value.technology),
  }
  return { kind: 'COMPONENT', at: place, component }
}
