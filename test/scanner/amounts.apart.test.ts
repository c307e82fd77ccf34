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
