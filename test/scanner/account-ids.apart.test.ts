// Whose things are whose, told by the id of an account that a sign-in names, and what of people is told to anybody.

import { expect, test } from 'vitest'
import type { Identity } from '../../src/scanner/types.ts'
import { type Described, findingsOf, type Handler, places } from './tiny.ts'

type Order = { id: string; owner: string; amount: number }
type Account = { id: number; username: string; email: string; phone: string }

const account = (id: number, username: string): Account => ({
  id,
  username,
  email: `${username}@people.example`,
  phone: `+44207946091${id}`,
})
const ann = account(5, 'ann-lee')
const bob = account(6, 'bob-ray')
const accounts = [account(4, 'carol'), ann, bob]

/** Who signs in is told the account's number, and is named nowhere else. */
const signingIn = (target: string, { username }: Account): Identity => {
  const body = JSON.stringify({ username })
  const headers = [
    ['Host', new URL(target).host],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(body.length)],
  ] as const
  const login = { type: 'TOKEN', request: { method: 'POST', url: `${target}/login`, headers, body } } as const
  return { name: username, headers: [], cookies: [], query: [], login }
}

const asker = (headers: Record<string, string>): Account | undefined =>
  accounts.find(({ username }) => headers.authorization === `Bearer token-of-${username}`)

type Flaws = { isOpenToOthers?: boolean; isListed?: boolean; isOpenToAll?: boolean; isChangedByAll?: boolean }

const shop = ({ isOpenToOthers, isListed, isOpenToAll, isChangedByAll }: Flaws): Handler => {
  const notes = new Map(accounts.map(({ id }) => [id, 'milk']))
  return ({ method, path, headers, body }) => {
    const sent = Object(body)
    if (path === '/login') {
      const known = accounts.find(({ username }) => username === sent.username)
      return known ? [200, { token: `token-of-${known.username}`, user_id: known.id }] : [401, {}]
    }
    const mine = asker(headers)
    const [, first, second, id] = path.split('/')
    if (first === 'members' && second === undefined) {
      return isOpenToAll ? [200, accounts.map(({ username, email }) => ({ username, email }))] : [401, {}]
    }
    if (path === '/admin/users' && isListed) return mine ? [200, accounts] : [401, {}]
    const asked = Number(id ?? second)
    if (first === 'notes' && method === 'PUT') {
      if (!isChangedByAll && mine?.id !== asked) return [mine ? 403 : 401, {}]
      notes.set(asked, String(sent.text))
      return [200, { id: asked, text: sent.text }]
    }
    if (mine === undefined) return [401, {}]
    if (!isOpenToOthers && mine.id !== asked) return [403, {}]
    if (first === 'users') return [200, accounts.find(({ id: theirs }) => theirs === asked) ?? {}]
    if (first === 'notes') return [200, { id: asked, text: notes.get(asked) }]
    return first === 'orders'
      ? [200, [{ buyer: asked, goods: 'tea', createdAt: `2026-03-0${asked}T10:11:12Z` }]]
      : [404, {}]
  }
}

const described: Described = {
  'GET /admin/users': {},
  'GET /users/{user_id}': { path: { user_id: '1' } },
  'GET /orders/user/{target_user_id}': { path: { target_user_id: '1' } },
}

const foundIn = (flaws: Flaws, checks: string[], operations: Described) =>
  findingsOf(shop(flaws), checks, operations, (target) => ({
    profile: 'DEEP',
    identities: [ann, bob].map((account) => signingIn(target, account)),
  }))

test('what others are answered by the number that the sign-in told is found, also where a list for administrators has it', async () => {
  const found = places(await foundIn({ isOpenToOthers: true, isListed: true }, ['object-access'], described))

  expect(found).toEqual(['GET /orders/user/{target_user_id}', 'GET /users/{user_id}'])
  expect(await foundIn({ isListed: true }, ['object-access'], described)).toEqual([])
})

test('a change that nobody’s credentials are asked for is found, and is put back', async () => {
  const operations: Described = {
    'GET /notes/user/{user_id}': { path: { user_id: '1' } },
    'PUT /notes/user/{user_id}': { path: { user_id: '1' }, body: { text: 'bread' } },
  }

  const [finding, ...others] = await foundIn({ isChangedByAll: true }, ['object-change'], operations)

  expect(finding?.operation).toBe('PUT /notes/user/{user_id}')
  expect(finding?.cwes).toEqual([306, 639])
  expect(others).toEqual([])
  expect(await foundIn({}, ['object-change'], operations)).toEqual([])
})

