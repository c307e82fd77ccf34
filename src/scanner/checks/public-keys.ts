// Collects the public keys that the target publishes, in the forms in which a library may mistake one for a shared key.

import { createPublicKey } from 'node:crypto'
import type { Context } from '../check.ts'
import { isList, isObject, readJson } from '../json-leaves.ts'
import { isFine, once } from './ownership.ts'

const KEY_PLACES = [
  '/.well-known/jwks.json',
  '/jwks.json',
  '/.well-known/jwks',
  '/oauth/jwks',
  '/oauth2/jwks',
  '/api/jwks.json',
  '/api/.well-known/jwks.json',
  '/publickey',
  '/public.pem',
  '/public-key',
  '/api/public-key',
  '/jwt.pub',
  '/keys/public.pem',
  '/.well-known/openid-configuration',
]

/** Public keys of the target, in the forms in which a library may take one for a shared key. */
export async function publicKeys(context: Context): Promise<string[]> {
  return once(context, 'public keys', async () => {
    const found = new Set<string>()
    const places = KEY_PLACES.map((place) => context.target.origin + place)
    for (let index = 0; index < places.length && index < 20; index += 1) {
      const url = places[index] ?? ''
      const request = { method: 'GET', url, headers: [['Host', context.target.host]] as const, body: null }
      const exchange = await context.send(request, { identity: null }).catch(() => null)
      if (context.signal.aborted) break
      if (!isFine(exchange)) continue
      for (const form of pemsOf(exchange.text)) found.add(form)
      const json = readJson(exchange.text)
      if (!isObject(json)) continue
      if (typeof json.jwks_uri === 'string' && json.jwks_uri.startsWith(context.target.origin))
        places.push(json.jwks_uri)
      const keys = isList(json.keys) ? json.keys : json.kty ? [json] : []
      for (const key of keys) if (isObject(key)) for (const form of formsOfKey(key)) found.add(form)
    }
    return [...found].slice(0, 16)
  })
}

function pemsOf(text: string): string[] {
  const pem = /-----BEGIN (?:RSA )?PUBLIC KEY-----[\w+/=\s\\]{60,4000}-----END (?:RSA )?PUBLIC KEY-----/.exec(
    text.slice(0, 50_000),
  )?.[0]
  if (pem === undefined) return []
  const lines = pem.replaceAll('\\n', '\n')
  return [`${lines}\n`, lines, ...(text.includes(lines) && text.length < 5_000 ? [text] : [])]
}

function formsOfKey(jwk: { readonly [name: string]: unknown }): string[] {
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
    const forms = [String(key.export({ type: 'spki', format: 'pem' }))]
    if (jwk.kty === 'RSA') forms.push(String(key.export({ type: 'pkcs1', format: 'pem' })))
    return forms.flatMap((form) => [form, form.trimEnd()])
  } catch {
    return []
  }
}
