// Opens the database: the pool, the types of its values, transactions, and how its failures appear to a caller.

import { Kysely, sql, type Transaction } from 'kysely'
import { DatabaseError, Pool, type PoolConfig, types } from 'pg'
import { ApplicationError } from '../errors.ts'
import { pooledPostgres } from './driver.ts'
import type { Database } from './tables.generated.ts'

/** The handle that store functions take: the pool, or the transaction that the caller is in. */
export type Db = Kysely<Database>
/** The handle of a function that must run inside a transaction. */
export type Trx = Transaction<Database>

const TIMESTAMPTZ = 1184
const DATE = 1082
const NUMERIC = 1700
const INT8 = 20

/** PostgreSQL's text of a timestamp in UTC (`2026-01-31 09:30:00.5+00`) as ISO 8601 (`2026-01-31T09:30:00.5Z`). */
const isoTimestamp = (text: string) => `${text.slice(0, 10)}T${text.slice(11, -3)}Z`

/** As `read`, but remembers the last text: rows that one import or change wrote have the same time. */
function rememberingLast(read: (text: string) => string): (text: string) => string {
  let last = { text: '', value: '' }
  return (text) => {
    if (text !== last.text) last = { text, value: read(text) }
    return last.value
  }
}

const asText = (text: string) => text

const parsers = new Map<number, (text: string) => unknown>([
  [TIMESTAMPTZ, rememberingLast(isoTimestamp)],
  [DATE, asText],
  [INT8, asText],
  [NUMERIC, Number],
])

type OpenOptions = {
  connection: PoolConfig
  connections: number
  /** milliseconds */
  statementTimeout: number
  onStatement?: (text: string) => void
  onConnectionLost?: (error: Error) => void
}

/** JIT compilation is off: it takes longer than most statements here, and starts when a cost is only estimated to be large. */
const SETTINGS = '-c TimeZone=UTC -c DateStyle=ISO -c jit=off'

/** The connection with our settings after those in its address; by itself, pg would take the address's alone. */
export function withSettings(connection: PoolConfig): PoolConfig {
  const url = connection.connectionString === undefined ? null : URL.parse(connection.connectionString)
  const ofAddress = url?.searchParams.get('options')
  if (!url || !ofAddress) return { ...connection, options: `${connection.options ?? ''} ${SETTINGS}` }
  url.searchParams.delete('options')
  return { ...connection, connectionString: url.href, options: `${ofAddress} ${SETTINGS}` }
}

/** Opens a pool of connections in UTC; ids come as strings, timestamps as ISO 8601 text, numeric as numbers. */
export function openDatabase(options: OpenOptions): { db: Db; pool: Pool } {
  const pool = new Pool({
    ...withSettings(options.connection),
    max: options.connections,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
    statement_timeout: options.statementTimeout,
    application_name: 'merlon',
    types: {
      getTypeParser: (oid, format) => (format === 'text' && parsers.get(oid)) || types.getTypeParser(oid, format),
    },
  })
  const lost = (error: Error) => pool.ending || options.onConnectionLost?.(error)
  pool.on('error', lost)
  // whoever uses a connection when it is lost learns of it by the statement that fails
  pool.on('connect', (client) => client.on('error', () => {}))
  return { db: new Kysely<Database>({ dialect: pooledPostgres(pool, options.onStatement ?? (() => {})) }), pool }
}

type Effect = { run: () => Promise<void>; evenUnsure: boolean }

const effectsOf = new WeakMap<Trx, Effect[]>()

/** Runs `work` in a transaction: a new one, or a savepoint of the one that `db` already is. */
export async function transaction<T>(db: Db | Trx, work: (trx: Trx) => Promise<T>): Promise<T> {
  if (!isTransaction(db)) return wholeTransaction(db, work)
  const effects = effectsOf.get(db) ?? []
  const before = effects.length
  await sql`savepoint step`.execute(db)
  try {
    const result = await work(db)
    await sql`release savepoint step`.execute(db)
    return result
  } catch (error) {
    // and release it: the enclosing transaction may have a savepoint of the same name
    await sql`rollback to savepoint step`.execute(db)
    await sql`release savepoint step`.execute(db)
    effects.length = before
    throw error
  }
}

