// Objects and functions that belong to somebody: the flaw is found, its mended form and what is meant for all are not.

import { expect, test } from 'vitest'
import { type Described, findingsOf, type Handler, people, places } from './tiny.ts'

const orders = [
  { id: 'order-71', owner: 'user-a', street: 'Harbour 5', total: 420 },
  { id: 'order-92', owner: 'user-b', street: 'Mill 77', total: 310 },
]
const described: Described = {
  'GET /orders': {},
  'GET /orders/{id}': { path: { id: 'order-0' } },
  'PUT /orders/{id}': { path: { id: 'order-0' }, body: { street: 'Elsewhere' } },
}

const shop = (isGuarded: boolean): Handler => {
  const kept = orders.map((order) => ({ ...order }))
  return ({ method, path, user, body }) => {
    if (user === null) return [401, { message: 'sign in' }]
    if (path === '/orders') return [200, kept.filter(({ owner }) => owner === `user-${user}`)]
    const order = kept.find(({ id }) => path === `/orders/${id}`)
    if (order === undefined || (isGuarded && order.owner !== `user-${user}`)) return [404, { message: 'no such order' }]
    if (method === 'PUT' && typeof body === 'object' && body !== null && 'street' in body)
      order.street = String(body.street)
    return [200, order]
  }
}

test("another user's order that is answered and changed is found, with the parameter that names it", async () => {
  const found = await findingsOf(shop(false), ['object-access', 'object-change'], described)

  expect(places(found)).toEqual(['GET /orders/{id}', 'PUT /orders/{id}'])
  expect(found.map(({ parameter, cwes }) => [parameter?.name, cwes])).toEqual([
    ['id', [639]],
    ['id', [639]],
  ])
})

test('what was changed to show that it could be is put back by its owner', async () => {
  const service = shop(false)
  const changes: [string | null, unknown][] = []

  await findingsOf(
    (asked) => {
      if (asked.method === 'PUT') changes.push([asked.user, asked.body])
      return service(asked)
    },
    ['object-change'],
    described,
  )

  expect(changes.at(-1)).toEqual(['a', { street: 'Harbour 5' }])
})

test('orders that only their owners get are not found', async () => {
  const found = await findingsOf(shop(true), ['object-access', 'object-change'], described)

  expect(found).toEqual([])
})

test("what everybody may read is nobody's object, with or without signing in", async () => {
  const articles: Handler = ({ path, user }) => {
    if (path.startsWith('/members') && user === null) return [401, {}]
    return [200, { id: path.split('/')[2], title: 'How to make tea', author: 'user-a', text: 'Boil the water first' }]
  }

  const found = await findingsOf(articles, ['object-access'], {
    'GET /public/{id}': { path: { id: 'art-1' }, isOpen: true },
    'GET /members/{id}': { path: { id: 'art-1' } },
    'GET /members': {},
  })

  expect(found).toEqual([])
})

/** Posts of which everybody, or their author alone, is shown the latest; others push an earlier one out of that list. */
const board = (isPublic: boolean): Handler => {
  const posts = ['a', 'b', 'a', 'b'].map((name, at) => ({
    id: `post-${at}`,
    text: `about ${name}${at}`,
    by: `user-${name}`,
  }))
  const latest: Record<string, number> = { a: 0, b: 0 }
  return ({ path, user }) => {
    if (user === null) return [401, { message: 'sign in' }]
    if (path === '/posts') {
      const at = latest[user] ?? 0
      latest[user] = 1
      const shown = at === 0 ? posts.slice(0, 2) : posts.slice(2)
      return [200, { posts: shown.filter(({ by }) => isPublic || by === `user-${user}`) }]
    }
    if (path === '/posts/mine') return [200, posts.slice(2).filter(({ by }) => by === `user-${user}`)]
    const post = posts.find(({ id }) => path === `/posts/${id}`)
    return post ? [200, post] : [404, { message: 'no such post' }]
  }
}

