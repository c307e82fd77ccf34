// Reads Wapiti's reports, XML and JSON: each entry under a vulnerability becomes a finding.

import { severities } from '../../core/issue-words.ts'
import { withoutCredentials } from '../credentials.ts'
import { firstCharacter } from '../detect.ts'
import { firstValues, type Given, jsonRows } from '../json-rows.ts'
import { rememberer } from '../once.ts'
import type { ExchangeObservation, ReportReader, ReportSource, Row } from '../types.ts'
import {
  at,
  cwesIn,
  type Fields,
  headline,
  isObject,
  links,
  list,
  object,
  paragraphs,
  some,
  text,
  textAt,
  texts,
} from '../values.ts'
import { fieldsOf } from '../xml-fields.ts'
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
  const rows = (await firstCharacter(source)) === '<' ? readXmlReport(source) : readJsonReport(source)
  const toldAt = rememberer()
  for await (const row of rows) {
    const before = row.kind === 'OBSERVATION' ? toldAt([row.observation], row.at) : undefined
    if (row.kind !== 'OBSERVATION' || before === undefined) yield row
    else yield { kind: 'PASSED_OVER', at: row.at, reason: `It is identical to ${before}` }
  }
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
    yield rowOf(name, classified, fieldsOf(entry), target, `${name}, entry ${index + 1}`)
  }
}

async function* readJsonReport(source: ReportSource): AsyncGenerator<Row> {
  const first = await firstValues(source, ['infos', 'classifications'])
  const target = textAt(first.get('infos'), 'target')
  const paths = ['vulnerabilities.*[]', 'anomalies.*[]', 'additionals.*[]']
  yield* jsonRows(source, paths, ({ value, keys, at: place }: Given) => {
    const name = String(keys.at(-2))
    const known = at(first.get('classifications'), name)
    const refs = at(known, 'ref')
    const [titles, urls] = isObject(refs) ? [Object.keys(refs), Object.values(refs).map((url) => text(url))] : [[], []]
    const classified = { desc: textAt(known, 'desc'), sol: textAt(known, 'sol'), titles, urls }
    return [rowOf(name, classified, value, target, place)]
  })
}

type Classified = {
  desc?: string
  sol?: string
  titles: readonly (string | undefined)[]
  urls: readonly (string | undefined)[]
}

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
  const [parameter, said] = [text(entry.parameter), withoutCredentials(text(entry.info))]
  const observation: ExchangeObservation = {
    kind: 'EXCHANGE',
    type: 'DAST_FINDING',
    toolName: 'Wapiti',
    // What is of no parameter is told apart by its words alone: which header is missing, which file was found.
    ruleId: parameter === undefined && said !== undefined ? `${name}: ${headline(said, said, 120)}` : name,
    title: headline(name, name),
    description: paragraphs(said, desc, withoutCredentials(text(entry.curl_command))),
    severity: severities[Number(text(entry.level))],
    cweIds: cwesIn(
      titles,
      urls.map((url) => url?.match(/cwe\.mitre\.org\/data\/definitions\/(\d+)/)?.[1]),
    ),
    reference: links(...urls),
    solution: text(sol),
    tags: some(texts(entry.module)),
    url: withoutCredentials(addressOf(path, target)),
    method: text(entry.method),
    parameters: parameter,
    request: withoutCredentials(text(entry.http_request)),
    response: responseOf(entry),
  }
  return { kind: 'OBSERVATION', at: place, observation }
}

/** Told from the second level of detail on (`--detailed-report`): status, headers as pairs, body. */
function responseOf({ detail }: Fields): string | undefined {
  const response = object(at(detail, 'response'))
  const headers = list(response.headers)
    .slice(0, 200)
    .map((pair) => texts(pair))
    .flatMap(([name, ...values]) => (values.length > 0 ? `${name}: ${values.join(', ')}` : []))
  const status = text(response.status_code)
  const head = [status === undefined ? undefined : `HTTP ${status}`, ...headers].filter(Boolean).join('\n')
  return withoutCredentials(text([head, text(response.body)].filter(Boolean).join('\n\n')))
}

const addressOf = (path: string, target: string | undefined): string =>
  target !== undefined && URL.canParse(path, target) ? new URL(path, target).href : path
