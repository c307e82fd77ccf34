// The form of API keys: how they are generated, what is accepted as one, and which hash matches.

import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ask } from '../../../test/testkit/client.ts'
import { newWorld } from '../../../test/testkit/world.ts'
import { newKey, readKey, sameHash } from './keys.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The checksum as the documents describe it: the first 48 bits of the SHA-256, six digits to the base 62, least first. */
function checksumOf(text: string): string {
  let number = createHash('sha256').update(text).digest().readUIntBE(0, 6)
  let digits = ''
  for (let place = 0; place < 6; place += 1) {
    digits += ALPHABET[number % 62]
    number = Math.floor(number / 62)
  }
  return digits
}

/** A key that nobody issued, whole by its checksum. */
const forged = (publicId: string, secret: string) => `mrl_${publicId}_${secret}${checksumOf(publicId + secret)}`

const secret = 'abcdefghijABCDEFGHIJ0123456789zz'

describe('a new key', () => {
  test('has its public id, a secret and the checksum of both, and is read as itself', () => {
    const { key, publicId, hash } = newKey()

    const [, id = '', rest = ''] = /^mrl_([0-9A-Za-z]{12})_([0-9A-Za-z]{38})$/.exec(key) ?? []
    expect(id).toBe(publicId)
    expect(rest.slice(32)).toBe(checksumOf(id + rest.slice(0, 32)))
    expect(hash).toEqual(createHash('sha256').update(key).digest())
    expect(readKey(key)).toEqual({ publicId, hash })
  })

  test('is drawn anew each time, every character of the alphabet equally likely', () => {
    const counts = new Map<string, number>()
    const keys = Array.from({ length: 8_000 }, () => newKey().key)

    for (const key of keys)
      for (const character of key.slice(4, 16) + key.slice(17, 49))
        counts.set(character, (counts.get(character) ?? 0) + 1)

    const expected = (8_000 * 44) / 62
    expect(new Set(keys).size).toBe(8_000)
    expect([...counts.keys()].toSorted().join('')).toBe(ALPHABET)
    // six standard deviations; a modulo without throwing bytes away favours the first eight by a quarter, one bound off by 1.5 %
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected))
  })
})

describe('what is sent as a key', () => {
  test('is read when its checksum fits, whether anybody issued it or not', () => {
    const key = forged('0123456789ab', secret)

    expect(readKey(key)).toEqual({ publicId: '0123456789ab', hash: createHash('sha256').update(key).digest() })
  })

  test.each([
    ['nothing', ''],
    ['another prefix', forged('0123456789ab', secret).replace('mrl_', 'mrx_')],
    ['something before it', ` ${forged('0123456789ab', secret)}`],
    ['something after it', `${forged('0123456789ab', secret)}\n`],
    ['a wrong checksum', forged('0123456789ab', secret).replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    ['the checksum of another public id', forged('0123456789ab', secret).replace('0123456789ab', '0123456789aB')],
    ['the checksum of another secret', forged('0123456789ab', secret).replace('zz', 'zy')],
    ['a character beyond the alphabet', forged('0123456789a-', secret)],
    ['a secret too short', forged('0123456789ab', secret.slice(1))],
    ['a secret too long', forged('0123456789ab', `${secret}0`)],
    ['no secret', `mrl_0123456789ab_${checksumOf('0123456789ab')}`],
  ])('is refused with %s', (_, key) => {
    expect(readKey(key)).toBeNull()
  })

  test('opens nothing with the public id of a key and another secret, however whole, before and after the right one', async () => {
    const { owner } = await newWorld()
    const wrong = forged(owner.key.slice(4, 16), secret)

    const answers = []
    for (const key of [wrong, owner.key, wrong]) answers.push(await ask(key, '{ viewer { id } }'))

    expect(readKey(wrong)).not.toBeNull()
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 401])
  })
})

test('hashes are the same when every byte is, and of another length never', () => {
  const hash = randomBytes(32)
  const other = Buffer.from(hash)
  other[31] = (other[31] ?? 0) ^ 1

  expect([sameHash(hash, Buffer.from(hash)), sameHash(hash, other)]).toEqual([true, false])
  expect([sameHash(hash, hash.subarray(0, 31)), sameHash(hash.subarray(0, 31), hash)]).toEqual([false, false])
})
