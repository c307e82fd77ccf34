// Operations out of requests that were seen: which parts of their paths are values.

import { expect, test } from 'vitest'
import { requestOf } from '../points.ts'
import { fromObserved } from './observed.ts'

test.each([1, 18, 32])('a number of %i digits in a path is a value, and is asked with as it was seen', (digits) => {
  const url = `http://shop.example/accounts/${'12345678'.repeat(4).slice(0, digits)}/orders`

  const operation = fromObserved({ method: 'GET', url, source: 'crawl' })

  expect(operation?.key).toBe('GET /accounts/{accountId}/orders')
  expect(operation && requestOf(operation).url).toBe(url)
})

test('a longer one is a name', () => {
  const url = `http://shop.example/accounts/${'1'.repeat(33)}`

  expect(fromObserved({ method: 'GET', url, source: 'crawl' })?.parameters).toEqual([])
})

test('a text in base64 is a value, and a long name is none', () => {
  const keyOf = (part: string) =>
    fromObserved({ method: 'GET', url: `http://shop.example/pages/${part}`, source: 'crawl' })?.key

  expect(keyOf(Buffer.from('title: The page of the shop').toString('base64'))).toBe('GET /pages/{pageId}')
  expect(keyOf('administration-of-the-shop')).toBe('GET /pages/administration-of-the-shop')
})
