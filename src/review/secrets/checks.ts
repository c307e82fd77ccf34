// What a token must satisfy beyond its form: checksums, and parts that can be decoded.

import { crc32 } from 'node:zlib'

export type CheckName = 'crc-base62' | 'grafana' | 'discord' | 'mixed'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The CRC-32 of a text in six digits of base 62, as the hosts of code and packages put it at a token's end. */
export function crcInBase62(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = (BASE62[rest % 62] ?? '') + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** The CRC-32 of all before the last underscore in hexadecimal digits, the lowest byte first. */
export function grafanaChecksum(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(crc32(text))
  return bytes.toString('hex')
}

export const checks: Readonly<Record<CheckName, (token: string) => boolean>> = {
  'crc-base62': (token) => {
    const random = token.slice(token.indexOf('_') + 1)
    return crcInBase62(random.slice(0, -6)) === random.slice(-6)
  },
  grafana: (token) => {
    const end = token.lastIndexOf('_')
    return grafanaChecksum(token.slice(0, end)) === token.slice(end + 1).toLowerCase()
  },
  // The first part is the account's number.
  discord: (token) => /^\d{17,20}$/.test(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('latin1')),
  // Forty characters of base 64 are seldom all of one case, and then they are a hash.
  mixed: (token) => /[a-z]/.test(token) && /[A-Z]/.test(token) && /[0-9]/.test(token) && !/^[0-9a-f]+$/i.test(token),
}
