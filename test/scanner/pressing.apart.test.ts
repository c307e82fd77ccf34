// What an application of scripts asks only when somebody presses something: buttons, forms, what comes up in between.

import { beforeAll, expect, test } from 'vitest'
import type { Login } from '../../src/scanner/types.ts'
import { needChromium } from '../testkit/chromium.ts'
import { type Answered, type Asked, crawled, type Handler, reached, scanOfItems, serving } from './tiny.ts'

beforeAll(() => void needChromium())

const HELPERS = `
  const ask = (place, method, body) => fetch(['', 'api', place].join('/'),
    { method, headers: body && { 'content-type': 'application/json' }, body: body && JSON.stringify(body) })
  const at = (id) => document.getElementById(id)`

/** A page of an application whose requests stand nowhere in its text as such. */
const shop = (body: string, script: string): Handler => {
  const page = `<html><body>${body}<script>${HELPERS}\n${script}</script></body></html>`
  return ({ path }): Answered => (path === '/' ? [200, page] : path.startsWith('/api/') ? [200, {}] : [404, ''])
}

/** What the browser of a scan asks of the interface, and the operations that the scan has then. */
async function pressedAt(handle: Handler, profile: 'BASIC' | 'BALANCED' = 'BALANCED') {
  const { got, operations } = await reached(handle, { browser: true, profile })
  const byBrowser = got.filter(({ headers }: Asked) => headers['user-agent']?.includes('Chrome'))
  const asked = byBrowser.filter(({ path }) => path.startsWith('/api/')).map(({ method, path }) => `${method} ${path}`)
  return { asked, sent: byBrowser, operations: operations.filter((key) => key.includes('/api/')) }
}

test('a button, a form, a list and a part that only looks like a button are pressed, and what they ask is asked by the scan', async () => {
  const { operations, sent } = await pressedAt(
    shop(
      `<button id="more">More</button><div id="card" style="cursor: pointer">Teapot</div>
       <form id="order"><input name="email"><input type="number" name="pieces"><button>Order</button></form>
       <form id="find"><input name="word"></form><select id="kind"><option>tea</option><option>cups</option></select>`,
      `at('more').onclick = () => ask('ra' + 'tings')
       at('card').onclick = () => ask('te' + 'as/17')
       at('kind').onchange = ({ target }) => ask('ki' + 'nds?name=' + target.value)
       at('find').onsubmit = (event) => { event.preventDefault(); ask('fo' + 'und?word=' + event.target.word.value) }
       at('order').onsubmit = (event) => {
         event.preventDefault()
         const { email, pieces } = event.target
         ask('or' + 'ders', 'POST', { email: email.value, pieces: Number(pieces.value) })
       }`,
    ),
  )

  expect(operations).toEqual(
    expect.arrayContaining([
      'GET /api/ratings',
      'GET /api/teas/{teaId}',
      'GET /api/kinds?name',
      'GET /api/found?word',
      'POST /api/orders',
    ]),
  )
  expect(sent.find(({ path }) => path === '/api/orders')?.body).toEqual({ email: 'merlon.scan@example.com', pieces: 1 })
})

test('what comes up when something is pressed is filled in and pressed too, and a page that it leads to is opened', async () => {
  const { operations } = await pressedAt(
    shop(
      '<div id="app"></div>',
      `const show = () => {
         if (location.pathname === '/') at('app').innerHTML = '<button id="new">New</button><button id="on">Reports</button>'
         else { at('app').innerHTML = '<p>Reports</p>'; ask('re' + 'ports') }
         if (at('new')) at('new').onclick = () => {
           const dialog = '<div role="dialog"><textarea id="text"></textarea><button id="save">Save</button></div>'
           at('app').insertAdjacentHTML('beforeend', dialog)
           at('save').onclick = () => ask('no' + 'tes', 'POST', { text: at('text').value })
         }
         if (at('on')) at('on').onclick = () => { history.pushState({}, '', '/re' + 'ports'); show() }
       }
       show()`,
    ),
  )

  expect(operations).toEqual(expect.arrayContaining(['POST /api/notes', 'GET /api/reports']))
})

test('nothing is pressed that deletes or signs out, and what a press deletes, changes or signs in with is not sent', async () => {
  const { asked, operations } = await pressedAt(
    shop(
      `<button id="out">Log out</button><button id="gone" class="icon trash delete"></button><button id="set">Rename</button>
       <button id="bin"><svg width="9" height="9"></svg></button>
       <form id="enter"><input name="who"><input type="password" name="pass"><button>Go</button></form>`,
      `at('out').onclick = () => ask('bye', 'POST', {})
       at('gone').onclick = () => ask('gone', 'POST', {})
       at('bin').onclick = () => ask('items/7', 'DELETE')
       at('set').onclick = () => ask('me', 'PUT', { name: 'merlon' })
       at('enter').onsubmit = (event) => {
         event.preventDefault()
         ask('enter', 'POST', { who: event.target.who.value, password: event.target.pass.value })
       }`,
    ),
  )

  expect(asked).toEqual([])
  expect(operations).toEqual(expect.arrayContaining(['PUT /api/me', 'POST /api/enter']))
  expect(operations).not.toEqual(expect.arrayContaining(['POST /api/bye']))
})

