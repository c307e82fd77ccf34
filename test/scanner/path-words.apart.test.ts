// Words in paths that are values are found by the page that shows them, and what else is reached from folders and sign-ups.

import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import { type Asked, findingsOf, type Handler, places, serving } from './tiny.ts'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Greets whoever the path names; `isOpen`: anybody, and not those alone who are known. */
const greeting =
  (show: (name: string) => string, isOpen = true): Handler =>
  ({ path }) => {
    if (path === '/') return [200, '<a href="/greet/visitor/">Greet</a><a href="/about/company">About</a>']
    if (path === '/about/company') return [200, '<h1>About the company</h1>']
    const name = /^\/greet\/([^/]+)\/$/.exec(path)?.[1]
    if (name === undefined || (!isOpen && name !== 'visitor')) return [404, '<h1>There is none</h1>']
    return [200, `<h1>Hello ${show(decodeURIComponent(name))}</h1>`]
  }

const found = async (handle: Handler) =>
  places(await findingsOf(handle, ['cross-site-scripting'], {}, { schema: null, crawl: true, identities: [] }))

test('a script in a part of the path that the page shows is found', async () => {
  expect(await found(greeting((name) => name))).toEqual(['GET /greet/{part}/'])
})

test('nothing is where the page escapes it, or only shows the parts that there are', async () => {
  expect(await found(greeting(escaped))).toEqual([])
  expect(await found(greeting((name) => name, false))).toEqual([])
})

/** Tells of those who are known; `isMade`: they are looked for with a statement that the path is put into. */
const members =
  (isMade: boolean): Handler =>
  ({ path }) => {
    const known = ['visitor', 'clerk', 'porter']
    if (path === '/') return [200, known.map((name) => `<a href="/members/${name}">${name}</a>`).join('')]
    const name = decodeURIComponent(/^\/members\/([^/]+)$/.exec(path)?.[1] ?? '')
    if (isMade && name.includes("'")) return [500, `near "'": syntax error`]
    return known.includes(name) ? [200, `<h1>All there is to know of</h1><p>${name}</p>`] : [404, '<h1>None</h1>']
  }

test('pages of one folder that differ in one word are asked with others, although a made-up word has none', async () => {
  const foundAt = async (handle: Handler) =>
    places(await findingsOf(handle, ['sql-injection-error'], {}, { schema: null, crawl: true, identities: [] }))

  expect(await foundAt(members(true))).toEqual(['GET /members/{part}'])
  expect(await foundAt(members(false))).toEqual([])
})

test('one that only a script of the page has is found too', async () => {
  const inScript = greeting((name) => `<script>var name = "${name}"</script>`)

  expect(await found(inScript)).toEqual(['GET /greet/{part}/'])
})

test('what one page is asked with is tried on others', async () => {
  const pages: Handler = ({ path, query }) => {
    if (path === '/') return [200, '<a href="/one?qx=tea">One</a><a href="/other">Other</a>']
    if (path === '/one') return [200, `<p>${escaped(query.get('qx') ?? '')}</p>`]
    return path === '/other' ? [200, `<p>Other ${query.get('qx') ?? ''}</p>`] : [404, '<p>None</p>']
  }

  expect(await found(pages)).toEqual(['GET /other?qx'])
})

/** A shop whose page for what is not found names the path, and whose search sends to itself, by whatever path it is asked. */
const lost =
  (show: (path: string) => string): Handler =>
  ({ path }) => {
    const asked = show(decodeURIComponent(path))
    if (path === '/') return [200, '<a href="/find.php">Find</a>']
    return path.startsWith('/find.php')
      ? [200, `<form action="${asked}"><input name=q></form>`]
      : [404, `<h1>There is no ${asked}</h1>`]
  }

test('a script behind a path is found where the page sends to itself, or says what it did not find', async () => {
  expect(await found(lost((path) => path))).toEqual(['GET /find.php/{part}', 'GET /{part}'])
})

