// A collection whose requests carry somebody's key in a header of any name.

import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import type { Identity } from '../../src/scanner/types.ts'
import { type Handler, serving } from './tiny.ts'

const KEYS = ['first-company-key', 'other-company-key']

const customers = [
  { id: 11, company: 0, name: 'Robert', city: 'Lisbon harbour' },
  { id: 12, company: 1, name: 'Arjun', city: 'Porto old town' },
]

/** A company's key lists its own customers. Unless guarded, any key reads any customer, and prices need no key. */
const shop =
  (isGuarded: boolean): Handler =>
  ({ path, headers }) => {
    const company = KEYS.indexOf(headers['x-shop-pass'] ?? '')
    const isRefused = company < 0 && (isGuarded || path !== '/prices')
    if (isRefused) return [200, { success: false, error: 'no such key' }]
    if (path === '/prices') return [200, { tea: 'three coins', coffee: 'five coins' }]
    const own = customers.filter((one) => one.company === company)
    if (path === '/get_customers') return [200, { customers: own }]
    const one = (isGuarded ? own : customers).filter(({ id }) => path === `/get_customer_v1/${id}`)
    return [200, { customers: one }]
  }

const collectionOf = (url: string) =>
  JSON.stringify({
    info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: ['/get_customers', '/get_customer_v1/11', '/prices'].map((path) => ({
      request: { method: 'GET', url: url + path, header: [{ key: 'X-Shop-Pass', value: KEYS[0] }] },
    })),
  })

const people: Identity[] = KEYS.map((key, at) => ({
  name: `company-${at}`,
  headers: [['X-Shop-Pass', key]],
  cookies: [],
  query: [],
}))

const found = (isGuarded: boolean) =>
  serving(shop(isGuarded), async (target) => {
    const { findings } = await scan({
      target,
      schema: { name: 'collection.json', text: collectionOf(target) },
      profile: 'BALANCED',
      identities: people,
      crawl: false,
      browser: false,
      checks: ['missing-authentication', 'object-access'],
      allowed: readAllowed('127.0.0.0/8') ?? undefined,
    })
    return findings.map(({ check, operation }) => `${check} ${operation.split('/')[1]}`).sort()
  })

test('each identity asks with its own key and nobody with none, so that what is open and what is shared shows', async () => {
  expect(await found(false)).toEqual(['missing-authentication prices', 'object-access get_customer_v1'])
  expect(await found(true)).toEqual([])
})
