// Re-encrypts what older data keys sealed under the newest one: a batch in each transaction, safe to run twice.

import { inBatches } from './batches.ts'
import { type Db, type Trx, transaction } from './db/open.ts'
import type { Id } from './ids.ts'
import type { Keyring, Place, Sealed } from './keyring.ts'

/** Seals anew what the company's data keys before `keyVersion` sealed; answers with how many rows there were. */
export type Reseal = (db: Db, keyring: Keyring, companyId: Id, keyVersion: number) => Promise<number>

/** The next rows that a data key before `keyVersion` sealed, `most` of them, held until the transaction ends. */
type Lock<Row> = (trx: Trx, companyId: Id, keyVersion: number, most: number) => Promise<Row[]>

/** Rows of one transaction. */
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

/** As resealing, of a table that seals one column. */
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
