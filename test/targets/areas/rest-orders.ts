// Orders and products over REST: what belongs to one user, what anybody may see, and how both are searched.
import { type Area, type Call, integer, json, list, object, Refusal, string, text } from '../route.ts'
import { rows } from '../state.ts'

const order = object({
  id: integer(1101),
  owner: integer(11),
  item: string('teapot'),
  address: string('1 Harbour Street'),
  total: integer(30),
  status: string('paid'),
})
const product = object({ id: integer(1), name: string('teapot'), price: integer(9), kind: string('kitchen') })

const own = (call: Call, flaw: string): Record<string, unknown> => {
  const [row] = rows(call.state, 'select * from orders where id = ?', Number(call.params.id))
  if (row === undefined || (!call.on(flaw) && row.owner !== call.user?.id)) throw new Refusal(404, 'No such order')
  return row
}

/** Runs the statement as the flaw wrote it; a failure goes to the client with its text. */
const ask = (call: Call, sql: string): Record<string, unknown>[] => {
  try {
    return rows(call.state, sql)
  } catch (error) {
    throw new Refusal(500, error instanceof Error ? `SQLite error: ${error.message} in "${sql}"` : 'SQLite error')
  }
}

export const orders: Area = {
  flaws: [
    {
      id: 'order-read',
      cwe: 639,
      operation: 'GET /api/orders/{id}',
      parameter: 'id',
      shows: "another user's order is answered",
    },
    {
      id: 'order-change',
      cwe: 639,
      operation: 'PUT /api/orders/{id}/address',
      parameter: 'id',
      shows: "another user's order is changed",
    },
    {
      id: 'order-total-set',
      cwe: 915,
      operation: 'POST /api/orders',
      parameter: 'total',
      shows: 'the buyer sets the total',
    },
    {
      id: 'order-sort-sql',
      cwe: 89,
      operation: 'GET /api/orders',
      parameter: 'sort',
      shows: 'a quote makes SQLite complain',
    },
    {
      id: 'product-find-sql',
      cwe: 89,
      operation: 'GET /api/products',
      parameter: 'kind',
      shows: 'a quote makes SQLite complain',
    },
    {
      id: 'product-id-sql',
      cwe: 89,
      operation: 'GET /api/products/{id}',
      parameter: 'id',
      shows: 'a condition in the path is evaluated',
    },
    {
      id: 'product-filter-sql',
      cwe: 89,
      operation: 'POST /api/products/filter',
      parameter: 'name',
      shows: 'a true and a false condition answer differently',
    },
    {
      id: 'visit-agent-sql',
      cwe: 89,
      operation: 'GET /api/visits',
      parameter: 'X-Client',
      shows: 'a quote in a header makes SQLite complain',
    },
    {
      id: 'stock-cookie-sql',
      cwe: 89,
      operation: 'GET /api/stock',
      parameter: 'store',
      shows: 'a condition in a cookie is evaluated',
    },
  ],
  routes: [
    {
      method: 'GET',
      path: '/api/orders',
      access: 'user',
      spec: { summary: "The user's orders", query: { sort: string('total') }, answer: list(order) },
      handle: (call) => {
        const { sort = 'id' } = call.query
        const owner = call.user?.id ?? 0
        if (call.on('order-sort-sql'))
          return json(ask(call, `select * from orders where owner = ${owner} order by ${sort}`))
        const column = ['id', 'item', 'total', 'status'].find((name) => name === sort) ?? 'id'
        return json(rows(call.state, `select * from orders where owner = ? order by ${column}`, owner))
      },
    },
    {
      method: 'POST',
      path: '/api/orders',
      access: 'user',
      spec: {
        summary: 'Orders a product',
        body: object({ item: string('ladder'), address: string('3 Mill Lane') }, ['item', 'address']),
        answer: order,
      },
      handle: ({ on, state, body, user }) => {
        const total = on('order-total-set') && typeof body.total === 'number' ? Math.round(body.total) : 59
        state.db
          .prepare("insert into orders (owner, item, address, total, status) values (?, ?, ?, ?, 'new')")
          .run(user?.id ?? 0, text(body.item), text(body.address), total)
        return json(rows(state, 'select * from orders order by id desc limit 1')[0], 201)
      },
    },
    {
      method: 'GET',
      path: '/api/orders/{id}',
      access: 'user',
      spec: { summary: "One of the user's orders", path: { id: integer(1101) }, answer: order },
      handle: (call) => json(own(call, 'order-read')),
    },
    {
      method: 'PUT',
      path: '/api/orders/{id}/address',
      access: 'user',
      spec: {
        summary: "Changes where one of the user's orders goes",
        path: { id: integer(1101) },
        body: object({ address: string('5 Mill Lane') }, ['address']),
        answer: order,
      },
      handle: (call) => {
        const { id } = own(call, 'order-change')
        call.state.db.prepare('update orders set address = ? where id = ?').run(text(call.body.address), Number(id))
        return json(rows(call.state, 'select * from orders where id = ?', Number(id))[0])
      },
    },
    {
      method: 'GET',
      path: '/api/products',
      spec: { summary: 'Products of a kind', query: { kind: string('kitchen') }, answer: list(product) },
      handle: (call) => {
        const { kind = 'kitchen' } = call.query
        if (call.on('product-find-sql')) return json(ask(call, `select * from products where kind = '${kind}'`))
        return json(rows(call.state, 'select * from products where kind = ?', kind))
      },
    },
    {
      method: 'GET',
      path: '/api/products/{id}',
      spec: { summary: 'A product', path: { id: integer(2) }, answer: product },
      handle: (call) => {
        const { id = '' } = call.params
        const [row] = call.on('product-id-sql')
          ? ask(call, `select * from products where id = ${id}`)
          : rows(call.state, 'select * from products where id = ?', Number(id))
        if (row === undefined) throw new Refusal(404, 'No such product')
        return json(row)
      },
    },
    {
      method: 'POST',
      path: '/api/products/filter',
      spec: {
        summary: 'Products by name; a failure says no more than that',
        body: object({ name: string('teapot') }, ['name']),
        answer: list(product),
      },
      handle: (call) => {
        const name = text(call.body.name)
        if (!call.on('product-filter-sql')) return json(rows(call.state, 'select * from products where name = ?', name))
        try {
          return json(rows(call.state, `select * from products where name = '${name}'`))
        } catch {
          return json([])
        }
      },
    },
    {
      method: 'GET',
      path: '/api/visits',
      spec: {
        summary: 'How often a client came',
        header: { 'X-Client': string('kiosk-4') },
        answer: object({ visits: integer(1) }),
      },
      handle: (call) => {
        const agent = call.headers['x-client'] ?? ''
        const found = call.on('visit-agent-sql')
          ? ask(call, `select * from visits where agent = '${agent}'`)
          : rows(call.state, 'select * from visits where agent = ?', agent)
        return json({ visits: found.length })
      },
    },
    {
      method: 'GET',
      path: '/api/stock',
      spec: {
        summary: 'What a store has',
        cookie: { store: string('outdoors') },
        answer: object({ stock: integer(4) }),
      },
      handle: (call) => {
        const { store = 'outdoors' } = call.cookies
        const found = call.on('stock-cookie-sql')
          ? ask(call, `select * from products where kind = '${store}'`)
          : rows(call.state, 'select * from products where kind = ?', store)
        return json({ stock: found.length })
      },
    },
  ],
}
