// The scanner's sessions with the target: credentials on requests, stored cookies, and new sign-ins when a session has ended.

import { percentDecoded } from '../core/percent.ts'
import { openJar, TOKEN_HEADERS } from './cookie-jar.ts'
import { headerOf } from './http.ts'
import { leavesOf, readJson } from './json-leaves.ts'
import { hasHeader, isNamed, replaceHeader } from './points.ts'
import { signsInAbroad } from './seed/other-languages.ts'
import { SHORTEST_TOKEN } from './set-cookie.ts'
import type { Credentials, Exchange, HttpRequest, Identity, Stored } from './types.ts'

type Header = HttpRequest['headers'][number]

/** The header in which a token is sent, and the text before it. */
export type TokenWay = { header: string; prefix: string }

export type Session = {
  identity: Identity
  /** The request with the current credentials. Headers and cookies that the request sets itself stay. */
  dress: (request: HttpRequest) => HttpRequest
  /** Stores the cookies that a response sets. A response to a probe, or to a request with its own cookies (`isOwn`), replaces none. */
  learn: (exchange: Exchange, how?: { isSignIn?: boolean; isOwn?: boolean }) => void
  /** From now on cookies that are not tokens stay as they are, so that settings made by a probe do not change later responses. */
  holdPreferences: () => void
  /** Whether a request was sent with the value of a cookie that a response has renewed since. */
  isOutdated: (request: HttpRequest) => boolean
  /** Adopts tokens that responses to probes renewed; false if there are none. */
  takeRenewed: () => boolean
  /** From now on every response renews the cookies, even to a probe, and requests are sent one after another. */
  followRenewals: () => void
  /** whether every response renews the cookies */
  readonly isRenewing: boolean
  /** Sends once no other request is using the cookies that the next response renews. */
  inTurn: <T>(send: () => Promise<T>) => Promise<T>
  /** Stores cookies that were obtained in another way. */
  keepCookies: (cookies: readonly (readonly [name: string, value: string])[]) => void
  /** headers from a login, such as Authorization */
  gained: [string, string][]
  /** how the login's token is sent; null if there is none */
  readonly way: TokenWay | null
  /** From now on sends the token in this way; with a new one if it is given. */
  wear: (way: TokenWay, token?: string) => void
  /** what scripts of the sign-in page stored in a browser; null if no browser opened it */
  stored: Stored | null
  /** the request with which a page's scripts opened the session; null if none did */
  openedBy: HttpRequest | null
  /** the page to which signing in by a form led, which may be reachable in no other way; null if there was none */
  landedAt: string | null
  /** the response with which a login returned a token; null before */
  opened: Exchange | null
  /** when to renew the login's credentials (by performance.now), with the request for it if there is one; null: never */
  renewal: { at: number; refresh: HttpRequest | null } | null
  /** the last one-time code: its number, and whether the target accepts each code only once (RFC 6238, 5.2) */
  code: { step: number; isGoodOnce: boolean } | null
  /** values that must be masked in evidence */
  secrets: () => string[]
  /** values of cookies that are short words, such as a language or a role, and no credentials */
  choices: () => string[]
  /** an exchange that only signed-in users get; null while none is known */
  canary: Exchange | null
  /** what a browser needs to act as the same user */
  credentials: () => Credentials
  /** the path below which a browser sends the cookie (RFC 6265, 5.1.4) */
  pathOf: (cookie: string) => string
  /** the credentials that a browser adds to such a request from another site (RFC 6265bis, 5.6.7.2) */
  acrossSites: (method: string) => Header[]
}

