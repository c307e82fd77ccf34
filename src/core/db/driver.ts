// Connects Kysely to pg's pool, with every statement prepared by name once for each connection.

import { createHash } from 'node:crypto'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { ApplicationError } from '../errors.ts'
import { cancelStatement, currentCaller } from './caller.ts'
import { RememberingCompiler } from './compile.ts'
import { type Rows, runPrepared } from './prepared.ts'
import type { Database } from './tables.generated.ts'

/** The most statements that a connection prepares by name; any others are sent unprepared. */
const MOST_PREPARED = 1000

const names = new Map<string, string>()

/**
 * Marks, at its beginning, a statement that is planned for its values at each use: a rare value is found by another index than a common one,
 * and a cached plan cannot tell them apart.
 */
export const FOR_ITS_VALUES = '/* planned for its values */'

/** A short stable name for a statement's text; undefined if it is not to be prepared, or if there are too many already. */
export function statementName(text: string): string | undefined {
  if (text.startsWith(FOR_ITS_VALUES)) return undefined
  const known = names.get(text)
  if (known) return known
  if (names.size >= MOST_PREPARED) return undefined
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 20)
  names.set(text, name)
  return name
}

/**
 * Runs an unprepared statement through pg's callback. The promise that pg would return keeps the rows alive longer than needed, so that the
 * garbage collector copies them repeatedly: a quarter of the processor time of a list page.
 */
function runUnprepared<R>(client: PoolClient, text: string, values: unknown[]): Promise<Rows<R>> {
  return new Promise((resolve, reject) => {
    client.query({ text, values }, (error, result) => (error ? reject(error) : resolve(result)))
  })
}

class Connection implements DatabaseConnection {
  readonly client: PoolClient
  readonly onStatement: (text: string) => void
  /** until its transaction ends, each statement is planned for its values and none is prepared by name */
  plansAnew = false
  isInTransaction = false
  /** a cancellation of its previous statement may still be under way */
  isDoubtful = false

  constructor(client: PoolClient, onStatement: (text: string) => void) {
    this.client = client
    this.onStatement = onStatement
  }

  endTransaction(): void {
    this.plansAnew = false
    this.isInTransaction = false
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.onStatement(query.sql)
    const { sql: text, parameters } = query
    const caller = this.isInTransaction ? undefined : currentCaller()
    let cancelling: Promise<boolean> | undefined
    const cancel = () => {
      cancelling ??= cancelStatement(this.client)
    }
    caller?.running.add(cancel)
    try {
      const name = this.plansAnew ? undefined : statementName(text)
      const { rows, rowCount } = await (name === undefined
        ? runUnprepared<R>(this.client, text, [...parameters])
        : runPrepared<R>(this.client, [{ name, text, values: parameters }]))
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
    } catch (error) {
      if (cancelling)
        throw new ApplicationError('TIMEOUT', 'The caller left before the database answered', { cause: error })
      // the error's own stack ends in pg's parser; this one leads to the caller
      if (error instanceof Error) Error.captureStackTrace(error)
      throw error
    } finally {
      caller?.running.delete(cancel)
      // not reused before the cancellation is known to have been handled
      if (cancelling && !(await cancelling)) this.isDoubtful = true
    }
  }

  // biome-ignore lint/correctness/useYield: refuses, so it has nothing to give
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows are streamed by COPY or by keyset pages here')
  }
}

class PoolDriver implements Driver {
  readonly pool: Pool
  readonly onStatement: (text: string) => void
  readonly connections = new WeakMap<PoolClient, Connection>()

  constructor(pool: Pool, onStatement: (text: string) => void) {
    this.pool = pool
    this.onStatement = onStatement
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    const client = await this.pool.connect()
    const known = this.connections.get(client)
    if (known) return known
    const connection = new Connection(client, this.onStatement)
    this.connections.set(client, connection)
    return connection
  }

  async beginTransaction(connection: Connection, settings: TransactionSettings): Promise<void> {
    const level = settings.isolationLevel ? ` isolation level ${settings.isolationLevel}` : ''
    const mode = settings.accessMode ? ` ${settings.accessMode}` : ''
    connection.isInTransaction = true
    await connection.client.query(`begin${level}${mode}`)
  }

  async commitTransaction(connection: Connection): Promise<void> {
    connection.endTransaction()
    await connection.client.query('commit')
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    connection.endTransaction()
    await connection.client.query('rollback')
  }

  async releaseConnection(connection: Connection): Promise<void> {
    connection.client.release(connection.isDoubtful)
  }

  async destroy(): Promise<void> {
    await this.pool.end()
  }
}

/** A Kysely dialect over `pool`; `onStatement` receives the text of each statement, for counting. */
export const pooledPostgres = (pool: Pool, onStatement: (text: string) => void): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new PoolDriver(pool, onStatement),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new RememberingCompiler(),
})

/** Runs `use` on a pg client (the transaction's, if `db` is one), for what Kysely cannot express, such as COPY. */
export function withClient<DB, T>(
  db: Kysely<DB>,
  use: (client: PoolClient, onStatement: (text: string) => void) => Promise<T>,
): Promise<T> {
  return db.getExecutor().provideConnection((connection) => {
    if (!(connection instanceof Connection)) throw new Error('The database was opened with another driver')
    return use(connection.client, connection.onStatement)
  })
}

/**
 * From now on, plans each statement of the transaction for its values and for the tables as they are then. Unlike plan_cache_mode, this
 * plans the checks of foreign keys only once, as forgetPlans does. Takes one statement.
 */
export function planAnew(trx: Kysely<Database>): Promise<void> {
  return trx.getExecutor().provideConnection(async (connection) => {
    if (!(connection instanceof Connection)) return
    connection.plansAnew = true
    await forget(connection)
  })
}

/**
 * Makes the connection plan its prepared statements and its checks of foreign keys anew at their next use: plans made while the tables were
 * nearly empty scan all rows of a company for each row. Takes one statement.
 */
export const forgetPlans = (trx: Kysely<Database>): Promise<void> =>
  trx.getExecutor().provideConnection(async (connection) => {
    if (connection instanceof Connection) await forget(connection)
  })

async function forget(connection: Connection): Promise<void> {
  connection.onStatement('discard plans')
  await connection.client.query('discard plans')
}
