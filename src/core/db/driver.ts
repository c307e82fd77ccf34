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

/** Statements prepared by name at most for each connection; texts seen later are sent unprepared. */
const MOST_PREPARED = 1000

const names = new Map<string, string>()

/**
 * Begins the text of a statement that is planned for its values each time: what few rows have, or none, is found by another way than
 * what most have, and a plan that is kept knows neither.
 */
export const FOR_ITS_VALUES = '/* planned for its values */'

/** A short stable name for a statement's text, or undefined where it is not to be kept, or there are too many different ones. */
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
 * Runs a statement that is not prepared with pg's callback. The promise that pg makes by itself keeps the rows alive beyond their use, so
 * that the collector of garbage copies them again and again: a quarter of the processor time of a page of a list.
 */
function runUnprepared<R>(client: PoolClient, text: string, values: unknown[]): Promise<Rows<R>> {
  return new Promise((resolve, reject) => {
    client.query({ text, values }, (error, result) => (error ? reject(error) : resolve(result)))
  })
}

class Connection implements DatabaseConnection {
  readonly client: PoolClient
  readonly onStatement: (text: string) => void
  /** until its transaction ends each statement is planned for itself, and none prepared by name */
  plansAnew = false
  isInTransaction = false
  /** it may meet a cancellation that was meant for what it ran before */
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
      // its own stack ends in pg's parser; this one leads to who asked
      if (error instanceof Error) Error.captureStackTrace(error)
      throw error
    } finally {
      caller?.running.delete(cancel)
      // lent to nobody before it is known that the cancellation has passed
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

/** A Kysely dialect over `pool`; `onStatement` is told of each statement's text, for counting. */
export const pooledPostgres = (pool: Pool, onStatement: (text: string) => void): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new PoolDriver(pool, onStatement),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new RememberingCompiler(),
})

/** Runs `use` on a pg client, that of the transaction where `db` is one, for what Kysely has no words for, such as COPY. */
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
 * Has each statement of the transaction planned for its values and for the tables as they are by then, from now on. Other than by
 * plan_cache_mode, the keys that are checked for each row are planned once, as by forgetPlans. One statement.
 */
export function planAnew(trx: Kysely<Database>): Promise<void> {
  return trx.getExecutor().provideConnection(async (connection) => {
    if (!(connection instanceof Connection)) return
    connection.plansAnew = true
    await forget(connection)
  })
}

/**
 * Has the connection plan anew, at their next use, its prepared statements and the checks of foreign keys: those that it planned while
 * the tables were all but empty look through all of a company for each row. One statement.
 */
export const forgetPlans = (trx: Kysely<Database>): Promise<void> =>
  trx.getExecutor().provideConnection(async (connection) => {
    if (connection instanceof Connection) await forget(connection)
  })

async function forget(connection: Connection): Promise<void> {
  connection.onStatement('discard plans')
  await connection.client.query('discard plans')
}
