// Stores answers under Idempotency-Keys for 24 hours, encrypted, and reserves keys whose answer is not there yet.

import { sql } from 'kysely'
import { type Belonging, seal, sha256, unseal } from '../core/crypto.ts'
import type { Trx } from '../core/db/open.ts'
import { conflict } from '../core/errors.ts'

/** The place of an answer: a caller's key is valid only within its scope. */
type Place = { scope: string; key: string }

/** `hash` is that of the request (hashRequest): another request under the same key is CONFLICT. */
type KeptAnswers = {
  /**
   * The stored answer; null if the key is free, and then it is locked until the transaction ends. CONFLICT if another request has used the
   * key, or if the same one is in progress or was cut short.
   */
  find(trx: Trx, place: Place, hash: Buffer): Promise<string | null>
  /** Stores the answer under the key; null reserves the key without an answer. */
  keep(trx: Trx, place: Place, hash: Buffer, answer: string | null): Promise<void>
  /** Frees a key that was reserved. */
  giveBack(trx: Trx, place: Place): Promise<void>
}

/** Answers are stored encrypted, because one may hold a value that is shown only once, such as a new API key. */
const belonging = (scope: string, key: string): Belonging => ({
  companyId: '0',
  table: 'idempotency_record',
  row: JSON.stringify([scope, key]),
  column: 'response',
  keyVersion: 1,
})

/** `cutShortAfter`: milliseconds after which a request without an answer is no longer running. */
export function openKeptAnswers(answersKey: Buffer, cutShortAfter: number): KeptAnswers {
  return {
    async find(trx, { scope, key }, hash) {
      await lockKey(trx, scope, key)
      const known = await findRecord(trx, scope, key)
      if (!known) return null
      if (!known.request_hash.equals(hash)) throw conflict('This Idempotency-Key was used for another request')
      if (known.response) return unseal(answersKey, known.response, belonging(scope, key)).toString('utf8')
      if (known.age < cutShortAfter) throw inProgress()
      throw conflict(
        'The request with this Idempotency-Key was cut short, and what it did is not known: look before you ask again under another',
      )
    },
    async keep(trx, { scope, key }, hash, answer) {
      const sealed = answer === null ? null : seal(answersKey, Buffer.from(answer), belonging(scope, key))
      const record = { request_hash: hash, response: sealed }
      await trx
        .insertInto('idempotency_record')
        .values({ scope, key, ...record })
        .onConflict((taken) => taken.columns(['scope', 'key']).doUpdateSet({ ...record, created_at: sql`now()` }))
        .execute()
    },
    async giveBack(trx, { scope, key }) {
      await trx.deleteFrom('idempotency_record').where('scope', '=', scope).where('key', '=', key).execute()
    },
  }
}

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
