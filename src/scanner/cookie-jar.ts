// The cookies of one session: which responses replace which, and what a browser would send where.

import { headersOf } from './http.ts'
import { isNamed } from './points.ts'
import { readCookie, SHORTEST_TOKEN } from './set-cookie.ts'
import type { HttpAnswer, HttpRequest } from './types.ts'

type Pair = readonly [name: string, value: string]

/** `renews`: the response is to a plain request of somebody signed in, so that what it sets may be taken later. */
type Learning = { isProbe: boolean; isSignIn: boolean; renews: boolean }

type CookieJar = {
  all: () => [name: string, value: string][]
  get: (name: string) => string | undefined
  keep: (cookies: readonly Pair[]) => void
  /** Stores the cookies that a response sets. One to a probe replaces none, except tokens against forged requests. */
  learn: (answer: HttpAnswer, learning: Learning) => void
  /** From now on cookies that are not tokens stay as they are, except after a sign-in. */
  holdPreferences: () => void
  /** Whether a request was sent with the value of a cookie that has another one by now. */
  isOutdated: (request: HttpRequest) => boolean
  /** Adopts the last values that a response renewed, even one to a probe; false if there are none. */
  takeRenewed: () => boolean
  /** values that are short words, such as a language or a role */
  choices: () => string[]
  pathOf: (cookie: string) => string
  /** Those that a browser adds to such a request from another site. */
  acrossSites: (method: string) => Pair[]
}

/** Cookies whose value frameworks expect back in a header, to prevent forged requests. */
export const TOKEN_HEADERS = [
  ['XSRF-TOKEN', 'X-XSRF-TOKEN'],
  ['csrftoken', 'X-CSRFToken'],
] as const

const ANEW: ReadonlySet<string> = new Set(TOKEN_HEADERS.map(([cookie]) => cookie))

const MOST_COOKIES = 100

export function openJar(given: Iterable<Pair>): CookieJar {
  const jar = new Map<string, string>(given)
  const held = new Set<string>()
  /** cookies that a browser does not add to every request from other sites, by name */
  const sites = new Map<string, string>()
  const paths = new Map<string, string>()
  /** cookie → the last value from a response that did not reject the session, even to a probe */
  const renewed = new Map<string, string>()

  const set = (name: string, value: string) => {
    if (jar.has(name) || jar.size < MOST_COOKIES) jar.set(name, value)
  }

  return {
    all: () => [...jar],
    get: (name) => jar.get(name),
    keep(cookies) {
      for (const [name, value] of cookies) set(name, value)
    },
    learn(answer, { isProbe, isSignIn, renews }) {
      for (const line of headersOf(answer, 'set-cookie')) {
        const cookie = readCookie(line)
        if (cookie === null || (held.has(cookie.name) && !isSignIn)) continue
        if (renews && !cookie.isGone && jar.has(cookie.name)) renewed.set(cookie.name, cookie.value)
        // a session stored in the cookie itself would continue with what the probe made of it
        if (isProbe && jar.has(cookie.name) && !ANEW.has(cookie.name)) continue
        sites.set(cookie.name, cookie.attributes.get('samesite')?.toLowerCase() ?? '')
        paths.set(cookie.name, cookie.attributes.get('path') ?? '/')
        if (cookie.isGone) jar.delete(cookie.name)
        else set(cookie.name, cookie.value)
      }
    },
    holdPreferences() {
      for (const [name, value] of jar) if (value.length < SHORTEST_TOKEN) held.add(name)
    },
    isOutdated({ headers }) {
      const sent = headers.find(([name]) => isNamed(name, 'cookie'))?.[1] ?? ''
      return sent.split('; ').some((pair) => {
        const [name = ''] = pair.split('=', 1)
        return jar.has(name) && pair !== `${name}=${jar.get(name)}`
      })
    },
    takeRenewed() {
      const others = [...renewed].filter(([name, value]) => jar.get(name) !== value)
      for (const [name, value] of others) jar.set(name, value)
      return others.length > 0
    },
    choices: () => [...jar.values()].filter((value) => value.length < SHORTEST_TOKEN && /^[A-Za-z]+$/.test(value)),
    pathOf: (cookie) => paths.get(cookie) ?? '/',
    acrossSites(method) {
      const goesAlong = (name: string) =>
        sites.get(name) !== 'strict' && (sites.get(name) !== 'lax' || method === 'GET')
      return [...jar].filter(([name]) => goesAlong(name))
    },
  }
}
