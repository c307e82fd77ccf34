// A login that returns a token: where the token is in the response, when it expires, and how it is renewed.

import type { SendOptions } from '../check.ts'
import { headerOf } from '../http.ts'
import { isList, isObject, readJson, valueAt } from '../json-leaves.ts'
import type { Send } from '../requests.ts'
import type { Session } from '../session.ts'
import type { HttpAnswer, HttpRequest, Json, Login } from '../types.ts'

type TokenLogin = Extract<Login, { type: 'TOKEN' }>

/** Milliseconds between two renewals at least, and the part of a token's life after which it is renewed. */
const SHORTEST = 5_000
const SPENT = 0.8

/** False when the target gave neither a token nor a cookie. */
export async function byToken(login: TokenLogin, session: Session, send: Send, options: SendOptions): Promise<boolean> {
  const settled = session.way
  session.gained.length = 0
  session.renewal = null
  const exchange = await send(login.request, options)
  const { answer, text } = exchange
  if (answer.status >= 400) return false
  session.opened = exchange
  const json = readJson(text)
  const given = login.tokenPath ? textAt(json, login.tokenPath) : tokenIn(json)
  const [name, inHeader] = given === null && !login.tokenPath ? headerToken(answer) : ['', null]
  const token = given ?? inHeader
  if (token === null) return answer.headers.some(([one]) => one === 'set-cookie')
  const header = login.header ?? (name || 'Authorization')
  // what an answer has in a header is sent back as it stands there
  const prefix = login.prefix ?? (name ? headerOf(answer, name).slice(0, -token.length) : prefixOf(header))
  session.wear(settled ?? { header, prefix }, token)
  const life = lifeOf(token, json)
  if (life !== null) {
    session.renewal = { at: performance.now() + Math.max(SHORTEST, life * SPENT), refresh: refreshOf(login, json) }
  }
  return true
}

/** Asks for a token in the place of one that ends: with the refresh token where there is one, else by the login. */
export async function renew(login: TokenLogin, session: Session, send: Send, options: SendOptions): Promise<boolean> {
  const refresh = session.renewal?.refresh
  if (refresh && (await byToken({ ...login, request: refresh }, session, send, options))) return true
  return byToken(login, session, send, options)
}

/** Milliseconds from now; null when nothing says it. */
function lifeOf(token: string, json: Json | undefined): number | null {
  const told = isObject(json) ? json.expires_in : undefined
  if (typeof told === 'number' && told > 0) return told * 1000
  const claims = readJson(Buffer.from(/^eyJ[\w-]+\.([\w-]+)\./.exec(token)?.[1] ?? '', 'base64url').toString())
  const end = isObject(claims) ? claims.exp : undefined
  return typeof end === 'number' ? end * 1000 - Date.now() : null
}

/** The request for the next token (RFC 6749, 6), of a login that asks a token endpoint as the standard has it. */
function refreshOf({ request }: TokenLogin, json: Json | undefined): HttpRequest | null {
  const given = isObject(json) ? json.refresh_token : undefined
  const asked = new URLSearchParams(request.body?.toString() ?? '')
  if (typeof given !== 'string' || !asked.has('grant_type')) return null
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: given })
  for (const name of ['client_id', 'client_secret', 'scope']) {
    const value = asked.get(name)
    if (value !== null) body.set(name, value)
  }
  const headers = request.headers.filter(([name]) => !/^content-length$/i.test(name))
  const text = body.toString()
  return { ...request, headers: [...headers, ['Content-Length', String(Buffer.byteLength(text))]], body: text }
}

const prefixOf = (header: string) => (/^authorization$/i.test(header) ? 'Bearer ' : '')

const TOKEN_HEADERS = ['authorization', 'x-auth-token', 'x-access-token', 'x-token', 'token']

/** The token in an answer's headers, and the name of the header. */
function headerToken(answer: HttpAnswer): [name: string, token: string | null] {
  for (const name of TOKEN_HEADERS) {
    const token = /^(?:bearer )?(\S{8,4000})$/i.exec(headerOf(answer, name))?.[1]
    if (token !== undefined) return [name, token]
  }
  return ['', null]
}

const textAt = (json: Json | undefined, path: string): string | null => {
  const value = json === undefined ? undefined : valueAt(json, path)
  return typeof value === 'string' ? value : null
}

const TOKEN_NAMES = [
  'access_token',
  'accesstoken',
  'token',
  'jwt',
  'id_token',
  'idtoken',
  'auth_token',
  'authtoken',
  'authorization',
  'sessiontoken',
  'session',
  'api_key',
  'apikey',
]

/** The token in an answer, by the names that tokens have; the most telling name first. */
export function tokenIn(json: Json | undefined): string | null {
  const found = new Map<string, string>()
  const walk = (value: Json, depth: number): void => {
    if (depth > 5) return
    if (isList(value)) for (const one of value.slice(0, 10)) walk(one, depth + 1)
    if (!isObject(value)) return
    for (const [name, one] of Object.entries(value)) {
      const plain = name.toLowerCase()
      if (typeof one === 'string' && one.length >= 8 && !found.has(plain))
        found.set(plain, one.replace(/^bearer /i, ''))
      else if (typeof one === 'object' && one !== null) walk(one, depth + 1)
    }
  }
  if (json !== undefined) walk(json, 0)
  for (const name of TOKEN_NAMES) if (found.has(name)) return found.get(name) ?? null
  for (const [, value] of found) if (/^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(value)) return value
  return null
}
