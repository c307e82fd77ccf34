// Turns any text into an address that a strict reader accepts.

/** Characters that RFC 3986 lets stand in an address, and percent signs that begin an escape. */
const NOT_ALLOWED = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]/gu

/** An address with what may not stand in one escaped; a second `#` too. */
export function addressOf(text: string): string {
  const escaped = text.toWellFormed().replace(NOT_ALLOWED, encodeURIComponent)
  const hash = escaped.indexOf('#')
  return hash < 0 ? escaped : escaped.slice(0, hash + 1) + escaped.slice(hash + 1).replaceAll('#', '%23')
}

/** The path of a file as a relative reference; what has a scheme is an address already. */
export const pathAddressOf = (path: string): string =>
  /^https?:\/\//i.test(path) ? addressOf(path) : path.toWellFormed().split('/').map(encodeURIComponent).join('/')

export const isWebAddress = (text: unknown): text is string =>
  typeof text === 'string' && /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text)
