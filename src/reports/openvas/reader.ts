// Reads OpenVAS (Greenbone) results for hosts, in XML and CSV.

import { readCsv } from '../csv.ts'
import { firstCharacter } from '../detect.ts'
import type { ReportHead, ReportReader, ReportSource, Row } from '../types.ts'
import { text, uniq } from '../values.ts'
import { xmlRows } from '../xml-rows.ts'
import { childOf, childrenOf, type Element, textIn } from '../xml-walk.ts'
import { type Result, rowOf } from './result.ts'

export const openvas: ReportReader = { format: 'openvas', label: 'OpenVAS XML or CSV', recognises, read }

function recognises({ text: head }: ReportHead): boolean {
  if (/^\s*</.test(head)) return isReport(head)
  const names = (head.split('\n', 1)[0] ?? '').split(/[,;\t]/)
  return names.some((name) => /^\W*NVT OID\W*$/.test(name)) && names.some((name) => /^\W*NVT Name\W*$/.test(name))
}

/** A report of GMP in one of its wrappings; the feed's tests have an oid. */
const isReport = (head: string): boolean =>
  /<(?:report|get_reports_response)[\s>]/.test(head) &&
  (/<(?:gmp|omp)>\s*<version>/.test(head) ||
    /<nvt\s+oid="/.test(head) ||
    (/<report_format\b/.test(head) && /<scan_run_status>/.test(head)))

const wrappings = ['report', 'report/report', 'get_reports_response/report', 'get_reports_response/report/report']
const results = wrappings.map((path) => `${path}/results/result`)
const DONE = 'Done'
const states = wrappings.map((path) => `${path}/scan_run_status`)

async function* read(source: ReportSource): AsyncGenerator<Row> {
  yield* (await firstCharacter(source)) === '<' ? readXmlReport(source) : readCsvReport(source)
}

async function* readXmlReport(source: ReportSource): AsyncGenerator<Row> {
  let state = DONE
  yield* xmlRows(source, [...results, ...states], ({ path, element, at }) => {
    if (path.endsWith('/result')) return [rowOf(ofXml(element), at)]
    state = element.text
    return []
  })
  if (state !== DONE && state !== '')
    yield { kind: 'TRUNCATED', reason: `The scan is not done: ${state.slice(0, 100)}` }
}

function ofXml(result: Element): Result {
  const [nvt, host] = [childOf(result, 'nvt'), childOf(result, 'host')]
  const severity = childrenOf(childOf(nvt ?? result, 'severities'), 'severity').at(-1)
  const tags = tagsIn(textIn(nvt, 'tags'))
  const refs = childrenOf(childOf(nvt, 'refs'), 'ref').map(({ attributes }) => attributes)
  const older = [textIn(nvt, 'cve'), textIn(nvt, 'xref')?.replaceAll('URL:', '')]
  return {
    host: host?.text ?? '',
    hostname: textIn(host, 'hostname'),
    port: textIn(result, 'port'),
    oid: nvt?.attributes.oid,
    name: textIn(nvt, 'name') ?? textIn(result, 'name'),
    family: textIn(nvt, 'family'),
    threat: textIn(result, 'threat'),
    score: textIn(result, 'severity'),
    vector: textIn(severity, 'value') ?? tags.get('cvss_base_vector'),
    epss: textIn(childOf(childOf(nvt, 'epss'), 'max_severity'), 'score'),
    cves: [...refs.flatMap(({ type, id }) => (/^cve/i.test(type ?? '') ? [id] : [])), older[0]],
    links: [...refs.flatMap(({ type, id }) => (type === 'url' ? [id] : [])), ...(older[1]?.split(/[\s,]+/) ?? [])],
    texts: [
      tags.get('summary'),
      textIn(result, 'description'),
      tags.get('insight'),
      tags.get('impact'),
      tags.get('affected'),
    ],
    solution: textIn(nvt, 'solution') ?? tags.get('solution'),
    qod: textIn(childOf(result, 'qod'), 'value'),
    isOverridden: childrenOf(childOf(result, 'overrides'), 'override').some(
      (each) => textIn(each, 'new_threat') === 'False Positive',
    ),
  }
}

/** `summary=…|insight=…`, where a bar inside a text begins no new name. */
function tagsIn(value: string | undefined): ReadonlyMap<string, string> {
  const parts = (value ?? '').split(/\|(?=[a-z_]{1,40}=)/)
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]))
}

async function* readCsvReport(source: ReportSource): AsyncGenerator<Row> {
  for await (const item of readCsv(source.open)) {
    if (item.kind === 'TRUNCATED') yield item
    else if (item.kind === 'FAULT') yield { kind: 'LEFT_OUT', at: `row ${item.line}`, reason: item.reason }
    else yield rowOf(ofCsv(item.row), `row ${item.line}`)
  }
}

function ofCsv(row: Readonly<Record<string, string>>): Result {
  const of = (name: string) => text(row[name])
  const [port, protocol] = [of('Port'), of('Port Protocol')]
  return {
    host: of('IP') ?? '',
    hostname: of('Hostname'),
    port: port && [port, protocol].filter(Boolean).join('/'),
    oid: of('NVT OID'),
    name: of('NVT Name'),
    family: undefined,
    threat: of('Severity'),
    score: of('CVSS'),
    vector: undefined,
    epss: of('Max Severity EPSS score'),
    cves: uniq([of('CVEs')]),
    links: (of('Other References') ?? '').split(/[\s,]+/),
    texts: ['Summary', 'Specific Result', 'Vulnerability Insight', 'Impact', 'Affected Software/OS'].map(of),
    solution: of('Solution'),
    qod: of('QoD'),
    isOverridden: false,
  }
}
