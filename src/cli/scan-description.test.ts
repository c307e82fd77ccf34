// A description is not read from an address whose certificate is not the one that the caller named.

import { expect, test } from 'vitest'
import { nothingAllowed } from '../core/outbound-address.ts'
import { readDescription } from './scan-description.ts'

const target = new URL('http://127.0.0.1:1/')

test.each(['http://127.0.0.1:1/openapi.json', 'package.json'])(
  '%s shows no certificate, so that none may be named for it',
  async (given) => {
    await expect(readDescription(given, target, nothingAllowed, 'a'.repeat(64))).rejects.toThrow(
      'https address in --schema',
    )
    await expect(readDescription(given, target, nothingAllowed, 'any')).rejects.toThrow('https address in --schema')
  },
)

test('a file is read where none is named', async () => {
  expect((await readDescription('package.json', target, nothingAllowed)).name).toBe('package.json')
})
