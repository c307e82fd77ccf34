// Reads, signs and finds JSON Web Tokens (RFC 7519), for the checks that forge them.

import { createHmac } from 'node:crypto'
import { isObject, readJson } from '../json-leaves.ts'
import type { HttpRequest, Json } from '../types.ts'

export type Claims = { readonly [name: string]: Json }

/** A token as a request carries it. */
export type Carried = { place: 'header' | 'cookie' | 'query' | 'body'; name: string; text: string }

const TOKEN = /\beyJ[\w-]{8,8000}\.[\w-]{2,8000}\.[\w-]{0,2000}/g

const hashes = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const satisfies Record<string, string>

type Algorithm = keyof typeof hashes

const encoded = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const objectOf = (part: string | undefined): Claims | null => {
  const json = part === undefined ? undefined : readJson(Buffer.from(part, 'base64url').toString())
  return isObject(json) ? json : null
}

export const headerOfToken = (token: string): Claims | null => objectOf(token.split('.')[0])
export const claimsOf = (token: string): Claims | null => objectOf(token.split('.')[1])

/** Each token of a text once. */
export const tokensOf = (text: string): string[] =>
  text.includes('eyJ')
    ? [
        ...new Set(
          [...text.slice(0, 500_000).matchAll(TOKEN)]
            .map(([token]) => token)
            .filter((token) => headerOfToken(token) !== null),
        ),
      ]
    : []

/** The tokens that a request carries in its headers, cookies, query and body. */
export function tokensIn({ headers, url, body }: HttpRequest): Carried[] {
  const carried: Carried[] = []
  for (const [name, value] of headers) {
    const place = name.toLowerCase() === 'cookie' ? 'cookie' : 'header'
    for (const text of tokensOf(value)) carried.push({ place, name, text })
  }
  for (const text of tokensOf(url)) carried.push({ place: 'query', name: '', text })
  if (typeof body === 'string') for (const text of tokensOf(body)) carried.push({ place: 'body', name: '', text })
  return carried
}

/** The request with another token in the place of the one that it carries. */
export function withToken(request: HttpRequest, { text }: Carried, token: string): HttpRequest {
  const body = typeof request.body === 'string' ? request.body.replaceAll(text, token) : request.body
  const length = String(Buffer.byteLength(body ?? ''))
  return {
    ...request,
    url: request.url.replaceAll(text, token),
    headers: request.headers.map(
      ([name, value]) => [name, /^content-length$/i.test(name) ? length : value.replaceAll(text, token)] as const,
    ),
    body,
  }
}

const isShared = (algorithm: Json | undefined): algorithm is Algorithm =>
  typeof algorithm === 'string' && Object.hasOwn(hashes, algorithm)

/** A token signed with a shared key. */
export function signed(header: Claims, claims: Claims, key: string | Buffer, algorithm: Algorithm = 'HS256'): string {
  const input = `${encoded({ ...header, alg: algorithm })}.${encoded(claims)}`
  return `${input}.${createHmac(hashes[algorithm], key).update(input).digest('base64url')}`
}

/** The first of the keys that a token was signed with; null when it is none, or the token has no shared key. */
export function keyOf(token: string, keys: Iterable<string>): string | null {
  const algorithm = headerOfToken(token)?.alg
  if (!isShared(algorithm)) return null
  const cut = token.lastIndexOf('.')
  const input = token.slice(0, cut)
  const signature = token.slice(cut + 1)
  for (const key of keys) {
    for (const secret of [key, ...decodings(key)]) {
      if (createHmac(hashes[algorithm], secret).update(input).digest('base64url') === signature) return key
    }
  }
  return null
}

/** What libraries make of a word that they take for base 64: all of it, or as many whole groups as it has. */
function decodings(key: string): Buffer[] {
  if (!/^[\w+/-]{4,}={0,2}$/.test(key)) return []
  const whole = Buffer.from(key, 'base64')
  const groups = Buffer.from(key.slice(0, key.length - (key.length % 4)), 'base64')
  return groups.length === whole.length ? [whole] : [whole, groups]
}

/** The hash under which a token is signed with a shared key; null when it has none. */
export const hashOf = (token: string): string | null => {
  const algorithm = algorithmOf(token)
  return algorithm === null ? null : hashes[algorithm]
}

export const algorithmOf = (token: string): Algorithm | null => {
  const algorithm = headerOfToken(token)?.alg
  return isShared(algorithm) ? algorithm : null
}

/** A token that says it has no signature; the algorithm's name is written as given. */
export const unsigned = (header: Claims, claims: Claims, none: string): string =>
  `${encoded({ ...header, alg: none })}.${encoded(claims)}.`
