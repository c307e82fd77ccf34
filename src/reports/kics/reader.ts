// Reads KICS' JSON: misconfigurations in infrastructure as code, query by query.

import { type Given, jsonRows } from '../json-rows.ts'
import type { CodeObservation, ReportReader, ReportSource, Row } from '../types.ts'
import {
  cwesIn,
  type Fields,
  headline,
  isObject,
  links,
  list,
  object,
  paragraphs,
  severityOf,
  some,
  text,
  whole,
} from '../values.ts'

export const kics: ReportReader = {
  format: 'kics',
  label: 'KICS JSON',
  recognises: ({ text: head }) =>
    /^\s*\{/.test(head) && /"kics_version"\s*:|"queries_total"\s*:/.test(head) && /"files_scanned"\s*:/.test(head),
  read,
}

async function* read(source: ReportSource): AsyncGenerator<Row> {
  let failed = 0
  for await (const row of jsonRows(
    source,
    ['queries[]', 'files_failed_to_scan', 'queries_failed_to_execute'],
    (given) => {
      if (given.path === 'queries[]') return rowsOf(given)
      failed += whole(given.value) ?? 0
      return []
    },
  ))
    yield row
  if (failed > 0)
    yield { kind: 'TRUNCATED', reason: 'KICS reports that it could not scan every file or run every query' }
}

function* rowsOf({ value, at }: Given): Iterable<Row> {
  const query = object(value)
  const rule = text(query.query_id) ?? text(query.query_name)
  const files = list(query.files)
  if (rule === undefined || files.length === 0) {
    yield { kind: 'LEFT_OUT', at, reason: 'It names no query, or no file' }
    return
  }
  for (const [index, file] of files.entries()) {
    const place = `${at}.files[${index}]`
    if (isObject(file)) yield { kind: 'OBSERVATION', at: place, observation: observedOf(query, rule, file) }
    else yield { kind: 'LEFT_OUT', at: place, reason: 'It is not a file' }
  }
}

function observedOf(query: Fields, rule: string, file: Fields): CodeObservation {
  const isSecret = /secret/i.test(text(query.category, 200) ?? '')
  const name = text(query.query_name) ?? rule
  const [expected, actual] = [text(file.expected_value, 2000), isSecret ? undefined : text(file.actual_value, 2000)]
  return {
    kind: 'CODE',
    type: 'IAC_FINDING',
    toolName: 'KICS',
    ruleId: rule,
    title: headline(name, rule),
    description: paragraphs(text(query.description), actual && `Found: ${actual}`, resourceOf(file)),
    severity: severityOf(query.severity) ?? (query.severity === 'TRACE' ? 'NOTIFICATION' : undefined),
    cweIds: cwesIn(query.cwe) ?? (isSecret ? [798] : undefined),
    reference: links(text(query.query_url)),
    solution: expected && `Expected: ${expected}`,
    tags: some([text(query.platform, 100), text(query.category, 100)].filter((tag) => tag !== undefined)),
    fingerprint: text(file.similarity_id, 200),
    fileName: text(file.file_name),
    line: whole(file.line),
  }
}

function resourceOf(file: Fields): string | undefined {
  const [type, name] = [text(file.resource_type, 200), text(file.resource_name, 500)]
  return name === undefined ? undefined : `Resource ${[type, name].filter(Boolean).join(' ')}`
}
