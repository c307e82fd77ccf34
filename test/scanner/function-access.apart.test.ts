// Pages for administrators that ordinary users get: told from pages that say no.

import { expect, test } from 'vitest'
import { findingsOf, type Handler, places } from './tiny.ts'

test.each([
  ['a table', '<table><tr><td>ann@shop.example</td></tr><tr><td>bob@shop.example</td></tr></table>'],
  ['a list of accounts', '<ul><li>ann@shop.example</li><li>bob@shop.example</li></ul>'],
  ['a form', '<form><input name="mail"><input name="role"><button>Invite</button></form>'],
  ['nothing else', '<form><input name="q"></form><a href="/">Back</a>'],
])('a page for administrators only that shows %s', async (shown, html) => {
  const office: Handler = ({ user }) =>
    user === null ? [302, '', { location: '/login' }] : [200, `<h1>Users (administrators only)</h1>${html}`]

  const found = await findingsOf(office, ['function-access'], { 'GET /admin': {} })

  expect(places(found)).toEqual(shown === 'nothing else' ? [] : ['GET /admin'])
})

test.each([
  ["You don't have permission to access this route. You are not an admin.", []],
  ['You are an admin.', ['GET /admin']],
])('an answer of one sentence: %s', async (sentence, expected) => {
  const office: Handler = ({ user }) => (user === null ? [401, 'Invalid cookie'] : [200, sentence])

  expect(places(await findingsOf(office, ['function-access'], { 'GET /admin': {} }))).toEqual(expected)
})
