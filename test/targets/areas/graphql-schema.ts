// What the GraphQL of the shop is made of: its schema, and what each field answers.
import { exec } from 'node:child_process'
import { buildSchema } from 'graphql'
import type { Call } from '../route.ts'
import { rows, userBy } from '../state.ts'
import { claimedName, readAccessToken } from '../tokens.ts'
import { bound } from './auth.ts'

export const schema = buildSchema(`
  type Query {
    me: User
    order(id: ID!): Order
    products(kind: String = "kitchen"): [Product!]!
    ping(host: String = "localhost"): String!
    allUsers: [User!]!
    greeting: String!
    whoIs(token: String!): User
  }
  type Mutation {
    signIn(username: String!, password: String!): Session
    changeBio(bio: String!): User
    rememberProduct(name: String!): Product
  }
  type Session { token: String! }
  type User { id: ID! name: String! email: String! bio: String orders: [Order!]! }
  type Order { id: ID! item: String! address: String! total: Int! owner: User! }
  type Product { id: ID! name: String! price: Int! kind: String! }
`)

const userNode = (call: Call, id: number): Record<string, unknown> => {
  const [row = {}] = rows(call.state, 'select id, name, email, bio from users where id = ?', id)
  return {
    ...row,
    orders: () => rows(call.state, 'select * from orders where owner = ?', id).map((order) => orderNode(call, order)),
  }
}
const orderNode = (call: Call, order: Record<string, unknown>): Record<string, unknown> => ({
  ...order,
  owner: () => userNode(call, Number(order.owner)),
})

const signedIn = ({ user }: Call) => {
  if (user === undefined) throw new Error('Sign in first')
  return user
}

export const roots = (call: Call) => ({
  me: () => userNode(call, signedIn(call).id),
  greeting: () => 'Welcome',
  whoIs: ({ token }: { token: string }) => {
    const name = call.on('graphql-token') ? claimedName(token) : readAccessToken(call.state.keys, token, () => false)
    const known = name === undefined ? undefined : userBy(call.state, 'name', name)
    return known === undefined ? null : userNode(call, known.id)
  },
  order: ({ id }: { id: string }) => {
    const { id: viewer } = signedIn(call)
    const [row] = rows(call.state, 'select * from orders where id = ?', Number(id))
    if (row === undefined || (row.owner !== viewer && !call.on('graphql-order'))) return null
    return orderNode(call, row)
  },
  products: ({ kind }: { kind: string }) =>
    call.on('graphql-sql')
      ? rows(call.state, `select * from products where kind = '${kind}'`)
      : rows(call.state, 'select * from products where kind = ?', kind),
  ping: ({ host }: { host: string }) => {
    if (!call.on('graphql-shell')) return `pong ${host.replace(/[^\w.-]/g, '')}`
    return new Promise((resolve) =>
      exec(`echo pong ${host}`, { timeout: 5000, cwd: call.state.folder }, (_, out, errors) => resolve(out + errors)),
    )
  },
  allUsers: () => {
    const viewer = signedIn(call)
    if (viewer.role !== 'admin' && !call.on('graphql-all-users')) throw new Error('This is for administrators')
    return rows(call.state, 'select id from users').map(({ id }) => userNode(call, Number(id)))
  },
  signIn: ({ username, password }: { username: string; password: string }) => {
    const [row] = rows(call.state, 'select password from users where name = ?', username)
    if (row === undefined || row.password !== password) {
      bound(call, 'graphql-signin-unlimited', `graphql ${username}`)
      return null
    }
    return { token: userBy(call.state, 'name', username)?.name ?? '' }
  },
  changeBio: ({ bio }: { bio: string }) => {
    const { id } = signedIn(call)
    call.state.db.prepare('update users set bio = ? where id = ?').run(bio, id)
    return userNode(call, id)
  },
  rememberProduct: ({ name }: { name: string }) =>
    rows(call.state, 'select * from products where name = ?', name)[0] ?? null,
})
