// Reads `bandit -f json`: findings in Python code.

import { excerptOf, reportedOf } from '../excerpt.ts'
import { type Given, jsonRows } from '../json-rows.ts'
import { isSecretWeakness, maskedCode, withoutSecrets } from '../secrets.ts'
import type { ReportHead, ReportReader, ReportSource, Row, Severity } from '../types.ts'
import { unseenRow } from '../unseen.ts'
import { at, code, cwesIn, headline, links, some, text, textAt, whole } from '../values.ts'

export const bandit: ReportReader = { format: 'bandit', label: 'Bandit JSON', recognises, read }

function recognises({ text: head }: ReportHead): boolean {
  // Bandit's SARIF has the same metrics, and words of its own form in the properties of results.
  if (!/^\s*\{/.test(head) || /"\$schema"\s*:|"runs"\s*:\s*\[/.test(head)) return false
  if (/"issue_severity"\s*:/.test(head) && /"test_id"\s*:/.test(head)) return true
  return /"metrics"\s*:\s*\{/.test(head) && /"CONFIDENCE\.HIGH"\s*:/.test(head)
}

function read(source: ReportSource): AsyncGenerator<Row> {
  return jsonRows(source, ['results[]', 'errors[]'], rowsOf)
}

/** Bandit's checks for passwords in strings, arguments and defaults. */
const PASSWORD_TESTS = /^B10[5-7]$/

function* rowsOf({ path, value, at: place }: Given): Iterable<Row> {
  if (path === 'errors[]') {
    yield unseenRow('Bandit', place, at(value, 'filename'), textAt(value, 'reason'))
    return
  }
  const [ruleId, words] = [textAt(value, 'test_id'), textAt(value, 'issue_text')]
  if (ruleId === undefined && words === undefined) {
    yield { kind: 'LEFT_OUT', at: place, reason: 'It names no test and says nothing' }
    return
  }
  const cweIds = cwesIn(at(value, 'issue_cwe', 'id'), at(value, 'issue_cwe', 'link'))
  const isSecret = PASSWORD_TESTS.test(ruleId ?? '') || isSecretWeakness(cweIds)
  const secret = isSecret ? /: '(.{4,})'$/s.exec((words ?? '').slice(0, 5000))?.[1] : undefined
  const said = withoutSecrets(words, [secret])
  const name = textAt(value, 'test_name')
  const confidence = textAt(value, 'issue_confidence')
  const line = whole(at(value, 'line_number'))
  const column = whole(at(value, 'col_offset'), 0)
  const shown = (lines: string) => (isSecret ? maskedCode(withoutSecrets(lines, [secret]) ?? '') : lines)
  const snippet = reportedOf(excerptOf(code(at(value, 'code'), 20_000), /^(\d+) ?/), line, lastLineOf(value), shown)
  yield {
    kind: 'OBSERVATION',
    at: place,
    observation: {
      kind: 'CODE',
      type: 'SAST_FINDING',
      toolName: 'Bandit',
      ruleId,
      title: headline(said, name ?? ruleId ?? 'Finding of Bandit'),
      description: said,
      severity: severities.get(textAt(value, 'issue_severity')?.toUpperCase() ?? ''),
      cweIds,
      reference: links(textAt(value, 'more_info'), textAt(value, 'issue_cwe', 'link')),
      tags: some([name, confidence && `confidence: ${confidence.toLowerCase()}`].filter((tag) => tag !== undefined)),
      fileName: text(at(value, 'filename')),
      line,
      column: column === undefined ? undefined : column + 1,
      ...snippet,
    },
  }
}

const severities: ReadonlyMap<string, Severity> = new Map([
  ['HIGH', 'HIGH'],
  ['MEDIUM', 'MEDIUM'],
  ['LOW', 'LOW'],
])

/** The last line of a statement of several. */
function lastLineOf(result: unknown): number | undefined {
  const range = at(result, 'line_range')
  return Array.isArray(range) ? whole(range.at(-1)) : undefined
}
