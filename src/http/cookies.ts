// The console's cookies: their names and flags depend on whether the request came over TLS, and no script can read them.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../core/config.ts'

/** `merlon` is the session; `merlon-sign-in` binds a sign-in elsewhere to the browser that began it. */
type CookieName = 'merlon' | 'merlon-sign-in'

/** Over TLS the name has a prefix with which browsers enforce that the cookie is secure and for this host alone. */
export const cookieName = (name: CookieName, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name)

const isSecure = (request: FastifyRequest, { publicUrl }: Config): boolean =>
  request.protocol === 'https' || (publicUrl?.startsWith('https:') ?? false)

export function readCookie(request: FastifyRequest, config: Config, name: CookieName): string | null {
  const { cookie } = request.headers
  return cookie === undefined ? null : valueIn(cookie, cookieName(name, isSecure(request, config)))
}

/** The value of a cookie in a Cookie header; null if it is missing or empty. */
export function valueIn(header: string, name: string): string | null {
  const found = header.split('; ').find((pair) => pair.startsWith(`${name}=`))
  return found?.slice(name.length + 1) || null
}

type Cookie = { name: CookieName; value: string; seconds: number; sameSite: 'Strict' | 'Lax' }

/** Adds a cookie to the answer; with 0 seconds the browser deletes it. */
export function setCookie(request: FastifyRequest, reply: FastifyReply, config: Config, cookie: Cookie): void {
  const isOverTls = isSecure(request, config)
  const { value, seconds, sameSite } = cookie
  const name = cookieName(cookie.name, isOverTls)
  const text = `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${isOverTls ? '; Secure' : ''}`
  reply.header('set-cookie', text)
}
