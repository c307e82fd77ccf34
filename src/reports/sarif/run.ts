// Collects what a SARIF report contains beside its results, which may come before or after them, in one pass.

import { writtenPath } from '../file-path.ts'
import { placeOf } from '../json-items.ts'
import { readJson } from '../json-walk.ts'
import { ReportFault, type ReportSource } from '../types.ts'
import { at, type Fields, object, objects, text, textAt, whole } from '../values.ts'
import type { Places } from './places.ts'
import { messagesOf, newPart, noRules, type Rule, type Rules, ruleTaker, type ToolPart } from './rules.ts'

export type Run = {
  toolName: string
  /** whether the report breaks off in it, before it names its tool: its findings would be those of another */
  isCutBeforeTool: boolean
  rules: Rules
  places: Places
  scope?: string
  commitRef?: string
  image?: string
  /** by index: SARIF lets results refer to exchanges and steps that several of them share */
  requests: Fields[]
  responses: Fields[]
  steps: Fields[]
  /** a sentence when the tool says that its run failed */
  failure?: string
  resultsElsewhere: boolean
  /** whether it stands for a scan: without results, even an empty list of them, it only tells of rules (SARIF 2.1.0, 3.14.23) */
  hasResults: boolean
  /** warnings and errors of the tool that name a file, which it did not see as a whole */
  notices: Notice[]
}

/** `location` as the report has it, for what it is relative to may stand behind it. */
type Notice = { at: string; location: Fields; message?: string }

type Facts = { runs: Run[]; version?: string; schema?: string }

/** Entries of each kind that are kept of a run. */
const MOST_ENTRIES = 500_000
const MOST_SHARED = 20_000
const MOST_NOTICES = 10_000

const MOST_RUNS = 10_000

/** Paths below `runs[]`, and what each does with the value there. */
type Taking = (run: Run, value: unknown, keys: readonly (string | number)[], take: ReturnType<typeof ruleTaker>) => void

const takings: Record<string, Taking> = {
  'tool.driver.name': (run, value) => {
    run.toolName = text(value, 200) ?? run.toolName
  },
  'tool.driver.rules[]': (run, value, keys, take) => {
    run.rules.driver.rules[indexIn(keys, 5)] = take(value)
  },
  'tool.driver.globalMessageStrings': (run, value) => {
    run.rules.driver.messages = messagesOf(value)
  },
  'tool.extensions[].name': (run, value, keys) => {
    partAt(run.rules.extensions, keys, 4).name = text(value, 200)
  },
  'tool.extensions[].guid': (run, value, keys) => {
    partAt(run.rules.extensions, keys, 4).guid = text(value, 100)
  },
  'tool.extensions[].rules[]': (run, value, keys, take) => {
    partAt(run.rules.extensions, keys, 4).rules[indexIn(keys, 6)] = take(value)
  },
  'tool.extensions[].globalMessageStrings': (run, value, keys) => {
    partAt(run.rules.extensions, keys, 4).messages = messagesOf(value)
  },
  'taxonomies[].name': (run, value, keys) => {
    partAt(run.rules.taxonomies, keys, 3).name = text(value, 200)
  },
  'taxonomies[].guid': (run, value, keys) => {
    partAt(run.rules.taxonomies, keys, 3).guid = text(value, 100)
  },
  'taxonomies[].taxa[]': (run, value, keys) => {
    const taxon: Rule = {
      id: textAt(value, 'id'),
      cwes: [],
      tags: [],
      related: [],
      vulnerabilityIds: [],
      properties: {},
      messages: noMessages,
    }
    partAt(run.rules.taxonomies, keys, 3).rules[indexIn(keys, 5)] = taxon
  },
  'invocations[].ruleConfigurationOverrides[]': (run, value, keys) => {
    const level = textAt(value, 'configuration', 'level')
    const index = indexIn(keys, 3)
    const overrides = run.rules.overrides[index] ?? []
    run.rules.overrides[index] = overrides
    if (level === undefined || overrides.length >= MOST_SHARED) return
    overrides.push({
      ruleId: textAt(value, 'descriptor', 'id'),
      index: whole(at(value, 'descriptor', 'index'), 0),
      part: whole(at(value, 'descriptor', 'toolComponent', 'index'), 0),
      level,
    })
  },
  'invocations[].executionSuccessful': (run, value, keys) => {
    const index = indexIn(keys, 3)
    run.rules.overrides[index] ??= []
    if (value === false) run.failure = 'The tool reports that its run failed, so it may not have scanned everything'
  },
  'invocations[].toolExecutionNotifications[]': (run, value, keys) => note(run, value, keys),
  'invocations[].toolConfigurationNotifications[]': (run, value, keys) => note(run, value, keys),
  'invocations[].workingDirectory': (run, value) => {
    const uri = writtenPath(textAt(value, 'uri'))
    if (uri !== undefined && run.places.workingDirectories.length < 100) run.places.workingDirectories.push(uri)
  },
  'originalUriBaseIds.*': (run, value, keys) => {
    const uri = writtenPath(textAt(value, 'uri'))
    if (run.places.bases.size >= 1000) return
    run.places.bases.set(String(keys[3]), { uri: uri ?? '', within: textAt(value, 'uriBaseId') })
  },
  'artifacts[].location': (run, value, keys) => {
    const uri = textAt(value, 'uri')
    if (uri !== undefined) run.places.artifacts[indexIn(keys, 3)] = { uri, base: textAt(value, 'uriBaseId') }
  },
  'logicalLocations[]': (run, value, keys) => {
    const name = textAt(value, 'fullyQualifiedName') ?? textAt(value, 'name')
    if (name !== undefined) run.places.logical[indexIn(keys, 3)] = name.slice(0, 500)
  },
  'automationDetails.id': (run, value) => {
    run.scope = scopeOf(text(value, 500))
  },
  'versionControlProvenance[]': (run, value, keys) => {
    // More than one is a check-out of many repositories: nobody knows which a result is of.
    run.commitRef = indexIn(keys, 3) === 0 ? textAt(value, 'revisionId') : undefined
  },
  'properties.imageName': (run, value) => {
    run.image = text(value, 500)
  },
  'webRequests[]': (run, value, keys) => keep(run.requests, value, keys),
  'webResponses[]': (run, value, keys) => keep(run.responses, value, keys),
  'threadFlowLocations[]': (run, value, keys) => keep(run.steps, object(at(value, 'location')), keys),
  'results[': (run) => {
    run.hasResults = true
  },
  'externalPropertyFileReferences.results[]': (run) => {
    run.resultsElsewhere = true
  },
}

