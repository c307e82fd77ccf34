// Which texts may stand as an address.

import { describe, expect, test } from 'vitest'
import { readRepoUrl, readUrl } from './address.ts'

describe('an address', () => {
  test.each([
    'https://shop.example.test/a?b=c#d',
    'http://localhost:3000',
    'localhost:3000/a',
    'shop.example.test',
    'shop.example.test:8443/a',
    '10.0.0.1:80',
    'http://[::1]:8080/a',
    '[::1]:8080',
    'intranet/a',
  ])('may be %s', (address) => {
    expect(readUrl(` ${address} `, 'input.url')).toBe(address)
  })

  test.each([
    'javascript:alert(1)',
    'javascript:1/alert(1)',
    'JavaScript:1',
    'data:text/html,a',
    'file:///etc/passwd',
    '//shop.example.test',
    'https://user:secret@shop.example.test',
    'user@shop.example.test',
    'ftp://shop.example.test',
    'https://',
    'two words',
    '-option',
    `https://shop.example.test/${'a'.repeat(2000)}`,
  ])('may not be %s', (address) => {
    expect(() => readUrl(address, 'input.url')).toThrow('url must be')
  })

  test.each([
    'git@code.example.test:shop/shop.git',
    'ssh://git@code.example.test:7999/shop/shop.git',
    'git://code.example.test/shop.git',
    'https://code.example.test/shop/shop',
  ])('of a repository may be %s', (address) => {
    expect(readRepoUrl(address, 'input.repoUrl')).toBe(address)
  })

  test.each([
    'ssh://git:secret@code.example.test/shop.git',
    'https://token@code.example.test/shop.git',
    'ext::sh -c id',
  ])('of a repository may not be %s', (address) => {
    expect(() => readRepoUrl(address, 'input.repoUrl')).toThrow('repoUrl must be')
  })

  test('is cleared by an empty text', () => {
    expect([readUrl('', 'input.url'), readUrl(null, 'input.url'), readUrl(undefined, 'input.url')]).toEqual([
      null,
      null,
      undefined,
    ])
  })
})