test('a form of such a page is reported once', async () => {
  const shop: Handler = ({ path }) => {
    if (path === '/') return [200, '<a href="/find.php">Find</a>']
    const form = `<form method=post action="save.php"><input name=note><input name=text></form><p>${escaped(path)}</p>`
    return path.startsWith('/find.php') ? [200, form, { 'set-cookie': 'sid=1f2e3d4c5b6a7988' }] : [404, '']
  }
  const checks = ['forged-request-guard-missing', 'cross-site-scripting']

  const findings = await findingsOf(shop, checks, {}, { schema: null, crawl: true, identities: [] })

  expect(places(findings)).toEqual(['GET /find.php'])
})

test('nothing is where both escape what they show', async () => {
  expect(await found(lost((path) => escaped(path).replaceAll('"', '&quot;')))).toEqual([])
})

const operationsOf = (handle: Handler, start: string) =>
  serving(handle, async (url) => {
    const outcome = await scan({
      target: url + start,
      profile: 'BASIC',
      identities: [],
      checks: ['clickjacking'],
      browser: false,
      allowed: readAllowed('127.0.0.1') ?? undefined,
    })
    return outcome.operations
  })

test('the robots.txt of a folder may mean paths in it', async () => {
  const shop: Handler = ({ path }) => {
    if (path === '/shop/') return [200, '<h1>Shop</h1>']
    if (path === '/shop/robots.txt')
      return [200, 'User-agent: *\nDisallow: /back/list.html', { 'content-type': 'text/plain' }]
    return path === '/shop/back/list.html' ? [200, '<h1>All orders</h1>'] : [404, '<h1>None</h1>']
  }

  expect(await operationsOf(shop, '/shop/')).toContain('GET /shop/back/list.html')
})

test('what the scripts of a page for signing up ask is asked too', async () => {
  const asked: Asked[] = []
  const shop: Handler = (one) => {
    asked.push(one)
    const { path, method, headers } = one
    const isIn = headers.cookie?.includes('sid=') === true
    if (path === '/login' && method === 'POST')
      return [302, '', { location: '/', 'set-cookie': 'sid=4f2d9ab1c07e4e1db1f0; HttpOnly' }]
    if (path === '/login')
      return [
        200,
        '<form method=post action=/login><input name=username><input type=password name=password></form><a href=/register>New here</a>',
      ]
    if (path === '/register')
      return [
        200,
        '<form method=post action=/register><input name=username><input type=password name=password></form><script>$.getJSON("/taken?username=x", show); fetch("/api/orders", show)</script>',
      ]
    if (path === '/taken') return [200, { taken: false }]
    if (path === '/api/orders') return isIn ? [200, { orders: [] }] : [401, {}]
    if (path === '/') return isIn ? [200, '<h1>Hello ann</h1>'] : [302, '', { location: '/login' }]
    return [404, '<h1>None</h1>']
  }

  const operations = await serving(shop, async (url) => {
    const login = { type: 'FORM', url: `${url}/login`, username: 'ann', password: 'secret' } as const
    const outcome = await scan({
      target: `${url}/`,
      profile: 'BASIC',
      identities: [{ name: 'ann', headers: [], cookies: [], query: [], login }],
      checks: ['clickjacking'],
      browser: false,
      allowed: readAllowed('127.0.0.1') ?? undefined,
    })
    return outcome.operations
  })

  expect(operations).toContain('GET /taken?username')
  // what scripts of all pages ask is asked by who is signed in
  const orders = asked.filter(({ path }) => path === '/api/orders')
  expect(orders.some(({ headers }) => headers.cookie?.includes('sid='))).toBe(true)
})

test('where every path is shown, some of them are asked, and not all', async () => {
  const folders = Array.from({ length: 30 }, (_, at) => `/folder-${at}/about-it`)
  const shop: Handler = ({ path }) => [
    200,
    path === '/' ? folders.map((one) => `<a href="${one}">Page</a>`).join('') : `<p>${escaped(path)}</p>`,
  ]

  const operations = await serving(shop, async (url) => {
    const outcome = await scan({
      target: `${url}/`,
      profile: 'BALANCED',
      identities: [],
      checks: ['clickjacking'],
      browser: false,
      allowed: readAllowed('127.0.0.1') ?? undefined,
    })
    return outcome.operations
  })

  expect(operations.filter((key) => key.includes('{part}'))).toHaveLength(8)
})
