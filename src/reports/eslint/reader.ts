// Reads `eslint -f json`: each file with its messages, and its source code if ESLint includes it.

import { type Given, jsonRows } from '../json-rows.ts'
import { hiddenIn, withoutSecrets } from '../secrets.ts'
import type { CodeObservation, ReportHead, ReportReader, ReportSource, Row, Severity } from '../types.ts'
import { unseenRow } from '../unseen.ts'
import { code, type Fields, headline, isObject, objects, text, textAt, at as valueAt, whole } from '../values.ts'

export const eslint: ReportReader = { format: 'eslint', label: 'ESLint JSON', recognises, read }

/** Secretlint's reports have the same shape, but contain the secrets. */
const OTHERS = /"ruleId"\s*:\s*"@secretlint\/|"sourceContent(?:Type)?"\s*:/

function recognises({ text: head }: ReportHead): boolean {
  if (!/^\s*\[\s*\{\s*"filePath"\s*:\s*"/.test(head) || OTHERS.test(head)) return false
  return /"messages"\s*:\s*\[/.test(head) && /"(?:errorCount|ruleId)"\s*:/.test(head)
}

function read(source: ReportSource): AsyncGenerator<Row> {
  return jsonRows(source, ['[]'], rowsOf)
}

function* rowsOf({ value, at }: Given): Iterable<Row> {
  const fileName = textAt(value, 'filePath')
  if (!isObject(value) || fileName === undefined || !Array.isArray(value.messages)) {
    yield { kind: 'LEFT_OUT', at, reason: 'It names no file, or has no messages' }
    return
  }
  const lines = code(value.source, 8 * 1024 * 1024)?.split('\n') ?? []
  for (const [list, messages] of Object.entries({
    messages: value.messages,
    suppressedMessages: valueAt(value, 'suppressedMessages'),
  })) {
    for (const [index, message] of objects(messages).entries())
      yield rowOf(message, fileName, lines, `${at}.${list}[${index}]`)
  }
}

function rowOf(message: Fields, fileName: string, lines: readonly string[], at: string): Row {
  const rule = text(message.ruleId)
  const isSecret = rule !== undefined && SECRETS.test(rule)
  const said = isSecret ? withoutQuoted(text(message.message)) : text(message.message)
  if (message.fatal === true) return unseenRow('ESLint', at, fileName, said)
  // Such as a directive that disables nothing, or a file that is ignored.
  if (rule === undefined) return { kind: 'PASSED_OVER', at, reason: headline(said, 'It belongs to no rule') }
  const line = whole(message.line)
  const snippet = line === undefined ? undefined : code(lines[line - 1]?.replace(/\r$/, ''), 20_000)
  const observation: CodeObservation = {
    kind: 'CODE',
    type: 'SAST_FINDING',
    toolName: 'ESLint',
    ruleId: rule,
    title: headline(said, rule),
    description: said,
    severity: severityOf(message.severity),
    fileName,
    line,
    column: whole(message.column),
    codeSnippet: isSecret ? hiddenIn(snippet, undefined) : snippet,
    firstLine: line,
    decision: decisionOf(message),
  }
  return { kind: 'OBSERVATION', at, observation }
}

/** Rules of plugins that look for secrets. */
const SECRETS = /secret|credential|password/i

/** The message of such a rule repeats the secret in quotes. */
const withoutQuoted = (said: string | undefined): string | undefined =>
  withoutSecrets(
    said,
    [...(said ?? '').slice(0, 5000).matchAll(/(["'`])(.{4,}?)\1/g)].map(([, , quoted]) => quoted),
  )

const severityOf = (value: unknown): Severity | undefined => (value === 2 ? 'HIGH' : value === 1 ? 'MEDIUM' : undefined)

function decisionOf(message: Fields): CodeObservation['decision'] {
  const [suppression] = objects(message.suppressions)
  if (suppression === undefined) return undefined
  return { status: 'SUPPRESSED', reason: text(suppression.justification, 2000) ?? 'It is disabled in the code.' }
}