test('addresses of accounts that are told to anybody are found, and those of shops are not', async () => {
  const operations: Described = { 'GET /members': { isOpen: true } }
  const shops: Handler = () => [
    200,
    ['north', 'south'].map((name) => ({ name, email: `${name}@shops.example`, phone: '+442079460991' })),
  ]
  const customers: Handler = () => [
    200,
    ['Kim', 'Lou'].map((name) => ({ firstName: name, email: `${name}@home.example`, phone: '+442079460991' })),
  ]

  expect(places(await foundIn({ isOpenToAll: true }, ['personal-data'], operations))).toEqual(['GET /members'])
  expect(places(await findingsOf(customers, ['personal-data'], operations))).toEqual(['GET /members'])
  expect(await foundIn({}, ['personal-data'], operations)).toEqual([])
  expect(await findingsOf(shops, ['personal-data'], operations)).toEqual([])
})

test('people whom a directory is there to find, and owners of wallets, are told to anybody without a finding', async () => {
  const two =
    (thing: (name: string) => object): Handler =>
    () => [200, ['Kim', 'Lou'].map(thing)]
  const doctors = two((name) => ({ firstName: name, email: `${name}@clinic.example`, phone: '+442079460991' }))
  const born = two((name) => ({ firstName: name, email: `${name}@clinic.example`, dateOfBirth: '1980-02-03' }))
  const wallets = two((name) => ({ username: name, address: `0xabc${name}`, balance: 7, email: 'none' }))
  const told = async (handle: Handler, path: string) =>
    places(await findingsOf(handle, ['personal-data'], { [`GET ${path}`]: { isOpen: true } }))

  expect(await told(doctors, '/doctors')).toEqual([])
  expect(await told(wallets, '/wallets')).toEqual([])
  expect(await told(doctors, '/patients')).toEqual(['GET /patients'])
  expect(await told(born, '/doctors')).toEqual(['GET /doctors'])
})

test('a number of one digit that is answered anyway is no change', async () => {
  const note = (user: string) => ({ id: `note-of-${user}`, stars: 3, chosenBy: [1, 2, 3, 4, 5, 6, 7, 8, 9] })
  const service: Handler = ({ method, path, user }) => {
    if (method === 'PUT') return [200, {}]
    if (user === null) return [401, {}]
    return path === '/notes' ? [200, [note(user)]] : path === `/notes/note-of-${user}` ? [200, note(user)] : [404, {}]
  }
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
  const answered = { parameters, responses: { default: { description: '' } } }
  const schema = { type: 'object', properties: { stars: { type: 'integer', maximum: 9 } } }
  const text = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 't', version: '1' },
    paths: {
      '/notes': { get: { responses: answered.responses } },
      '/notes/{id}': {
        get: answered,
        put: { ...answered, requestBody: { content: { 'application/json': { schema } } } },
      },
    },
  })

  const found = await findingsOf(
    service,
    ['object-change'],
    {},
    { profile: 'DEEP', schema: { name: 'api.json', text } },
  )

  expect(found).toEqual([])
})

test('a number of somebody’s order that another changes is found in GraphQL, where a refusal is an answer of 200', async () => {
  const schema = `
    type Order { id: ID! owner: String! amount: Int! }
    type Query { order(id: ID!): Order  orders: [Order!]! }
    type Mutation { updateOrder(id: ID!, amount: Int!): Order }`
  const service = (orders: Order[], isGuarded: boolean): Handler => {
    return ({ user, body }) => {
      const { query, variables } = Object(body)
      if (user === null) return [200, { errors: [{ message: 'sign in' }] }]
      if (String(query).includes('orders'))
        return [200, { data: { orders: orders.filter(({ owner }) => owner === user) } }]
      const order = orders.find(({ id }) => id === variables?.id)
      if (order === undefined) return [200, { errors: [{ message: 'no such order' }] }]
      if (isGuarded && order.owner !== user) return [200, { errors: [{ message: 'not yours' }] }]
      if (!String(query).includes('updateOrder')) return [200, { data: { order } }]
      order.amount = Number(variables.amount)
      return [200, { data: { updateOrder: order } }]
    }
  }
  const orders = ['a', 'b'].map((owner) => ({ id: `order-of-${owner}`, owner, amount: 7 }))
  const foundAt = (isGuarded: boolean) =>
    findingsOf(service(orders, isGuarded), ['object-change'], {}, (target) => ({
      target: `${target}/graphql`,
      profile: 'DEEP',
      schema: { name: 'schema.graphql', text: schema },
    }))

  const found = places(await foundAt(false))

  expect(found).toEqual(['POST /graphql#Mutation.updateOrder'])
  expect(orders.map(({ amount }) => amount)).toEqual([1, 7])
  expect(await foundAt(true)).toEqual([])
})
