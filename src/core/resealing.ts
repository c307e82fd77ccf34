// Re-encrypts values of older data keys with the newest one: a batch per transaction, safe to run twice.

import { inBatches } from './batches.ts'
import { type Db, type Trx, transaction } from './db/open.ts'
import type { Id } from './ids.ts'
import type { Keyring, Place, Sealed } from './keyring.ts'

/** Re-encrypts the company's values sealed with data keys before `keyVersion`; returns the number of rows. */
export type Reseal = (db: Db, keyring: Keyring, companyId: Id, keyVersion: number) => Promise<number>

/** The next `most` rows sealed with a data key before `keyVersion`, locked until the transaction ends. */
type Lock<Row> = (trx: Trx, companyId: Id, keyVersion: number, most: number) => Promise<Row[]>

/** Rows per transaction. */
const BATCH = 100

export const resealing =
  <Row>(lock: Lock<Row>, seal: (trx: Trx, keyring: Keyring, companyId: Id, row: Row) => Promise<void>): Reseal =>
  (db, keyring, companyId, keyVersion) =>
    inBatches(BATCH, (most) =>
      transaction(db, async (trx) => {
        const old = await lock(trx, companyId, keyVersion, most)
        for (const row of old) await seal(trx, keyring, companyId, row)
        return old.length
      }),
    )

/** As resealing, for a table with one encrypted column. */
export const resealingColumn = (
  placeOf: (companyId: Id, id: Id) => Place,
  lock: Lock<Sealed & { id: Id }>,
  update: (trx: Trx, companyId: Id, id: Id, sealed: Sealed) => Promise<void>,
): Reseal =>
  resealing(lock, async (trx, keyring, companyId, { id, ...sealed }) => {
    const place = placeOf(companyId, id)
    const plain = await keyring.unseal(trx, place, sealed)
    await update(trx, companyId, id, await keyring.seal(trx, place, plain))
  })
