// What is reached beside links: pages behind forms and menus, the form by which somebody signs in, sitemaps in the target's own folder.

import { expect, test } from 'vitest'
import type { Identity } from '../../src/scanner/types.ts'
import { type Asked, describe, type Handler, reached, scanned, serving } from './tiny.ts'

test('the form that the answer to a form shows is asked in its turn', async () => {
  const { operations } = await reached(({ method, path }) => {
    if (path === '/') return [200, '<form action="/preview" method="post"><input name="text"></form>']
    if (method === 'POST' && path === '/preview')
      return [200, '<a href="/help?of=preview">?</a><form action="/keep" method="post"><input name="kept"></form>']
    return path === '/keep' || path === '/help' ? [200, 'ok'] : [404, '']
  })

  expect(operations).toEqual(expect.arrayContaining(['POST /preview#text', 'POST /keep#kept', 'GET /help?of']))
})

const menu = (options: string) =>
  `<form method="post" action="/go"><select name="to">${options}</select><button name="go" value="go">Go</button></form>`
const choiceOf = (body: unknown) => new URLSearchParams(String(body)).get('to') ?? ''

test('each choice of a menu that leads to another page is followed, and none that says that it deletes', async () => {
  const options =
    '<option value="1">Teas<option value="2">Cups<option value="3">Delete my account<option value="4">Pots'

  const { operations, got } = await reached(({ path, body }) => {
    if (path === '/go') return [302, '', { location: `/page-${choiceOf(body)}?of=shop` }]
    return path === '/' || path.startsWith('/page-') ? [200, menu(options)] : [404, '']
  })

  expect(operations).toEqual(expect.arrayContaining(['GET /page-1?of', 'GET /page-2?of', 'GET /page-4?of']))
  expect(got.filter(({ body }) => choiceOf(body) === '3')).toEqual([])
  expect(operations.filter((key) => key.startsWith('POST /go'))).toHaveLength(1)
})

test('headings within a menu do not end it', async () => {
  const headings = ['<option value="h1">--', '<option value="h2">Pots', '<option value="h3">--'].join('')
  const options = `${[1, 2, 3, 4, 5].map((at) => `<option value="${at}">`).join('')}${headings}<option value="9">`

  const { operations } = await reached(({ path, body }) => {
    if (path === '/go') {
      const choice = choiceOf(body)
      return [302, '', { location: choice.startsWith('h') ? '/go' : `/page-${choice}?of=shop` }]
    }
    return path === '/' || path.startsWith('/page-') ? [200, menu(options)] : [200, '']
  })

  expect(operations).toContain('GET /page-9?of')
})

test('what a list of settings was set to by a choice is set back, and what it keeps in a cookie is left', async () => {
  let level = 'plain'
  const kept: string[] = []
  const options = '<option>plain</option><option>careful</option><option>strict</option><option>odd</option>'
  const service: Handler = ({ path, body }) => {
    if (path === '/cookie') {
      kept.push(String(body))
      return [302, '', { location: '/done', 'set-cookie': 'level=x; Path=/' }]
    }
    if (path === '/go') level = choiceOf(body)
    if (path === '/go') return [302, '', { location: '/done' }]
    return path === '/' ? [200, menu(options) + menu(options).replace('/go', '/cookie')] : [200, 'ok']
  }

  await reached(service, { checks: ['clickjacking'] })

  expect(level).toBe('plain')
  expect(new Set(kept).size).toBe(1)
})

test('the choices of a list that leads nowhere else are left alone', async () => {
  const { got } = await reached(({ path }) => {
    if (path === '/go') return [302, '', { location: '/go?saved=1' }]
    return path === '/' ? [200, menu('<option value="red"><option value="blue">')] : [200, 'ok']
  })

  expect(new Set(got.filter(({ path }) => path === '/go').map(({ body }) => choiceOf(body)))).toEqual(
    new Set(['red', '']),
  )
})

const ann = (url: string): Identity => ({
  name: 'ann',
  headers: [],
  cookies: [],
  query: [],
  login: { type: 'FORM', url: `${url}/enter`, username: 'ann', password: 'right-horse' },
})

