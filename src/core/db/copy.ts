// Writes rows through COPY, the cheapest way to get many rows into PostgreSQL.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Kysely } from 'kysely'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { withClient } from './driver.ts'
import type { Database } from './tables.generated.ts'

type CopyValue = string | number | boolean | null

export type CopyRow = readonly CopyValue[]

/** Rows for a table; `into` names the table and its columns. The rows are read once, when their turn comes. */
export type CopyTable = { into: string; rows: Iterable<CopyRow> }

/** Rows that are made from items one by one, so that they are never all in memory. */
export function* rowsOf<T>(items: Iterable<T>, rowOf: (item: T) => CopyRow): Generator<CopyRow> {
  for (const item of items) yield rowOf(item)
}

/** Writes rows. */
export const copyIn = (db: Kysely<Database>, into: string, rows: Iterable<CopyRow>): Promise<void> =>
  copyAllIn(db, [{ into, rows }])

/** As copyIn, one table after the other; the next rows are formatted while the database writes. */
export const copyAllIn = (db: Kysely<Database>, tables: readonly CopyTable[]): Promise<void> =>
  withClient<Database, void>(db, async (client) => {
    let copying: Promise<void> | null = null
    for (const { into, rows } of tables) {
      const lines = gatherLines()
      for (const row of rows) lines.add(row)
      await copying
      copying = copy(client, into, lines.take())
    }
    await copying
  })

/** As copyIn, for rows that were formatted before. */
export const copyLinesIn = (db: Kysely<Database>, into: string, lines: readonly Buffer[]): Promise<void> =>
  withClient<Database, void>(db, (client) => copy(client, into, lines))

async function copy(client: PoolClient, into: string, lines: readonly Buffer[]): Promise<void> {
  if (lines.length === 0) return
  await pipeline(Readable.from(lines, { objectMode: false }), client.query(copyFrom(`copy ${into} from stdin`)))
}

/** Rows in the text format of COPY, each formatted at once so that its values need not be kept. `size`: bytes so far. */
type Lines = { add: (row: CopyRow) => void; size: () => number; take: () => Buffer[] }

/** Bytes that are buffered before they are sent. */
const BLOCK = 256 * 1024

export function gatherLines(): Lines {
  let full: Buffer[] = []
  let block = Buffer.alloc(0)
  let used = 0
  let before = 0
  const finish = () => {
    if (used > 0) full.push(block.subarray(0, used))
    before += used
    used = 0
  }
  return {
    add(row) {
      const line = lineOf(row)
      const most = 3 * line.length
      if (used + most > block.length) {
        finish()
        block = Buffer.allocUnsafe(Math.max(BLOCK, most))
      }
      used += block.write(line, used)
    },
    size: () => before + used,
    take() {
      finish()
      const lines = full
      full = []
      block = Buffer.alloc(0)
      before = 0
      return lines
    },
  }
}

function lineOf(row: CopyRow): string {
  let line = ''
  let separator = ''
  for (const value of row) {
    line += separator + copyText(value)
    separator = '\t'
  }
  return `${line}\n`
}

/** A list as PostgreSQL writes an array. */
export const listText = (values: readonly (string | number)[]): string =>
  `{${values.map((value) => (typeof value === 'number' ? value : `"${value.replace(/["\\]/g, '\\$&')}"`)).join()}}`

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const special = /[\\\t\n\r]/

const copyText = (value: CopyValue): string => {
  if (value === null) return '\\N'
  if (typeof value !== 'string') return String(value)
  return special.test(value) ? value.replace(/[\\\t\n\r]/g, escaped) : value
}

const escaped = (char: string): string => escapes[char] ?? char
