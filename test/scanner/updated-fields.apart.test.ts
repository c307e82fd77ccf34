// Fields beside those of an update that takes no text: kept by the target, or only answered.

import { expect, test } from 'vitest'
import { type Described, describe, findingsOf, type Handler } from './tiny.ts'

const STATES = ['sent', 'on its way', 'returned']

/** An order whose number of things can be changed, and its state where `takes` says so. */
function orders(takes: 'nothing' | 'state' | 'what is sent') {
  const order: Record<string, unknown> = { id: 7, user: 'ann', quantity: 1, status: 'sent' }
  const states: unknown[] = []
  const handle: Handler = ({ method, path, body }) => {
    if (path !== '/orders/7') return [404, { message: 'there is none' }]
    const sent = Object(body)
    if (method === 'PUT' && takes === 'what is sent') return [200, { orders: { ...order, ...sent } }]
    if (method === 'PUT' && takes === 'state' && sent.status !== undefined) {
      if (!STATES.includes(sent.status))
        return [400, { message: `The value of 'status' has to be ${STATES.map((one) => `'${one}'`).join(', ')}` }]
      order.status = sent.status
      states.push(sent.status)
    }
    if (method === 'PUT' && typeof sent.quantity === 'number') order.quantity = sent.quantity
    return [200, { orders: order }]
  }
  return { handle, states }
}

const described: Described = {
  'GET /orders/{id}': { path: { id: '7' } },
  'PUT /orders/{id}': { path: { id: '7' }, body: { quantity: 1 } },
}

const found = ({ handle }: { handle: Handler }, operations: Described = described) =>
  findingsOf(
    handle,
    ['mass-assignment'],
    {},
    {
      profile: 'DEEP',
      identities: [],
      schema: { name: 'openapi.json', text: describe(operations) },
    },
  )

test('a state that an update of numbers keeps is found by a word that the refusal names, and put back', async () => {
  const service = orders('state')

  const findings = await found(service)

  expect(findings.map(({ operation, parameter }) => [operation, parameter?.name])).toEqual([
    ['PUT /orders/{id}', 'status'],
  ])
  expect(service.states).toEqual(['returned', 'sent'])
})

test('a state that an update keeps, which answers with what was there before it, is found and put back', async () => {
  const order: Record<string, unknown> = { id: 7, user: 'ann', quantity: 1, isAdmin: false }
  const kept: unknown[] = []
  const handle: Handler = ({ method, path, body }) => {
    if (path !== '/orders/7') return [404, {}]
    const before = { ...order }
    if (method === 'PUT') {
      Object.assign(order, body)
      kept.push(order.isAdmin)
    }
    return [200, before]
  }

  const findings = await found({ handle })

  expect(findings.map(({ operation, parameter }) => [operation, parameter?.name])).toEqual([
    ['PUT /orders/{id}', 'isAdmin'],
  ])
  expect(kept).toContain(true)
  expect(order.isAdmin).toBe(false)
})

test('what an update keeps of a value in a form of its own is put back', async () => {
  const order: Record<string, unknown> = { id: 7, note: 'by hand', total: 10 }
  const totals: unknown[] = []
  const handle: Handler = ({ method, path, body }) => {
    if (path !== '/orders/7') return [404, {}]
    const { note, total } = Object(body)
    if (method === 'PUT') order.note = note
    if (method === 'PUT' && total !== undefined) {
      order.total = Math.min(total, 50)
      totals.push(order.total)
    }
    return [200, order]
  }

  await found({ handle }, { ...described, 'PUT /orders/{id}': { path: { id: '7' }, body: { note: 'by hand' } } })

  expect(totals).toEqual([50, 10])
})

test('what is kept by an update that fails afterwards is put back', async () => {
  const order: Record<string, unknown> = { id: 7, quantity: 1, isAdmin: false }
  const handle: Handler = ({ method, path, body }) => {
    if (path !== '/orders/7') return [404, {}]
    if (method === 'PUT') Object.assign(order, body)
    return order.isAdmin === true ? [500, {}] : [200, order]
  }

  await found({ handle })

  expect(order.isAdmin).toBe(false)
})

test.each([
  ['of numbers', { quantity: 1 }],
  ['with a text', { quantity: 1, note: 'by hand' }],
])('an update %s whose refusals name another word each time is not asked for ever', async (_, body) => {
  let refused = 0
  const order = { id: 7, quantity: 1, status: 'sent' }
  const handle: Handler = ({ method, path, body: given }) => {
    if (path !== '/orders/7') return [404, {}]
    const sent = Object(given)
    if (method === 'PUT' && sent.status !== undefined) {
      refused += 1
      // so that a scan which goes on and on ends all the same
      if (refused < 200) return [400, { error: 'this status is not allowed', trace: [`t-${refused}`] }]
    }
    return [200, { ...order, note: sent.note }]
  }

  await found({ handle }, { ...described, 'PUT /orders/{id}': { path: { id: '7' }, body } })

  expect(refused).toBeGreaterThan(0)
  expect(refused).toBeLessThan(20)
})

test('what an update leaves alone, or answers with and forgets, is not found', async () => {
  expect(await found(orders('nothing'))).toEqual([])
  expect(await found(orders('what is sent'))).toEqual([])
})
