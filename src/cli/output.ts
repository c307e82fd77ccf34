// Prints the results of commands: tables for people, JSON for programs.

import { once } from 'node:events'
import { controls } from '../core/controls.ts'
import { hasCode } from '../core/error-code.ts'

type Column<Row> = { title: string; of: (row: Row) => unknown }

export type OutputOptions = { json?: boolean }

const LONGEST_CELL = 60

/** Prints rows as a table, or as a JSON array with --json. */
export function printRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], { json }: OutputOptions): void {
  if (json) {
    printJson(rows)
    return
  }
  if (rows.length === 0) {
    say('Nothing found')
    return
  }
  const cells = rows.map((row) => columns.map(({ of }) => shorten(printable(of(row)))))
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...cells.map((line) => (line[index] ?? '').length)),
  )
  const print = (line: readonly string[]) =>
    say(
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  print(columns.map(({ title }) => title))
  for (const line of cells) print(line)
}

/** Prints one record as a sentence, or with --json as a whole. */
export function printOne(sentence: string, record: unknown, { json }: OutputOptions): void {
  if (json) printJson(record)
  else say(sentence)
}

const CONTROLS = new RegExp(`(?![\\t\\n])[${controls}]`, 'g')

const asJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

export const printJson = (value: unknown): void => {
  process.stdout.write(`${asJson(value)}\n`)
}

/** As printJson of the record with the list in it, but entry by entry, so that a long list is never held as text. */
export async function printJsonWith(record: object, name: string, list: readonly unknown[]): Promise<void> {
  const write = async (text: string) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain')
  }
  await write(`${asJson(record).slice(0, -2)},\n  ${asJson(name)}: [`)
  for (const [index, entry] of list.entries()) {
    await write(`${index === 0 ? '' : ','}\n    ${asJson(entry).replaceAll('\n', '\n    ')}`)
  }
  await write(`${list.length === 0 ? '' : '\n  '}]\n}\n`)
}

/** Lines for people. */
export const say = (lines: string): void => void process.stdout.write(`${withoutControls(lines)}\n`)

/** `1 row`, `2 rows`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** Whether writing to standard output failed because its reader, such as head, has ended. */
export const isEnough = (error: unknown): boolean => hasCode(error, 'EPIPE')

/** The beginning of a text that would be too long for a line of a table. */
export const shorten = (text: string): string =>
  text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL - 1)}…` : text

/** In one line, without control characters, which could move the reader's cursor or reverse the text. */
export const printable = (value: unknown): string =>
  value === null || value === undefined ? '' : withoutControls(String(value)).replace(/[\t\n]/g, ' ')

/** Lines without control characters other than line ends and tabs. */
export const withoutControls = (lines: string): string => lines.replace(CONTROLS, ' ')
