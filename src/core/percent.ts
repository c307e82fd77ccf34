// Percent-decoding of addresses.

/** The decoded text; a text that cannot be decoded is returned as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
