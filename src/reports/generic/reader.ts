// Reads findings in a plain JSON or CSV format that any tool can be made to write.

import { readCsv } from '../csv.ts'
import { firstCharacter } from '../detect.ts'
import { firstValues, jsonRows } from '../json-rows.ts'
import type { ReportHead, ReportReader, ReportSource, Row } from '../types.ts'
import { text } from '../values.ts'
import { arePlain, namesIn } from './names.ts'
import { ownRowOf } from './own.ts'
import { rowOf } from './row.ts'

export const generic: ReportReader = {
  format: 'generic',
  label: 'Generic JSON or CSV',
  recognises: (head) => looksLikeJson(head) || looksLikeCsv(head),
  read,
}

/** The tool of a report that names none. */
const USUAL_TOOL = 'Generic'

/** The text before the list, which may be empty. */
const BEFORE =
  /^\s*\{\s*("[\w -]{1,40}"\s*:\s*("(\\.|[^"\\])*"|\d+|true|false|null)\s*,\s*){0,10}"findings"\s*:\s*\[\s*/

function looksLikeJson({ text: head }: ReportHead): boolean {
  const before = BEFORE.exec(head.slice(0, 20_000))?.[0]
  return before !== undefined && arePlain(namesIn(head.slice(before.length)))
}

/** A header that names title and severity. */
function looksLikeCsv({ text: head }: ReportHead): boolean {
  const names = (head.split('\n', 1)[0] ?? '').split(/[,;\t]/)
  const plain = names.map((name) => name.toLowerCase().replace(/["\s_-]/g, ''))
  return plain.includes('title') && plain.includes('severity') && arePlain(names)
}

async function* read(source: ReportSource): AsyncGenerator<Row> {
  const first = await firstCharacter(source)
  if (first !== '{' && first !== '[') {
    yield* csvRows(source)
    return
  }
  const whole = await firstValues(source, ['type', 'findings['])
  const type = text(whole.get('type'))
  const tool = type ?? USUAL_TOOL
  if (type !== undefined && whole.has('findings[')) yield { kind: 'TOOL', toolName: type }
  const paths = first === '[' ? ['[]'] : ['findings[]']
  yield* jsonRows(source, paths, ({ value, at }) => [rowOf(value, at, tool)])
}

async function* csvRows(source: ReportSource): AsyncGenerator<Row> {
  for await (const item of readCsv(source.open)) {
    if (item.kind === 'TRUNCATED') yield item
    else if (item.kind === 'FAULT') yield { kind: 'LEFT_OUT', at: `row ${item.line}`, reason: item.reason }
    else yield ownRowOf(item.row, `row ${item.line}`) ?? rowOf(item.row, `row ${item.line}`, USUAL_TOOL)
  }
}
