// Forms as browsers send them: the pressed button alone, what is chosen in lists, and nothing that changes a password.

import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import { type Asked, type Handler, serving } from './tiny.ts'

const scanned = (url: string, checks = ['clickjacking']) =>
  scan({
    target: `${url}/`,
    profile: 'BALANCED',
    identities: [],
    checks,
    browser: false,
    allowed: readAllowed('127.0.0.0/8') ?? undefined,
  })

/** What is asked of a page, and what a scan takes for its operations. */
async function asked(html: string, more: Record<string, string> = {}) {
  const got: Asked[] = []
  const service: Handler = (one) => {
    got.push(one)
    const text = one.path === '/' ? html : more[one.path]
    return text === undefined ? [404, ''] : [200, text]
  }
  const { operations, skipped } = await serving(service, (url) => scanned(url))
  return { got, operations, skipped: skipped.map(({ operation }) => operation) }
}

const form = (fields: string, attributes = 'action="/send"') => `<form ${attributes}>${fields}</form>`

test('each button of a form is pressed alone, and one that says that it clears is not', async () => {
  const html = form(
    '<input name="q"><button name="find">Find</button><input type="submit" name="clear" value="Clear all">',
  )

  const { got, operations, skipped } = await asked(html, { '/send': 'ok' })

  expect(operations).toContain('GET /send?find&q')
  expect(skipped).toEqual(['GET /send?clear&q'])
  expect(got.filter(({ query }) => query.has('clear'))).toEqual([])
})

test('an option without a value is sent with its text, the chosen one where one is', async () => {
  const plain = form('<select name="way"><option>encode</option><option>decode</option></select>')
  const chosen = form('<select name="way"><option>encode<option selected>decode</select>')

  const [first, second] = [await asked(plain, { '/send': 'ok' }), await asked(chosen, { '/send': 'ok' })]

  const sent = ({ got }: typeof first) => got.flatMap(({ query }) => query.get('way') ?? [])
  expect(new Set(sent(first))).toEqual(new Set(['encode']))
  expect(new Set(sent(second))).toEqual(new Set(['decode']))
})

test('fields that stand behind a misplaced end of another element belong to the form still', async () => {
  const html = '<div><form action="/send"><input name="a"></div><input name="b"></form>'

  const { operations } = await asked(html, { '/send': 'ok' })

  expect(operations).toContain('GET /send?a&b')
})

test.each([
  '<input type="password" name="password_new"><input type="password" name="password_conf"><input type="submit" name="Change">',
  '<input type="password" name="passwd"><input type="password" name="confirm">',
])('a form that sends a new password in the address is not sent: %s', async (fields) => {
  const { got, skipped } = await asked(form(fields), { '/send': 'ok' })

  expect(skipped).toHaveLength(1)
  expect(got.filter(({ path }) => path === '/send')).toEqual([])
})

test('a form to sign in or to register in the address is sent', async () => {
  const login = form('<input name="username"><input type="password" name="password">', 'action="/in"')
  const register = form('<input name="email"><input name="password"><input name="password_repeat">', 'action="/new"')

  const { operations } = await asked(login + register, { '/in': 'ok', '/new': 'ok' })

  expect(operations).toEqual(
    expect.arrayContaining(['GET /in?password&username', 'GET /new?email&password&password_repeat']),
  )
})

test('links in text that a script makes a page of are followed', async () => {
  const html = '<pre id="text">* [The search](/search?q=tea)</pre><script>render(text)</script>'

  const { operations } = await asked(html, { '/search': 'ok' })

  expect(operations).toContain('GET /search?q')
})

