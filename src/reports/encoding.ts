// Detects the encoding of a report and converts it to UTF-8; old scanners write Windows-1252 without declaring it.

import { isUtf8 } from 'node:buffer'

/** Bytes at the beginning of a report that are searched for a declared encoding. */
export const DECLARING = 200

/** The encoding in an XML declaration, in lower case. A declaration that is readable as bytes is not in UTF-16, whatever it says. */
export function declaredEncoding(start: Uint8Array): string | undefined {
  const text = Buffer.from(start.subarray(0, DECLARING)).toString('latin1')
  const named = /^\s*<\?xml[^>]*encoding=["']([\w.:-]{1,40})["']/.exec(text)?.[1]?.toLowerCase()
  return named === undefined || /^utf-?(?:8|16)/.test(named) ? undefined : named
}

/** The characters of Windows-1252 at 0x80 to 0x9f, where Latin-1 has control characters; five are unassigned. */
const FROM_0X80 = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ'

/**
 * Keeps valid UTF-8, and decodes every other byte as Windows-1252, or as a replacement character if that has none. So a report may mix both.
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

/** The number of bytes at the end that may be an incomplete character: 0 to 3. */
function lengthOfBegun(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return lengthOf(byte) > back ? back : 0
  }
  return 0
}

/** The length of the character that starts with this byte; 1 if none does. */
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
