// Encryption at rest: a value opens only with its key and only in its own place.

import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Belonging, deriveKey, seal, unseal } from './crypto.ts'

const key = randomBytes(32)
const place: Belonging = { companyId: '1', table: 'secret', row: '2', column: 'value', keyVersion: 1 }
const plain = Buffer.from('a secret')

describe('a sealed value', () => {
  test('opens with its key at its place, and differs each time', () => {
    const [first, second] = [seal(key, plain, place), seal(key, plain, place)]

    expect(unseal(key, first, place)).toEqual(plain)
    expect(first).not.toEqual(second)
    expect(first.toString('latin1')).not.toContain('a secret')
  })

  test.each([
    ['company', { companyId: '2' }],
    ['table', { table: 'integration' }],
    ['row', { row: '3' }],
    ['column', { column: 'other' }],
    ['version of the key', { keyVersion: 2 }],
  ])('does not open in another %s', (_, other) => {
    const sealed = seal(key, plain, place)

    expect(() => unseal(key, sealed, { ...place, ...other })).toThrow()
  })

  test('does not open with another key, when any byte was changed, or when it was cut', () => {
    const sealed = seal(key, plain, place)

    expect(() => unseal(randomBytes(32), sealed, place)).toThrow()
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => unseal(key, changed, place)).toThrow()
      expect(() => unseal(key, sealed.subarray(0, at), place)).toThrow()
    }
  })
})

test('keys for two purposes differ', () => {
  expect(deriveKey(key, 'one')).not.toEqual(deriveKey(key, 'two'))
  expect(deriveKey(key, 'one')).toEqual(deriveKey(key, 'one'))
})
