// Encrypts and decrypts what rows keep secret, each value under a key of its company and bound to its column and row.

import { type Belonging, deriveKey, seal, unseal } from './crypto.ts'
import { openDataKeys } from './data-keys.ts'
import type { Db } from './db/open.ts'
import type { Id } from './ids.ts'
import type { RootKeys } from './root-key.ts'

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
  /** Identifies the installation in its store of files, and reveals nothing else. */
  storeOwner: string
  /** The seed of the Ed25519 key that signs seals, 32 bytes. */
  signingSeed: Buffer
}

/** The key version of values that were sealed with the installation's key. */
const LEFT = 0

/** Whether the value was sealed by `sealLeft`. */
export const isLeft = ({ keyVersion }: Sealed): boolean => keyVersion === LEFT

/** Data keys open with the current or the previous root key; `installation` is the result of openInstallationKey. */
export function openKeyring(keys: RootKeys, installation: Buffer): Keyring {
  const dataKeys = openDataKeys(keys)
  const leftKey = deriveKey(installation, 'what companies leave')
  return {
    async seal(db, place, plain) {
      const { version, key } = await dataKeys.newest(db, place.companyId)
      return sealed(key, { ...place, keyVersion: version }, plain)
    },
    sealLeft: (place, plain) => sealed(leftKey, { ...place, keyVersion: LEFT }, plain),
    async unseal(db, place, { bytes, keyVersion }) {
      const key = keyVersion === LEFT ? leftKey : await dataKeys.find(db, place.companyId, keyVersion)
      return unseal(key, bytes, { ...place, keyVersion }).toString('utf8')
    },
    rotate: dataKeys.add,
    rewrap: dataKeys.rewrap,
    auditKey: deriveKey(installation, 'audit records'),
    answersKey: deriveKey(installation, 'kept answers'),
    foundSecretsKey: deriveKey(installation, 'found secrets'),
    storeOwner: deriveKey(installation, 'stored files').toString('hex'),
    signingSeed: deriveKey(installation, 'seals'),
  }
}

const sealed = (key: Buffer, belonging: Belonging, plain: string): Sealed => ({
  bytes: seal(key, Buffer.from(plain), belonging),
  keyVersion: belonging.keyVersion,
})
