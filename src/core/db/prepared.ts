// Runs prepared statements over pg: the server describes the columns of each once for a connection, and not with every answer.

import { createRequire } from 'node:module'
import type { Connection, PoolClient, Submittable } from 'pg'

/** How pg writes a value: of which its package says nothing to the compiler. */
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils') as {
  prepareValue: (value: unknown) => string | Buffer | null
}

export type PreparedStatement = { name: string; text: string; values: readonly unknown[] }

export type Rows<R> = { rows: R[]; rowCount: number | null }

type Column = { name: string; read: (text: string) => unknown }

/** Columns of a statement that a connection has prepared, and an object that has them all as null. */
type Described = { columns: Column[]; empty: Record<string, null> }

const NOTHING: Described = { columns: [], empty: {} }

type Field = { name: string; dataTypeID: number }

const prepared = new WeakMap<Connection, Map<string, Described>>()

function preparedOn(connection: Connection): Map<string, Described> {
  const known = prepared.get(connection)
  if (known) return known
  const made = new Map<string, Described>()
  prepared.set(connection, made)
  return made
}

/** The statements one after the other before one Sync, which makes them one transaction; answers with the rows of the last. */
export function runPrepared<R>(client: PoolClient, statements: readonly PreparedStatement[]): Promise<Rows<R>> {
  const bound = statements.map(({ name, text, values }) => ({ name, text, values: values.map(prepareValue) }))
  return new Promise((resolve, reject) => {
    client.query(new Running<R>(client, bound, resolve, reject))
  })
}

type Bound = { name: string; text: string; values: (string | Buffer | null)[] }

class Running<R> implements Submittable {
  readonly client: PoolClient
  readonly statements: readonly Bound[]
  readonly resolve: (rows: Rows<R>) => void
  readonly reject: (error: Error) => void
  /** of the statement whose answer arrives */
  at = 0
  described = NOTHING
  rows: Record<string, unknown>[] = []
  rowCount: number | null = null

  constructor(
    client: PoolClient,
    statements: readonly Bound[],
    resolve: (rows: Rows<R>) => void,
    reject: (error: Error) => void,
  ) {
    this.client = client
    this.statements = statements
    this.resolve = resolve
    this.reject = reject
  }

  submit(connection: Connection): void {
    const known = preparedOn(connection)
    this.described = this.describedAt(connection)
    connection.stream.cork()
    for (const { name, text, values } of this.statements) {
      const isKnown = known.has(name)
      if (!isKnown) {
        // it may be there all the same, when a statement failed after it was prepared
        connection.close({ type: 'S', name }, true)
        connection.parse({ name, text, types: [] }, true)
      }
      connection.bind({ statement: name, values }, true)
      if (!isKnown) connection.describe({ type: 'P', name: '' }, true)
      connection.execute({}, true)
    }
    connection.sync()
    connection.stream.uncork()
  }

  nameAt(): string {
    return this.statements[this.at]?.name ?? ''
  }

  describedAt(connection: Connection): Described {
    return preparedOn(connection).get(this.nameAt()) ?? NOTHING
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    const read = (type: number) => this.client.getTypeParser(type, 'text') as (text: string) => unknown
    this.described = {
      columns: fields.map(({ name, dataTypeID }) => ({ name, read: read(dataTypeID) })),
      empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
    }
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { columns, empty } = this.described
    const row: Record<string, unknown> = { ...empty }
    for (let at = 0; at < columns.length; at += 1) {
      const value = fields[at]
      const column = columns[at]
      if (column) row[column.name] = value === null || value === undefined ? null : column.read(value)
    }
    this.rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }, connection: Connection): void {
    const name = this.nameAt()
    if (name !== '') preparedOn(connection).set(name, this.described)
    this.at += 1
    if (this.at < this.statements.length) {
      this.described = this.describedAt(connection)
      this.rows = []
      return
    }
    const counted = Number(text.slice(text.lastIndexOf(' ') + 1))
    this.rowCount = Number.isNaN(counted) ? null : counted
  }

  handleReadyForQuery(): void {
    this.resolve({ rows: this.rows as R[], rowCount: this.rowCount })
  }

  handleError(error: Error, connection: Connection): void {
    preparedOn(connection).delete(this.nameAt())
    this.reject(error)
  }
}
