// Checks for cookies signed with a guessable key, offline, from the cookie alone.

import { createHmac } from 'node:crypto'
import { percentDecoded } from '../../core/percent.ts'
import type { PassiveCheck, Severity } from '../check.ts'
import { headersOf } from '../http.ts'
import { readCookie } from '../set-cookie.ts'
import { commonKeys } from './common-keys.ts'

type Cookies = ReadonlyMap<string, string>

type Signed = {
  /** whether the cookie carries the signature that this key produces */
  isBy: (key: string) => boolean
  /** what somebody who knows the key can do */
  allows: string
  severity: Severity
}

const hmac = (hash: 'sha1' | 'sha256', key: string | Buffer, text: string) => createHmac(hash, key).update(text)

const ANY_SESSION = 'Whoever knows the key can forge any session.'

/** How frameworks sign cookies: cookie-signature (Express), Keygrip (Koa, cookie-session), itsdangerous (Flask). */
const readers: readonly ((name: string, value: string, all: Cookies) => Signed | null)[] = [
  (_, value) => {
    const [, id, signature] = /^s:([^.]{1,1000})\.([\w+/]{43})$/.exec(percentDecoded(value)) ?? []
    if (id === undefined) return null
    const isBy = (key: string) => hmac('sha256', key, id).digest('base64').slice(0, 43) === signature
    return { isBy, allows: 'Whoever knows the key can sign any session ID, and try them.', severity: 'MEDIUM' }
  },
  (name, value, all) => {
    const signature = all.get(`${name}.sig`)
    if (signature === undefined || !/^[\w-]{27}$/.test(signature)) return null
    const isBy = (key: string) => hmac('sha1', key, `${name}=${value}`).digest('base64url') === signature
    return { isBy, allows: ANY_SESSION, severity: 'CRITICAL' }
  },
  (_, value) => {
    const [, said, signature] = /^(\.?[\w-]{2,4000}\.[\w-]{6})\.([\w-]{27})$/.exec(value) ?? []
    if (said === undefined) return null
    const isBy = (key: string) =>
      hmac('sha1', hmac('sha1', key, 'cookie-session').digest(), said).digest('base64url') === signature
    return { isBy, allows: ANY_SESSION, severity: 'CRITICAL' }
  },
]

/** How many cookies of one name are tried; all of them use the same key. */
const MOST_OF_A_NAME = 3

/** How many cookie names are remembered; the target chooses the names. */
const MOST_NAMES = 100

const judged = new WeakMap<object, Map<string, number>>()

export const cookieKeys: PassiveCheck = {
  kind: 'passive',
  id: 'cookie-key',
  title: 'Weak cookie signing key',
  cwes: [1391],
  severity: 'CRITICAL',
  solution: 'Sign with a random key of at least 32 bytes that is not in the source code, and replace the present one.',
  profile: 'BASIC',
  *look({ answer, ...rest }, context) {
    const set = headersOf(answer, 'set-cookie').flatMap((line) => readCookie(line) ?? [])
    if (set.length === 0) return
    const counts = judged.get(context) ?? new Map<string, number>()
    judged.set(context, counts)
    const all = new Map(set.map(({ name, value }) => [name, value]))
    for (const [name, value] of all) {
      const count = counts.get(name) ?? 0
      if (count >= MOST_OF_A_NAME || (count === 0 && counts.size >= MOST_NAMES)) continue
      const signed = readers.map((read) => read(name, value, all)).find((one) => one !== null)
      if (!signed) continue
      counts.set(name, count + 1)
      const key = commonKeys.find(signed.isBy)
      if (key === undefined) continue
      yield {
        detail: `${name} is signed with the shared key "${key}", one of ${commonKeys.length} common keys. ${signed.allows}`,
        proof: [name],
        exchange: { answer, ...rest },
        cause: `cookie ${name} key ${key}`,
        severity: signed.severity,
      }
    }
  },
}