test('a page that did not come at once is asked for again', async () => {
  let times = 0
  const server = createServer((request, response) => {
    if (request.url === '/slow') times += 1
    if (request.url === '/slow' && times === 1) return request.socket.destroy()
    response.setHeader('content-type', 'text/html')
    response.end(request.url === '/' ? '<a href="/slow">slow</a>' : 'ok')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.address()

  const { operations } = await scanned(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
  server.close()

  expect(operations).toContain('GET /slow')
})

test('a form that refuses a list and a text together is sent with each alone, and a finding is reported once', async () => {
  const fields = '<select name="item"><option value="">Choose</option><option>7</option></select><input name="search">'
  const service: Handler = ({ path, query }) => {
    const [item, search] = [query.get('item') ?? '', query.get('search') ?? '']
    if (path === '/') return [200, form(fields)]
    if (path !== '/send') return [404, '']
    return [200, item !== '' && search !== '' ? 'Not both' : `<p>${item}${search}</p>`]
  }

  const { findings } = await serving(service, (url) => scanned(url, ['cross-site-scripting']))

  expect(findings.map(({ operation, parameter }) => `${operation} ${parameter?.name}`).sort()).toEqual([
    'GET /send?item&search item',
    'GET /send?item&search search',
  ])
})

test('where a value chooses the page, all pages are visited that lead to something', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `part-${index}.php`)
  const menu = names.map((name) => `<a href="/index.php?page=${name}">x</a>`).join('')
  const service: Handler = ({ path, query }) => {
    if (path === '/') return [200, menu]
    const at = names.indexOf(query.get('page') ?? '')
    return path !== '/index.php' ? [404, ''] : [200, menu + form(`<input name="field${at}">`, 'action="/send"')]
  }

  const { operations } = await serving(service, (url) => scanned(url))

  expect(operations.filter((key) => key.startsWith('GET /send?'))).toHaveLength(names.length)
})

test('values that lead to nothing new are visited a few times alone', async () => {
  const asked: string[] = []
  const service: Handler = ({ path, query }) => {
    asked.push(path)
    const next = Number(query.get('day') ?? '0')
    const days = Array.from({ length: 9 }, (_, index) => `<a href="/calendar?day=${next * 9 + index}">x</a>`)
    return path === '/' || path === '/calendar' ? [200, days.join('')] : [404, '']
  }

  await serving(service, (url) => scanned(url))

  expect(asked.filter((path) => path === '/calendar').length).toBeLessThan(12)
})

test('a flaw in the parameter that selects the page is reported once', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `part-${'abcdefgh'[index]}.php`)
  const service: Handler = ({ path, query }) => {
    const links = names.map((name) => `<a href="/index.php?page=${name}&${name.slice(0, 6)}=x">x</a>`)
    if (path === '/') return [200, links.join('')]
    return path === '/index.php' ? [200, `<p>${query.get('page')} ${query.get('part-b')}</p>`] : [404, '']
  }

  const { findings } = await serving(service, (url) => scanned(url, ['cross-site-scripting']))

  expect(findings.map(({ parameter }) => parameter?.name).sort()).toEqual(['page', 'part-b'])
})

test('a form that the target fails on is scanned with a value that it does not fail on', async () => {
  const html = form('<input name="title"><input name="due_after">', 'method="post" action="/send"')
  const service: Handler = ({ path, body }) => {
    const fields = new URLSearchParams(String(body))
    if (path !== '/send') return [200, path === '/' ? html : 'ok']
    return /^\d*$/.test(fields.get('due_after') ?? '') ? [200, `<p>${fields.get('title')}</p>`] : [500, 'no number']
  }

  const outcome = await serving(service, (url) => scanned(url, ['cross-site-scripting']))

  expect(outcome.findings.map(({ parameter }) => parameter?.name)).toEqual(['title'])
})

test('a field for a name is given an address where the page says that it has to be one', async () => {
  const html = `<form action="/a"><label>Username (your e-mail address):</label><input name="username"></form>
    <form action="/b"><label>Username:</label><input name="username"></form>`

  const { got } = await asked(html, { '/a': 'ok', '/b': 'ok' })

  const sent = (at: string) => new Set(got.filter(({ path }) => path === at).map(({ query }) => query.get('username')))
  expect([...sent('/a')]).toEqual(['merlon.scan@example.com'])
  expect([...sent('/b')]).toEqual(['merlonscan'])
})