/** Only a sign-in whose statement is broken shows it; whoever is signed in does not see the form. */
const shop =
  (got: Asked[]): Handler =>
  (asked) => {
    got.push(asked)
    const { path, method, body, headers } = asked
    const isIn = /sid=in/.test(headers.cookie ?? '')
    const sent = new URLSearchParams(String(body))
    if (path === '/enter' && method === 'GET') {
      const form =
        '<input name="user"><input type="password" name="word"><input name="nonce" type="hidden" value="n0nce-1">'
      return isIn
        ? [302, '', { location: '/' }]
        : [200, `<form method="post" action="/enter">${form}</form>`, { 'set-cookie': 'pre=visit-1; Path=/' }]
    }
    if (path === '/enter') {
      if (!/pre=visit-1/.test(headers.cookie ?? '') || sent.get('nonce') !== 'n0nce-1') return [400, 'no token']
      if (sent.get('word') === 'right-horse') return [302, '', { location: '/', 'set-cookie': 'sid=in; Path=/' }]
      if (/'/.test(sent.get('user') ?? '')) return [500, 'You have an error in your SQL syntax; check the manual']
      return [200, 'Wrong name or password']
    }
    if (path !== '/') return [404, '']
    return isIn ? [200, '<p>hello</p>'] : [302, '', { location: '/enter' }]
  }

test('the form by which an identity signs in is asked by nobody, with the cookie and the token of its page', async () => {
  const got: Asked[] = []
  const { findings } = await serving(shop(got), (url) =>
    scanned(url, { checks: ['sql-injection-error'], identities: [ann(url)] }),
  )

  expect(findings.map(({ operation, parameter }) => [operation, parameter?.name])).toEqual([
    ['POST /enter#user&word', 'user'],
  ])
  const sent = got.filter(({ method, path }) => method === 'POST' && path === '/enter')
  const probes = sent.filter(({ body }) => !String(body).includes('right-horse'))
  expect(probes.filter(({ headers }) => /sid=in/.test(headers.cookie ?? ''))).toEqual([])
})

test('the form by which people sign up is asked by nobody, though those who are signed in are not led to it', async () => {
  const got: Asked[] = []
  const form = (name: string) =>
    `<form method="post"><input name="${name}"><input type="password" name="word"><button>Go</button></form>`
  const service: Handler = (asked) => {
    got.push(asked)
    const { path, method, headers } = asked
    if (path === '/enter' && method === 'POST') return [302, '', { location: '/', 'set-cookie': 'sid=in; Path=/' }]
    const isIn = /sid=in/.test(headers.cookie ?? '')
    if (path === '/enter' && !isIn) return [200, `${form('user')}<a href="/sign-up">join</a><a href="/terms">terms</a>`]
    if (path === '/sign-up') return [200, form('called')]
    if (path === '/enter' || path === '/') return isIn ? [200, '<p>yours</p>'] : [302, '', { location: '/enter' }]
    return [404, '']
  }

  const { operations } = await serving(service, (url) => scanned(url, { identities: [ann(url)] }))

  expect(operations).toContain('POST /sign-up#called&word')
  const sent = got.filter(({ method, path }) => method === 'POST' && path === '/sign-up')
  expect(sent.length).toBeGreaterThan(0)
  expect(sent.filter(({ headers }) => /sid=in/.test(headers.cookie ?? ''))).toEqual([])
  expect(got.filter(({ path }) => path === '/terms')).toEqual([])
})

test('a document that stands in a script is sent as it is', async () => {
  const script = `var x = new XMLHttpRequest(); x.open("POST", "take", true)
    x.setRequestHeader("Content-type", "text/xml"); x.send("<order><item>tea</item></order>")`

  const { got } = await reached(({ path }) =>
    path === '/' ? [200, `<script>${script}</script>`] : path === '/take' ? [200, 'ok'] : [404, ''],
  )

  const sent = got.filter(({ method, path }) => method === 'POST' && path === '/take')
  expect(sent.map(({ body }) => body)).toContain('<order><item>tea</item></order>')
})

test('what an application of scripts answers to every path is one page', async () => {
  const whole = '<html><script src="main.js"></script><a href="/cart">cart</a><a href="/wish">wishes</a></html>'

  const { operations, got } = await reached(({ path }) => {
    if (path === '/main.js')
      return [
        200,
        `const ask = (id) => fetch(\`\${this.base}/api/items/\${id}\`)`,
        { 'content-type': 'text/javascript' },
      ]
    if (path.startsWith('/api/')) return [200, { name: 'tea' }]
    return [200, whole]
  })

  expect(operations.filter((key) => !key.startsWith('GET /api/')).sort()).toEqual(['GET /', 'GET /cart', 'GET /wish'])
  expect(operations).toContain('GET /api/items/{itemId}')
  expect(got.some(({ path }) => /^\/\w+\/main.js/.test(path))).toBe(false)
})

test('a parameter that a page reads and nothing names is found, and one that the page only shows in its address is not', async () => {
  const service: Handler = ({ path, query }) => {
    if (path === '/')
      return [200, '<a href="/greeting">1</a><a href="/plain">2</a><a href="/echo">3</a><a href="/item">4</a>']
    if (path === '/greeting') return [200, `<p>Hello ${query.get('name') ?? 'you'}</p>`]
    if (path === '/echo') return [200, `<a href="/echo?${query}">this page</a>`]
    if (path === '/item')
      return query.has('id') ? [404, '<p>There is no such thing here</p>'] : [200, '<p>All of them</p>']
    return path === '/plain' ? [200, '<p>plain</p>'] : [404, '']
  }

  const { operations } = await reached(service)
  const basic = await reached(service, { profile: 'BASIC' })

  expect(operations.filter((key) => key.includes('?'))).toEqual(['GET /greeting?name', 'GET /item?id'])
  expect(basic.operations.filter((key) => key.includes('?'))).toEqual([])
})

test('a parameter of a program is looked for, and none of a file', async () => {
  const links = '<a href="/leave.do">1</a><a href="/show.php">2</a><a href="/notes.txt">3</a>'
  const { operations, got } = await reached(({ path, query }) => {
    if (path === '/leave.do')
      return query.has('url') ? [302, '', { location: query.get('url') ?? '' }] : [200, 'No url']
    if (path === '/show.php') return [200, `<p>Hello ${query.get('name') ?? 'you'}</p>`]
    return path === '/' ? [200, links] : [path === '/notes.txt' ? 200 : 404, 'notes', { 'content-type': 'text/plain' }]
  })

  expect(operations.filter((key) => key.includes('?'))).toEqual(['GET /leave.do?url', 'GET /show.php?name'])
  expect(got.filter(({ path, query }) => path === '/notes.txt' && query.size > 0)).toEqual([])
})

test('a parameter that a description leaves out is found, by where the operation leads too', async () => {
  const service: Handler = ({ path, query }) => {
    if (path === '/leave') return [302, '', { location: query.get('url') ?? '/home' }]
    if (path === '/inside') return [302, '', { location: `/login?from=${encodeURIComponent(`/inside?${query}`)}` }]
    return path === '/greeting' ? [200, { hello: query.get('name') ?? 'you' }] : [200, { plain: true }]
  }
  const schema = { name: 'openapi.json', text: describe({ 'GET /leave': {}, 'GET /inside': {}, 'GET /greeting': {} }) }

  const { operations } = await reached(service, { schema, crawl: false })

  expect(operations.filter((key) => key.includes('?'))).toEqual(['GET /leave?url', 'GET /greeting?name'])
})

test('a sitemap beside the target is read, of whatever type it is', async () => {
  const service: Handler = ({ path, headers }) => {
    const type = (headers.accept ?? '').startsWith('text/html') ? 'text/html' : 'text/plain'
    const text = `<?xml version="1.0"?><urlset ><url><loc>\nhttp://${headers.host}/shop/listed?topic=tea\n</loc></url></urlset>`
    if (path === '/shop/sitemap.xml') return [200, text, { 'content-type': type }]
    return path === '/shop/' || path === '/shop/listed' ? [200, '<p>x</p>'] : [404, '']
  }

  const { operations } = await serving(service, (url) => scanned(`${url}/shop`))

  expect(operations).toContain('GET /shop/listed?topic')
})

test('where all that there is is the page for what is not found, the path that it shows is asked', async () => {
  const { operations } = await reached(({ path }) => [404, `<html><body>There is no ${path} here</body></html>`])

  expect(operations).toEqual(['GET /{part}'])
})

test('there is nothing to scan where the page for what is not found shows nothing of the path', async () => {
  const { state } = await reached(() => [404, '<html><body>Nothing is here</body></html>'])

  expect(state).toBe('NOTHING_TO_SCAN')
})