const noMessages: ReadonlyMap<string, string> = new Map()

/** Reads the report once. A report that ends early has the facts that stand in what there is of it. */
export async function factsOf(source: ReportSource): Promise<Facts> {
  const facts: Facts = { runs: [] }
  const take = ruleTaker()
  const paths = ['version', '$schema', ...Object.keys(takings).map((path) => `runs[].${path}`)]
  for await (const item of readJson(source.open(), paths)) {
    const last = facts.runs.at(-1)
    if (item.kind === 'TRUNCATED' && last?.toolName === NAMELESS) last.isCutBeforeTool = true
    if (item.kind !== 'VALUE') continue
    if (item.path === 'version') facts.version = text(item.value, 40)
    else if (item.path === '$schema') facts.schema = text(item.value, 400)
    else
      takings[item.path.slice('runs[].'.length)]?.(runAt(facts.runs, Number(item.keys[1])), item.value, item.keys, take)
  }
  return facts
}

/** The run, made when nothing of it was seen yet. */
export function runAt(runs: Run[], index: number): Run {
  if (index >= MOST_RUNS) throw new ReportFault(`The report has more than ${MOST_RUNS} runs`)
  while (runs.length <= index) runs.push(newRun())
  return runs[index] ?? newRun()
}

/** What a run is called whose tool has no name. */
const NAMELESS = 'SARIF'

const newRun = (): Run => ({
  toolName: NAMELESS,
  isCutBeforeTool: false,
  rules: noRules(),
  places: { bases: new Map(), artifacts: [], workingDirectories: [], logical: [] },
  requests: [],
  responses: [],
  steps: [],
  resultsElsewhere: false,
  hasResults: false,
  notices: [],
})

/**
 * What stays the same from run to run: all before the last `/` of `category/run-id`; the whole where there is no `/`,
 * unless it is a date or a number of one run.
 */
function scopeOf(id: string | undefined): string | undefined {
  if (id === undefined) return undefined
  if (id.includes('/')) return id.slice(0, id.lastIndexOf('/')) || undefined
  return /\d{4}-\d\d-\d\d|\d{8}|[0-9a-f]{8}-[0-9a-f]{4}-/i.test(id) ? undefined : id
}

function partAt(parts: ToolPart[], keys: readonly (string | number)[], at: number): ToolPart {
  const index = indexIn(keys, at)
  while (parts.length <= index) parts.push(newPart())
  return parts[index] ?? newPart()
}

function indexIn(keys: readonly (string | number)[], at: number): number {
  const index = Number(keys[at])
  if (!(index < MOST_ENTRIES)) throw new ReportFault(`The report has a list of more than ${MOST_ENTRIES} entries`)
  return index
}

function note(run: Run, value: unknown, keys: readonly (string | number)[]): void {
  const level = textAt(value, 'level') ?? 'warning'
  if (level !== 'error' && level !== 'warning') return
  const locations = objects(at(value, 'locations'))
  if (level === 'error' && locations.length === 0) run.failure ??= errorOf(value)
  for (const location of locations) {
    if (run.notices.length >= MOST_NOTICES) {
      run.failure = `The tool could not read more than ${MOST_NOTICES} files`
      return
    }
    run.notices.push({ at: placeOf(keys), location, message: text(textAt(value, 'message', 'text'), 500) })
  }
}

/** An error that names no place is one of the whole run, such as rules that could not be read. */
function errorOf(notification: unknown): string {
  const told = text(textAt(notification, 'message', 'text'), 300)
  return `The tool reports an error of its run, so it may not have scanned everything${told ? `: ${told}` : ''}`
}

function keep(shared: Fields[], value: unknown, keys: readonly (string | number)[]): void {
  const index = indexIn(keys, 3)
  if (index < MOST_SHARED) shared[index] = object(value)
}
