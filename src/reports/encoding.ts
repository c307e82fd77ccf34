// Which encoding the bytes of a report are in, and the same text in UTF-8: scanners of old write Windows-1252 without saying so.

import { isUtf8 } from 'node:buffer'

/** Bytes at the beginning of a report in which it may say its encoding. */
export const DECLARING = 200

/** The encoding that an XML declaration names, in small letters. One that can be read byte by byte is not in UTF-16, whatever it says. */
export function declaredEncoding(start: Uint8Array): string | undefined {
  const text = Buffer.from(start.subarray(0, DECLARING)).toString('latin1')
  const named = /^\s*<\?xml[^>]*encoding=["']([\w.:-]{1,40})["']/.exec(text)?.[1]?.toLowerCase()
  return named === undefined || /^utf-?(?:8|16)/.test(named) ? undefined : named
}

/** What Windows-1252 has at 0x80 to 0x9f, where Latin-1 has nothing that is written; five of them it leaves open. */
const FROM_0X80 = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ'

/**
 * Text in UTF-8 as it is; of a byte that is no part of such text the character that it is in Windows-1252, or a replacement
 * character. So a report may have places in either.
 */
export function utf8Repairer(): { write: (chunk: Uint8Array) => Uint8Array; end: () => Uint8Array } {
  let begun: Uint8Array = Buffer.alloc(0)
  return {
    write(chunk) {
      const bytes = begun.length === 0 ? chunk : Buffer.concat([begun, chunk])
      const whole = bytes.length - lengthOfBegun(bytes)
      begun = bytes.subarray(whole)
      return repaired(bytes.subarray(0, whole))
    },
    end: () => repaired(begun),
  }
}

/** Bytes at the end that may be the beginning of a character: none to three. */
function lengthOfBegun(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return lengthOf(byte) > back ? back : 0
  }
  return 0
}

/** Bytes of the character that begins so; 1 where none does. */
const lengthOf = (byte: number): number => (byte < 0xc2 || byte > 0xf4 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4)

function repaired(bytes: Uint8Array): Uint8Array {
  if (isUtf8(bytes)) return bytes
  const parts: Uint8Array[] = []
  let from = 0
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0
    const length = lengthOf(byte)
    if (byte < 0x80 || (length > 1 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)))) {
      at += length
      continue
    }
    parts.push(
      bytes.subarray(from, at),
      Buffer.from(byte < 0xa0 ? (FROM_0X80[byte - 0x80] ?? '') : String.fromCharCode(byte)),
    )
    at += 1
    from = at
  }
  return Buffer.concat([...parts, bytes.subarray(from)])
}
