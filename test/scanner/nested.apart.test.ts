// Things below somebody's own, which two values of an address name: they are asked for with ids that belong together.

import { expect, test } from 'vitest'
import { type Described, findingsOf, type Handler, places } from './tiny.ts'

type Order = { orderId: string; userId: string; street: string }

const described: Described = {
  'GET /users': {},
  'GET /users/{userId}/orders': { path: { userId: 'user-z' } },
  'GET /users/{userId}/orders/{orderId}': { path: { userId: 'user-z', orderId: 'order-z-1' } },
  'PUT /users/{userId}/orders/{orderId}': {
    path: { userId: 'user-z', orderId: 'order-z-1' },
    query: { street: 'Elsewhere' },
  },
}

const ordersOf = (names: readonly string[]): Order[] =>
  names.flatMap((name) =>
    [1, 2].map((at) => ({ orderId: `order-${name}-${at}`, userId: `user-${name}`, street: `Mill of ${name} ${at}` })),
  )

/** Everybody is told who there is; an order is answered only below the user whose it is. */
const shop =
  (orders: readonly Order[], isGuarded: boolean): Handler =>
  ({ method, path, query, user }) => {
    if (user === null) return [401, { message: 'sign in' }]
    if (path === '/users') return [200, ['z', 'a', 'b'].map((name) => ({ userId: `user-${name}` }))]
    const [, , userId, , orderId] = path.split('/')
    if (isGuarded && userId !== `user-${user}`) return [403, { message: 'not yours' }]
    const theirs = orders.filter((order) => order.userId === userId)
    if (orderId === undefined) return [200, theirs]
    const order = theirs.find((one) => one.orderId === orderId)
    if (order === undefined) return [404, { message: 'no such order' }]
    if (method === 'PUT') order.street = query.get('street') ?? order.street
    return [200, order]
  }

const foundIn = (orders: readonly Order[], isGuarded: boolean, operations = described) =>
  findingsOf(shop(orders, isGuarded), ['object-access', 'object-change'], operations, { profile: 'DEEP' })

test('an order that others are answered and change below its owner is found with an id of that owner’s list', async () => {
  expect(places(await foundIn(ordersOf(['z', 'a', 'b']), false))).toEqual([
    'GET /users/{userId}/orders',
    'GET /users/{userId}/orders/{orderId}',
    'PUT /users/{userId}/orders/{orderId}',
  ])
  expect(await foundIn(ordersOf(['z', 'a', 'b']), true)).toEqual([])
})

test('of several orders in a list the one that was changed is put back as it was', async () => {
  const { 'GET /users/{userId}/orders/{orderId}': _, ...withoutOne } = described
  const orders = ordersOf(['a', 'b'])

  const found = await foundIn(orders, false, withoutOne)

  expect(places(found)).toContain('PUT /users/{userId}/orders/{orderId}')
  expect(orders).toEqual(ordersOf(['a', 'b']))
})
