// The data keys of companies: created on first use, wrapped by the root key, cached unwrapped, and replaced by rotation.

import { randomBytes } from 'node:crypto'
import { type Belonging, deriveKey, seal, unseal } from './crypto.ts'
import { type Db, transaction } from './db/open.ts'
import type { Id } from './ids.ts'
import { type RootKeys, rootInUse, rotateRootKey } from './root-key.ts'

/** An encrypted value as stored in a row. */
export type Sealed = { bytes: Buffer; keyVersion: number }
/** The column and row to which a value is bound. */
export type Place = Omit<Belonging, 'keyVersion'>

export type Keyring = {
  /** Encrypts `plain` for one column of one row, under the company's newest data key. */
  seal(db: Db, place: Place, plain: string): Promise<Sealed>
  /** As `seal`, with a key of the installation, for what outlives its company, whose own keys are deleted with it. */
  sealLeft(place: Place, plain: string): Sealed
  /** Decrypts a value; throws if the place or anything else differs. */
  unseal(db: Db, place: Place, sealed: Sealed): Promise<string>
  /** Creates a new data key for the company and returns its version; older keys still open what they sealed. */
  rotate(db: Db, companyId: Id): Promise<number>
  /** Wraps every data key with the current root key; the processes must know both it and the previous one. */
  rewrap(db: Db): Promise<number>
  /** The key that authenticates audit records. */
  auditKey: Buffer
  /** The key that encrypts stored answers for retries. */
  answersKey: Buffer
  /** The key for fingerprints of secrets found in code. */
  foundSecretsKey: Buffer
  /** The seed of the Ed25519 key that signs seals, 32 bytes. */
  signingSeed: Buffer
}

/** The key version of values that were sealed with the installation's key. */
const LEFT = 0

/** Whether the value was sealed by `sealLeft`. */
export const isLeft = ({ keyVersion }: Sealed): boolean => keyVersion === LEFT

const wrapping = (companyId: Id, version: number): Belonging => ({
  companyId,
  table: 'data_key',
  row: companyId,
  column: 'wrapped',
  keyVersion: version,
})

/** Data keys open with the current or the previous root key; `installation` is the result of openInstallationKey. */
export function openKeyring(keys: RootKeys, installation: Buffer): Keyring {
  const wrappingKeys = [keys.current, keys.previous].flatMap((root) => (root ? [deriveKey(root, 'data keys')] : []))
  const leftKey = deriveKey(installation, 'what companies leave')
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

  /** Null if the key was wrapped with a root key that this process was not started with, after a rotation. */
  const unwrap = (companyId: Id, version: number, wrapped: Buffer) => {
    for (const wrappingKey of wrappingKeys) {
      try {
        return unseal(wrappingKey, wrapped, wrapping(companyId, version))
      } catch {}
    }
    return null
  }

  const insertKey = (db: Db, companyId: Id, version: number) =>
    transaction(db, async (trx) => {
      const { root } = await rootInUse(trx, keys)
      const wrapped = seal(deriveKey(root, 'data keys'), randomBytes(32), wrapping(companyId, version))
      await trx
        .insertInto('data_key')
        .values({ company_id: companyId, version, wrapped })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    })

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
    sealLeft: (place, plain) => ({
      bytes: seal(leftKey, Buffer.from(plain), { ...place, keyVersion: LEFT }),
      keyVersion: LEFT,
    }),
    async unseal(db, place, sealed) {
      if (isLeft(sealed)) return unseal(leftKey, sealed.bytes, { ...place, keyVersion: LEFT }).toString('utf8')
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
    rewrap: (db) =>
      rotateRootKey(db, keys, async (trx) => {
        const rows = await trx.selectFrom('data_key').selectAll().forUpdate().execute()
        for (const { company_id, version, wrapped } of rows) {
          const key = unwrap(company_id, version, wrapped)
          if (!key) throw new Error(`No root key opens data key ${version} of company ${company_id}`)
          await trx
            .updateTable('data_key')
            .set({ wrapped: seal(deriveKey(keys.current, 'data keys'), key, wrapping(company_id, version)) })
            .where('company_id', '=', company_id)
            .where('version', '=', version)
            .execute()
        }
        return rows.length
      }),
    auditKey: deriveKey(installation, 'audit records'),
    answersKey: deriveKey(installation, 'kept answers'),
    foundSecretsKey: deriveKey(installation, 'found secrets'),
    signingSeed: deriveKey(installation, 'seals'),
  }
}