export function openSession(identity: Identity): Session {
  const jar = openJar(identity.cookies)
  const gained: [string, string][] = []
  let isRenewing = false
  let stored: Stored | null = null
  let storedTokens: readonly string[] = []
  let lastTurn: Promise<unknown> = Promise.resolve()
  let worn: { way: TokenWay; token: string } | null = null
  return {
    identity,
    gained,
    get way() {
      return worn?.way ?? null
    },
    wear(way, token = worn?.token ?? '') {
      worn = { way, token }
      gained.length = 0
      gained.push([way.header, `${way.prefix}${token}`])
    },
    get stored() {
      return stored
    },
    set stored(kept) {
      stored = kept
      storedTokens = kept === null ? [] : tokensOf(kept)
    },
    openedBy: null,
    landedAt: null,
    opened: null,
    renewal: null,
    canary: null,
    code: null,
    keepCookies: jar.keep,
    dress(request) {
      const headers = [...request.headers]
      for (const [name, value] of identity.headers) addMissing(headers, request, name, value)
      for (const [name, value] of gained) addMissing(headers, request, name, value)
      const { method, body } = request
      const url = withQuery(request.url, identity.query)
      const cookies = jar.all()
      if (cookies.length === 0) return { method, url, headers, body }
      const own = headers.find(([name]) => name.toLowerCase() === 'cookie')?.[1] ?? ''
      const named = new Set(own.split(';').map((pair) => pair.split('=')[0]?.trim() ?? ''))
      const kept = cookies.flatMap(([name, value]) => (named.has(name) ? [] : [`${name}=${value}`]))
      for (const [cookie, header] of TOKEN_HEADERS) {
        const value = jar.get(cookie)
        if (value) addMissing(headers, request, header, percentDecoded(value))
      }
      const sent = [...(own === '' ? [] : [own]), ...kept].join('; ')
      if (sent !== '') replaceHeader(headers, 'Cookie', sent)
      return { method, url, headers, body }
    },
    holdPreferences: jar.holdPreferences,
    isOutdated: jar.isOutdated,
    takeRenewed: jar.takeRenewed,
    followRenewals() {
      isRenewing = true
    },
    get isRenewing() {
      return isRenewing
    },
    inTurn(send) {
      if (!isRenewing) return send()
      const turn = lastTurn.then(send)
      lastTurn = turn.catch(() => {})
      return turn
    },
    learn(exchange, { isSignIn = false, isOwn = false } = {}) {
      const { answer, values, request } = exchange
      const isProbe = (isOwn || ((values?.length ?? 0) > 0 && !isRenewing)) && !isSignIn
      // a request that changes something may change the user of the session
      const renews = !isOwn && !isTurnedAway(exchange) && /^(?:GET|HEAD)$/i.test(request.method)
      jar.learn(answer, { isProbe, isSignIn, renews })
    },
    secrets: () => [
      ...[...identity.headers, ...gained]
        .filter(([name]) => !/^(accept|content|user-agent|host)/i.test(name))
        .map(([, value]) => value),
      ...[...identity.query, ...jar.all()].map(([, value]) => value),
      ...storedTokens,
      ...(identity.login && 'password' in identity.login ? [identity.login.password] : []),
    ],
    choices: jar.choices,
    credentials() {
      return {
        headers: Object.fromEntries([...identity.headers, ...gained]),
        cookies: jar.all(),
        stored,
      }
    },
    pathOf: jar.pathOf,
    acrossSites(method) {
      const cookies = jar.acrossSites(method).map(([name, value]) => `${name}=${value}`)
      const basic = identity.headers.filter(([name, value]) => isNamed(name, 'authorization') && /^basic /i.test(value))
      return [...basic, ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')] as const] : [])]
    },
  }
}

const MOST_STORED_TOKENS = 50
/** Whether a text looks like a key or an id: one word with a digit, neither a sentence nor an address. */
const STORED_TOKEN = /^(?=[^\d]{0,200}\d)[\w.+/=~-]+$/

/** Stored values that may be credentials, also within JSON. */
function tokensOf({ local, session }: Stored): string[] {
  const texts = [...Object.values(local), ...Object.values(session)].flatMap((text) => {
    const json = readJson(text)
    return json === undefined ? [text] : typeof json === 'string' ? [json] : leavesOf(json).map(({ value }) => value)
  })
  return texts
    .filter((text) => typeof text === 'string')
    .filter((text) => text.length >= SHORTEST_TOKEN && STORED_TOKEN.test(text))
    .slice(0, MOST_STORED_TOKENS)
}

/** Adds a header unless the request sets it itself; a later one of the same name replaces an earlier one. */
function addMissing(headers: Header[], request: HttpRequest, name: string, value: string): void {
  if (!hasHeader(request.headers, name.toLowerCase())) replaceHeader(headers, name, value)
}

function withQuery(url: string, pairs: Identity['query']): string {
  if (pairs.length === 0) return url
  const missing = pairs.filter(([name]) => ![`?${name}=`, `&${name}=`].some((pair) => url.includes(pair)))
  if (missing.length === 0) return url
  const text = missing.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
  return `${url}${url.includes('?') ? '&' : '?'}${text}`
}

const LOGIN_PLACE = /(log[-_]?in|sign[-_]?in|auth|session\/new|sso)\b/i

/** Whether a response says that nobody is signed in: 401, or a redirect to a sign-in page. */
export function isTurnedAway({ answer }: Exchange): boolean {
  if (answer.status === 401) return true
  const location = headerOf(answer, 'location')
  return answer.status >= 300 && answer.status < 400 && (LOGIN_PLACE.test(location) || signsInAbroad(location))
}
