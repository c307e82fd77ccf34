// Checks the attributes that protect session cookies.

import type { PassiveCheck, Sighting } from '../check.ts'
import { headersOf } from '../http.ts'
import { readCookie } from '../set-cookie.ts'

type Rule = {
  id: string
  title: string
  cwe: number
  solution: string
  isWrong: (cookie: NonNullable<ReturnType<typeof readCookie>>, isSecure: boolean) => string | null
}

/** Cookies that scripts are meant to read, or that identify nobody. */
const HARMLESS =
  /^(_ga|_gid|_gat|_fbp|lang|locale|theme|i18n|csrftoken|XSRF-TOKEN|_csrf|csrf|cookie_?consent|timezone|tz)/i

const rules: readonly Rule[] = [
  {
    id: 'cookie-http-only',
    title: 'Cookie without HttpOnly',
    cwe: 1004,
    solution: 'Set HttpOnly on cookies that no script needs.',
    isWrong: ({ name, attributes }) =>
      !attributes.has('httponly') && !HARMLESS.test(name) ? `${name} lacks HttpOnly` : null,
  },
  {
    id: 'cookie-secure',
    title: 'Cookie without Secure',
    cwe: 614,
    solution: 'Set Secure on every cookie, and serve over HTTPS.',
    isWrong: ({ name, attributes }, isSecure) =>
      !attributes.has('secure') && (isSecure || SESSION.test(name)) ? `${name} lacks Secure` : null,
  },
  {
    id: 'cookie-same-site',
    title: 'Cookie without SameSite protection',
    cwe: 1275,
    solution: 'Set SameSite=Lax or Strict.',
    isWrong: ({ name, attributes }) => {
      const value = attributes.get('samesite')?.toLowerCase()
      return value === undefined ? `${name} lacks SameSite` : value === 'none' ? `${name} has SameSite=None` : null
    },
  },
  {
    id: 'cookie-scope',
    title: 'Cookie scoped to a whole domain',
    cwe: 565,
    solution: 'Leave out Domain, so that the cookie is sent to its own host only.',
    isWrong: ({ name, attributes }) =>
      (attributes.get('domain') ?? '').replace(/^\./, '').split('.').length === 2
        ? `${name} has Domain=${attributes.get('domain')}`
        : null,
  },
]

/** Cookies that identify somebody. */
export const SESSION = /sess|sid$|auth|token|jwt|login|remember|connect\.sid|user/i

export const cookies: readonly PassiveCheck[] = rules.map(({ id, title, cwe, solution, isWrong }) => ({
  kind: 'passive',
  id,
  title,
  cwes: [cwe],
  severity: 'LOW',
  solution,
  profile: 'BASIC',
  *look(exchange): Iterable<Sighting> {
    const isSecure = exchange.request.url.startsWith('https:')
    for (const line of headersOf(exchange.answer, 'set-cookie')) {
      const cookie = readCookie(line)
      const detail = cookie && !cookie.isGone ? isWrong(cookie, isSecure) : null
      if (cookie && detail)
        yield {
          detail: `The cookie ${detail}.`,
          proof: [cookie.name],
          exchange,
          cause: `${new URL(exchange.request.url).origin} ${cookie.name}`,
        }
    }
  },
}))
