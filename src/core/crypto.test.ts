// Encryption at rest: a value opens only with its key and only in its own place.

import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Belonging, deriveKey, loadRootKey, seal, unseal } from './crypto.ts'

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

describe('the root key', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'merlon-key-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  test('is made once, for its owner alone, by however many start at a time', async () => {
    const file = join(directory, 'root-key')

    const keys = await Promise.all(Array.from({ length: 8 }, () => loadRootKey(null, file)))

    expect(new Set(keys.map((one) => one.toString('hex'))).size).toBe(1)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  })

  test('is taken from the environment before any file', async () => {
    expect(await loadRootKey('ab'.repeat(32), join(directory, 'none'))).toEqual(Buffer.from('ab'.repeat(32), 'hex'))
  })

  test('that is no key is told', async () => {
    await writeFile(join(directory, 'broken'), 'x')

    await expect(loadRootKey(null, join(directory, 'broken'))).rejects.toThrow('is not 64 hexadecimal digits')
  })
})
