// One Set-Cookie line of a response (RFC 6265, 5.2).

type SetCookie = { name: string; value: string; isGone: boolean; attributes: Map<string, string> }

/** The length from which a cookie's value counts as a token rather than a setting such as a language. */
export const SHORTEST_TOKEN = 16

/** Null if the line sets nothing. */
export function readCookie(line: string): SetCookie | null {
  const [pair = '', ...rest] = line.split(';')
  const at = pair.indexOf('=')
  const name = pair.slice(0, at).trim()
  if (at < 1 || name === '') return null
  const attributes = new Map(
    rest.map((part): [string, string] => {
      const [key = '', ...value] = part.split('=')
      return [key.trim().toLowerCase(), value.join('=').trim()]
    }),
  )
  const expires = Date.parse(attributes.get('expires') ?? '')
  const age = attributes.get('max-age')
  const isGone = age === undefined ? expires < Date.now() : Number(age) <= 0
  return { name, value: pair.slice(at + 1).trim(), isGone, attributes }
}
