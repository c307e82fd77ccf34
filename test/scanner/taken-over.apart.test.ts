// Password forms without a method: those that a script sends put no password into an address, and those that the browser sends do.

import { expect, test } from 'vitest'
import { type Handler, scanned, serving } from './tiny.ts'

const FORM = '<input name="who"><input type="password" name="password"><button>Enter</button></form>'
const SCRIPT = '<script>const enter = (event) => { event.preventDefault(); send(event.target) }</script>'

/** A page to sign in, at which what the address says of a password is answered so. */
const page =
  (form: string, answer: string | null): Handler =>
  ({ path, query }) => {
    if (path !== '/') return [404, '']
    const shown = query.has('password') && answer !== null ? answer : ''
    return [200, `<h1>Welcome to ${new Date().getFullYear()}</h1>${form}${FORM}${SCRIPT}<p>${shown}</p>`]
  }

const toldAt = (handle: Handler) =>
  serving(handle, async (url) => {
    const { findings, operations } = await scanned(url, { checks: ['secret-in-address'] })
    return { told: findings.map(({ operation }) => operation), operations }
  })

test('a form without a method whose fields the server ignores is sent by a script, and is not asked as an address', async () => {
  const { told, operations } = await toldAt(page('<form onsubmit="enter(event)">', null))

  expect(told).toEqual([])
  expect(operations).toEqual(['GET /'])
})

test('a form without a method that the server reads puts a password into the address, though the page has scripts', async () => {
  const { told } = await toldAt(page('<form>', 'Wrong name or password'))

  expect(told).toEqual(['GET /?password&who'])
})

test('a form that says that it is sent as an address does put a password there, whatever the server makes of it', async () => {
  const { told } = await toldAt(page('<form method="get">', null))

  expect(told).toEqual(['GET /?password&who'])
})
