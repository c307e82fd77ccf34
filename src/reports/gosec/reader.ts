// Reads `gosec -fmt json`: findings in Go code.

import { type Given, jsonRows } from '../json-rows.ts'
import { isSecretWeakness, maskedCode } from '../secrets.ts'
import type { CodeObservation, ReportHead, ReportReader, ReportSource, Row } from '../types.ts'
import { unseenRow } from '../unseen.ts'
import {
  at,
  code,
  cwesIn,
  type Fields,
  headline,
  isObject,
  links,
  list,
  objects,
  severityOf,
  some,
  text,
  textAt,
  whole,
} from '../values.ts'

export const gosec: ReportReader = { format: 'gosec', label: 'gosec JSON', recognises, read }

function recognises({ text: head }: ReportHead): boolean {
  if (!/^\s*\{/.test(head) || !/"Issues"\s*:/.test(head)) return false
  return /"Golang errors"\s*:|"GosecVersion"\s*:|"rule_id"\s*:\s*"G\d{3}"/.test(head)
}

function read(source: ReportSource): AsyncGenerator<Row> {
  return jsonRows(source, ['Golang errors.*', 'Issues[]'], rowsOf)
}

function* rowsOf({ path, value, keys, at: place }: Given): Iterable<Row> {
  if (path !== 'Issues[]') {
    const [first] = list(value)
    yield unseenRow('gosec', place, text(keys[1]), textAt(first, 'error'))
    return
  }
  const rule = textAt(value, 'rule_id')
  if (!isObject(value) || rule === undefined) yield { kind: 'LEFT_OUT', at: place, reason: 'It names no rule' }
  else yield { kind: 'OBSERVATION', at: place, observation: observedOf(value, rule) }
}

function observedOf(issue: Fields, rule: string): CodeObservation {
  const cweIds = cwesIn(at(issue.cwe, 'id') ?? at(issue.cwe, 'ID'))
  const confidence = text(issue.confidence, 20)
  // A finding of several lines has its first and last: `12-14`.
  const line = whole(/^\d+/.exec(text(issue.line, 40) ?? '')?.[0])
  const snippet = snippetOf(issue.code)
  return {
    kind: 'CODE',
    type: 'SAST_FINDING',
    toolName: 'gosec',
    ruleId: rule,
    title: headline(text(issue.details), rule),
    description: text(issue.details),
    severity: severityOf(issue.severity),
    cweIds,
    reference: links(textAt(issue.cwe, 'url') ?? textAt(issue.cwe, 'URL')),
    solution: text(issue.autofix),
    tags: some(confidence === undefined ? [] : [`confidence: ${confidence.toLowerCase()}`]),
    fileName: text(issue.file),
    line,
    column: whole(issue.column),
    codeSnippet: isSecretWeakness(cweIds) && snippet ? maskedCode(snippet.code) : snippet?.code,
    firstLine: snippet?.firstLine ?? line,
    decision: decisionOf(issue),
  }
}

/** gosec writes the number of each line before it; versions before 2.2 wrote the expression alone. */
function snippetOf(value: unknown): { code: string; firstLine?: number } | undefined {
  const lines = code(value, 20_000)?.replace(/\n$/, '').split('\n')
  if (lines === undefined) return undefined
  const firstLine = whole(/^(\d+): /.exec(lines[0] ?? '')?.[1])
  if (firstLine === undefined) return { code: lines.join('\n') }
  return { code: lines.map((line) => line.replace(/^\d+: ?/, '')).join('\n'), firstLine }
}

function decisionOf(issue: Fields): CodeObservation['decision'] {
  const [suppression] = objects(issue.suppressions)
  if (suppression === undefined && issue.nosec !== true) return undefined
  return { status: 'SUPPRESSED', reason: text(suppression?.justification, 2000) ?? 'It is marked #nosec in the code.' }
}