test('the profile that only reads makes nothing by pressing, and what a browser asks has the mark of the scan', async () => {
  const page = shop(
    '<button id="make">Make</button><button id="look">Look</button>',
    `at('make').onclick = () => ask('ma' + 'de', 'POST', { size: 1 })
     at('look').onclick = () => ask('lo' + 'oks')`,
  )

  const { asked, operations, sent } = await pressedAt(page, 'BASIC')

  expect(asked).toEqual(['GET /api/looks'])
  expect(operations).toEqual(['GET /api/looks'])
  expect(sent.every(({ headers }) => headers['x-scan-id'])).toBe(true)
})

test('a page whose buttons never come to an end is left in bounded time', async () => {
  const page = shop(
    '<div id="all"></div>',
    `let made = 0
     const add = () => {
       const one = document.createElement('button')
       one.textContent = 'abcdefghij'.charAt(made % 10) + 'klmnopqrst'.charAt(Math.floor(made / 10) % 10) + 'x'
       one.onclick = () => { made += 1; add(); while (made > 500) {} }
       at('all').append(one)
     }
     add()`,
  )

  const { state } = await crawled(page, true)

  expect(state).toBe('COMPLETED')
})

test('a page whose script never ends once something is pressed is left, with what was seen until then', async () => {
  const { operations } = await pressedAt(
    shop(
      '<button id="look">Look</button><button id="never">Work</button>',
      `at('look').onclick = () => ask('lo' + 'oks')
       at('never').onclick = () => { for (;;); }`,
    ),
  )

  expect(operations).toEqual(['GET /api/looks'])
})

test('a sign-in form that a script takes before it is sent is filled in by a Chromium', async () => {
  const page = `<form onsubmit="enter(event)"><input name="username"><input type="password" name="password"><button>Go</button></form>
    <script>const enter = async (event) => {
      event.preventDefault()
      const answer = await fetch('/enter', { method: 'POST', body: new URLSearchParams(new FormData(event.target)) })
      if (answer.ok) document.body.innerHTML = '<p>Welcome</p>'
    }</script>`
  const handle: Handler = ({ path, method, body, headers }) => {
    if (path === '/login') return [200, page]
    if (path !== '/enter') return headers.cookie?.includes('sid=tulip-17') ? [200, { name: 'tea' }] : [401, {}]
    const isRight = method === 'POST' && new URLSearchParams(String(body)).get('password') === 'right'
    return isRight ? [200, {}, { 'set-cookie': 'sid=tulip-17' }] : [401, {}]
  }
  const login = (url: string, password: string): Login => ({
    type: 'FORM',
    url: `${url}/login`,
    username: 'ann',
    password,
  })

  const [inside, wrong] = await serving(handle, async (url) => [
    await scanOfItems(url, login(url, 'right'), { browser: true }),
    await scanOfItems(url, login(url, 'wrong'), { browser: true }),
  ])

  expect([inside?.state, wrong?.state]).toEqual(['COMPLETED', 'LOGIN_FAILED'])
})

test('a form that a script builds and sends is an operation with its fields, and the browser itself does not send it', async () => {
  const { operations, asked } = await pressedAt(
    shop(
      '<button id="pay">Pay</button>',
      `at('pay').onclick = () => {
         const form = document.createElement('form')
         Object.assign(form, { method: 'post', action: ['', 'api', 'pay' + 'ments'].join('/') })
         for (const [name, value] of [['amount', '7'], ['to', 'mill']]) {
           const field = document.createElement('input')
           Object.assign(field, { type: 'hidden', name, value })
           form.append(field)
         }
         document.body.append(form)
         form.submit()
       }`,
    ),
  )

  expect(operations).toEqual(['POST /api/payments#amount&to'])
  expect(asked).toEqual([])
})

test('a form that a page has is one operation, however a script sends it', async () => {
  const { operations } = await pressedAt(
    shop(
      `<form id="order" method="post" action="/api/orders"><input name="cups" value="2"><input type="checkbox" name="gift"></form>
       <button id="send">Send</button>`,
      `at('send').onclick = () => at('order').submit()`,
    ),
  )

  expect(operations).toEqual(['POST /api/orders#cups&gift'])
})

test('a file is chosen for a field that nobody sees, and what a script sends of it is an operation with a file', async () => {
  const { operations, sent } = await pressedAt(
    shop(
      `<label>Picture <input type="file" name="picture" accept="image/*" style="display: none"></label>
       <input id="title" name="title"><button id="up">Upload</button>`,
      `at('up').onclick = () => {
         const data = new FormData()
         data.append('title', at('title').value)
         data.append('picture', document.querySelector('[type=file]').files[0])
         fetch(['', 'api', 'pic' + 'tures'].join('/'), { method: 'POST', body: data })
       }`,
    ),
  )

  expect(operations).toEqual(['POST /api/pictures#picture&title'])
  expect(String(sent.find(({ path }) => path === '/api/pictures')?.body)).toContain('filename="merlon.png"')
})
