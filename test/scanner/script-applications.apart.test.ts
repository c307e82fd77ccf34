// An application that scripts make of one page: its pages, what they ask, and who is signed in stand in its scripts and in the browser.

import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { findChromium } from '../../src/scanner/chromium.ts'
import { scan } from '../../src/scanner/engine.ts'
import { type Handler, serving } from './tiny.ts'

const script = (shows: string) => `
const H = (path) => location.origin + path
const signIn = () => {
  document.body.innerHTML = '<form><input id="mail" name="mail"><input id="password" name="password"><button>Go</button></form>'
  document.forms[0].onsubmit = async (event) => {
    event.preventDefault()
    const asked = { mail: document.getElementById('mail').value, password: document.getElementById('password').value }
    const answer = await fetch(H("/api/session"), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(asked) })
    if (!answer.ok) return
    localStorage.setItem('who', await answer.text())
    location.href = '/orders'
  }
}
const orders = async () => {
  const who = localStorage.getItem('who')
  if (who === null) return void (location.href = '/login')
  await fetch('/' + ['api', 'orders', 'mine'].join('/'), { headers: { Authorization: 'Bearer ' + JSON.parse(who).token } })
}
const reset = () => {
  document.body.innerHTML = '<p></p>'
  document.querySelector('p').${shows} = new URLSearchParams(location.search).get("code") ?? ''
}
const routes = [{ path: "/login", element: signIn }, { path: "/orders", element: orders }, { path: "/reset-password", element: reset }]
routes.find(({ path }) => path === location.pathname)?.element()`

const application =
  (shows: string): Handler =>
  ({ path, method, body, headers }) => {
    if (path === '/assets/app.js') return [200, script(shows), { 'content-type': 'text/javascript' }]
    if (path === '/api/session' && method === 'POST') {
      const isRight = JSON.stringify(body) === JSON.stringify({ mail: 'ann@shop.example', password: 'right' })
      return isRight ? [200, { user: { name: 'ann' }, token: 'abcdefgh-5678' }] : [401, { error: 'wrong' }]
    }
    if (path === '/api/orders/mine') return headers.authorization === 'Bearer abcdefgh-5678' ? [200, []] : [401, {}]
    return path.startsWith('/api/')
      ? [404, {}]
      : [200, '<html><body></body><script src="/assets/app.js"></script></html>']
  }

const scanOf = (shows: string) =>
  serving(application(shows), (url) =>
    scan({
      target: `${url}/`,
      profile: 'BALANCED',
      identities: [
        {
          name: 'ann',
          headers: [],
          cookies: [],
          query: [],
          login: { type: 'FORM', url: `${url}/login`, username: 'ann@shop.example', password: 'right' },
        },
      ],
      checks: ['dom-cross-site-scripting'],
      allowed: readAllowed('127.0.0.0/8') ?? undefined,
    }),
  )

test.runIf(findChromium() !== null)(
  'its sign-in is filled in though it shows the password, its pages are opened as who is signed in, and what they read is tried',
  async () => {
    const [flawed, mended] = [await scanOf('innerHTML'), await scanOf('textContent')]

    expect([flawed.state, flawed.reason]).toEqual(['COMPLETED', null])
    expect(flawed.operations).toEqual(
      expect.arrayContaining(['POST /api/session', 'GET /api/orders/mine', 'GET /reset-password']),
    )
    expect(flawed.findings.map(({ check, operation, parameter }) => [check, operation, parameter?.name])).toEqual([
      ['dom-cross-site-scripting', 'GET /reset-password', 'code'],
    ])
    expect(mended.findings).toEqual([])
  },
)
