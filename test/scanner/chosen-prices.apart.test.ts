// Prices that whoever buys may choose: found where they are kept, and not where the shop's own price counts or a price may be named.

import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

const checks = ['chosen-price']
const products = [
  { id: 7, name: 'teapot', price: 25 },
  { id: 8, name: 'kettle', price: 40.5 },
]

type Way = 'keeps it' | 'looks it up' | 'refuses another' | 'repeats it alone'

/** Orders in JSON: what is bought by its id, with a price beside it. */
function shop(way: Way): Handler {
  const orders: object[] = []
  return ({ method, path, body }) => {
    if (path === '/products') return [200, { products }]
    if (method === 'GET') return [200, orders]
    const [{ productId = 0, price = 0 } = {}] = Object(body).items ?? [Object(body)]
    const product = products.find(({ id }) => id === productId)
    if (product === undefined) return [404, { error: 'no such product' }]
    if (way === 'repeats it alone') return [200, { received: body }]
    if (way === 'refuses another' && price !== product.price) return [422, { error: 'the price has changed' }]
    const order = { id: orders.length + 1, items: [{ productId, price: way === 'keeps it' ? price : product.price }] }
    orders.push(order)
    return [201, { message: 'thank you' }]
  }
}

const bought = async (
  handle: Handler,
  key = 'POST /orders',
  body: Record<string, unknown> = { productId: 7, price: 25 },
) =>
  (
    await findingsOf(
      handle,
      checks,
      { 'GET /products': {}, [key.replace('POST', 'GET')]: {}, [key]: { body } },
      { profile: 'DEEP' },
    )
  ).map(({ operation, cwes, parameter }) => [operation, cwes, parameter?.name])

test('a price beside the id of a product is found where an order keeps it', async () => {
  expect(await bought(shop('keeps it'))).toEqual([['POST /orders', [472, 840], 'price']])
})

test.each<Way>(['looks it up', 'refuses another', 'repeats it alone'])(
  'a shop that %s has no such flaw',
  async (way) => {
    expect(await bought(shop(way))).toEqual([])
  },
)

test('a price is named by whoever offers it, orders from a supplier, or sells what has no price yet', async () => {
  expect(await bought(shop('keeps it'), 'POST /offers')).toEqual([])
  expect(await bought(shop('keeps it'), 'POST /purchase-orders')).toEqual([])
  expect(await bought(shop('keeps it'), 'POST /orders', { name: 'a vase', price: 25 })).toEqual([])
})

/** A page with a form for each product, and a basket that shows what was put in. */
function pages(way: Way | 'shows it to be filled in' | 'shows it once'): Handler {
  const lines: string[] = []
  const type = way === 'shows it to be filled in' ? 'number' : 'hidden'
  const form = `<h2>A teapot for $25.00</h2><form method="post" action="/basket"><input type="hidden" name="product" value="7">
    <input type="${type}" name="price" value="25.00"><button>Buy</button></form>`
  return ({ method, path, query, body }) => {
    if (path === '/') return [200, `${form}<a href="/basket">Basket</a>`]
    if (path !== '/basket') return [404, 'None']
    const rows = lines.map((line) => `<tr><td>A teapot</td><td>$${line}</td></tr>`).join('')
    if (method === 'GET') return [200, `<h1>Basket</h1><p>${query.get('told') ?? ''}</p><table>${rows}</table>`]
    const price = new URLSearchParams(String(body)).get('price') ?? ''
    if (way === 'refuses another' && Number(price) !== 25) return [400, `Not for ${price}`]
    if (way === 'repeats it alone') return [200, `<p>You would pay $${price}</p>`]
    if (way === 'shows it once') return [302, '', { location: `/basket?told=${price}` }]
    lines.push(way === 'looks it up' ? '25.00' : price)
    return [302, '', { location: '/basket' }]
  }
}

const visited = async (way: Parameters<typeof pages>[0]) =>
  (await findingsOf(pages(way), checks, {}, { profile: 'DEEP', schema: null, crawl: true, identities: [] })).map(
    ({ operation, parameter }) => [operation.split('#')[0], parameter?.name],
  )

test('a price in a hidden field is found where the page of what was bought shows another', async () => {
  expect(await visited('keeps it')).toEqual([['POST /basket', 'price']])
})

test.each(['looks it up', 'refuses another', 'repeats it alone', 'shows it once', 'shows it to be filled in'] as const)(
  'a form whose shop %s has no such flaw',
  async (way) => {
    expect(await visited(way)).toEqual([])
  },
)
