// Reads `gosec -fmt json`: findings in Go code.

import { excerptOf, reportedOf } from '../excerpt.ts'
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
  const [first, last] = (text(issue.line, 40) ?? '').split('-', 2)
  const line = whole(first)
  const excerpt = excerptOf(code(issue.code, 20_000), /^(\d+): ?/)
  const shown = (lines: string) => (isSecretWeakness(cweIds) ? maskedCode(lines) : lines)
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
    ...reportedOf(excerpt, line, whole(last), shown),
    decision: decisionOf(issue),
  }
}

function decisionOf(issue: Fields): CodeObservation['decision'] {
  const [suppression] = objects(issue.suppressions)
  if (suppression === undefined && issue.nosec !== true) return undefined
  return { status: 'SUPPRESSED', reason: text(suppression?.justification, 2000) ?? 'It is marked #nosec in the code.' }
}
