// Reads Nuclei's JSON: one match per line, or all in an array.

import { withoutCredentials } from '../credentials.ts'
import { firstCharacter } from '../detect.ts'
import { EMPTY } from '../json-items.ts'
import { type Given, jsonRows } from '../json-rows.ts'
import { withoutSecrets } from '../secrets.ts'
import type { ExchangeObservation, ReportReader, ReportSource, Row } from '../types.ts'
import {
  at,
  between,
  cvssVectorOf,
  cwesIn,
  type Fields,
  headline,
  isObject,
  links,
  paragraphs,
  severityOf,
  some,
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
  let count = 0
  for await (const row of jsonRows(source, [isArray ? '[]' : ''], ({ value, at: place, keys }: Given) => {
    count++
    return rowsOf(value, keys.length > 0 ? place : `match ${count}`)
  })) {
    if (row.kind !== 'TRUNCATED' || row.reason !== EMPTY) yield row
  }
}

function* rowsOf(value: unknown, place: string): Iterable<Row> {
  const id = textAt(value, 'template-id') ?? textAt(value, 'templateID')
  if (!isObject(value) || id === undefined) yield { kind: 'LEFT_OUT', at: place, reason: 'It names no template' }
  // With `-matcher-status` Nuclei also writes what did not match.
  else if (value['matcher-status'] !== false) yield { kind: 'OBSERVATION', at: place, observation: observed(id, value) }
}

function observed(id: string, value: Fields): ExchangeObservation {
  const { info } = value
  const classified = at(info, 'classification')
  const matcher = text(value['matcher-name']) ?? text(value.matcher_name) ?? text(value['extractor-name'])
  const extracted = texts(value['extracted-results'] ?? value.extracted_results).slice(0, 20)
  const tags = uniq(tagsOf(at(info, 'tags')))
  // What a template for keys and tokens extracts is a secret.
  const secrets = tags.some((tag) => secretTags.test(tag)) ? extracted : []
  const kept = (said: unknown) => withoutCredentials(withoutSecrets(text(said), secrets))
  const found = extracted.join(', ')
  return {
    kind: 'EXCHANGE',
    type: 'DAST_FINDING',
    toolName: 'Nuclei',
    // One template matches in several ways; each is a finding of its own.
    ruleId: matcher === undefined ? id : `${id}:${matcher}`,
    title: headline(matcher === undefined ? textAt(info, 'name') : `${textAt(info, 'name') ?? id} (${matcher})`, id),
    description: paragraphs(
      textAt(info, 'description'),
      textAt(info, 'impact'),
      found === '' ? undefined : kept(`Found: ${found}`),
      kept(value['curl-command']),
    ),
    severity: severityOf(at(info, 'severity')),
    cvssScore: between(at(classified, 'cvss-score'), 0.1, 10),
    cvssVector: cvssVectorOf(at(classified, 'cvss-metrics')),
    exploitProbability: between(at(classified, 'epss-score'), 0, 1),
    cweIds: cwesIn(at(classified, 'cwe-id')),
    vulnerabilityIds: vulnerabilityIdsIn(at(classified, 'cve-id'), id),
    reference: links(...texts(at(info, 'reference')), text(value['template-url'])),
    solution: textAt(info, 'remediation'),
    tags: some(tags),
    url: kept(text(value['matched-at']) ?? text(value.matched) ?? text(value.url) ?? text(value.host)),
    method: text(value.request)?.match(/^([A-Z]{3,10}) /)?.[1],
    scheme: text(value.scheme),
    port: whole(value.port),
    parameters: text(value.fuzzing_parameter),
    request: kept(value.request),
    response: kept(value.response),
  }
}

const secretTags = /^(?:tokens?|keys?|secrets?|credentials?|creds|passwords?|default-login)$/i

const tagsOf = (tags: unknown): string[] =>
  texts(tags)
    .flatMap((tag) => tag.split(','))
    .map((tag) => tag.trim())
    .filter(Boolean)
