// The shelf: where something is looked for and bought on pages, and preferences over REST that documents are merged into.
import { type Area, type Call, escaped, integer, json, object, page, Refusal, string, text } from '../route.ts'
import { rows } from '../state.ts'
import { formToken, refuseOtherSites } from './forms.ts'

type Tree = { [name: string]: unknown }
type Shelf = { bought: { owner: string; name: string; price: number }[]; preferences: Map<string, Tree> }
const shelves = new WeakMap<Call['state'], Shelf>()
const shelfOf = ({ state }: Call): Shelf => {
  const shelf = shelves.get(state) ?? { bought: [], preferences: new Map() }
  shelves.set(state, shelf)
  return shelf
}

const nameOf = ({ user }: Call): string => user?.name ?? ''

const preferencesOf = (call: Call): Tree => {
  const { preferences } = shelfOf(call)
  const own = preferences.get(nameOf(call)) ?? { colour: 'blue', sizes: { page: 10 } }
  preferences.set(nameOf(call), own)
  return own
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is inherited is written into, too. */
function mergeAll(into: Tree, from: Tree): void {
  for (const name of Object.keys(from)) {
    const [own, given] = [into[name], from[name]]
    if (isTree(own) && isTree(given)) mergeAll(own, given)
    else into[name] = given
  }
}

function mergeKnown(into: Tree, { colour, sizes }: Tree): void {
  if (typeof colour === 'string') into.colour = colour.slice(0, 40)
  if (isTree(sizes) && typeof sizes.page === 'number') into.sizes = { page: sizes.page }
}

const preferences = object({ colour: string('red'), sizes: object({ page: integer(20) }) })

export const shelf: Area = {
  flaws: [
    {
      id: 'shelf-statement-told',
      cwe: 209,
      operation: 'GET /shelf/search',
      shows: 'a page says which statement it was made with',
      said: /statement/,
    },
    {
      id: 'shelf-price-chosen',
      cwe: 472,
      operation: 'POST /shelf/basket',
      parameter: 'price',
      shows: 'a hidden field says what something costs',
    },
    {
      id: 'preferences-merged',
      cwe: 1321,
      operation: 'PUT /api/preferences',
      shows: 'a document changes the prototype of all objects',
    },
  ],
  routes: [
    {
      method: 'GET',
      path: '/shelf',
      access: 'user',
      handle: (call) => {
        const forms = rows(call.state, 'select id, name, price from products').map(
          ({ id, name, price }) =>
            `<form action="/shelf/basket" method="post">${escaped(text(name))} for ${Number(price)} coins
             <input type="hidden" name="product" value="${Number(id)}"><input type="hidden" name="price" value="${Number(price)}">
             ${formToken(call, 'notes-other-sites')}<button>Buy</button></form>`,
        )
        return page(
          'Shelf',
          `<form action="/shelf/search"><input name="name"><button>Find</button></form>${forms.join('')}<a href="/shelf/basket">Basket</a>`,
        )
      },
    },
    {
      method: 'GET',
      path: '/shelf/search',
      access: 'user',
      handle: ({ on, state, query }) => {
        const { name = '' } = query
        const found = rows(state, 'select name, price from products where name = ?', name)
        const shown = found.map((row) => `<li>${escaped(text(row.name))}</li>`).join('')
        const statement = on('shelf-statement-told')
          ? `<pre>select name, price from products where name = '${escaped(name)}'</pre>`
          : ''
        return page('Found', `<p>You looked for ${escaped(name)}</p><ul>${shown}</ul>${statement}`)
      },
    },
    {
      method: 'GET',
      path: '/shelf/basket',
      access: 'user',
      handle: (call) => {
        const own = shelfOf(call).bought.filter(({ owner }) => owner === nameOf(call))
        const lines = own.slice(-100).map(({ name, price }) => `<li>${escaped(name)}: ${price} coins</li>`)
        return page('Basket', `<ul>${lines.join('')}</ul><a href="/shelf">Shelf</a>`)
      },
    },
    {
      method: 'POST',
      path: '/shelf/basket',
      access: 'user',
      handle: (call) => {
        refuseOtherSites(call, 'notes-other-sites')
        const [product] = rows(call.state, 'select name, price from products where id = ?', text(call.body.product))
        if (product === undefined) throw new Refusal(404, 'There is no such product')
        const given = Number(text(call.body.price))
        const price = call.on('shelf-price-chosen') && given > 0 ? given : Number(product.price)
        shelfOf(call).bought.push({ owner: nameOf(call), name: text(product.name), price })
        return { status: 303, headers: { location: '/shelf/basket' }, body: '' }
      },
    },
    {
      method: 'GET',
      path: '/api/preferences',
      access: 'user',
      spec: { summary: 'How the signed-in user likes it', answer: preferences },
      handle: (call) => json(preferencesOf(call)),
    },
    {
      method: 'PUT',
      path: '/api/preferences',
      access: 'user',
      spec: { summary: 'Changes how it is liked', body: preferences, answer: preferences },
      handle: (call) => {
        const own = preferencesOf(call)
        if (call.on('preferences-merged')) mergeAll(own, call.body)
        else mergeKnown(own, call.body)
        return json(own)
      },
    },
  ],
}
