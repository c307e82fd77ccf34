// The root key in its file: created once, for its owner alone, and read again.

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadRootKey } from './root-key.ts'

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

  test('that is not a key is refused', async () => {
    await writeFile(join(directory, 'broken'), 'x')

    await expect(loadRootKey(null, join(directory, 'broken'))).rejects.toThrow('is not 64 hexadecimal digits')
  })
})
