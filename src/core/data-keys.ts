// The data keys of companies as the database keeps them: wrapped by the root key, unwrapped once for each process.

import { randomBytes } from 'node:crypto'
import { type Belonging, deriveKey, seal, unseal } from './crypto.ts'
import { type Db, transaction } from './db/open.ts'
import type { Id } from './ids.ts'
import { type RootKeys, rootInUse, rotateRootKey } from './root-key.ts'

type DataKeys = {
  /** The company's newest key, 32 bytes, made where it has none. */
  newest(db: Db, companyId: Id): Promise<{ version: number; key: Buffer }>
  /** Throws where the company has no key of this version, or no root key opens it. */
  find(db: Db, companyId: Id, version: number): Promise<Buffer>
  /** Makes the next key of the company and returns its version. */
  add(db: Db, companyId: Id): Promise<number>
  /** Wraps every key with the current root key and returns how many there are. */
  rewrap(db: Db): Promise<number>
}

type Row = { version: number; wrapped: Buffer }

/** Unwrapped keys that a process remembers at most. */
const MOST_REMEMBERED = 10_000

const wrappingKey = (root: Buffer): Buffer => deriveKey(root, 'data keys')

const wrapping = (companyId: Id, version: number): Belonging => ({
  companyId,
  table: 'data_key',
  row: companyId,
  column: 'wrapped',
  keyVersion: version,
})

/** Keys open with the current or the previous root key. */
export function openDataKeys(keys: RootKeys): DataKeys {
  const unwrap = openUnwrapping(keys)
  const keyOf = openRemembering(unwrap)

  const insert = (db: Db, companyId: Id, version: number) =>
    transaction(db, async (trx) => {
      const { root } = await rootInUse(trx, keys)
      const wrapped = seal(wrappingKey(root), randomBytes(32), wrapping(companyId, version))
      await trx
        .insertInto('data_key')
        .values({ company_id: companyId, version, wrapped })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    })

  const newestRow = async (db: Db, companyId: Id): Promise<Row> => {
    const known = await findRow(db, companyId, null)
    if (known) return known
    await insert(db, companyId, 1)
    const made = await findRow(db, companyId, null)
    if (!made) throw new Error('The data key that was just made is gone')
    return made
  }

  return {
    async newest(db, companyId) {
      const row = await newestRow(db, companyId)
      return { version: row.version, key: keyOf(companyId, row) }
    },
    async find(db, companyId, version) {
      const row = await findRow(db, companyId, version)
      if (!row) throw new Error(`Company ${companyId} has no data key ${version}`)
      return keyOf(companyId, row)
    },
    async add(db, companyId) {
      const { version } = await newestRow(db, companyId)
      await insert(db, companyId, version + 1)
      return version + 1
    },
    rewrap: (db) => rotateRootKey(db, keys, (trx) => rewrapAll(trx, wrappingKey(keys.current), unwrap)),
  }
}

function findRow(db: Db, companyId: Id, version: number | null): Promise<Row | undefined> {
  const keys = db.selectFrom('data_key').select(['version', 'wrapped']).where('company_id', '=', companyId)
  const wanted = version === null ? keys.orderBy('version', 'desc').limit(1) : keys.where('version', '=', version)
  return wanted.executeTakeFirst()
}

type Unwrap = (companyId: Id, row: Row) => Buffer | null

/** Null for a key that was wrapped, after a rotation, with a root key that this process was not started with. */
function openUnwrapping({ current, previous }: RootKeys): Unwrap {
  const wrappingKeys = [current, previous].flatMap((root) => (root ? [wrappingKey(root)] : []))
  return (companyId, { version, wrapped }) => {
    for (const key of wrappingKeys) {
      try {
        return unseal(key, wrapped, wrapping(companyId, version))
      } catch {}
    }
    return null
  }
}

/** Unwraps what it has not unwrapped before, or what was wrapped anew since and can still be opened. */
function openRemembering(unwrap: Unwrap): (companyId: Id, row: Row) => Buffer {
  const remembered = new Map<string, { wrapped: Buffer; key: Buffer }>()
  return (companyId, row) => {
    const { version, wrapped } = row
    const name = `${companyId}/${version}`
    const known = remembered.get(name)
    if (known?.wrapped.equals(wrapped)) return known.key
    const key = unwrap(companyId, row) ?? known?.key
    if (!key) throw new Error(`The root key does not open data key ${version} of company ${companyId}`)
    if (remembered.size > MOST_REMEMBERED) remembered.clear()
    remembered.set(name, { wrapped, key })
    return key
  }
}

async function rewrapAll(trx: Db, wrappedWith: Buffer, unwrap: Unwrap): Promise<number> {
  const rows = await trx.selectFrom('data_key').selectAll().forUpdate().execute()
  for (const row of rows) {
    const { company_id, version } = row
    const key = unwrap(company_id, row)
    if (!key) throw new Error(`No root key opens data key ${version} of company ${company_id}`)
    await trx
      .updateTable('data_key')
      .set({ wrapped: seal(wrappedWith, key, wrapping(company_id, version)) })
      .where('company_id', '=', company_id)
      .where('version', '=', version)
      .execute()
  }
  return rows.length
}
