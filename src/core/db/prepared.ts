// Runs prepared statements over pg so that the server describes their columns once per connection, rather than with every result.

import { createRequire } from 'node:module'
import type { Connection, PoolClient, Submittable } from 'pg'

/** How pg serialises a parameter; the package has no types for it. */
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils') as {
  prepareValue: (value: unknown) => string | Buffer | null
}

type PreparedStatement = { name: string; text: string; values: readonly unknown[] }

export type Rows<R> = { rows: R[]; rowCount: number | null }

type Row = Record<string, unknown>

/** Builds a row from the text that the server sent for each column, with null for NULL. */
type RowOf = (fields: readonly (string | null)[]) => Row

const noColumns: RowOf = () => ({})

type Field = { name: string; dataTypeID: number }

const made = new Map<string, RowOf>()

/**
 * Builds each row as one object literal: setting its properties one by one would take a tenth of the processor time of a list page. Column
 * names come from the service's own statements, so the number of literals is bounded.
 */
function rowMaker(fields: readonly Field[], reader: (type: number) => (text: string) => unknown): RowOf {
  const key = JSON.stringify(fields.map(({ name, dataTypeID }) => [name, dataTypeID]))
  const known = made.get(key)
  if (known) return known
  const entries = fields.map(
    ({ name }, at) => `${JSON.stringify(name)}: fields[${at}] === null ? null : read${at}(fields[${at}])`,
  )
  const make = new Function(...fields.map((_, at) => `read${at}`), `return (fields) => ({ ${entries.join(', ')} })`)
  const rowOf: RowOf = make(...fields.map(({ dataTypeID }) => reader(dataTypeID)))
  made.set(key, rowOf)
  return rowOf
}

/** The statements that each connection has prepared. */
const prepared = new WeakMap<Connection, Map<string, RowOf>>()

function preparedOn(connection: Connection): Map<string, RowOf> {
  const known = prepared.get(connection)
  if (known) return known
  const none = new Map<string, RowOf>()
  prepared.set(connection, none)
  return none
}

/** Sends the statements with one Sync at the end, which makes them one transaction; returns the rows of the last. */
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
  /** the index of the statement whose result is arriving */
  at = 0
  rowOf = noColumns
  rows: Row[] = []
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
    this.rowOf = this.describedAt(connection)
    connection.stream.cork()
    for (const { name, text, values } of this.statements) {
      const isKnown = known.has(name)
      if (!isKnown) {
        // the statement may exist all the same, if the failure came after it was prepared
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

  describedAt(connection: Connection): RowOf {
    return preparedOn(connection).get(this.nameAt()) ?? noColumns
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.rowOf = rowMaker(fields, (type) => this.client.getTypeParser(type, 'text'))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.rows.push(this.rowOf(fields))
  }

  handleCommandComplete({ text }: { text: string }, connection: Connection): void {
    const name = this.nameAt()
    if (name !== '') preparedOn(connection).set(name, this.rowOf)
    this.at += 1
    if (this.at < this.statements.length) {
      this.rowOf = this.describedAt(connection)
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
