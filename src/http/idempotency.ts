// Retries that are safe: an answer is kept under the caller's Idempotency-Key, in the transaction of its effect.

import { sql } from 'kysely'
import { type Belonging, seal, sha256, unseal } from '../core/crypto.ts'
import { type Db, type Trx, transaction } from '../core/db/open.ts'
import { ApplicationError, conflict } from '../core/errors.ts'
import { UploadedFile } from '../core/uploads.ts'
import type { Viewer } from '../modules/context.ts'

const LONGEST_KEY = 255

/** What an operation answers; one that is `transient` failed for a reason that may pass, and is undone rather than kept. */
export type Outcome = { response: string; isTransient: boolean }

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

/**
 * Runs `work` once for a key: the same again gets the stored answer, another request under the same key is CONFLICT, and so is,
 * retryable, one that is still in progress. The answer is stored in the transaction that `work` runs in, so that after a crash
 * either both are there or neither. `answersKey` seals it.
 */
export async function runOnce(
  db: Db,
  answersKey: Buffer,
  viewer: Viewer,
  key: string,
  requestHash: Buffer,
  work: (trx: Trx) => Promise<Outcome>,
): Promise<string> {
  const scope = scopeOf(viewer)
  const of = belonging(scope, key)
  const outcome = transaction(db, async (trx) => {
    await lockKey(trx, scope, key)
    const known = await findRecord(trx, scope, key)
    if (known && !known.request_hash.equals(requestHash)) {
      throw conflict('This Idempotency-Key was used for another request')
    }
    if (known) return unseal(answersKey, known.response, of).toString('utf8')
    const { response, isTransient } = await work(trx)
    if (isTransient) throw new Undone(response)
    const record = { request_hash: requestHash, response: seal(answersKey, Buffer.from(response), of) }
    await trx
      .insertInto('idempotency_record')
      .values({ scope, key, ...record })
      .onConflict((taken) => taken.columns(['scope', 'key']).doUpdateSet({ ...record, created_at: sql`now()` }))
      .execute()
    return response
  })
  return outcome.catch((error: unknown) => {
    if (error instanceof Undone) return error.response
    throw error
  })
}

async function lockKey(trx: Trx, scope: string, key: string): Promise<void> {
  const lock = sha256(scope, '\0', key).readBigInt64BE().toString()
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${lock}::bigint) as taken`.execute(
    trx,
  )
  if (!rows[0]?.taken) throw conflict('A request with this Idempotency-Key is still in progress', true)
}

const findRecord = (trx: Trx, scope: string, key: string) =>
  trx
    .selectFrom('idempotency_record')
    .select(['request_hash', 'response'])
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('created_at', '>', sql<string>`now() - interval '24 hours'`)
    .executeTakeFirst()
