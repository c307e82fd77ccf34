// Domain names as callers write them.

import { expect, test } from 'vitest'
import { readDomainName } from './domain-name.ts'

test.each([
  ['www.example.com', 'www.example.com'],
  [' WWW.Example.COM. ', 'www.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['*.example.com', '*.example.com'],
  ['*.BÜCHER.example', '*.xn--bcher-kva.example'],
  [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
])('%s is the name %s', (given, name) => {
  expect(readDomainName(given)).toEqual({ name, isWildcard: name.startsWith('*') })
})

test.each([
  '',
  '.',
  'localhost',
  '*.com',
  '*',
  '*.*.example.com',
  'a*.example.com',
  'www.*.example.com',
  '-a.example.com',
  'a-.example.com',
  'a..example.com',
  '.example.com',
  'example.com..',
  '192.0.2.1',
  '[2001:db8::1]',
  'example.com:443',
  'https://example.com',
  'example.com/path',
  'user@example.com',
  'a b.example.com',
  'a_b.example.com',
  'example.com\n.evil.test',
  '<script>.example.com',
  'example.1',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(126)}example`,
])('%j is no name', (given) => {
  expect(readDomainName(given)).toBeNull()
})
