// What takes a Chromium: the requests of scripts, scripts that no answer has, and login pages that scripts make.

import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import { ownPassword } from '../../src/scanner/seed/own-password.ts'
import type { Login } from '../../src/scanner/types.ts'
import { needChromium } from '../testkit/chromium.ts'
import { crawled, findingsOf, type Handler, scanOfItems, serving } from './tiny.ts'

beforeAll(() => void needChromium())

const application: Handler = ({ path }) => {
  if (path === '/') {
    return [
      200,
      `<html><body><a href="#/orders">orders</a><script>
        const ask = (place, options) => fetch(['', 'api', place].join('/'), options)
        ask('items?page=' + 1)
        addEventListener('hashchange', () => ask('or' + 'ders/17'))
        if (location.hash === '#/orders') ask('or' + 'ders/17')
        ask('session', { method: 'DELETE' })
      </script></body></html>`,
    ]
  }
  return path.startsWith('/api/') ? [200, { id: 17 }] : [404, '']
}

test('what an application of scripts asks is known where a Chromium opens it, and what destroys is not sent', async () => {
  const asked: string[] = []
  const service: Handler = (one) => {
    asked.push(`${one.method} ${one.path}`)
    return application(one)
  }

  const without = await crawled(service)
  const opened = await crawled(service, true)

  expect(without.operations.filter((key) => key.includes('/api/'))).toEqual([])
  expect(opened.operations).toEqual(expect.arrayContaining(['GET /api/items?page', 'GET /api/orders/{orderId}']))
  expect(asked).not.toContain('DELETE /api/session')
})

test('a description that scripts of a page load is read, wherever it is', async () => {
  const document = { swagger: '2.0', basePath: '/api', paths: { '/parcels': { get: { responses: {} } } } }
  const service: Handler = ({ path }) => {
    if (path === '/') return [200, '<a href="/viewer">Our interface</a>']
    if (path === '/viewer') return [200, "<script>fetch(['', 'viewer', 'properties.json'].join('/'))</script>"]
    return path === '/viewer/properties.json' ? [200, document] : [404, '']
  }

  const { operations } = await crawled(service, true)

  expect(operations).toContain('GET /api/parcels')
})

test('what the start page asks for in a browser that nobody signed in with is for everybody, whatever its name', async () => {
  const service: Handler = ({ path }) =>
    path === '/'
      ? [200, "<script>fetch(['', 'admin', 'settings'].join('/'))</script><a href='/admin/people'>people</a>"]
      : [200, { title: 'The shop' }]

  const found = await findingsOf(service, ['missing-authentication'], {}, { schema: null, crawl: true, browser: true })

  expect(found.map(({ operation }) => operation)).toEqual(['GET /admin/people'])
})

const fragment =
  (isFlawed: boolean): Handler =>
  () => [
    200,
    `<html><body><p id="x"></p><script>document.getElementById('x').${isFlawed ? 'innerHTML' : 'textContent'} = decodeURIComponent(location.hash.slice(1))</script></body></html>`,
  ]

test('a script in the fragment that only a browser runs is found by its dialog', async () => {
  const more = { identities: [], browser: true }
  const operations = { 'GET /page': {} }

  const flawed = await findingsOf(fragment(true), ['dom-cross-site-scripting'], operations, more)
  const mended = await findingsOf(fragment(false), ['dom-cross-site-scripting'], operations, more)

  expect(flawed.map(({ check }) => check)).toEqual(['dom-cross-site-scripting'])
  expect(mended).toEqual([])
})

test('a script in the fragment is found however slowly the target answers what the value makes the page load', async () => {
  const service: Handler = async (asked) => {
    if (asked.path !== '/page') await delay(3_000)
    return fragment(true)(asked)
  }

  const more = { identities: [], browser: true }

  const found = await findingsOf(service, ['dom-cross-site-scripting'], { 'GET /page': {} }, more)

  expect(found.map(({ check }) => check)).toEqual(['dom-cross-site-scripting'])
})

