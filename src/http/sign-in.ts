// Signs in at the operator's OpenID provider: the redirect there and back, bound by a cookie to the browser that began it.

import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Config } from '../core/config.ts'
import { type Belonging, deriveKey, seal, unseal } from '../core/crypto.ts'
import { signInAs } from '../modules/access/identities.ts'
import { type OidcClient, openOidc } from '../modules/access/oidc.ts'
import { closeSession } from '../modules/access/sessions.ts'
import { SignInRefused } from '../modules/access/sign-in-refusals.ts'
import { readCookie, setCookie } from './cookies.ts'
import { openRateLimit, requireRate } from './rate.ts'
import type { ServerParts } from './server-parts.ts'
import { originOf, requireOwnOrigin, setSession } from './session.ts'

/** Seconds within which the user must return from the provider. */
const HOLDS = 600
/** Sign-ins per minute from one address. */
const PER_MINUTE = 300
const BYTES = 32
const CALLBACK = '/session/oidc/callback'

const belonging: Belonging = { companyId: '0', table: 'sign_in', row: 'cookie', column: 'begun', keyVersion: 1 }

const begun = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  path: z.string(),
  redirectUri: z.string(),
  /** milliseconds since 1970 */
  until: z.number(),
})
type Begun = z.output<typeof begun>

/** `GET /session/oidc` redirects to the provider, `GET /session/oidc/callback` takes its answer; only if a provider is configured. */
export function addSignIn(app: FastifyInstance, parts: ServerParts): void {
  const { config, keyring, outbound, log, db } = parts
  if (config.oidc === null) return
  const client = openOidc(config.oidc, outbound)
  const key = deriveKey(keyring.answersKey, 'sign-in cookies')
  const rates = openRateLimit(PER_MINUTE)

  const limit = async (request: FastifyRequest, reply: FastifyReply) =>
    requireRate(rates, request.ip, reply, 'Too many sign-ins come from this address')

  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply, path: string) => {
    if (!(error instanceof SignInRefused)) throw error
    log.warn({ requestId: request.id, address: request.ip, reason: error.reason, err: error }, 'A sign-in was refused')
    return reply.redirect(`${path}#refused=${error.reason}`, 303)
  }

  app.get('/session/oidc', { onRequest: limit }, async (request, reply) => {
    requireOwnOrigin(request, config)
    const path = ownPath(request.query)
    const redirectUri = `${originHere(request, config)}${CALLBACK}`
    const random = () => randomBytes(BYTES).toString('base64url')
    const bound = { state: random(), nonce: random(), verifier: random() }
    try {
      const address = await client.addressFor(redirectUri, bound)
      const kept: Begun = { ...bound, path, redirectUri, until: Date.now() + HOLDS * 1000 }
      const value = seal(key, Buffer.from(JSON.stringify(kept)), belonging).toString('base64url')
      setCookie(request, reply, config, { name: 'merlon-sign-in', value, seconds: HOLDS, sameSite: 'Lax' })
      // merlon:allow the address is that of the provider that the operator has configured
      return reply.redirect(address, 303)
    } catch (error) {
      return refuse(error, request, reply, path)
    }
  })

  app.get(CALLBACK, { onRequest: limit }, async (request, reply) => {
    const kept = openBegun(readCookie(request, config, 'merlon-sign-in'), key)
    setCookie(request, reply, config, { name: 'merlon-sign-in', value: '', seconds: 0, sameSite: 'Lax' })
    const path = kept?.path ?? '/'
    try {
      const claims = await comeBack(client, config.oidc?.issuer ?? '', kept, request.query)
      const replaced = readCookie(request, config, 'merlon')
      if (replaced !== null) await closeSession(db, replaced)
      setSession(request, reply, config, await signInAs(parts, claims, { id: request.id, address: request.ip }))
      return reply.redirect(path, 303)
    } catch (error) {
      return refuse(error, request, reply, path)
    }
  })
}

const answered = z.object({ state: z.string(), code: z.string().max(8_000).optional(), iss: z.string().optional() })

async function comeBack(client: OidcClient, issuer: string, kept: Begun | null, query: unknown) {
  const given = answered.safeParse(query)
  if (!kept || !given.success || given.data.state !== kept.state || kept.until < Date.now()) {
    throw new SignInRefused('STATE')
  }
  const { code, iss } = given.data
  // an answer of another provider (RFC 9207)
  if (iss !== undefined && iss !== issuer) throw new SignInRefused('STATE', 'The answer is of another issuer')
  if (code === undefined) throw new SignInRefused('DENIED', 'The provider gave no code')
  return client.redeem(kept.redirectUri, code, kept)
}

function openBegun(cookie: string | null, key: Buffer): Begun | null {
  if (cookie === null) return null
  try {
    return begun.parse(JSON.parse(unseal(key, Buffer.from(cookie, 'base64url'), belonging).toString('utf8')))
  } catch {
    return null
  }
}

const originHere = (request: FastifyRequest, { publicUrl }: Config): string =>
  (publicUrl === null ? null : originOf(publicUrl)) ?? `${request.protocol}://${request.host}`

const asked = z.object({ path: z.string().max(2_000) })

/** The page to return to: always a path of ours, whatever was requested. */
function ownPath(query: unknown): string {
  const { data } = asked.safeParse(query)
  const here = 'http://here.invalid'
  const url = data && URL.parse(data.path, here)
  if (!url || url.origin !== here || url.pathname.startsWith('//')) return '/'
  return `${url.pathname}${url.search}`
}
