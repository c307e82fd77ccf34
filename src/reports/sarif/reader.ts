// Reads SARIF 2.1.0, the format of static analysis tools. Source: the OASIS standard, with its errata.

import { placeOf } from '../json-items.ts'
import { readJson } from '../json-walk.ts'
import { type ReadRow, ReportFault, type ReportHead, type ReportReader, type ReportSource, type Row } from '../types.ts'
import { unseenRow } from '../unseen.ts'
import { isObject, object } from '../values.ts'
import { isUndecided, observationOf } from './observation.ts'
import { ownRowOf } from './own.ts'
import { rootsOf, uriOf } from './places.ts'
import { factsOf, type Run, runAt } from './run.ts'

export const sarif: ReportReader = { format: 'sarif', label: 'SARIF 2.1.0', recognises, read }

/** `runs` and one thing that nothing else has beside it: the schema, a tool's driver, or results' rules. */
function recognises({ text: head }: ReportHead): boolean {
  if (!/^\s*\{/.test(head)) return false
  if (/"\$schema"\s*:\s*"[^"]{0,300}sarif[^"]{0,100}"/i.test(head)) return true
  return /"runs"\s*:\s*\[/.test(head) && (/"driver"\s*:\s*\{/.test(head) || /"version"\s*:\s*"2\.[01]\.0/.test(head))
}

async function* read(source: ReportSource): AsyncGenerator<ReadRow> {
  const { runs, version, schema } = await factsOf(source)
  if (version !== undefined && !version.startsWith('2.')) {
    throw new ReportFault(`The report is SARIF ${version.slice(0, 20)}; 2.1.0 is read`)
  }
  const isKnown = runs.length > 0 || version !== undefined || /sarif/i.test(schema ?? '')
  let begun = 0
  let scope: string | null = null
  let truncated: string | null = null
  for await (const item of readJson(source.open(), ['runs[].results[]'])) {
    if (item.kind === 'TRUNCATED') {
      if (!isKnown && begun === 0) throw new ReportFault('The report is not SARIF')
      truncated = item.reason
      break
    }
    const at = placeOf(item.keys)
    const index = Number(item.keys[1])
    const run = runAt(runs, index)
    if (begun <= index) {
      yield* beginning(runs.slice(begun, index + 1), begun, scope)
      scope = run.scope ?? null
      begun = index + 1
    }
    if (item.kind === 'FAULT') yield { kind: 'LEFT_OUT', at, reason: item.reason }
    else {
      const row = rowOf(item.value, run, at)
      if (row !== null) yield row
    }
  }
  if (!isKnown && begun === 0) throw new ReportFault('The report is not SARIF')
  yield* beginning(runs.slice(begun), begun, scope)
  const isOfNoScan = runs.length > 0 && !runs.some(isOfScan)
  const reason =
    truncated ?? runs.find((run) => run.failure !== undefined)?.failure ?? (isOfNoScan ? RULES_ALONE : undefined)
  if (reason !== undefined) yield { kind: 'TRUNCATED', reason }
}

const RULES_ALONE = 'Its runs list rules, but none has a list of results'

const isOfScan = ({ hasResults, resultsElsewhere }: Run): boolean => hasResults || resultsElsewhere

/** What precedes the results of each run; a run that names no scope does not belong to that of the run before it. */
function* beginning(runs: readonly Run[], first: number, before: string | null): Generator<ReadRow> {
  let scope = before
  for (const [index, run] of runs.entries()) {
    const own = run.scope ?? null
    if (isOfScan(run) && (own ?? scope) !== null) yield { kind: 'SCOPE', scope: own }
    if (isOfScan(run)) scope = own
    if (run.hasResults) yield { kind: 'TOOL', toolName: run.toolName }
    yield { kind: 'ROOTS', roots: rootsOf(run.places) }
    yield* unseenIn(run)
    if (!run.resultsElsewhere) continue
    const at = `runs[${first + index}].externalPropertyFileReferences.results`
    yield { kind: 'LEFT_OUT', at, reason: 'These results are in other files, which the report only references' }
  }
}

/** Files that the tool could not look into; once each. */
function* unseenIn({ notices, places, toolName, image }: Run): Generator<Row> {
  const told = new Set<string>()
  for (const { at, location, message } of notices) {
    const fileName = uriOf(object(object(location.physicalLocation).artifactLocation), places)
    if (fileName === undefined || told.has(fileName)) continue
    told.add(fileName)
    yield unseenRow(toolName, at, fileName, message, image)
  }
}

function rowOf(value: unknown, run: Run, at: string): Row | null {
  if (!isObject(value)) return { kind: 'LEFT_OUT', at, reason: 'It is not an object' }
  if (run.isCutBeforeTool) return { kind: 'LEFT_OUT', at, reason: 'The report ends before it names the tool' }
  const own = ownRowOf(value, run.toolName, at)
  if (own !== null) return own
  const made = observationOf(value, run)
  if (made === null) return null
  if (typeof made !== 'string') return { kind: 'OBSERVATION', at, observation: made }
  return { kind: 'LEFT_OUT', at, reason: made, ...(isUndecided(value) ? { isUndecided: true } : {}) }
}
