// Reads the JSON of njsscan and mobsfscan: rules, each with the places at which it holds.

import { firstValues, type Given, jsonRows } from '../json-rows.ts'
import { isSecretWeakness, maskedCode } from '../secrets.ts'
import type { CodeObservation, ReportReader, ReportSource, Row, Severity } from '../types.ts'
import { unseenRow } from '../unseen.ts'
import {
  at,
  code,
  cwesIn,
  type Fields,
  headline,
  isObject,
  list,
  object,
  some,
  text,
  textAt,
  texts,
  whole,
} from '../values.ts'

export const njsscan: ReportReader = {
  format: 'njsscan',
  label: 'njsscan or mobsfscan JSON',
  recognises: ({ text: head }) =>
    /^\s*\{/.test(head) && /"(?:njsscan|mobsfscan)_version"\s*:/.test(head) && !/"runs"\s*:\s*\[/.test(head),
  read,
}

const lists = ['nodejs.*', 'templates.*', 'results.*']

async function* read(source: ReportSource): AsyncGenerator<Row> {
  const isMobile = (await firstValues(source, ['mobsfscan_version'])).size > 0
  // In SARIF njsscan calls itself nodejsscan.
  const tool = isMobile ? 'mobsfscan' : 'nodejsscan'
  yield* jsonRows(source, [...lists, 'errors[]'], (given) =>
    given.path === 'errors[]' ? [errorRow(given, tool)] : rowsOf(given, tool),
  )
}

function errorRow({ value, at }: Given, tool: string): Row {
  const said = isObject(value) ? textAt(value, 'message') : text(value)
  return unseenRow(tool, at, textAt(value, 'path'), said)
}

function* rowsOf({ value, keys, at: place }: Given, tool: string): Iterable<Row> {
  const rule = text(keys[1])
  const metadata = object(at(value, 'metadata'))
  if (rule === undefined || text(metadata.description) === undefined) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It has no description' }
    return
  }
  const files = list(at(value, 'files'))
  if (files.length === 0) yield { kind: 'OBSERVATION', at: place, observation: observedOf(rule, metadata, {}, tool) }
  for (const [index, file] of files.entries()) {
    const inside = `${place}.files[${index}]`
    if (isObject(file)) yield { kind: 'OBSERVATION', at: inside, observation: observedOf(rule, metadata, file, tool) }
    else yield { kind: 'LEFT_OUT', at: inside, reason: 'It is not a file' }
  }
}

function observedOf(rule: string, metadata: Fields, file: Fields, tool: string): CodeObservation {
  const description = text(metadata.description)
  const cweIds = cwesIn(metadata.cwe)
  const [line, column] = [whole(at(file.match_lines, 0)), whole(at(file.match_position, 0))]
  const snippet = code(file.match_string, 20_000)
  return {
    kind: 'CODE',
    type: 'SAST_FINDING',
    toolName: tool,
    ruleId: rule,
    title: headline(description, rule),
    description,
    severity: severities.get(text(metadata.severity, 20)?.toUpperCase() ?? ''),
    cweIds,
    tags: some(
      [...texts(metadata['owasp-web']), ...texts(metadata['owasp-mobile']), ...texts(metadata.masvs)].slice(0, 20),
    ),
    fileName: text(file.file_path),
    line,
    column,
    codeSnippet: snippet && isSecretWeakness(cweIds) ? maskedCode(snippet) : snippet,
    firstLine: line,
  }
}

const severities: ReadonlyMap<string, Severity> = new Map([
  ['ERROR', 'HIGH'],
  ['WARNING', 'MEDIUM'],
  ['INFO', 'LOW'],
])
