// The metadata of the operator's OpenID provider (endpoints and keys, read once and cached), and calls to it.

import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { jsonOf } from '../../core/json.ts'
import type { Outbound, OutboundRequest } from '../../core/outbound.ts'
import { SignInRefused } from './sign-in-refusals.ts'

/** Milliseconds for which the provider's metadata and keys are cached. */
const DESCRIPTION_HOLDS = 3_600_000
/** The least milliseconds between two fetches of the keys. */
const KEYS_HOLD_AT_LEAST = 10_000
const TIMEOUT = 10_000
const LARGEST = 512 * 1024

const address = z.url().max(2_000)
const description = z.object({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: address.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
})
export type Description = z.output<typeof description>

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(200) })

type Asked = Pick<OutboundRequest, 'method' | 'headers' | 'body'>

/** Each of these throws SignInRefused when the provider gives no usable answer. */
export type OidcProvider = {
  /** Any response, with its body as JSON; undefined if it is not JSON. */
  ask(target: string, request?: Asked): Promise<{ status: number; body: unknown }>
  /** A response with status 200 that fits the schema. */
  read<T>(target: string, schema: z.ZodType<T>, headers?: Record<string, string>): Promise<T>
  describe(): Promise<Description>
  /** The provider's keys; `mustBeNew` fetches them again, unless that was done just now. */
  keysOf(described: Description, mustBeNew: boolean): Promise<JWTVerifyGetKey>
}

export function openOidcProvider(issuer: string, outbound: Outbound): OidcProvider {
  let known: { at: number; description: Description } | null = null
  let keys: { at: number; find: JWTVerifyGetKey } | null = null

  const ask: OidcProvider['ask'] = async (target, request = {}) => {
    const given = { ...request, headers: { accept: 'application/json', ...request.headers } }
    const answer = await outbound.call(target, { ...given, largest: LARGEST, timeout: TIMEOUT }).catch((error) => {
      throw new SignInRefused('UNREACHABLE', 'The provider gave no answer', error)
    })
    return { status: answer.status, body: jsonOf(answer.body.toString('utf8')) }
  }

  const read: OidcProvider['read'] = async (target, schema, headers = {}) => {
    const { status, body } = await ask(target, { headers })
    const parsed = schema.safeParse(body)
    if (status === 200 && parsed.success) return parsed.data
    throw new SignInRefused('UNREACHABLE', `The provider answered ${status} with what cannot be used`)
  }

  return {
    ask,
    read,
    async describe() {
      const now = performance.now()
      if (known && now - known.at < DESCRIPTION_HOLDS) return known.description
      const found = await read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, description)
      // OpenID Connect Discovery 1.0, 4.3
      if (found.issuer !== issuer) throw new SignInRefused('UNREACHABLE', 'The provider describes another issuer')
      known = { at: now, description: found }
      return found
    },
    async keysOf({ jwks_uri }, mustBeNew) {
      const age = keys ? performance.now() - keys.at : Number.POSITIVE_INFINITY
      if (keys && age < (mustBeNew ? KEYS_HOLD_AT_LEAST : DESCRIPTION_HOLDS)) return keys.find
      const find = createLocalJWKSet(await read(jwks_uri, keySet))
      keys = { at: performance.now(), find }
      return find
    },
  }
}
