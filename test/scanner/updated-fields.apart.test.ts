// Fields beside those of an update that takes no text: kept by the target, or only answered.

import { expect, test } from 'vitest'
import { describe, findingsOf, type Handler } from './tiny.ts'

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

const described = {
  'GET /orders/{id}': { path: { id: '7' } },
  'PUT /orders/{id}': { path: { id: '7' }, body: { quantity: 1 } },
}

const found = ({ handle }: { handle: Handler }) =>
  findingsOf(
    handle,
    ['mass-assignment'],
    {},
    {
      profile: 'DEEP',
      identities: [],
      schema: { name: 'openapi.json', text: describe(described) },
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

test('what an update leaves alone, or answers with and forgets, is not found', async () => {
  expect(await found(orders('nothing'))).toEqual([])
  expect(await found(orders('what is sent'))).toEqual([])
})
