// Reads Wapiti's reports, XML and JSON: each entry below a vulnerability is a finding.

import { firstCharacter } from '../detect.ts'
import { firstValues, type Given, jsonRows } from '../json-rows.ts'
import type { ExchangeObservation, ReportReader, ReportSource, Row, Severity } from '../types.ts'
import {
  at,
  cwesIn,
  type Fields,
  headline,
  isObject,
  links,
  list,
  objects,
  paragraphs,
  text,
  textAt,
} from '../values.ts'
import { childOf, childrenOf, type Element, readXml, textIn } from '../xml-walk.ts'

export const wapiti: ReportReader = {
  format: 'wapiti',
  label: 'Wapiti XML or JSON',
  recognises: ({ text: head }) =>
    (/<report\s+type="security"/.test(head) && /wapiti/i.test(head)) ||
    (/"classifications"\s*:/.test(head) &&
      /"vulnerabilities"\s*:/.test(head) &&
      /"anomalies"\s*:|"infos"\s*:/.test(head)),
  read,
}

async function* read(source: ReportSource): AsyncGenerator<Row> {
  yield* (await firstCharacter(source)) === '<' ? readXmlReport(source) : readJsonReport(source)
}

const kinds = ['vulnerabilities/vulnerability', 'anomalies/anomaly', 'additionals/additional']

async function* readXmlReport(source: ReportSource): AsyncGenerator<Row> {
  let target: string | undefined
  for await (const item of readXml(source.open(), ['report/report_infos', ...kinds.map((kind) => `report/${kind}`)])) {
    if (item.kind === 'TRUNCATED') yield item
    else if (item.kind === 'FAULT') yield { kind: 'LEFT_OUT', at: item.path, reason: item.reason }
    else if (item.path === 'report/report_infos') {
      target = childrenOf(item.element, 'info').find(({ attributes }) => attributes.name === 'target')?.text
    } else yield* ofElement(item.element, target)
  }
}

function* ofElement(element: Element, target: string | undefined): Iterable<Row> {
  const name = element.attributes.name ?? ''
  const references = childrenOf(childOf(element, 'references'), 'reference')
  const classified = {
    desc: textIn(element, 'description'),
    sol: textIn(element, 'solution'),
    titles: references.map((reference) => textIn(reference, 'title')),
    urls: references.map((reference) => textIn(reference, 'url')),
  }
  for (const [index, entry] of childrenOf(childOf(element, 'entries'), 'entry').entries()) {
    const fields = Object.fromEntries(entry.children.map((child) => [child.name, child.text]))
    yield rowOf(name, classified, fields, target, `${name}, entry ${index + 1}`)
  }
}

async function* readJsonReport(source: ReportSource): AsyncGenerator<Row> {
  const first = await firstValues(source, ['infos', 'classifications'])
  const target = textAt(first.get('infos'), 'target')
  const paths = ['vulnerabilities.*', 'anomalies.*', 'additionals.*']
  yield* jsonRows(source, paths, ({ value, keys, at: place }: Given) => {
    const name = String(keys.at(-1))
    const known = at(first.get('classifications'), name)
    const refs = at(known, 'ref')
    const [titles, urls] = isObject(refs) ? [Object.keys(refs), Object.values(refs).map((url) => text(url))] : [[], []]
    const classified = { desc: textAt(known, 'desc'), sol: textAt(known, 'sol'), titles, urls }
    return list(value).map((entry, index) => rowOf(name, classified, entry, target, `${place}[${index}]`))
  })
}

type Classified = {
  desc?: string
  sol?: string
  titles: readonly (string | undefined)[]
  urls: readonly (string | undefined)[]
}

/** Wapiti's levels, 0 to 4. */
const severities: readonly Severity[] = ['NOTIFICATION', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL']

function rowOf(
  name: string,
  { desc, sol, titles, urls }: Classified,
  entry: unknown,
  target: string | undefined,
  place: string,
): Row {
  const path = textAt(entry, 'path')
  if (!isObject(entry) || name === '' || path === undefined) {
    return { kind: 'LEFT_OUT', at: place, reason: 'It has no name, or no path' }
  }
  const observation: ExchangeObservation = {
    kind: 'EXCHANGE',
    type: 'DAST_FINDING',
    toolName: 'Wapiti',
    ruleId: name,
    title: headline(name, name),
    description: paragraphs(text(entry.info), desc, text(entry.curl_command)),
    severity: severities[Number(text(entry.level))],
    cweIds: cwesIn(
      titles,
      urls.map((url) => url?.match(/cwe\.mitre\.org\/data\/definitions\/(\d+)/)?.[1]),
    ),
    reference: links(...urls),
    solution: sol,
    url: addressOf(path, target),
    method: text(entry.method),
    parameters: text(entry.parameter),
    request: text(entry.http_request),
    response: responseOf(entry),
  }
  return { kind: 'OBSERVATION', at: place, observation }
}

const responseOf = ({ detail }: Fields): string | undefined => textAt(objects([at(detail, 'response')])[0], 'body')

const addressOf = (path: string, target: string | undefined): string =>
  target !== undefined && URL.canParse(path, target) ? new URL(path, target).href : path
