// The data keys of companies: made on first use, wrapped by the root key, remembered unwrapped, replaced by rotation.

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Belonging, deriveKey, seal, sha256, unseal } from './crypto.ts'
import type { Db } from './db/open.ts'
import { OperatorError } from './errors.ts'
import type { Id } from './ids.ts'

/** An encrypted value as a row keeps it. */
export type Sealed = { bytes: Buffer; keyVersion: number }
type Place = Omit<Belonging, 'keyVersion'>

export type Keyring = {
  /** Encrypts `plain` for one column of one row, under the company's newest data key. */
  seal(db: Db, place: Place, plain: string): Promise<Sealed>
  /** What was sealed at that place; throws when anything about it differs. */
  unseal(db: Db, place: Place, sealed: Sealed): Promise<string>
  /** Makes a new data key for the company and answers with its version; older ones still open what they sealed. */
  rotate(db: Db, companyId: Id): Promise<number>
  /** Wraps every data key with `next` instead; the processes must then be started with that root key. */
  rewrap(db: Db, next: Buffer): Promise<number>
  /** The key that authenticates audit records. */
  auditKey: Buffer
  /** The key that seals answers kept for retries. */
  answersKey: Buffer
  /** The seed of the Ed25519 key that signs seals, 32 bytes. */
  signingSeed: Buffer
  /** Remembers at the first start which root key the data is under; throws WrongRootKey when it is another. */
  recognise(db: Db): Promise<void>
}

/** The data was encrypted under another root key than the one that was given. */
export class WrongRootKey extends OperatorError {
  constructor() {
    super('The root key is not the one that this data was encrypted under; give the one of its first start')
  }
}

const wrapping = (companyId: Id, version: number): Belonging => ({
  companyId,
  table: 'data_key',
  row: companyId,
  column: 'wrapped',
  keyVersion: version,
})

export function openKeyring(root: Buffer): Keyring {
  const wrappingKey = deriveKey(root, 'data keys')
  const unwrapped = new Map<string, { wrapped: Buffer; key: Buffer }>()

  const keyOf = (companyId: Id, version: number, wrapped: Buffer) => {
    const name = `${companyId}/${version}`
    const known = unwrapped.get(name)
    if (known?.wrapped.equals(wrapped)) return known.key
    const key = unwrap(companyId, version, wrapped) ?? known?.key
    if (!key) throw new Error(`The root key does not open data key ${version} of company ${companyId}`)
    if (unwrapped.size > 10_000) unwrapped.clear()
    unwrapped.set(name, { wrapped, key })
    return key
  }

  /** Null for a key that another root key wrapped: that of a rotation which this process was not started with. */
  const unwrap = (companyId: Id, version: number, wrapped: Buffer) => {
    try {
      return unseal(wrappingKey, wrapped, wrapping(companyId, version))
    } catch {
      return null
    }
  }

  const insertKey = async (db: Db, companyId: Id, version: number) => {
    const wrapped = seal(wrappingKey, randomBytes(32), wrapping(companyId, version))
    await db
      .insertInto('data_key')
      .values({ company_id: companyId, version, root_version: 1, wrapped })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  const findKey = (db: Db, companyId: Id, version: number | null) => {
    const keys = db.selectFrom('data_key').select(['version', 'wrapped']).where('company_id', '=', companyId)
    const wanted = version === null ? keys.orderBy('version', 'desc').limit(1) : keys.where('version', '=', version)
    return wanted.executeTakeFirst()
  }

  const newestKey = async (db: Db, companyId: Id) => {
    const known = await findKey(db, companyId, null)
    if (known) return known
    await insertKey(db, companyId, 1)
    const made = await findKey(db, companyId, null)
    if (!made) throw new Error('The data key that was just made is gone')
    return made
  }

  return {
    async seal(db, place, plain) {
      const { version, wrapped } = await newestKey(db, place.companyId)
      const key = keyOf(place.companyId, version, wrapped)
      return { bytes: seal(key, Buffer.from(plain), { ...place, keyVersion: version }), keyVersion: version }
    },
    async unseal(db, place, sealed) {
      const found = await findKey(db, place.companyId, sealed.keyVersion)
      if (!found) throw new Error(`Company ${place.companyId} has no data key ${sealed.keyVersion}`)
      const key = keyOf(place.companyId, found.version, found.wrapped)
      return unseal(key, sealed.bytes, { ...place, keyVersion: sealed.keyVersion }).toString('utf8')
    },
    async rotate(db, companyId) {
      const { version } = await newestKey(db, companyId)
      await insertKey(db, companyId, version + 1)
      return version + 1
    },
    async rewrap(db, next) {
      const nextWrappingKey = deriveKey(next, 'data keys')
      const keys = await db.selectFrom('data_key').selectAll().forUpdate().execute()
      for (const { company_id, version, root_version, wrapped } of keys) {
        const key = unseal(wrappingKey, wrapped, wrapping(company_id, version))
        await db
          .updateTable('data_key')
          .set({ wrapped: seal(nextWrappingKey, key, wrapping(company_id, version)), root_version: root_version + 1 })
          .where('company_id', '=', company_id)
          .where('version', '=', version)
          .execute()
      }
      const fingerprint = sha256(deriveKey(next, 'fingerprint'))
      await sql`insert into root_key (version, fingerprint) select max(version) + 1, ${fingerprint} from root_key`.execute(
        db,
      )
      return keys.length
    },
    auditKey: deriveKey(root, 'audit records'),
    answersKey: deriveKey(root, 'kept answers'),
    signingSeed: deriveKey(root, 'seals'),
    async recognise(db) {
      const fingerprint = sha256(deriveKey(root, 'fingerprint'))
      await db
        .insertInto('root_key')
        .values({ version: 1, fingerprint })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const known = await db.selectFrom('root_key').select('fingerprint').orderBy('version', 'desc').executeTakeFirst()
      if (!known?.fingerprint.equals(fingerprint)) throw new WrongRootKey()
    },
  }
}
