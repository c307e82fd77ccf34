// What a page asks long after something was pressed on it, when the browser of a scan is already opening the next one.

import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { needChromium } from '../testkit/chromium.ts'
import { type Handler, reached } from './tiny.ts'

beforeAll(() => void needChromium())

const HELPERS = `
  const at = (id) => document.getElementById(id)
  const address = (place) => ['', 'api', place].join('/')
  const ask = (place, method) => fetch(address(place), { method, body: method && '{"size":1}' })
  const beacon = (place) => navigator.sendBeacon(address(place), new URLSearchParams({ size: 1 }))
  const form = (place) => {
    const made = Object.assign(document.createElement('form'), { method: 'post', action: address(place) })
    made.innerHTML = '<input name="size" value="1">'
    document.body.append(made)
    made.submit()
  }`

const written = (body: string, script: string): string =>
  `<html><body>${body}<script>${HELPERS}\n${script}</script></body></html>`

/** Longer than a scan waits for what a press asks, and shorter than the next page takes to be answered. */
const LATE = 700
const SLOW = 1_800

/** What the browser of a scan asks of pages and of the interface behind them, and the operations of that interface. */
async function askedBy(pages: Record<string, string>, profile: 'BASIC' | 'BALANCED' = 'BASIC') {
  const handle: Handler = async ({ path, headers }) => {
    if (path.startsWith('/api/')) return [200, {}]
    if (headers['user-agent']?.includes('Chrome')) await delay(SLOW)
    return pages[path] === undefined ? [404, ''] : [200, pages[path]]
  }
  const { got, operations } = await reached(handle, { browser: true, profile })
  const byBrowser = got.filter(({ headers }) => headers['user-agent']?.includes('Chrome'))
  return {
    asked: [...new Set(byBrowser.map(({ method, path }) => `${method} ${path}`))].sort(),
    operations: operations.filter((key) => key.includes('/api/')).sort(),
  }
}

const button = (does: string) =>
  written('<a href="/next">Next</a><button id="make">Make</button>', `at('make').onclick = () => { ${does} }`)
const next = written('<p>Next</p>', "ask('looks')")

test.each(["ask('made', 'POST')", "beacon('made')", "form('made')"])(
  'the profile that only reads sends no %s of a page that was pressed while the next one is opened',
  async (sends) => {
    const pages = { '/': button(`ask('parts'); setTimeout(() => ${sends}, ${LATE})`), '/next': next }

    const { asked } = await askedBy(pages)

    expect(asked).toEqual(['GET /', 'GET /api/looks', 'GET /api/parts', 'GET /next'])
  },
)

test('what a press asks late is an operation all the same', async () => {
  const pages = { '/': button(`setTimeout(() => ask('made', 'POST'), ${LATE})`), '/next': next }

  const { asked, operations } = await askedBy(pages, 'BALANCED')

  expect(asked).toContain('POST /api/made')
  expect(operations).toEqual(['GET /api/looks', 'POST /api/made'])
})

test('the profile that only reads sends nothing that a press asks late while its page is opened again', async () => {
  const leads = "history.pushState({}, '', '/gone'); at('make').remove()"
  const pages = { '/': button(`${leads}; setTimeout(() => ask('made', 'POST'), ${LATE})`), '/next': next }

  const { asked } = await askedBy(pages)

  expect(asked).toEqual(['GET /', 'GET /api/looks', 'GET /gone', 'GET /next'])
})

test('what was filled in is not saved by a page that is left or closed', async () => {
  const saves = `at('word').oninput = () => { addEventListener('pagehide', () => {
    beacon('drafts')
    fetch(address('kept'), { method: 'POST', keepalive: true, body: '{}' })
  }) }`
  const page = written('<a href="/next">Next</a><input id="word"><button id="look">Look</button>', saves)

  const { asked } = await askedBy({ '/': page, '/next': page })

  expect(asked).toEqual(['GET /', 'GET /next'])
})

test('what a page keeps for as long as it is shown is there on the next one', async () => {
  const pages = {
    '/': button("sessionStorage.setItem('cart', 'tea')"),
    '/next': written('', "if (sessionStorage.getItem('cart') === 'tea') ask('carts')"),
  }

  const { asked } = await askedBy(pages)

  expect(asked).toContain('GET /api/carts')
})
