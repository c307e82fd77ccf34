// Percent-decoding, as in addresses.

/** What the text says; one that cannot be decoded says what it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
