// Reads `hadolint -f json`: faults in a Dockerfile.

import { type Given, jsonRows } from '../json-rows.ts'
import type { CodeObservation, ReportHead, ReportReader, ReportSource, Row, Severity } from '../types.ts'
import { unseenRow } from '../unseen.ts'
import { headline, isObject, links, text, whole } from '../values.ts'

export const hadolint: ReportReader = { format: 'hadolint', label: 'Hadolint JSON', recognises, read }

function recognises({ name, text: head }: ReportHead): boolean {
  // What Hadolint writes of a clean file says nothing of itself.
  if (/^\s*\[\s*\]\s*$/.test(head)) return /hadolint/i.test(name)
  return /^\s*\[\s*\{/.test(head) && /"code"\s*:\s*"(?:DL|SC)\d{4}"/.test(head) && /"level"\s*:/.test(head)
}

function read(source: ReportSource): AsyncGenerator<Row> {
  return jsonRows(source, ['[]'], rowsOf)
}

/** What Hadolint calls a file that it could not parse. */
const UNPARSED = 'DL1000'

function* rowsOf({ value, at }: Given): Iterable<Row> {
  const fault = isObject(value) ? value : {}
  const [rule, message] = [text(fault.code, 100), text(fault.message)]
  if (rule === undefined) {
    yield { kind: 'LEFT_OUT', at, reason: 'It names no rule' }
    return
  }
  if (rule === UNPARSED) {
    yield unseenRow('Hadolint', at, fault.file, message)
    return
  }
  const observation: CodeObservation = {
    kind: 'CODE',
    type: 'IAC_FINDING',
    toolName: 'Hadolint',
    ruleId: rule,
    title: headline(message, rule),
    description: message,
    severity: severities.get(text(fault.level)?.toLowerCase() ?? ''),
    reference: links(pageOf(rule)),
    fileName: text(fault.file),
    line: whole(fault.line),
    column: whole(fault.column),
  }
  yield { kind: 'OBSERVATION', at, observation }
}

/** Those of its SARIF, where info is a note. */
const severities: ReadonlyMap<string, Severity> = new Map([
  ['error', 'HIGH'],
  ['warning', 'MEDIUM'],
  ['info', 'LOW'],
  ['style', 'NOTIFICATION'],
])

/** Rules that begin with SC are ShellCheck's. */
function pageOf(rule: string): string | undefined {
  if (/^DL\d{4}$/.test(rule)) return `https://github.com/hadolint/hadolint/wiki/${rule}`
  return /^SC\d{4}$/.test(rule) ? `https://www.shellcheck.net/wiki/${rule}` : undefined
}
