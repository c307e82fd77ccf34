// Retries that are safe: an answer is kept under the caller's Idempotency-Key, in the transaction of its effect.

import { sql } from 'kysely'
import { sha256 } from '../core/crypto.ts'
import type { Db, Trx } from '../core/db/open.ts'
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

/** Keys of one company share a scope, so that a rotated key may retry; a key of several companies has its user's. */
const scopeOf = ({ memberships, userId }: Viewer): string =>
  memberships?.size === 1 ? `company ${[...memberships.keys()][0]}` : `user ${userId}`

/** A hash of the operation and its variables; a file counts by its content. */
export function hashRequest(query: string, operationName: string | undefined, variables: unknown): Buffer {
  const text = JSON.stringify([query, operationName ?? null, variables], (_, value: unknown) =>
    value instanceof UploadedFile ? { filename: value.filename, sha256: value.sha256.toString('hex') } : value,
  )
  return sha256(text)
}

/**
 * Runs `work` once for a key: the same again gets the stored answer, another request under the same key is CONFLICT, and so is,
 * retryable, one that is still in progress. The answer is stored in the transaction that `work` runs in, so that after a crash
 * either both are there or neither.
 */
export async function runOnce(
  db: Db,
  viewer: Viewer,
  key: string,
  requestHash: Buffer,
  work: (trx: Trx) => Promise<Outcome>,
): Promise<string> {
  const scope = scopeOf(viewer)
  const outcome = db.transaction().execute(async (trx) => {
    const lock = sha256(scope, '\0', key).readBigInt64BE().toString()
    const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${lock}::bigint) as taken`.execute(
      trx,
    )
    if (!rows[0]?.taken) throw conflict('A request with this Idempotency-Key is still in progress', true)
    const known = await trx
      .selectFrom('idempotency_record')
      .select(['request_hash', 'response'])
      .where('scope', '=', scope)
      .where('key', '=', key)
      .where('created_at', '>', sql<string>`now() - interval '24 hours'`)
      .executeTakeFirst()
    if (known) {
      if (known.request_hash.equals(requestHash)) return known.response
      throw conflict('This Idempotency-Key was used for another request')
    }
    const { response, isTransient } = await work(trx)
    if (isTransient) throw new Undone(response)
    await trx
      .insertInto('idempotency_record')
      .values({ scope, key, request_hash: requestHash, response })
      .onConflict((taken) =>
        taken.columns(['scope', 'key']).doUpdateSet({ request_hash: requestHash, response, created_at: sql`now()` }),
      )
      .execute()
    return response
  })
  return outcome.catch((error: unknown) => {
    if (error instanceof Undone) return error.response
    throw error
  })
}
