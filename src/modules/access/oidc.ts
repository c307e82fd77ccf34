// The client of the operator's OpenID provider: sends a person there, redeems the code that comes back, verifies the ID token.

import { createHash } from 'node:crypto'
import { createLocalJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'
import type { OidcSettings } from '../../core/config.ts'
import { jsonOf } from '../../core/json.ts'
import type { Outbound, OutboundRequest } from '../../core/outbound.ts'
import { SignInRefused } from './sign-in-refusals.ts'

/** What the provider proved of a person. */
export type Claims = { issuer: string; subject: string; email: string | null; isEmailVerified: boolean }

/** What a sign-in is bound to; each of 32 random bytes in base64url. `verifier`: RFC 7636. */
export type Bound = { state: string; nonce: string; verifier: string }

export type OidcClient = {
  /** Where the person signs in and consents. */
  addressFor(redirectUri: string, bound: Bound): Promise<string>
  /** What the code stands for, once; all of these throw SignInRefused. */
  redeem(redirectUri: string, code: string, bound: Bound): Promise<Claims>
}

/** Milliseconds for which the provider's description and keys are relied on, and that pass between two readings of keys. */
const DESCRIPTION_HOLDS = 3_600_000
const KEYS_HOLD_AT_LEAST = 10_000
const TIMEOUT = 10_000
const LARGEST = 512 * 1024
/** Seconds by which clocks may differ. */
const TOLERANCE = 60
const ALGORITHMS = ['RS256', 'ES256']

const address = z.url().max(2_000)
const description = z.object({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: address.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
})
type Description = z.output<typeof description>

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(200) })
const tokens = z.object({ id_token: z.string().max(64_000), access_token: z.string().max(64_000).optional() })
const told = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().max(320).nullish(),
  // some providers write it as a text
  email_verified: z.union([z.boolean(), z.stringbool()]).nullish(),
})

export function openOidc({ issuer, clientId, clientSecret }: OidcSettings, outbound: Outbound): OidcClient {
  let described: { at: number; description: Description } | null = null
  let keys: { at: number; find: JWTVerifyGetKey } | null = null

  const ask = async (target: string, request: Pick<OutboundRequest, 'method' | 'headers' | 'body'> = {}) => {
    const given = { ...request, headers: { accept: 'application/json', ...request.headers } }
    const answer = await outbound.call(target, { ...given, largest: LARGEST, timeout: TIMEOUT }).catch((error) => {
      throw new SignInRefused('UNREACHABLE', 'The provider gave no answer', error)
    })
    return { status: answer.status, body: jsonOf(answer.body.toString('utf8')) }
  }

  const read = async <T>(target: string, schema: z.ZodType<T>, headers = {}): Promise<T> => {
    const { status, body } = await ask(target, { headers })
    const parsed = schema.safeParse(body)
    if (status === 200 && parsed.success) return parsed.data
    throw new SignInRefused('UNREACHABLE', `The provider answered ${status} with what cannot be used`)
  }

  const describe = async (): Promise<Description> => {
    const now = performance.now()
    if (described && now - described.at < DESCRIPTION_HOLDS) return described.description
    const found = await read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, description)
    // OpenID Connect Discovery 1.0, 4.3
    if (found.issuer !== issuer) throw new SignInRefused('UNREACHABLE', 'The provider describes another issuer')
    described = { at: now, description: found }
    return found
  }

  const keysOf = async ({ jwks_uri }: Description, mustBeNew: boolean): Promise<JWTVerifyGetKey> => {
    const age = keys ? performance.now() - keys.at : Number.POSITIVE_INFINITY
    if (keys && age < (mustBeNew ? KEYS_HOLD_AT_LEAST : DESCRIPTION_HOLDS)) return keys.find
    const find = createLocalJWKSet(await read(jwks_uri, keySet))
    keys = { at: performance.now(), find }
    return find
  }

  /** OpenID Connect Core 1.0, 3.1.3.7 */
  const prove = async (idToken: string, description: Description, nonce: string) => {
    const options = {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      clockTolerance: TOLERANCE,
      requiredClaims: ['sub', 'iat', 'exp', 'nonce'],
    }
    const verify = async (mustBeNew: boolean) => jwtVerify(idToken, await keysOf(description, mustBeNew), options)
    const { payload } = await verify(false)
      .catch((error) => {
        // a key that is not known yet, or another one under a name that is
        const isOfKey =
          error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed
        if (isOfKey) return verify(true)
        throw error
      })
      .catch((error) => {
        if (error instanceof SignInRefused) throw error
        throw new SignInRefused('TOKEN', 'The ID token is not valid', error)
      })
    if (payload.nonce !== nonce) throw new SignInRefused('TOKEN', 'The ID token is of another sign-in')
    const isForOthersToo = Array.isArray(payload.aud) && payload.aud.length > 1
    if ((isForOthersToo || payload.azp !== undefined) && payload.azp !== clientId) {
      throw new SignInRefused('TOKEN', 'The ID token was given to another client')
    }
    const claims = told.safeParse(payload)
    if (!claims.success) throw new SignInRefused('TOKEN', 'The ID token has claims that cannot be read')
    return claims.data
  }

  return {
    async addressFor(redirectUri, { state, nonce, verifier }) {
      const { authorization_endpoint } = await describe()
      const url = new URL(authorization_endpoint)
      if (!['https:', new URL(issuer).protocol].includes(url.protocol)) {
        throw new SignInRefused('UNREACHABLE', 'The provider describes an address without TLS')
      }
      const fields = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
      return url.href
    },

    async redeem(redirectUri, code, { nonce, verifier }) {
      const description = await describe()
      const { token_endpoint, token_endpoint_auth_methods_supported: methods } = description
      const isBasic = clientSecret !== '' && (methods === undefined || methods.includes('client_secret_basic'))
      const form = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        ...(!isBasic && { client_id: clientId, ...(clientSecret !== '' && { client_secret: clientSecret }) }),
      }
      const { status, body } = await ask(token_endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(isBasic && { authorization: basic(clientId, clientSecret) }),
        },
        body: new URLSearchParams(form).toString(),
      })
      if (status >= 400 && status < 500)
        throw new SignInRefused('CODE', `The provider answered ${status}: ${faultIn(body)}`)
      const given = tokens.safeParse(body)
      if (status !== 200 || !given.success) throw new SignInRefused('UNREACHABLE', `The provider answered ${status}`)

      const proven = await prove(given.data.id_token, description, nonce)
      const { userinfo_endpoint } = description
      const isToldThere =
        proven.email == null && userinfo_endpoint !== undefined && given.data.access_token !== undefined
      const claims = isToldThere
        ? await read(userinfo_endpoint, told, { authorization: `Bearer ${given.data.access_token}` })
        : proven
      // OpenID Connect Core 1.0, 5.3.2
      if (claims.sub !== proven.sub) throw new SignInRefused('TOKEN', 'The provider told of another subject')
      return {
        issuer,
        subject: proven.sub,
        email: claims.email ?? null,
        isEmailVerified: claims.email_verified === true,
      }
    },
  }
}

/** RFC 6749, 2.3.1: each part as a form has it. */
function basic(id: string, secret: string): string {
  const part = (text: string) => new URLSearchParams({ part: text }).toString().slice('part='.length)
  return `Basic ${Buffer.from(`${part(id)}:${part(secret)}`).toString('base64')}`
}

/** The code of an OAuth error, which says nothing secret. */
const faultIn = (body: unknown): string =>
  z.object({ error: z.string().regex(/^[\w-]{1,60}$/) }).safeParse(body).data?.error ?? 'without a reason'
