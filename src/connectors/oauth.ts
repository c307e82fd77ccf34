// Sends people to a vendor's consent, and exchanges codes and refresh tokens with its token endpoint (RFC 6749).

import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { OauthClient } from '../core/config.ts'
import { OutboundFailed } from '../core/outbound-errors.ts'
import { VendorFailed, VendorRefused } from './errors.ts'
import { failureOf, jsonOrNone } from './http-answers.ts'
import { formText } from './http-request.ts'
import type { Credential, Settings } from './kinds.ts'
import type { Connector, OauthRow } from './types.ts'
import type { Vendors } from './vendors.ts'

/** What the operator registered at the vendor; `redirectUri` must be the one that codes were asked with. */
export type { OauthClient } from '../core/config.ts'

export type OauthCredential = Extract<Credential, { kind: 'OAUTH' }>
/** `verifier` is what a code was bound to (RFC 7636, 4.1); null: to nothing. */
type Grant = { code: string; verifier: string | null } | { refreshToken: string }

const tokens = z.object({
  access_token: z.string().min(1).max(16_384),
  refresh_token: z.string().min(1).max(16_384).nullish(),
  expires_in: z.coerce.number().positive().max(1e9).nullish(),
})
const refusal = z.object({ error: z.string() })

/** Where a person consents that we act for them; `verifier` is kept by us until the code is exchanged. */
export function consentAddress(
  { authorizeUrl, authorizeFields, pkce }: OauthRow,
  settings: Settings,
  { clientId, redirectUri }: OauthClient,
  { state, verifier }: { state: string; verifier: string },
): string {
  const url = new URL(authorizeUrl(settings))
  const fields = {
    response_type: 'code',
    client_id: clientId,
    ...(redirectUri !== null && { redirect_uri: redirectUri }),
    ...authorizeFields,
    state,
    ...(pkce && {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
  }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}

/** Milliseconds: less than what a statement may take that waits for the row meanwhile. */
const TIMEOUT = 8_000

/**
 * One call, never repeated after the vendor may have seen it. VendorRefused of kind CREDENTIAL when the code or the refresh token is not
 * accepted (`invalid_grant`); VendorFailed for everything else, which says nothing of them.
 */
export async function requestTokens(
  { outbound, clock }: Pick<Vendors, 'outbound' | 'clock'>,
  { name, oauth }: Pick<Connector, 'name'> & { oauth: Pick<OauthRow, 'tokenUrl' | 'client' | 'fields' | 'pkce'> },
  settings: Settings,
  client: OauthClient,
  grant: Grant,
): Promise<OauthCredential> {
  const isBasic = oauth.client === 'basic'
  const fields = {
    ...('code' in grant
      ? {
          grant_type: 'authorization_code',
          code: grant.code,
          ...(oauth.pkce && grant.verifier !== null && { code_verifier: grant.verifier }),
        }
      : { grant_type: 'refresh_token', refresh_token: grant.refreshToken }),
    ...(client.redirectUri !== null && { redirect_uri: client.redirectUri }),
    ...(!isBasic && { client_id: client.clientId, client_secret: client.clientSecret }),
    ...oauth.fields,
  }
  const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')
  const call = () =>
    outbound.call(oauth.tokenUrl(settings), {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        ...(isBasic && { authorization: `Basic ${basic}` }),
      },
      body: formText(fields),
      largest: 256 * 1024,
      timeout: TIMEOUT,
    })
  const answer = await call().catch((error: unknown) => {
    throw error instanceof OutboundFailed ? failureOf(name, error, false).error : error
  })
  const { status } = answer
  const given = jsonOrNone(answer.body)
  const read = tokens.safeParse(given)
  if (status === 200 && read.success) {
    const { access_token, refresh_token, expires_in } = read.data
    const before = 'refreshToken' in grant ? grant.refreshToken : null
    const expiresAt = expires_in ? new Date(clock.now() + expires_in * 1000).toISOString() : null
    return { kind: 'OAUTH', accessToken: access_token, refreshToken: refresh_token ?? before, expiresAt }
  }
  if (status >= 400 && status < 500 && refusal.safeParse(given).data?.error === 'invalid_grant') {
    throw new VendorRefused(name, 'CREDENTIAL', { status })
  }
  if (status >= 500 || status === 429) throw new VendorFailed(name, 'SERVER_ERROR', { status })
  throw new VendorFailed(name, 'BROKEN_ANSWER', { status, detail: 'the exchange of tokens failed' })
}
