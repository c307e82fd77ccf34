// Runs several statements in one round trip and one transaction, each seeing only what was committed before it began.

import type { RawBuilder } from 'kysely'
import type { Connection, PoolClient, Submittable } from 'pg'
import { statementName, withClient } from './driver.ts'
import type { Db } from './open.ts'

type Value = string | number | boolean | null | readonly string[]
type Statement = { name: string; text: string; values: (string | null)[] }
type Field = { name: string; dataTypeID: number }

/**
 * Runs the statements one after the other and answers with the rows of the last. They are done together or not at all; a lock that
 * one takes is held until all are done. `db` is no transaction: it would be left aborted when a statement fails. Values are texts,
 * numbers, booleans, lists of texts, or null.
 */
export async function runTogether<T>(
  db: Db,
  statements: readonly [...RawBuilder<unknown>[], RawBuilder<T>],
): Promise<T[]> {
  const compiled = statements.map((statement) => statement.compile(db))
  return withClient(db, (client, onStatement) => {
    for (const { sql } of compiled) onStatement(sql)
    const prepared = compiled.map(({ sql, parameters }) => ({
      name: statementName(sql) ?? '',
      text: sql,
      values: (parameters as readonly Value[]).map(written),
    }))
    return new Promise((resolve, reject) => {
      client.query(new Together<T>(client, prepared, resolve, reject))
    })
  })
}

const written = (value: Value): string | null =>
  value === null ? null : typeof value === 'object' ? `{${value.map(quoted).join(',')}}` : String(value)

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

/** What pg keeps of a connection: the statements that are prepared there. */
type Prepared = Connection & { parsedStatements: Record<string, string> }

/** As pg's own Query, for several statements before one Sync: so the server takes them as one transaction. */
class Together<T> implements Submittable {
  readonly client: PoolClient
  readonly statements: readonly Statement[]
  readonly resolve: (rows: T[]) => void
  readonly reject: (error: Error) => void
  done = 0
  fields: Field[] = []
  rows: T[] = []

  constructor(
    client: PoolClient,
    statements: readonly Statement[],
    resolve: (rows: T[]) => void,
    reject: (error: Error) => void,
  ) {
    this.client = client
    this.statements = statements
    this.resolve = resolve
    this.reject = reject
  }

  submit(connection: Connection): void {
    const { parsedStatements } = connection as Prepared
    connection.stream.cork()
    for (const { name, text, values } of this.statements) {
      if (parsedStatements[name] !== text) {
        // it may be there all the same, when a statement failed after it was prepared
        connection.close({ type: 'S', name }, true)
        connection.parse({ name, text, types: [] }, true)
      }
      connection.bind({ statement: name, values }, true)
      connection.describe({ type: 'P', name: '' }, true)
      connection.execute({}, true)
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.fields = fields
    this.rows = []
  }

  handleDataRow({ fields: values }: { fields: (string | null)[] }): void {
    const row = this.fields.map(({ name, dataTypeID }, at) => {
      const value = values[at] ?? null
      return [name, value === null ? null : this.client.getTypeParser(dataTypeID, 'text')(value)]
    })
    this.rows.push(Object.fromEntries(row))
  }

  handleCommandComplete(_: unknown, connection: Prepared): void {
    const { name, text } = this.statements[this.done] ?? { name: '', text: '' }
    if (name !== '') connection.parsedStatements[name] = text
    this.done += 1
  }

  handleReadyForQuery(): void {
    this.resolve(this.rows)
  }

  handleError(error: Error): void {
    this.reject(error)
  }
}
