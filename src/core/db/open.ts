// Opens the database: the pool, the types of its values, transactions, and what its failures mean to a caller.

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

/** As `read`, which is not called again for the text before: what one import or one change wrote shares its time. */
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

export type OpenOptions = {
  connection: PoolConfig
  connections: number
  /** milliseconds */
  statementTimeout: number
  onStatement?: (text: string) => void
  onConnectionLost?: (error: Error) => void
}

/** Statements are short and many: compiling one takes longer than most of them, and begins where a large cost is only guessed. */
const SETTINGS = '-c TimeZone=UTC -c DateStyle=ISO -c jit=off'

/** The connection with the settings that each has, after those of its address, in whose place pg would take them. */
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
  // a connection that is lost while it is lent out tells its borrower by the statement that fails
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
    // and let go of it: the step around this one has its own of the same name
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

/** Runs `effect` once what was done through `db` is committed: at once, or after the transaction that `db` is. */
export const afterCommit = (db: Db | Trx, effect: () => Promise<void>): Promise<void> => after(db, effect, false)

/** As afterCommit, and also where the answer to COMMIT was lost, so that nobody knows what became of it. */
export const unlessRolledBack = (db: Db | Trx, effect: () => Promise<void>): Promise<void> => after(db, effect, true)

async function after(db: Db | Trx, run: () => Promise<void>, evenUnsure: boolean): Promise<void> {
  const effects = isTransaction(db) ? effectsOf.get(db) : undefined
  if (effects) effects.push({ run, evenUnsure })
  else await run()
}

const isTransaction = (db: Db | Trx): db is Trx => db.isTransaction

/** Whether a statement failed on the named unique or foreign key, or check, of the database. */
export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof DatabaseError && error.constraint === constraint

/**
 * Whether the database refused a statement for its values, its keys, its size or a conflict, so that nothing of it was done and a part of it may
 * pass; not where it was too slow, or is not to be reached.
 */
export const isRefused = (error: unknown): boolean =>
  error instanceof DatabaseError && ['22', '23', '40', '54'].includes(error.code?.slice(0, 2) ?? '')

/** Whether a statement that does not wait met a row that somebody else holds. */
export const isHeld = (error: unknown): boolean => error instanceof DatabaseError && error.code === '55P03'

/** What a failure of the database means to the caller, or null when it is a fault of ours. */
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
  // a foreign or unique key that fails after what it says was checked: somebody else was faster
  if (['40001', '40P01', '55P03', '23503', '23505'].includes(code)) {
    return new ApplicationError('CONFLICT', 'Another change of the same records was under way', {
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
    return new ApplicationError('BAD_USER_INPUT', 'A text is too long for what is looked up by it', { cause: error })
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

/** A socket of the database that is not there; any other file that is missing is no failure of a connection. */
const isMissingSocket = (error: Error): boolean =>
  'code' in error && error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
