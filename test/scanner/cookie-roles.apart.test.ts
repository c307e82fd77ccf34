// Cookies that say what somebody may do, on pages that everybody gets and that show more to some.

import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

type Page = (isAdmin: string) => string

const panel =
  (page: Page): Handler =>
  ({ path, headers }) => {
    const isAdmin = /isAdmin=([^;]*)/.exec(headers.cookie ?? '')?.[1]
    if (path !== '/panel') return [404, 'nothing']
    const set: Record<string, string> = isAdmin === undefined ? { 'set-cookie': 'isAdmin=0' } : {}
    return [200, `<h1>Panel</h1>${page(isAdmin ?? '0')}`, set]
  }

const foundAt = async (page: Page) =>
  (await findingsOf(panel(page), ['cookie-role'], { 'GET /panel': { isOpen: true } }, { identities: [] })).map(
    ({ operation }) => operation,
  )

test('a page that shows more to whoever writes a right into the cookie is found', async () => {
  expect(
    await foundAt((isAdmin) => (isAdmin === '1' ? '<p>All accounts</p><p>All bills</p>' : '<p>Hello</p>')),
  ).toEqual(['GET /panel'])
})

test('nothing is found where the page only shows the cookie, shows something else each time, or does not look at it', async () => {
  let asked = 0
  const counting = () => {
    asked += 1
    return `<p>Visit ${asked}</p>`
  }

  expect(await foundAt((isAdmin) => `<p>Administrator: ${isAdmin}</p>`)).toEqual([])
  expect(await foundAt(counting)).toEqual([])
  expect(await foundAt(() => '<p>Hello</p>')).toEqual([])
  expect(await foundAt((isAdmin) => (isAdmin === '0' ? '<p>Hello</p>' : '<p>Who are you?</p>'))).toEqual([])
})