const list =
  (isFlawed: boolean): Handler =>
  () => [
    200,
    `<html><body><select name="lang"><script>
      var at = location.href.indexOf('lang=')
      var lang = at < 0 ? 'English' : decodeURI(location.href.slice(at + 5))${isFlawed ? '' : ".replace(/[^a-z]/gi, '')"}
      document.write('<option value="' + lang + '">' + lang + '</option>')
    </script></select></body></html>`,
  ]

test('a value that a script writes into a list is found, once by each way in', async () => {
  const more = { identities: [], browser: true }
  const operations = { 'GET /page': {}, 'GET /page-of-all': {} }

  const flawed = await findingsOf(list(true), ['dom-cross-site-scripting'], operations, more)
  const mended = await findingsOf(list(false), ['dom-cross-site-scripting'], operations, more)

  expect(flawed.map(({ operation, parameter }) => [operation, parameter?.name])).toEqual([
    ['GET /page', undefined],
    ['GET /page', 'lang'],
  ])
  expect(mended).toEqual([])
})

const scripted: Handler = ({ method, path, headers, body }) => {
  if (path === '/login') {
    return [
      200,
      `<html><body><script>document.body.innerHTML = '<input id="who"><input id="pass" type="password"><a id="go">Go</a>'
        document.getElementById('go').onclick = async () => {
          const asked = { who: document.getElementById('who').value, pass: document.getElementById('pass').value }
          const answer = await fetch('/api/session', { method: 'POST', body: JSON.stringify(asked) })
          if (!answer.ok) return
          localStorage.setItem('auth', await answer.text())
          document.body.innerHTML = '<p>Welcome</p>'
        }</script></body></html>`,
    ]
  }
  if (path === '/api/session' && method === 'POST') {
    const isRight = JSON.stringify(body) === JSON.stringify({ who: 'ann', pass: 'right' })
    return isRight ? [200, { access_token: 'abcdefgh-5678' }] : [401, {}]
  }
  return headers.authorization === 'Bearer abcdefgh-5678' ? [200, { name: 'tea' }] : [401, {}]
}

const bySelectors = (url: string, password: string): Login => ({
  type: 'FORM',
  url: `${url}/login`,
  username: 'ann',
  password,
  usernameSelector: '#who',
  passwordSelector: '#pass',
  submitSelector: '#go',
})

const noSelectors = { usernameSelector: undefined, passwordSelector: undefined, submitSelector: undefined }

test('a login page made by scripts is filled in by a Chromium, and without one it is said', async () => {
  const checks = ['clickjacking']

  const [inside, wrong, without] = await serving(scripted, async (url) => [
    await scanOfItems(url, bySelectors(url, 'right'), { browser: true, checks: ['excessive-data'] }),
    await scanOfItems(url, bySelectors(url, 'wrong'), { browser: true, checks }),
    await scanOfItems(url, bySelectors(url, 'right'), { browser: false, checks }),
  ])

  expect([inside?.state, inside?.skipped]).toEqual(['COMPLETED', []])
  expect([wrong?.state, wrong?.reason]).toEqual([
    'LOGIN_FAILED',
    expect.stringContaining('did not accept the password'),
  ])
  expect([without?.state, without?.reason]).toEqual([
    'LOGIN_FAILED',
    expect.stringContaining('the scan uses no browser'),
  ])
})

test('fields of scripts that stand in no form are sent by the button behind them', async () => {
  const page = `<html><body><button id="menu">Menu</button><script>
    document.body.insertAdjacentHTML('beforeend', '<input id="who"><input id="pass" type="password"><button id="go">Go</button>')
    document.getElementById('menu').onclick = () => { document.body.innerHTML = 'menu' }
    document.getElementById('go').onclick = async () => {
      const asked = { who: document.getElementById('who').value, pass: document.getElementById('pass').value }
      const answer = await fetch('/api/session', { method: 'POST', body: JSON.stringify(asked) })
      if (!answer.ok) return
      localStorage.setItem('auth', await answer.text())
      document.body.innerHTML = '<p>Welcome</p>'
    }</script></body></html>`
  const handle: Handler = (asked) => (asked.path === '/login' ? [200, page] : scripted(asked))

  const [inside, wrong] = await serving(handle, async (url) => [
    await scanOfItems(url, { ...bySelectors(url, 'right'), ...noSelectors }, { browser: true }),
    await scanOfItems(url, { ...bySelectors(url, 'wrong'), ...noSelectors }, { browser: true }),
  ])

  expect([inside?.state, inside?.skipped]).toEqual(['COMPLETED', []])
  expect(wrong?.state).toBe('LOGIN_FAILED')
})

