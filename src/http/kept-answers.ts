// The answers that are kept under Idempotency-Keys for 24 hours, sealed, and the keys that are held until there is one.

import { sql } from 'kysely'
import { type Belonging, seal, sha256, unseal } from '../core/crypto.ts'
import type { Trx } from '../core/db/open.ts'
import { conflict } from '../core/errors.ts'

/** Where an answer is kept: a caller's key counts only within its scope. */
export type Place = { scope: string; key: string }

/** `hash` is that of the request: the same key of another one is CONFLICT. */
export type KeptAnswers = {
  /**
   * The answer that is kept; null where the key is free, which it is held until the transaction ends. CONFLICT where another request has
   * the key, and where the same one is in progress or was cut short.
   */
  find(trx: Trx, place: Place, hash: Buffer): Promise<string | null>
  /** Keeps the answer under the key, or, where it is null, the key until there is one. */
  keep(trx: Trx, place: Place, hash: Buffer, answer: string | null): Promise<void>
  /** Frees a key that was kept without an answer. */
  giveBack(trx: Trx, place: Place): Promise<void>
}

/** An answer may hold what is shown once, such as a new key, and is kept sealed. */
const belonging = (scope: string, key: string): Belonging => ({
  companyId: '0',
  table: 'idempotency_record',
  row: JSON.stringify([scope, key]),
  column: 'response',
  keyVersion: 1,
})

/** `cutShortAfter`: milliseconds after which nobody works any more on a request whose key has no answer. */
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