async function wholeTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  const effects: Effect[] = []
  let isCommitting = false
  const result = await db
    .transaction()
    .execute(async (trx) => {
      effectsOf.set(trx, effects)
      const done = await work(trx)
      isCommitting = true
      return done
    })
    .catch(async (error) => {
      if (isCommitting) for (const { run, evenUnsure } of effects) if (evenUnsure) await run()
      throw error
    })
  for (const { run } of effects) await run()
  return result
}

/** Runs `effect` once the work done through `db` is committed: at once, or after the transaction if `db` is one. */
export const afterCommit = (db: Db | Trx, effect: () => Promise<void>): Promise<void> => after(db, effect, false)

/** As afterCommit, but also runs if the answer to COMMIT was lost and the outcome is unknown. */
export const unlessRolledBack = (db: Db | Trx, effect: () => Promise<void>): Promise<void> => after(db, effect, true)

async function after(db: Db | Trx, run: () => Promise<void>, evenUnsure: boolean): Promise<void> {
  const effects = isTransaction(db) ? effectsOf.get(db) : undefined
  if (effects) effects.push({ run, evenUnsure })
  else await run()
}

const isTransaction = (db: Db | Trx): db is Trx => db.isTransaction

/** Whether a statement failed on this constraint of the database: a unique key, a foreign key or a check. */
export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof DatabaseError && error.constraint === constraint

/**
 * Whether the database refused a statement because of its values, keys or size, or a conflict: nothing was done, and a part of it may succeed
 * alone. False if the statement was too slow or the database could not be reached.
 */
export const isRefused = (error: unknown): boolean =>
  error instanceof DatabaseError && ['22', '23', '40', '54'].includes(error.code?.slice(0, 2) ?? '')

/** Whether a statement with `nowait` met a row that another transaction has locked. */
export const isHeld = (error: unknown): boolean => error instanceof DatabaseError && error.code === '55P03'

/** The error that a failure of the database is to the caller; null if it is a fault of ours. */
export function databaseFailure(error: unknown): ApplicationError | null {
  if (error instanceof DatabaseError) return statementFailure(error)
  if (error instanceof Error && isConnectionFailure(error)) {
    return new ApplicationError('UNAVAILABLE', 'The database cannot be reached at the moment', { cause: error })
  }
  return null
}

function statementFailure(error: DatabaseError): ApplicationError | null {
  const code = error.code ?? ''
  if (code === '57014') {
    return new ApplicationError('TIMEOUT', 'The database took too long to answer', { cause: error })
  }
  // the service has checked this before: another request was faster
  if (['40001', '40P01', '55P03', '23503', '23505'].includes(code)) {
    return new ApplicationError('CONFLICT', 'The same records were being changed by another request', {
      cause: error,
      retryable: true,
    })
  }
  if (code.startsWith('53')) {
    return new ApplicationError('UNAVAILABLE', 'The database has no room or no connection left', { cause: error })
  }
  if (code.startsWith('57P') || code.startsWith('08')) {
    return new ApplicationError('UNAVAILABLE', 'The database is starting or stopping', { cause: error })
  }
  if (code === '22021' || code === '22P05') {
    return new ApplicationError('BAD_USER_INPUT', 'Text may not contain the character U+0000', { cause: error })
  }
  if (code === '54000') {
    return new ApplicationError('BAD_USER_INPUT', 'A text is too long to be looked up by', { cause: error })
  }
  if (code === '22003' || code === '22008') {
    return new ApplicationError('BAD_USER_INPUT', 'A number or a date is out of range', { cause: error })
  }
  if (code === '22P02' && error.detail?.includes('surrogate')) {
    return new ApplicationError('BAD_USER_INPUT', 'Text may not contain half of a surrogate pair', { cause: error })
  }
  return null
}

const connectionFailures = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND'])

function isConnectionFailure(error: Error): boolean {
  if ('code' in error && typeof error.code === 'string' && connectionFailures.has(error.code)) return true
  if (isMissingSocket(error)) return true
  return /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error/i.test(
    error.message,
  )
}

/** The database's socket does not exist; any other missing file is not a connection failure. */
const isMissingSocket = (error: Error): boolean =>
  'code' in error && error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
