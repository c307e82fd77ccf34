// Which targets MERLON_SCAN_ALLOW lets everybody scan.

import { expect, test } from 'vitest'
import { isScanTarget, readScanTargets } from './scan-targets.ts'

const named = 'shop.test, inside.test:8443, 10.1.2.3:*, [fd00::1]:8080'

test.each([
  'http://shop.test/',
  'https://SHOP.test/cart',
  'https://inside.test:8443/',
  'http://10.1.2.3:5000/',
  'http://10.1.2.3/',
  'http://[fd00:0::1]:8080/',
])('%s may be scanned where its host is named at its port', (address) => {
  expect(isScanTarget(readScanTargets(named) ?? new Set(), address)).toBe(true)
})

test.each([
  'http://shop.test:8080/',
  'https://inside.test/',
  'https://other.shop.test/',
  'http://10.1.2.4/',
  'http://[fd00::1]/',
  'https://shop.test.evil.test/',
])('%s may not: neither another port nor another host is meant', (address) => {
  expect(isScanTarget(readScanTargets(named) ?? new Set(), address)).toBe(false)
})

test.each(['http://shop.test', '10.0.0.0/8', 'shop.test:70000', 'shop.test:', '*', 'a b'])('%s is refused', (text) => {
  expect(readScanTargets(text)).toBeNull()
})
