// Signs and reads the tokens of the vulnerable service; each way of reading them wrongly has its switch.
import { createHmac, generateKeyPairSync, randomBytes, sign, timingSafeEqual, verify } from 'node:crypto'
import type { Switch } from './flaw.ts'

export type Keys = { privatePem: string; publicPem: string; jwk: Record<string, unknown>; session: string }

type Claims = { sub: string; role?: string; iat: number; exp: number }

export function makeKeys(): Keys {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    privatePem: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    publicPem: String(publicKey.export({ type: 'spki', format: 'pem' })),
    jwk: { ...publicKey.export({ format: 'jwk' }), kid: 'shop-1', use: 'sig', alg: 'RS256' },
    session: randomBytes(32).toString('hex'),
  }
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const hmac = (input: string, key: string) => createHmac('sha256', key).update(input).digest()

const claimsFor = (sub: string): Claims => {
  const now = Math.floor(Date.now() / 1000)
  return { sub, iat: now, exp: now + 3600 }
}

/** The token that the API takes, signed with the service's private key. */
export function accessToken(keys: Keys, name: string): string {
  const input = `${encode({ alg: 'RS256', typ: 'JWT', kid: 'shop-1' })}.${encode(claimsFor(name))}`
  return `${input}.${sign('RSA-SHA256', Buffer.from(input), keys.privatePem).toString('base64url')}`
}

/** The token of a session of the pages, signed with a shared key. */
export function sessionToken(keys: Keys, name: string, on: Switch): string {
  const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claimsFor(name))}`
  return `${input}.${hmac(input, sessionKey(keys, on)).toString('base64url')}`
}

/** What a friend of a member joins with, signed with a shared key. */
export function invitation(keys: Keys, name: string, on: Switch): string {
  const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claimsFor(name))}`
  return `${input}.${hmac(input, on('invitation-key') ? '482913' : keys.session).toString('base64url')}`
}

const sessionKey = (keys: Keys, on: Switch) => (on('session-weak-key') ? 'secret123' : keys.session)

/** Who an access token speaks for; undefined where it is not accepted. */
export function readAccessToken(keys: Keys, token: string, on: Switch): string | undefined {
  const parts = split(token)
  if (parts === undefined) return undefined

  const { header, claims, input, signature } = parts
  if (claims.exp * 1000 < Date.now()) return undefined
  if (header.alg === 'none' && on('token-alg-none')) return claims.sub
  if (signature.length === 0 && on('token-signature-cut')) return claims.sub
  if (header.alg === 'HS256' && on('token-key-confusion')) {
    return same(hmac(input, keys.publicPem), signature) ? claims.sub : undefined
  }
  if (header.alg !== 'RS256') return undefined
  return verify('RSA-SHA256', Buffer.from(input), keys.publicPem, signature) ? claims.sub : undefined
}

/** Who a token says it speaks for, whoever signed it. */
export const claimedName = (token: string): string | undefined => split(token)?.claims.sub

/** Who a session speaks for; undefined where it is not accepted. */
export function readSessionToken(keys: Keys, token: string, on: Switch): string | undefined {
  const parts = split(token)
  if (parts === undefined || parts.header.alg !== 'HS256') return undefined
  if (!same(hmac(parts.input, sessionKey(keys, on)), parts.signature)) return undefined
  if (parts.claims.exp * 1000 < Date.now() && !on('session-expiry-ignored')) return undefined
  return parts.claims.sub
}

function split(token: string) {
  const [head = '', payload = '', signature = ''] = token.split('.')
  try {
    const header: { alg?: unknown } = JSON.parse(Buffer.from(head, 'base64url').toString())
    const claims: Claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    if (typeof claims.sub !== 'string' || typeof claims.exp !== 'number') return undefined
    return { header, claims, input: `${head}.${payload}`, signature: Buffer.from(signature, 'base64url') }
  } catch {
    return undefined
  }
}

const same = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)
