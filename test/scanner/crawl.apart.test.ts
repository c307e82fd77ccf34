// What is found to ask without a description: what robots and sitemaps name.

import { expect, test } from 'vitest'
import { crawled, type Handler } from './tiny.ts'

test('what robots.txt hides and a sitemap names is asked', async () => {
  const pages = new Set(['/', '/hidden/area', '/listed/page', '/further'])
  const service: Handler = ({ path, headers }) => {
    const base = `http://${headers.host}`
    if (path === '/robots.txt') {
      const lines = ['User-agent: *', 'Disallow: /hidden/area', `Sitemap: ${base}/map.xml`]
      return [200, lines.join('\n'), { 'content-type': 'text/plain' }]
    }
    if (path === '/map.xml') {
      const text = `<urlset><url><loc>${base}/listed/page?topic=tea</loc></url></urlset>`
      return [200, text, { 'content-type': 'application/xml' }]
    }
    return pages.has(path) ? [200, path === '/listed/page' ? '<a href="/further?x=1">on</a>' : '<p>x</p>'] : [404, '']
  }

  const { state, operations } = await crawled(service)

  expect(state).toBe('COMPLETED')
  expect(operations).toEqual(
    expect.arrayContaining(['GET /', 'GET /hidden/area', 'GET /listed/page?topic', 'GET /further?x']),
  )
})

test('a page for administrators is asked though nothing leads to it, and only where there is one', async () => {
  const serviceOf =
    (office: [number, string]): Handler =>
    ({ path }) => {
      if (path === '/admin') return office
      return path === '/' || path === '/admin/orders' ? [200, '<p>Welcome</p>'] : [404, '']
    }
  const foundIn = async (office: [number, string]) => (await crawled(serviceOf(office))).operations

  expect(await foundIn([200, '<p>Office</p><a href="/admin/orders">orders</a>'])).toEqual(
    expect.arrayContaining(['GET /admin', 'GET /admin/orders']),
  )
  expect(await foundIn([403, '<p>no</p>'])).toEqual(['GET /'])
  expect(await foundIn([404, '<p>nothing</p>'])).toEqual(['GET /'])
})

test('what a click or a script of a page leads to is asked, as far as it is written out', async () => {
  const service: Handler = ({ path }) => {
    if (path !== '/') return path.startsWith('/lab') || path === '/shown' ? [200, '<p>x</p>'] : [404, '']
    const buttons = [
      `<button onclick="window.location.href='/lab/one'">1</button>`,
      `<tr onclick='location.assign("/lab/two?x=1")'><td>2</td></tr>`,
      `<script>if (done) { location = "/shown" } else { location.href = '/lab/' + name }</script>`,
      `<button onclick="location='/logout'">out</button>`,
    ]
    return [200, `<html><body>${buttons.join('')}</body></html>`]
  }

  const { operations, skipped } = await crawled(service)

  expect(operations).toEqual(expect.arrayContaining(['GET /lab/one', 'GET /lab/two?x', 'GET /shown']))
  expect(operations).not.toContain('GET /lab/')
  expect(skipped.map(({ operation }) => operation)).toEqual(['GET /logout'])
})

test('of many pages that differ by a number, those that lead further are found where little else is to visit', async () => {
  const numbers = Array.from({ length: 25 }, (_, index) => index + 1)
  const service: Handler = ({ path }) => {
    if (path === '/') return [200, numbers.map((number) => `<a href="/topic/${number}">${number}</a>`).join('')]
    if (path === '/topic/24') return [200, '<a href="/exercise">try</a>']
    return path.startsWith('/topic/') || path === '/exercise' ? [200, '<p>x</p>'] : [404, '']
  }

  const { operations } = await crawled(service)

  expect(operations).toContain('GET /exercise')
})

test('a form that a script makes and sends is asked with its fields', async () => {
  const script = `function send(text) {
    const form = new FormData()
    form.append("expression", text)
    form.append("unit", "m")
    const options = { method: 'POST', body: form }
    fetch("/compute", options).then(show)
  }`
  const service: Handler = ({ path }) =>
    path === '/' ? [200, `<html><script>${script}</script></html>`] : [path === '/compute' ? 200 : 404, '']

  const { operations, skipped } = await crawled(service)

  expect(operations).toEqual(['GET /'])
  expect(skipped).toEqual([{ operation: 'POST /compute#expression&unit', reason: 'this profile only reads' }])
})