test.each([
  ['Enter, however slowly it is answered', 'onkeyup = ({ key }) => key === "Enter" && enter()'],
  ['the button that says so, and not by those beside it', 'ondblclick = enter'],
])('fields of scripts that stand in no form are sent by %s', async (_, sending) => {
  const page = `<html><body><input id="who"><input id="pass" type="password">
    <button onclick="leave()">Forgot your password?</button><button onclick="leave()">Help</button><button id="go">Log in</button><script>
    const leave = () => { document.body.innerHTML = 'elsewhere' }
    const enter = async () => {
      const asked = { who: document.getElementById('who').value, pass: document.getElementById('pass').value }
      const answer = await fetch('/api/session', { method: 'POST', body: JSON.stringify(asked) })
      if (!answer.ok) return
      localStorage.setItem('auth', await answer.text())
      document.body.innerHTML = '<p>Welcome</p>'
    }
    document.getElementById('pass').${sending}
    document.getElementById('go').onclick = ${sending.startsWith('onkeyup') ? 'leave' : 'enter'}</script></body></html>`
  const tokens = new Set<string | undefined>()
  const handle: Handler = async (asked) => {
    if (asked.path === '/login') return [200, page]
    if (asked.path === '/api/session') await delay(2_000)
    if (asked.path === '/items') tokens.add(asked.headers.authorization)
    return scripted(asked)
  }

  await serving(handle, (url) =>
    scanOfItems(url, { ...bySelectors(url, 'right'), ...noSelectors }, { browser: true, checks: ['excessive-data'] }),
  )

  expect(tokens).toContain('Bearer abcdefgh-5678')
})

test('a page of scripts with a search box above its form is signed in to without selectors, and what it sends is asked too', async () => {
  const login = `document.body.innerHTML = '<input type="text" placeholder="Search"><input id="who"><input id="pass" type="password">'
    document.getElementById('pass').onkeyup = async ({ key }) => {
      if (key !== 'Enter') return
      const asked = { user: document.getElementById('who').value, password: document.getElementById('pass').value }
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch('/api/session', { method: 'POST', headers, body: JSON.stringify(asked) })
      if (!answer.ok) return
      localStorage.setItem('auth', await answer.text())
      document.body.innerHTML = '<p>Welcome</p>'
    }`
  const bodies: unknown[] = []
  const handle: Handler = ({ path, method, body }) => {
    if (path === '/login') return [200, `<html><body><script>${login}</script></body></html>`]
    if (path !== '/api/session' || method !== 'POST') return [200, '<p>home</p>']
    bodies.push(body)
    const isRight = JSON.stringify(body) === JSON.stringify({ user: 'ann', password: 'right' })
    return isRight ? [200, { access_token: 'abcdefgh-5678' }] : [401, {}]
  }

  const outcome = await serving(handle, (url) =>
    scan({
      target: `${url}/`,
      profile: 'BALANCED',
      identities: [
        { name: 'ann', headers: [], cookies: [], query: [], login: { ...bySelectors(url, 'right'), ...noSelectors } },
      ],
      checks: ['sql-injection-error'],
      allowed: readAllowed('127.0.0.0/8') ?? undefined,
    }),
  )

  expect([outcome.state, outcome.reason]).toEqual(['COMPLETED', null])
  expect(outcome.operations).toContain('POST /api/session')
  expect(bodies).toContainEqual({ user: 'merlonscan', password: ownPassword })
})
