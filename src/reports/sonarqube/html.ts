// Reads the tables of a sonar-report page: its findings, and the rules, which come after them.

import { Parser } from 'htmlparser2'
import { ReportFault, type ReportSource, type Row } from '../types.ts'
import { links, text } from '../values.ts'
import { issueRow, type Rule, ruleOfHtml } from './issue.ts'

type Cell = { words: string; hrefs: string[] }

/** `names`: the header of its table, in lower case. END: the page ends inside a table. */
type TableItem = { kind: 'ROW'; names: readonly string[]; cells: readonly Cell[] } | { kind: 'END' }

const LONGEST_CELL = 200_000
const MOST_CELLS = 100
const MOST_RULES = 20_000
const MOST_HREFS = 50

const blocks = new Set(['p', 'br', 'div', 'li', 'ul', 'ol', 'tr', 'table', 'h1', 'h2', 'h3', 'h4', 'pre', 'details'])

export async function* htmlRows(source: ReportSource): AsyncGenerator<Row> {
  const rules = new Map<string, Rule>()
  for await (const item of tableRows(source.open())) {
    if (item.kind === 'END' || !isOfRules(item.names)) continue
    const [key, about] = item.cells
    if (key === undefined || about === undefined || rules.size >= MOST_RULES) continue
    const lines = about.words.split('\n').map((line) => line.trim())
    const words = lines.join('\n').replace(/\n{3,}/g, '\n\n')
    const rule = ruleOfHtml(undefined, undefined, text(words))
    rules.set(key.words.trim(), { ...rule, reference: links(...about.hrefs) })
  }
  let [row, tables] = [0, 0]
  for await (const item of tableRows(source.open())) {
    if (item.kind === 'END') yield { kind: 'TRUNCATED', reason: 'The page ends inside a table' }
    else if (item.names.includes('component')) {
      row++
      tables = 1
      yield* issueRow(fieldsOf(item), `row ${row} of the findings`, { rules, paths: new Map() }, true)
    } else if (isOfRules(item.names) || item.names.includes('severity')) tables = 1
  }
  if (tables === 0) throw new ReportFault('The page has none of the tables of a SonarQube report')
}

const isOfRules = (names: readonly string[]): boolean =>
  names.length === 2 && names[0] === 'rule' && names[1] === 'description'

const fieldsOf = ({ names, cells }: { names: readonly string[]; cells: readonly Cell[] }): Record<string, string> =>
  Object.fromEntries(
    cells.map((cell, index) => [names[index] ?? `column ${index}`, cell.words.split(/\s/).filter(Boolean).join(' ')]),
  )

/** Rows of the outermost tables; a table in a cell is words of it. */
async function* tableRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TableItem> {
  let [depth, isHeader] = [0, false]
  let names: string[] = []
  let cells: Cell[] = []
  let cell: Cell | null = null
  let rows: TableItem[] = []

  const endRow = () => {
    if (isHeader) names = cells.map(({ words }) => words.trim().toLowerCase())
    else if (cells.length > 0) rows.push({ kind: 'ROW', names, cells })
    cells = []
    isHeader = false
  }
  const add = (words: string) => {
    if (cell !== null && cell.words.length < LONGEST_CELL) cell.words += words
  }
  const parser = new Parser({
    ontext: add,
    onopentag: (name, attributes) => {
      if (name === 'table') depth++
      if (name === 'table' && depth === 1) names = []
      else if (depth === 1 && (name === 'td' || name === 'th') && cells.length < MOST_CELLS) {
        cell = { words: '', hrefs: [] }
        cells.push(cell)
        isHeader ||= name === 'th'
      } else if (blocks.has(name)) add('\n')
      if (name === 'a' && attributes.href && cell !== null && cell.hrefs.length < MOST_HREFS)
        cell.hrefs.push(attributes.href)
    },
    onclosetag: (name) => {
      if (depth === 1 && (name === 'td' || name === 'th')) cell = null
      else if (depth === 1 && name === 'tr') endRow()
      else if (blocks.has(name)) add('\n')
      if (name === 'table') depth = Math.max(0, depth - 1)
    },
  })
  const decoder = new TextDecoder()
  for await (const chunk of bytes) {
    parser.write(decoder.decode(chunk, { stream: true }))
    yield* rows
    rows = []
  }
  const isOpen = depth > 0
  if (!isOpen) parser.end()
  yield* rows
  if (isOpen) yield { kind: 'END' }
}
