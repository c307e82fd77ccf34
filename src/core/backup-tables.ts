// The tables of a backup: their order, and how each is written and read in the text format of COPY.

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { OperatorError } from './errors.ts'

/** Tables that a migration fills; restoring replaces their rows. */
export const SCHEMA_TABLE = 'merlon_migration'

export type TableEntry = { name: string; columns: string[]; bytes: number; sha256: string }

/** A backup or a restore failed; the message is for the operator. */
export class BackupError extends OperatorError {}

/** Our tables, in the order of their foreign keys: referenced tables first. */
export async function tablesInOrder(client: ClientBase): Promise<string[]> {
  const tables = await client.query<{ name: string; needs: string[] }>(
    `select c.relname as name, array(select distinct f.confrelid::regclass::text from pg_constraint f
            where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and c.relname <> $1 order by c.relname`,
    [SCHEMA_TABLE],
  )
  const waiting = new Map(tables.rows.map(({ name, needs }) => [name, needs]))
  const order: string[] = []
  while (waiting.size > 0) {
    const ready = [...waiting].filter(([, needs]) => needs.every((need) => !waiting.has(need)))
    if (ready.length === 0)
      throw new BackupError(`Tables refer to each other in a circle: ${[...waiting.keys()].join(', ')}`)
    for (const [name] of ready) {
      order.push(name)
      waiting.delete(name)
    }
  }
  return order
}

export async function writeTable(
  client: ClientBase,
  name: string,
  file: string,
  signal: AbortSignal,
): Promise<TableEntry> {
  const columns = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
     and attgenerated = '' order by attnum`,
    [name],
  )
  const names = columns.rows.map((column) => column.name)
  const counting = countBytes()
  const rows = client.query(copyTo(`copy ${listed(client, name, names)} to stdout`))
  await pipeline(rows, counting.stream, createWriteStream(file, { mode: 0o600, flush: true }), { signal })
  return { name, columns: names, ...counting.result() }
}

export async function readTable(
  client: ClientBase,
  { name, columns, sha256 }: TableEntry,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const counting = countBytes()
  const rows = client.query(copyFrom(`copy ${listed(client, name, columns)} from stdin`))
  await pipeline(createReadStream(file), counting.stream, rows, { signal }).catch((cause: unknown) => {
    throw new BackupError(`The rows of ${name} cannot be read: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  })
  if (counting.result().sha256 !== sha256)
    throw new BackupError(`The rows of ${name} are not those that were backed up`)
}

const listed = (client: ClientBase, table: string, columns: readonly string[]) =>
  `${client.escapeIdentifier(table)} (${columns.map((column) => client.escapeIdentifier(column)).join(', ')})`

/** Continues identity columns after the greatest restored id. */
export async function restartSequences(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
     join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and a.attidentity <> ''`,
  )
  for (const { table, column } of rows) {
    const [quotedTable, quotedColumn] = [client.escapeIdentifier(table), client.escapeIdentifier(column)]
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), greatest(coalesce(max(${quotedColumn}), 0), 1), max(${quotedColumn}) is not null)
       from ${quotedTable}`,
      [quotedTable, column],
    )
  }
}

/** Passes bytes through, counting and hashing them. */
export function countBytes() {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) }
}
