// Amounts below nothing: found where they are kept, and not where they are refused, put right or only repeated.

import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

type Way = 'keeps it' | 'refuses it' | 'puts it right' | 'repeats it alone'

function shop(way: Way, isListed = true): Handler {
  const lines: { id: number; quantity: number }[] = []
  return ({ method, body }) => {
    if (method === 'GET') return isListed ? [200, lines] : [404, {}]
    const { quantity } = Object(body)
    if (way === 'refuses it' && quantity < 1) return [422, { error: 'at least one' }]
    if (way === 'repeats it alone') return [200, { received: body }]
    const line = { id: lines.length + 1, quantity: way === 'puts it right' ? Math.max(1, quantity) : quantity }
    lines.push(line)
    return [201, isListed ? { message: 'thank you' } : line]
  }
}

const scanned = (handle: Handler, key = 'POST /cart', body: Record<string, unknown> = { quantity: 1 }) =>
  findingsOf(handle, ['negative-amount'], { 'GET /cart': {}, [key]: { body } }, { profile: 'DEEP' })

test.each([true, false])('a number of things below nothing is found (in a list: %s)', async (isListed) => {
  const found = await scanned(shop('keeps it', isListed))

  expect(found.map(({ operation, cwes, parameter }) => [operation, cwes, parameter?.name])).toEqual([
    ['POST /cart', [1284, 20, 840], 'quantity'],
  ])
})

test.each<Way>(['refuses it', 'puts it right', 'repeats it alone'])('a shop that %s has no such flaw', async (way) => {
  expect(await scanned(shop(way))).toEqual([])
  expect(await scanned(shop(way, false))).toEqual([])
})

test('an amount of books may be below nothing, one of a transfer may not', async () => {
  const service: Handler = ({ body }) => [201, { ...Object(body), id: 4 }]

  expect(await scanned(service, 'POST /ledger/entries', { amount: 5 })).toEqual([])
  expect(await scanned(service, 'POST /transfers', { amount: 5 })).toHaveLength(1)
})

/** A basket that a form fills and a page shows. */
function basket(way: Way | 'leads back with it'): Handler {
  const lines: number[] = []
  const form = '<form method="post" action="/basket"><input type="number" name="quantity" value="1"></form>'
  return ({ method, path, query, body }) => {
    if (path !== '/basket') return [200, '<a href="/basket">Basket</a>']
    const told = query.get('told') ?? ''
    if (method === 'GET')
      return [200, `${form}<p>${told}</p><ul>${lines.map((line) => `<li>${line}</li>`).join('')}</ul>`]
    const quantity = Number(new URLSearchParams(String(body)).get('quantity'))
    if (way === 'leads back with it' && quantity < 1) return [302, '', { location: `/basket?told=${quantity}` }]
    if (way === 'refuses it' && quantity < 1) return [200, `${form}<p>Not ${quantity}</p>`]
    if (way !== 'repeats it alone') lines.push(way === 'puts it right' ? Math.max(1, quantity) : quantity)
    return way === 'repeats it alone' ? [200, `<p>${quantity} pieces</p>`] : [302, '', { location: '/basket' }]
  }
}

const shopped = (handle: Handler) =>
  findingsOf(handle, ['negative-amount'], {}, { profile: 'DEEP', schema: null, crawl: true, identities: [] })

test('a number below nothing that a form sends and a page then shows is found', async () => {
  const found = await shopped(basket('keeps it'))

  expect(found.map(({ operation, parameter }) => [operation, parameter?.name])).toEqual([
    ['POST /basket#quantity', 'quantity'],
  ])
})

test.each<Way | 'leads back with it'>(['refuses it', 'puts it right', 'repeats it alone', 'leads back with it'])(
  'a basket that %s has no such flaw',
  async (way) => {
    expect(await shopped(basket(way))).toEqual([])
  },
)
