// The form of an API key, `mrl_<public id>_<secret><checksum>`: generated, taken apart, and hashed for storage.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { sha256 } from '../../core/crypto.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PUBLIC_LENGTH = 12
/** 62^32 is 190 bits */
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6

const FORM = new RegExp(`^mrl_([0-9A-Za-z]{${PUBLIC_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}})$`)

/** Characters of the alphabet, each equally likely: bytes that would favour some are thrown away. */
function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62)
    }
  }
  return text
}

/** Lets a scanner for leaked keys, and us, tell a mistyped key without asking the database. */
function checksum(text: string): string {
  let number = sha256(text).readUIntBE(0, 6)
  let written = ''
  for (let position = 0; position < CHECKSUM_LENGTH; position += 1) {
    written += ALPHABET.charAt(number % 62)
    number = Math.floor(number / 62)
  }
  return written
}

export type NewKey = { key: string; publicId: string; hash: Buffer }

export function newKey(): NewKey {
  const publicId = randomText(PUBLIC_LENGTH)
  const secret = randomText(SECRET_LENGTH)
  const key = `mrl_${publicId}_${secret}${checksum(publicId + secret)}`
  return { key, publicId, hash: hashOf(key) }
}

/** The public id and hash of a well-formed key, else null. */
export function readKey(key: string): { publicId: string; hash: Buffer } | null {
  const [, publicId = '', rest = ''] = FORM.exec(key) ?? []
  const isWhole = rest !== '' && rest.slice(SECRET_LENGTH) === checksum(publicId + rest.slice(0, SECRET_LENGTH))
  return isWhole ? { publicId, hash: hashOf(key) } : null
}

/** What stands where a key has its public id, whatever else the text is. */
export const publicIdIn = (text: string): string => text.slice('mrl_'.length, 'mrl_'.length + PUBLIC_LENGTH)

export const hashOf = (key: string): Buffer => sha256(key)

export const sameHash = (left: Buffer, right: Buffer): boolean =>
  left.length === right.length && timingSafeEqual(left, right)