test('that a list for administrators shows everybody everything makes nothing of it everybody’s', async () => {
  const service: Handler = ({ path, user }) => {
    if (user === null) return [401, { message: 'sign in' }]
    if (path === '/admin/orders') return [200, orders.map((order) => ({ ...order, street: '-', total: 0 }))]
    return shop(false)({ method: 'GET', path, user, query: new URLSearchParams(), headers: {}, body: '' })
  }

  const found = await findingsOf(service, ['object-access'], { ...described, 'GET /admin/orders': {} })

  expect(places(found)).toEqual(['GET /orders/{id}'])
})

test.each([
  [true, []],
  [false, ['GET /posts/{id}']],
])('a thing of a kind of which a list shows everybody some is for everybody: %s', async (isPublic, expected) => {
  const found = await findingsOf(board(isPublic), ['object-access'], {
    'GET /posts': {},
    'GET /posts/mine': {},
    'GET /posts/{id}': { path: { id: 'post-2' } },
  })

  expect(places(found)).toEqual(expected)
})

test('a letter of somebody in one’s own inbox makes nothing for everybody of his letters to others', async () => {
  const letters = ['b', 'c'].map((name, at) => ({
    id: `letter-${at}`,
    from: 'user-a',
    to: `user-${name}`,
    text: `dear ${name}, the key is under stone ${at + 4711}`,
  }))
  const service =
    (isGuarded: boolean): Handler =>
    ({ path, user }) => {
      if (user === null) return [401, { message: 'sign in' }]
      const own = letters.filter(({ from, to }) => [from, to].includes(`user-${user}`))
      if (path === '/letters') return [200, own.filter(({ to }) => to === `user-${user}`)]
      if (path === '/letters/sent') return [200, own.filter(({ from }) => from === `user-${user}`)]
      const letter = (isGuarded ? own : letters).find(({ id }) => path === `/letters/${id}`)
      return letter ? [200, letter] : [404, { message: 'no such letter' }]
    }
  const asked: Described = {
    'GET /letters': {},
    'GET /letters/sent': {},
    'GET /letters/{id}': { path: { id: 'letter-1' } },
  }

  expect(places(await findingsOf(service(false), ['object-access'], asked))).toEqual(['GET /letters/{id}'])
  expect(await findingsOf(service(true), ['object-access'], asked)).toEqual([])
})

test('what people tell of themselves is no secret, and their address is one', async () => {
  const members =
    (isTelling: boolean): Handler =>
    ({ path, user }) => {
      if (user === null) return [401, { message: 'sign in' }]
      const name = path === '/me' ? `user-${user}` : (path.split('/')[2] ?? '')
      const profile = { username: name, bio: `${name} likes tea`, picture: `/pictures/${name}.png` }
      return [200, path === '/me' || isTelling ? { ...profile, street: `Harbour of ${name}` } : profile]
    }
  const asked: Described = { 'GET /me': {}, 'GET /profiles/{username}': { path: { username: 'user-x' } } }

  expect(await findingsOf(members(false), ['object-access'], asked)).toEqual([])
  expect(places(await findingsOf(members(true), ['object-access'], asked))).toEqual(['GET /profiles/{username}'])
})