test('a parameter that one link leaves empty has the value of another', async () => {
  const asked: string[] = []
  const service: Handler = ({ path, query }) => {
    if (path === '/thing') asked.push(query.get('id') ?? '')
    return path === '/' ? [200, '<a href="/thing?id=">none</a><a href="/thing?id=7">one</a>'] : [200, '<p>x</p>']
  }

  await crawled(service)

  expect(asked.at(-1)).toBe('7')
})

test('session ids in links do not multiply pages, and findings on them are reported once', async () => {
  let count = 0
  const service: Handler = ({ path }) => {
    count += 1
    const own = `;jsessionid=1kq0${count}xw7bn2`
    const [plain = ''] = path.split(';')
    const links = `<a href="/items.do${own}">items</a><a href="/about.do${own}?of=us">about</a>`
    const form = `<form method="post" action="/login.do${own}"><input type="password" name="password"></form>`
    return ['/', '/items.do', '/about.do'].includes(plain) ? [200, links + form] : [404, '']
  }

  const { operations, findings } = await crawled(service, false, ['insecure-form'])

  expect(operations).toEqual(['GET /', 'POST /login.do#password', 'GET /items.do', 'GET /about.do?of'])
  expect(findings).toHaveLength(1)
})

const routed = `const routes = [{path:"/accounts/:id/delete-password",component:a},{path:"/passwords/clear",component:b},
  {path:"/reset-password",component:c},{path:"/teas",component:d}]`

/** A service whose start page has these routes; `others` answers the paths that it does not know. */
const routing =
  (asked: string[], isInline: boolean, others: Handler): Handler =>
  (request) => {
    asked.push(request.path)
    const script = isInline ? `<script>${routed}</script>` : '<script src="/app.js"></script>'
    if (request.path === '/') return [200, `<html><body>Welcome to us${script}</body></html>`]
    if (request.path === '/app.js') return [200, routed, { 'content-type': 'text/javascript' }]
    return others(request)
  }

test.each([true, false])(
  'a route whose words destroy is not asked of a server that answers it (inline: %s)',
  async (isInline) => {
    const asked: string[] = []
    const service = routing(asked, isInline, ({ path }) =>
      /passw|teas/.test(path) ? [200, `<p>done: ${path}</p>`] : [404, ''],
    )

    const { operations } = await crawled(service)

    expect(operations).toEqual(['GET /', 'GET /teas'])
    expect(asked.filter((path) => /passw/.test(path))).toEqual([])
  },
)

test.each([true, false])(
  'where all paths are one page, the form of a new password is asked alone (inline: %s)',
  async (isInline) => {
    const asked: string[] = []
    const service = routing(asked, isInline, () => [200, '<html><body><p>The shop</p></body></html>'])

    const { operations } = await crawled(service)

    expect(operations).toContain('GET /reset-password')
    expect(asked.filter((path) => /delete-passw|clear/.test(path))).toEqual([])
  },
)

test('a form of a new password that the server answers otherwise than other paths is not asked again', async () => {
  const asked: string[] = []
  const service = routing(asked, false, ({ path }) => [
    200,
    `<p>${path === '/reset-password' ? 'New one sent' : 'Shop'}</p>`,
  ])

  const { operations, skipped } = await crawled(service)

  expect(operations).not.toContain('GET /reset-password')
  expect(skipped.map(({ operation }) => operation)).toContain('GET /reset-password')
  expect(asked.filter((path) => path === '/reset-password')).toHaveLength(1)
})

test('pages for administrators are asked for in the folder of the target too, and pictures that a program makes', async () => {
  const service: Handler = ({ path }) => {
    if (path === '/shop/') return [200, '<p>Shop</p><img src="face?image=ann.jpg"><img src="logo.png">']
    return path === '/shop/admin' ? [200, '<p>Office</p>'] : path === '/shop/face' ? [200, 'x'] : [404, '']
  }

  const { operations } = await crawled(service, false, ['clickjacking'], '/shop/')

  expect(operations).toEqual(expect.arrayContaining(['GET /shop/admin', 'GET /shop/face?image']))
  expect(operations).not.toContain('GET /shop/logo.png')
})
