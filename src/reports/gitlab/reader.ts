// Reads GitLab's security reports: SAST, secrets, dependencies, containers, DAST; schema versions 2 to 15. Source: GitLab's schemas.

import { jsonOf } from '../../core/json.ts'
import { type Given, jsonRows } from '../json-rows.ts'
import { readJson } from '../json-walk.ts'
import { ReportFault, type ReportHead, type ReportReader, type ReportSource, type Row } from '../types.ts'
import { at, isObject, list, text, textAt } from '../values.ts'
import { observationOf, type Scan } from './vulnerability.ts'

export const gitlab: ReportReader = { format: 'gitlab', label: 'GitLab security report', recognises, read }

function recognises({ text: head }: ReportHead): boolean {
  if (!/^\s*\{/.test(head) || OTHERS.test(head)) return false
  const vulnerabilities = /"vulnerabilities"\s*:\s*\[\s*(\]?)/.exec(head)
  const isScan = /"scan"\s*:\s*\{/.test(head) && /"(?:scanner|analyzer)"\s*:\s*\{/.test(head)
  if (vulnerabilities === null) return isScan
  if (vulnerabilities[1] === ']') return isScan || isEmptyReport(head)
  return isScan || (/"identifiers"\s*:\s*\[/.test(head) && /"location"\s*:\s*\{/.test(head))
}

/** Many scanners write an empty list of this name; only GitLab's has the version of its schema or its files beside it. */
function isEmptyReport(head: string): boolean {
  if (/"dependency_files"\s*:\s*\[/.test(head)) return true
  const report = jsonOf(head)
  return Array.isArray(at(report, 'vulnerabilities')) && textAt(report, 'version') !== undefined
}

/** What reports of others have that also call their list `vulnerabilities`: CycloneDX, CSAF, Snyk, npm, OSV, SARIF. */
const OTHERS =
  /"(?:bomFormat|specVersion|csaf_version|packageManager|dependencyCount|licensesPolicy|auditReportVersion|runs|matches|\$schema|statements|ok)"\s*:/

async function* read(source: ReportSource): AsyncGenerator<Row> {
  const scan = await scanOf(source)
  if (scan.toolName !== undefined) yield { kind: 'TOOL', toolName: scan.toolName }
  yield* jsonRows(source, ['vulnerabilities[]'], (given) => rowsOf(given, scan))
  if (scan.status === 'failure')
    yield { kind: 'TRUNCATED', reason: 'The scan failed, so it may not have scanned everything' }
}

function* rowsOf({ value, at }: Given, scan: Scan): Iterable<Row> {
  const isNamed =
    isObject(value) && [value.name, value.message, value.description].some((each) => text(each) !== undefined)
  if (!isObject(value)) yield { kind: 'LEFT_OUT', at, reason: 'It is not an object' }
  else if (!isNamed && list(value.identifiers).length === 0) {
    yield { kind: 'LEFT_OUT', at, reason: 'It has neither words nor an identifier' }
  } else if (scan.isCut && scan.toolName === undefined && textAt(value, 'scanner', 'name') === undefined) {
    yield { kind: 'LEFT_OUT', at, reason: 'The report ends before it names the tool' }
  } else yield { kind: 'OBSERVATION', at, observation: observationOf(value, scan) }
}

/** Files and remedies of a report that are kept. */
const MOST_ENTRIES = 100_000

const paths = [
  'scan.type',
  'scan.status',
  'scan.scanner.name',
  'scan.analyzer.name',
  'dependency_files[].path',
  'dependency_files[].package_manager',
  'remediations[].summary',
  'remediations[].fixes',
]

/** What stands beside the vulnerabilities, most of it behind them. */
async function scanOf(source: ReportSource): Promise<Scan> {
  const scan: Scan = { isCut: false, managers: new Map(), remedies: new Map() }
  const files = new Map<unknown, { path?: string; manager?: string }>()
  const remedies = new Map<unknown, { summary?: string; ids: readonly string[] }>()
  for await (const item of readJson(source.open(), paths)) {
    if (item.kind === 'TRUNCATED') scan.isCut = true
    if (item.kind !== 'VALUE') continue
    const [{ path, value }, index] = [item, item.keys[1]]
    const word = text(value, 2000)
    const file = files.get(index) ?? {}
    const remedy = remedies.get(index) ?? { ids: [] }
    if (path === 'scan.type') scan.type = word
    else if (path === 'scan.status') scan.status = word
    else if (path === 'scan.scanner.name') scan.toolName = word
    else if (path === 'scan.analyzer.name') scan.toolName ??= word
    else if (path === 'dependency_files[].path') files.set(index, { ...file, path: word })
    else if (path === 'dependency_files[].package_manager') files.set(index, { ...file, manager: word })
    else if (path === 'remediations[].summary') remedies.set(index, { ...remedy, summary: word })
    else
      remedies.set(index, {
        ...remedy,
        ids: list(value)
          .slice(0, 100)
          .flatMap((fix) => textAt(fix, 'id') ?? textAt(fix, 'cve') ?? []),
      })
    if (files.size + remedies.size > MOST_ENTRIES)
      throw new ReportFault('The report has too many files or remediations')
  }
  for (const { path, manager } of files.values()) if (path && manager) scan.managers.set(path, manager)
  for (const { summary, ids } of remedies.values()) {
    if (summary !== undefined) for (const id of ids) scan.remedies.set(id, summary)
  }
  return scan
}
