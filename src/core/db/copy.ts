// Writes rows through COPY, which costs PostgreSQL less than any other way.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Kysely } from 'kysely'
import { from as copyFrom } from 'pg-copy-streams'
import { withClient } from './driver.ts'
import type { Database } from './tables.generated.ts'

type CopyValue = string | number | boolean | null

type CopyRows = readonly (readonly CopyValue[])[]

/** Writes rows; `into` names the table and its columns. Takes nothing of the database where there are none. */
export const copyIn = (db: Kysely<Database>, into: string, rows: CopyRows): Promise<void> =>
  copyAllIn(db, [{ into, rows }])

/** As copyIn, one table after the other; what comes next is put into words while the database writes. */
export async function copyAllIn(
  db: Kysely<Database>,
  tables: readonly { into: string; rows: CopyRows }[],
): Promise<void> {
  const filled = tables.filter(({ rows }) => rows.length > 0)
  if (filled.length === 0) return
  await withClient<Database, void>(db, async (client) => {
    let lines = filled.slice(0, 1).flatMap(({ rows }) => [...copyLines(rows)])
    for (const [at, { into }] of filled.entries()) {
      const copying = pipeline(
        Readable.from(lines, { objectMode: false }),
        client.query(copyFrom(`copy ${into} from stdin`)),
      )
      const following = filled[at + 1]
      lines = following ? [...copyLines(following.rows)] : []
      await copying
    }
  })
}

/** A list as PostgreSQL writes an array. */
export const listText = (values: readonly (string | number)[]): string =>
  `{${values.map((value) => (typeof value === 'number' ? value : `"${value.replace(/["\\]/g, '\\$&')}"`)).join()}}`

/** Characters that are gathered before they are handed on. */
const BLOCK = 256 * 1024

function* copyLines(rows: readonly (readonly CopyValue[])[]): Generator<Buffer> {
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
  yield Buffer.from(block)
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const special = /[\\\t\n\r]/

const copyText = (value: CopyValue): string => {
  if (value === null) return '\\N'
  if (typeof value !== 'string') return String(value)
  return special.test(value) ? value.replace(/[\\\t\n\r]/g, escaped) : value
}

const escaped = (char: string): string => escapes[char] ?? char
