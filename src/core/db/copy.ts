// Writes rows through COPY, which costs PostgreSQL less than any other way.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Kysely } from 'kysely'
import { from as copyFrom } from 'pg-copy-streams'
import { withClient } from './driver.ts'
import type { Database } from './tables.generated.ts'

type CopyValue = string | number | boolean | null

type CopyRow = readonly CopyValue[]

/** Rows for a table; `into` names it and its columns. They are read once, when their turn comes. */
type CopyTable = { into: string; rows: Iterable<CopyRow> }

/** Rows that are made of items one by one, so that never all of them are there at once. */
export function* rowsOf<T>(items: Iterable<T>, rowOf: (item: T) => CopyRow): Generator<CopyRow> {
  for (const item of items) yield rowOf(item)
}

/** Writes rows. */
export const copyIn = (db: Kysely<Database>, into: string, rows: Iterable<CopyRow>): Promise<void> =>
  copyAllIn(db, [{ into, rows }])

/** As copyIn, one table after the other; what comes next is put into words while the database writes. */
export const copyAllIn = (db: Kysely<Database>, tables: readonly CopyTable[]): Promise<void> =>
  withClient<Database, void>(db, async (client) => {
    const copy = async (into: string, lines: readonly Buffer[]) => {
      if (lines.length === 0) return
      await pipeline(Readable.from(lines, { objectMode: false }), client.query(copyFrom(`copy ${into} from stdin`)))
    }
    let copying: Promise<void> | null = null
    for (const { into, rows } of tables) {
      const lines = [...copyLines(rows)]
      await copying
      copying = copy(into, lines)
    }
    await copying
  })

/** A list as PostgreSQL writes an array. */
export const listText = (values: readonly (string | number)[]): string =>
  `{${values.map((value) => (typeof value === 'number' ? value : `"${value.replace(/["\\]/g, '\\$&')}"`)).join()}}`

/** Characters that are gathered before they are handed on. */
const BLOCK = 256 * 1024

function* copyLines(rows: Iterable<CopyRow>): Generator<Buffer> {
  let block = ''
  for (const row of rows) {
    let separator = ''
    for (const value of row) {
      block += separator + copyText(value)
      separator = '\t'
    }
    block += '\n'
    if (block.length < BLOCK) continue
    yield Buffer.from(block)
    block = ''
  }
  if (block !== '') yield Buffer.from(block)
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const special = /[\\\t\n\r]/

const copyText = (value: CopyValue): string => {
  if (value === null) return '\\N'
  if (typeof value !== 'string') return String(value)
  return special.test(value) ? value.replace(/[\\\t\n\r]/g, escaped) : value
}

const escaped = (char: string): string => escapes[char] ?? char
