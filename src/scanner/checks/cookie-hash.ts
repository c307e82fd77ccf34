// Checks for cookies protected by a hash without a key, which anybody who changes the cookie can compute again.

import { createHash } from 'node:crypto'
import type { TargetCheck } from '../check.ts'
import { isNamed } from '../points.ts'
import type { HttpRequest } from '../types.ts'
import { readings } from './cookie-owner.ts'

/** Hash algorithms by the length of their output in hexadecimal digits. */
const ALGORITHMS: Readonly<Record<number, string>> = {
  32: 'md5',
  40: 'sha1',
  56: 'sha224',
  64: 'sha256',
  128: 'sha512',
}
const HASHED = /^(.{1,3000}?)[.|:&,;\s#-]{1,3}([0-9a-f]{32,128})$/is
const HASH_FIRST = /^([0-9a-f]{32,128})[.|:&,;\s#-]{1,3}(.{1,3000})$/is

export const cookieHash: TargetCheck = {
  kind: 'target',
  id: 'cookie-hash',
  title: 'Cookie protected by an unkeyed hash',
  cwes: [565, 347, 287],
  severity: 'HIGH',
  solution: 'Sign the cookie with a secret key (HMAC), or store nothing but a random session ID in it.',
  profile: 'BASIC',
  async *probe(context) {
    for (const [cookie, value] of context.cookies()) {
      const found = readings(value).flatMap(({ text }) => hashIn(text) ?? [])[0]
      const seen = found ? context.operations.flatMap((operation) => context.seen(operation) ?? []) : []
      const exchange = seen.find(({ request }) => sends(request, cookie)) ?? seen[0]
      if (!found || !exchange) continue
      yield {
        detail: `${cookie} is “${found.said.slice(0, LONGEST_SAID)}” with its ${found.algorithm} hash: anyone can forge another one.`,
        proof: [cookie],
        exchange,
        cause: cookie,
      }
    }
  },
}

const sends = ({ headers }: HttpRequest, cookie: string): boolean =>
  headers.some(([name, value]) => isNamed(name, 'cookie') && value.includes(`${cookie}=`))

const LONGEST_SAID = 60

/** The text with what it says changed; a hash without a key is computed again. */
export function rehashed(text: string, change: (said: string) => string): string {
  const found = hashIn(text)
  if (found === null) return change(text)
  const changed = change(found.said)
  const hash = createHash(found.algorithm).update(changed).digest('hex')
  return text.replace(found.said, () => changed).replace(found.hash, () => hash)
}

/** What is hashed and how, where a text ends or begins with the hash of the rest. */
function hashIn(text: string): { said: string; hash: string; algorithm: string } | null {
  const [, before, last] = HASHED.exec(text) ?? []
  const [, first, behind] = HASH_FIRST.exec(text) ?? []
  for (const [said, hash] of [
    [before, last],
    [behind, first],
  ]) {
    const algorithm = ALGORITHMS[hash?.length ?? 0]
    if (said === undefined || hash === undefined || algorithm === undefined) continue
    if (createHash(algorithm).update(said).digest('hex') === hash.toLowerCase()) return { said, hash, algorithm }
  }
  return null
}
