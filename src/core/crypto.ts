// Encryption at rest: a root key wraps a data key for each company, which encrypts single values with AES-256-GCM.

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hash as hashAtOnce,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

const NONCE = 12
const TAG = 16

/** The context to which a ciphertext is bound (additional authenticated data). */
export type Belonging = { companyId: string; table: string; row: string; column: string; keyVersion: number }

const associated = (of: Belonging) =>
  Buffer.from(JSON.stringify([of.companyId, of.table, of.row, of.column, of.keyVersion]))

/** nonce (12 bytes), ciphertext, tag (16 bytes). `key` has 32 bytes. */
export function seal(key: Buffer, plain: Buffer, of: Belonging): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associated(of))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** The inverse of `seal`; throws if the key, the bytes or the context differ. */
export function unseal(key: Buffer, sealed: Buffer, of: Belonging): Buffer {
  if (sealed.length < NONCE + TAG) throw new Error('The sealed value is too short')
  const options = { authTagLength: TAG }
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE), options).setAAD(associated(of))
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE, sealed.length - TAG)), decipher.final()])
}

export const sha256 = (...parts: (string | Uint8Array)[]): Buffer => {
  const [part] = parts
  if (part !== undefined && parts.length === 1) return hashAtOnce('sha256', part, 'buffer')
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** As sha256 of one part, but encoded as text: three times as fast as encoding the bytes afterwards. */
export const sha256In = (encoding: 'hex' | 'base64url', part: string): string => hashAtOnce('sha256', part, encoding)

/** A key of 32 bytes for one purpose, derived from the root key (HKDF, RFC 5869). */
export const deriveKey = (root: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', root, Buffer.alloc(0), `merlon ${purpose}`, 32))

const secrets = new WeakMap<Buffer, KeyObject>()

/** A key object, created once: creating it from bytes takes five times as long as authenticating a short message. */
function secretOf(key: Buffer): KeyObject {
  const known = secrets.get(key)
  if (known) return known
  const made = createSecretKey(key)
  secrets.set(key, made)
  return made
}

export const hmac = (key: Buffer, message: string | Uint8Array): Buffer =>
  createHmac('sha256', secretOf(key)).update(message).digest()
