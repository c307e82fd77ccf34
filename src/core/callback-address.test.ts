// Which texts are accepted as the address of a listener.

import { expect, test } from 'vitest'
import { readCallback } from './callback-address.ts'
import { readConfig } from './config.ts'

test.each([
  ['scanner.example.test:9000', { host: 'scanner.example.test', ports: [9000, 9000] }],
  ['192.0.2.7:9000-9003', { host: '192.0.2.7', ports: [9000, 9003] }],
  ['[2001:db8::7]:9000', { host: '2001:db8::7', ports: [9000, 9000] }],
])('%s is such an address', (text, address) => {
  expect(readCallback(text)).toEqual(address)
})

test.each([
  '',
  'scanner.example.test',
  'host:0',
  'host:9003-9000',
  'host:9000-9200',
  'host:70000',
  'http://host:1',
  'a b:1',
])('"%s" is none', (text) => {
  expect(readCallback(text)).toBeUndefined()
})

test('a port may be left out where one is given beside', () => {
  expect(readCallback('here', 0)).toEqual({ host: 'here', ports: [0, 0] })
})

test('a setting that is no address is refused', () => {
  expect(() => readConfig({ MERLON_SCAN_LISTENER: 'nowhere' })).toThrow(/MERLON_SCAN_LISTENER: must be host:port/)
  expect(readConfig({}).scanListener).toBeNull()
})