test('what is asked for by its owner’s name is the owner’s though it does not name anybody, unless it is the same of everybody', async () => {
  const notes =
    (answerTo: (owner: string) => object, isGuarded = false): Handler =>
    ({ path, query, user }) => {
      if (user === null) return [401, { message: 'sign in' }]
      if (path === '/me') return [200, { username: `user-${user}` }]
      if (path === '/members') return [200, [{ username: 'user-a' }, { username: 'user-b' }]]
      const owner = query.get('username') ?? ''
      return isGuarded && owner !== `user-${user}` ? [403, { message: 'not yours' }] : [200, answerTo(owner)]
    }
  const asked: Described = { 'GET /me': {}, 'GET /members': {}, 'GET /note': { query: { username: 'somebody' } } }
  const noteOf = (owner: string) => ({ note: owner === 'user-a' ? 'the key is under the third stone' : '' })
  const foundIn = (service: Handler) => findingsOf(service, ['object-access'], asked).then(places)

  expect(await foundIn(notes(noteOf))).toEqual(['GET /note'])
  expect(await foundIn(notes(noteOf, true))).toEqual([])
  expect(await foundIn(notes((owner) => ({ message: owner ? 'that name is taken' : '' })))).toEqual([])
  expect(await foundIn(notes((owner) => ({ followers: owner === 'user-a' ? 4_711 : 12 })))).toEqual([])
  expect(await foundIn(notes((owner) => ({ said: [noteOf(owner)] })))).toEqual([])
})

test('a page of somebody that other pages lead everybody to is no object of theirs', async () => {
  const members =
    (isLinked: boolean): Handler =>
    ({ path, query, user }) => {
      if (user === null) return [302, '', { location: '/login' }]
      if (path === '/mine')
        return [200, `<p>user-${user}</p><a href="/picture?id=${user === 'a' ? 71 : 92}">my picture</a>`]
      if (path === '/recent')
        return [200, isLinked ? '<a href="/picture?id=71">1</a><a href="/picture?id=92">2</a>' : '']
      const owner = { 71: 'user-a', 92: 'user-b' }[Number(query.get('id'))]
      return owner ? [200, `<h1>A picture of ${owner}</h1><p>It shows Harbour ${query.get('id')}</p>`] : [404, '']
    }
  const pages: Described = { 'GET /mine': {}, 'GET /recent': {}, 'GET /picture': { query: { id: '71' } } }

  const [shown, hidden] = [
    await findingsOf(members(true), ['object-access'], pages),
    await findingsOf(members(false), ['object-access'], pages),
  ]

  expect(places(shown)).toEqual([])
  expect(places(hidden)).toEqual(['GET /picture'])
})

test('a protected operation that answers the same without credentials is found, a plea to sign in is not', async () => {
  const service: Handler = ({ path, user }) => {
    if (path === '/report') return [200, { sold: 12, best: 'teapot' }]
    if (path === '/page') return [200, user === null ? { message: 'please log in' } : { message: 'welcome' }]
    return user === null ? [401, {}] : [200, { name: 'a' }]
  }

  const found = await findingsOf(service, ['missing-authentication'], {
    'GET /report': {},
    'GET /page': {},
    'GET /me': {},
    'GET /health': {},
  })

  expect(places(found)).toEqual(['GET /report'])
})

test('an operation open to all that refuses only wrong credentials is reported as an error of the description', async () => {
  const service: Handler = ({ path, user, headers }) => {
    if (path === '/news' && user === null && headers.authorization !== undefined) return [403, { message: 'wrong' }]
    return [200, { news: ['The shop is open on Sunday', 'Tea is back'] }]
  }

  const found = await findingsOf(service, ['missing-authentication'], { 'GET /news': {}, 'GET /report': {} })

  expect(found.map(({ operation, severity }) => [operation, severity]).sort()).toEqual([
    ['GET /news', 'LOW'],
    ['GET /report', 'HIGH'],
  ])
})

test('a name that only tells identities apart is no mark of a person', async () => {
  const identities = people.map((person, index) => ({
    ...person,
    name: ['first', 'second'][index] ?? '',
    isNameMadeUp: true,
  }))
  const seats: Handler = ({ path, user }) => {
    if (user === null) return [401, {}]
    return path === '/seats' ? [200, []] : [200, { id: 'seat-12', position: 'first', note: 'by the window' }]
  }

  const found = await findingsOf(
    seats,
    ['object-access'],
    { 'GET /seats': {}, 'GET /seats/{id}': { path: { id: 'seat-12' } } },
    { identities },
  )

  expect(found).toEqual([])
})
