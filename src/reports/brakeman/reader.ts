// Reads `brakeman -f json`: findings in Ruby on Rails applications.

import { type Given, jsonRows } from '../json-rows.ts'
import { isSecretWeakness, maskedCode } from '../secrets.ts'
import type { CodeObservation, ReportReader, ReportSource, Row, Severity } from '../types.ts'
import { unseenRow } from '../unseen.ts'
import {
  code,
  cwesIn,
  type Fields,
  headline,
  isObject,
  links,
  paragraphs,
  some,
  text,
  textAt,
  vulnerabilityIdsIn,
  whole,
} from '../values.ts'

export const brakeman: ReportReader = {
  format: 'brakeman',
  label: 'Brakeman JSON',
  recognises: ({ text: head }) =>
    /^\s*\{/.test(head) &&
    /"brakeman_version"\s*:/.test(head) &&
    /"(?:scan_info|warnings|ignored_warnings)"\s*:/.test(head),
  read,
}

function read(source: ReportSource): AsyncGenerator<Row> {
  return jsonRows(source, ['warnings[]', 'ignored_warnings[]', 'errors[]'], rowsOf)
}

function* rowsOf({ path, value, at }: Given): Iterable<Row> {
  if (path === 'errors[]') {
    yield errorRow(value, at)
    return
  }
  const type = textAt(value, 'warning_type')
  if (!isObject(value) || type === undefined) yield { kind: 'LEFT_OUT', at, reason: 'It names no type of warning' }
  else yield { kind: 'OBSERVATION', at, observation: observedOf(value, type, path === 'ignored_warnings[]') }
}

/** Brakeman gives the place of an error as `file:line`, or as the check that failed. */
function errorRow(value: unknown, at: string): Row {
  const where = textAt(value, 'location')
  const file =
    where === undefined ? undefined : /^(.{1,1000}?\.(?:rb|erb|haml|slim|rake|yml|yaml))(?::\d+)?/.exec(where)?.[1]
  const said = textAt(value, 'error')
  if (file !== undefined) return unseenRow('Brakeman', at, file, said)
  const reason = headline(said && `Brakeman failed: ${said}`, 'Brakeman failed', 300)
  return { kind: 'LEFT_OUT', at, reason, isUndecided: true }
}

function observedOf(warning: Fields, type: string, isIgnored: boolean): CodeObservation {
  const [message, input] = [text(warning.message), text(warning.user_input, 2000)]
  const cweIds = cwesIn(warning.cwe_id)
  const line = whole(warning.line)
  const confidence = text(warning.confidence, 20)
  const snippet = code(warning.code, 20_000)
  return {
    kind: 'CODE',
    type: 'SAST_FINDING',
    toolName: 'Brakeman',
    ruleId: ruleOf(warning, type),
    title: headline(message === undefined ? type : `${type}: ${message}`, type),
    description: paragraphs(message, input && `Input: ${input}`, placeIn(warning)),
    severity: severities.get(confidence?.toLowerCase() ?? ''),
    cweIds,
    vulnerabilityIds: vulnerabilityIdsIn(message),
    reference: links(text(warning.link)),
    tags: some(
      [text(warning.check_name, 100), confidence && `confidence: ${confidence.toLowerCase()}`].filter(
        (tag) => tag !== undefined,
      ),
    ),
    fingerprint: text(warning.fingerprint, 200),
    fileName: text(warning.file),
    line,
    column: whole(warning.column),
    codeSnippet: snippet && isSecretWeakness(cweIds) ? maskedCode(snippet) : snippet,
    firstLine: line,
    source: input,
    decision: isIgnored
      ? { status: 'SUPPRESSED', reason: text(warning.note, 2000) ?? 'It is ignored by Brakeman’s configuration.' }
      : undefined,
  }
}

/** The number of the warning, as its SARIF has it. */
function ruleOf(warning: Fields, type: string): string {
  const number = whole(warning.warning_code, 0)
  return number === undefined ? type : `BRAKE${String(number).padStart(4, '0')}`
}

function placeIn(warning: Fields): string | undefined {
  const names = ['controller', 'class', 'method', 'template'].map((key) => textAt(warning.location, key))
  const told = names.filter((name) => name !== undefined).join('#')
  return told === '' ? undefined : `In ${told}`
}

/** Brakeman rates its confidence, not the severity. */
const severities: ReadonlyMap<string, Severity> = new Map([
  ['high', 'HIGH'],
  ['medium', 'MEDIUM'],
  ['weak', 'LOW'],
])
