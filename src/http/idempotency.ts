// Safe retries: an answer is kept under the caller's Idempotency-Key, if possible in the transaction of its effect.

import { sql } from 'kysely'
import { type Belonging, seal, sha256, unseal } from '../core/crypto.ts'
import { type Trx, transaction } from '../core/db/open.ts'
import { ApplicationError, conflict } from '../core/errors.ts'
import { UploadedFile } from '../core/uploads.ts'
import type { Viewer, WorkParts } from '../modules/context.ts'
import { openTurns } from './turns.ts'

const LONGEST_KEY = 255

/**
 * What an operation answers; `isTransient`: it failed for a reason that may pass; `isDone`: one of its mutations, at least, did not
 * fail.
 */
export type Outcome = { response: string; isTransient: boolean; isDone: boolean }

type Asked = { viewer: Viewer; key: string; hash: Buffer; signal: AbortSignal }

/** Both run `work` once for a key: the same again gets the stored answer, another request under the key is CONFLICT. */
export type Once = {
  /**
   * In the transaction that stores the answer, so that after a crash either both are there or neither; what failed for a reason that
   * may pass is undone. CONFLICT, retryable, while it is in progress. The works of one company hold half of the connections at most.
   */
  inTransaction(asked: Asked, work: (trx: Trx) => Promise<Outcome>): Promise<string>
  /**
   * Between a transaction that reserves the key and one that stores the answer, and so in none. What failed for a reason that may pass
   * and did nothing gives the key back. What was cut short leaves it reserved: CONFLICT says so.
   */
  callingOut(asked: Asked, work: () => Promise<Outcome>): Promise<string>
}

class Undone extends Error {
  readonly response: string
  constructor(response: string) {
    super('undone')
    this.response = response
  }
}

/** Printable ASCII up to 255 characters; BAD_REQUEST otherwise. */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || header.length > LONGEST_KEY || !/^[\x21-\x7e]+$/.test(header)) {
    throw new ApplicationError('BAD_REQUEST', `Idempotency-Key has 1 to ${LONGEST_KEY} printable characters`)
  }
  return header
}

/**
 * Where a key counts: for its user, the companies that the API key sees and the scopes that it has. So a rotated key may retry, and
 * a lesser key of the same user neither reads the answer of a greater one nor leaves its refusal to it.
 */
function scopeOf({ memberships, heldTo, scopes, userId }: Viewer): string {
  const companies = memberships?.size === 1 ? [...memberships.keys()] : heldTo
  const reach = JSON.stringify([companies?.toSorted() ?? null, scopes.toSorted()])
  return `user ${userId} reach ${sha256(reach).toString('base64url', 0, 16)}`
}

/** A hash of the operation and its variables; a file counts by its content. BAD_REQUEST for variables nested without end. */
export function hashRequest(query: string, operationName: string | undefined, variables: unknown): Buffer {
  try {
    return sha256(JSON.stringify([query, operationName ?? null, variables], fileAsContent))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ApplicationError('BAD_REQUEST', 'The variables are nested too deeply')
  }
}

const fileAsContent = (_: string, value: unknown) =>
  value instanceof UploadedFile ? { filename: value.filename, sha256: value.sha256.toString('hex') } : value

/** An answer may hold what is shown once, such as a new key, and is kept sealed. */
const belonging = (scope: string, key: string): Belonging => ({
  companyId: '0',
  table: 'idempotency_record',
  row: JSON.stringify([scope, key]),
  column: 'response',
  keyVersion: 1,
})

export function openOnce({ db, keyring, config }: WorkParts): Once {
  const { answersKey } = keyring
  const inTurn = openTurns(Math.max(1, Math.floor(config.databaseConnections / 2)))
  /** Milliseconds after which a key without an answer is nobody's any more: what calls other hosts is ended by the deadline. */
  const cutShortAfter = 2 * config.requestTimeout

  /** The answer that is kept; null where the key is free, which it is held until the transaction ends. */
  const findAnswer = async (trx: Trx, { scope, key }: Place, hash: Buffer): Promise<string | null> => {
    await lockKey(trx, scope, key)
    const known = await findRecord(trx, scope, key)
    if (!known) return null
    if (!known.request_hash.equals(hash)) throw conflict('This Idempotency-Key was used for another request')
    if (known.response) return unseal(answersKey, known.response, belonging(scope, key)).toString('utf8')
    if (known.age < cutShortAfter) throw inProgress()
    throw conflict(
      'The request with this Idempotency-Key was cut short, and what it did is not known: look before you ask again under another',
    )
  }

  const keep = async (trx: Trx, { scope, key }: Place, hash: Buffer, response: string | null): Promise<void> => {
    const sealed = response === null ? null : seal(answersKey, Buffer.from(response), belonging(scope, key))
    const record = { request_hash: hash, response: sealed }
    await trx
      .insertInto('idempotency_record')
      .values({ scope, key, ...record })
      .onConflict((taken) => taken.columns(['scope', 'key']).doUpdateSet({ ...record, created_at: sql`now()` }))
      .execute()
  }

  return {
    inTransaction({ viewer, key, hash, signal }, work) {
      const place = { scope: scopeOf(viewer), key }
      const once = async (trx: Trx) => {
        const known = await findAnswer(trx, place, hash)
        if (known !== null) return known
        const { response, isTransient } = await work(trx)
        if (isTransient) throw new Undone(response)
        await keep(trx, place, hash, response)
        return response
      }
      return inTurn(companyOf(viewer), async () => {
        signal.throwIfAborted()
        return transaction(db, once).catch((error: unknown) => {
          if (error instanceof Undone) return error.response
          throw error
        })
      })
    },
    async callingOut({ viewer, key, hash }, work) {
      const place = { scope: scopeOf(viewer), key }
      const known = await transaction(db, async (trx) => {
        const answer = await findAnswer(trx, place, hash)
        if (answer === null) await keep(trx, place, hash, null)
        return answer
      })
      if (known !== null) return known
      const { response, isTransient, isDone } = await work()
      await transaction(db, (trx) => (isTransient && !isDone ? giveBack(trx, place) : keep(trx, place, hash, response)))
      return response
    },
  }
}

type Place = { scope: string; key: string }

/** Whose turn it is: the company's, or the user's where the key sees several. */
const companyOf = ({ memberships, userId }: Viewer): string =>
  memberships?.size === 1 ? `company ${[...memberships.keys()]}` : `user ${userId}`

const inProgress = () => conflict('A request with this Idempotency-Key is still in progress', true)

async function lockKey(trx: Trx, scope: string, key: string): Promise<void> {
  const lock = sha256(scope, '\0', key).readBigInt64BE().toString()
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${lock}::bigint) as taken`.execute(
    trx,
  )
  if (!rows[0]?.taken) throw inProgress()
}

/** `age` in milliseconds. */
const findRecord = (trx: Trx, scope: string, key: string) =>
  trx
    .selectFrom('idempotency_record')
    .select(['request_hash', 'response', sql<number>`extract(epoch from now() - created_at) * 1000`.as('age')])
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('created_at', '>', sql<string>`now() - interval '24 hours'`)
    .executeTakeFirst()

async function giveBack(trx: Trx, { scope, key }: Place): Promise<void> {
  await trx.deleteFrom('idempotency_record').where('scope', '=', scope).where('key', '=', key).execute()
}
