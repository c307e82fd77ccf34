// Reads Nuclei's JSON, one match a line or all in an array.

import { firstCharacter } from '../detect.ts'
import { type Given, jsonRows } from '../json-rows.ts'
import { EMPTY } from '../json-walk.ts'
import type { ExchangeObservation, ReportReader, ReportSource, Row } from '../types.ts'
import {
  at,
  between,
  cvssVectorOf,
  cwesIn,
  headline,
  isObject,
  links,
  paragraphs,
  severityOf,
  text,
  textAt,
  texts,
  uniq,
  vulnerabilityIdsIn,
  whole,
} from '../values.ts'

export const nuclei: ReportReader = {
  format: 'nuclei',
  label: 'Nuclei JSON',
  recognises: ({ text: head }) => /"template-?(id|ID)"\s*:/.test(head) && /"info"\s*:\s*\{/.test(head),
  read,
}

/** A scan without a match writes nothing at all. */
async function* read(source: ReportSource): AsyncGenerator<Row> {
  const isArray = (await firstCharacter(source)) === '['
  for await (const row of jsonRows(source, [isArray ? '[]' : ''], ({ value, at: place, keys }: Given) => [
    rowOf(value, keys.length > 0 ? place : 'a match'),
  ])) {
    if (row.kind !== 'TRUNCATED' || row.reason !== EMPTY) yield row
  }
}

function rowOf(value: unknown, place: string): Row {
  const id = textAt(value, 'template-id') ?? textAt(value, 'templateID')
  if (!isObject(value) || id === undefined) return { kind: 'LEFT_OUT', at: place, reason: 'It names no template' }
  const { info } = value
  const classified = at(info, 'classification')
  const matcher = text(value['matcher-name']) ?? text(value.matcher_name)
  const found = texts(value['extracted-results']).slice(0, 20).join(', ')
  const observation: ExchangeObservation = {
    kind: 'EXCHANGE',
    type: 'DAST_FINDING',
    toolName: 'Nuclei',
    // One template matches in several ways; each is a finding of its own.
    ruleId: matcher === undefined ? id : `${id}:${matcher}`,
    title: headline(matcher === undefined ? textAt(info, 'name') : `${textAt(info, 'name') ?? id} (${matcher})`, id),
    description: paragraphs(
      textAt(info, 'description'),
      textAt(info, 'impact'),
      found === '' ? undefined : `Found: ${found}`,
      text(value['curl-command']),
    ),
    severity: severityOf(at(info, 'severity')),
    cvssScore: between(at(classified, 'cvss-score'), 0.1, 10),
    cvssVector: cvssVectorOf(at(classified, 'cvss-metrics')),
    exploitProbability: between(at(classified, 'epss-score'), 0, 1),
    cweIds: cwesIn(at(classified, 'cwe-id')),
    vulnerabilityIds: vulnerabilityIdsIn(at(classified, 'cve-id')),
    reference: links(...texts(at(info, 'reference')), text(value['template-url'])),
    solution: textAt(info, 'remediation'),
    tags: uniq(tagsOf(at(info, 'tags'))),
    url: text(value['matched-at']) ?? text(value.matched) ?? text(value.url) ?? text(value.host),
    method: text(value.request)?.match(/^([A-Z]{3,10}) /)?.[1],
    scheme: text(value.scheme),
    port: whole(value.port),
    parameters: text(value.fuzzing_parameter),
    request: text(value.request),
    response: text(value.response),
  }
  return { kind: 'OBSERVATION', at: place, observation }
}

const tagsOf = (tags: unknown): string[] =>
  texts(tags)
    .flatMap((tag) => tag.split(','))
    .map((tag) => tag.trim())
    .filter(Boolean)
