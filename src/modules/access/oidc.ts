// The client of the operator's OpenID provider: sends a person there, redeems the code that comes back, verifies the ID token.

import { createHash } from 'node:crypto'
import { errors, jwtVerify } from 'jose'
import { z } from 'zod'
import type { OidcSettings } from '../../core/config.ts'
import type { Outbound } from '../../core/outbound.ts'
import { type Description, type OidcProvider, openOidcProvider } from './oidc-provider.ts'
import { SignInRefused } from './sign-in-refusals.ts'

/** What the provider proved of a person. */
export type Claims = { issuer: string; subject: string; email: string | null; isEmailVerified: boolean }

/** What a sign-in is bound to; each of 32 random bytes in base64url. `verifier`: RFC 7636. */
type Bound = { state: string; nonce: string; verifier: string }

export type OidcClient = {
  /** Where the person signs in and consents. */
  addressFor(redirectUri: string, bound: Bound): Promise<string>
  /** What the code stands for, once; all of these throw SignInRefused. */
  redeem(redirectUri: string, code: string, bound: Bound): Promise<Claims>
}

/** Seconds by which clocks may differ. */
const TOLERANCE = 60
const ALGORITHMS = ['RS256', 'ES256']

const tokens = z.object({ id_token: z.string().max(64_000), access_token: z.string().max(64_000).optional() })
type Tokens = z.output<typeof tokens>

const told = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().max(320).nullish(),
  // some providers write it as a text
  email_verified: z.union([z.boolean(), z.stringbool()]).nullish(),
})
type Told = z.output<typeof told>

export function openOidc(settings: OidcSettings, outbound: Outbound): OidcClient {
  const { issuer } = settings
  const provider = openOidcProvider(issuer, outbound)
  return {
    async addressFor(redirectUri, bound) {
      return addressAt(await provider.describe(), settings, redirectUri, bound)
    },
    async redeem(redirectUri, code, { nonce, verifier }) {
      const described = await provider.describe()
      const given = await exchange(provider, described, settings, { redirectUri, code, verifier })
      const proven = await prove(provider, described, settings, { idToken: given.id_token, nonce })
      const claims = await withEmail(provider, described, proven, given)
      return {
        issuer,
        subject: proven.sub,
        email: claims.email ?? null,
        isEmailVerified: claims.email_verified === true,
      }
    },
  }
}

function addressAt(
  { authorization_endpoint }: Description,
  { issuer, clientId }: OidcSettings,
  redirectUri: string,
  { state, nonce, verifier }: Bound,
): string {
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
}

/** Exchanges the code for tokens (RFC 6749, 4.1.3). */
async function exchange(
  provider: OidcProvider,
  { token_endpoint, token_endpoint_auth_methods_supported: methods }: Description,
  { clientId, clientSecret }: OidcSettings,
  { redirectUri, code, verifier }: { redirectUri: string; code: string; verifier: string },
): Promise<Tokens> {
  const isBasic = clientSecret !== '' && (methods === undefined || methods.includes('client_secret_basic'))
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...(!isBasic && { client_id: clientId, ...(clientSecret !== '' && { client_secret: clientSecret }) }),
  }
  const { status, body } = await provider.ask(token_endpoint, {
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
  return given.data
}

/** Verifies the ID token (OpenID Connect Core 1.0, 3.1.3.7). */
async function prove(
  provider: OidcProvider,
  described: Description,
  { issuer, clientId }: OidcSettings,
  { idToken, nonce }: { idToken: string; nonce: string },
): Promise<Told> {
  const options = {
    issuer,
    audience: clientId,
    algorithms: ALGORITHMS,
    clockTolerance: TOLERANCE,
    requiredClaims: ['sub', 'iat', 'exp', 'nonce'],
  }
  const verify = async (mustBeNew: boolean) => jwtVerify(idToken, await provider.keysOf(described, mustBeNew), options)
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

/** The claims of the ID token, or, where it has no e-mail address, those of the userinfo endpoint. */
async function withEmail(
  provider: OidcProvider,
  { userinfo_endpoint }: Description,
  proven: Told,
  { access_token }: Tokens,
): Promise<Told> {
  if (proven.email != null || userinfo_endpoint === undefined || access_token === undefined) return proven
  const claims = await provider.read(userinfo_endpoint, told, { authorization: `Bearer ${access_token}` })
  // OpenID Connect Core 1.0, 5.3.2
  if (claims.sub !== proven.sub) throw new SignInRefused('TOKEN', 'The provider told of another subject')
  return claims
}

/** RFC 6749, 2.3.1: each part as a form has it. */
function basic(id: string, secret: string): string {
  const part = (text: string) => new URLSearchParams({ part: text }).toString().slice('part='.length)
  return `Basic ${Buffer.from(`${part(id)}:${part(secret)}`).toString('base64')}`
}

/** The code of an OAuth error, which says nothing secret. */
const faultIn = (body: unknown): string =>
  z.object({ error: z.string().regex(/^[\w-]{1,60}$/) }).safeParse(body).data?.error ?? 'without a reason'
