// Time-based one-time passwords (RFC 6238): six digits, thirty seconds, SHA-1.

import { createHmac } from 'node:crypto'

/** Milliseconds for which a code is valid. */
const STEP = 30_000

/** The number of the code that is valid at a time in milliseconds since 1970. */
export const stepAt = (at: number): number => Math.floor(at / STEP)

/** Milliseconds until the next code is valid. */
export const untilNextStep = (at: number): number => STEP - (at % STEP)

/** The code at a time in milliseconds since 1970, for a secret in base32 (RFC 4648). */
export function totpOf(secret: string, at: number = Date.now()): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(stepAt(at)))
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

function bytesOf(secret: string): Buffer {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  let bits = ''
  for (const letter of secret.toUpperCase()) {
    const value = letters.indexOf(letter)
    if (value >= 0) bits += value.toString(2).padStart(5, '0')
  }
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
