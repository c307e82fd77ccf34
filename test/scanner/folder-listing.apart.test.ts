// Folders of the system that a value leads to: found by the names that stand there, and not by words of an answer.

import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

const ETC = ['passwd', 'group', 'hosts', 'profile', 'shells']
const scanned = (handle: Handler) =>
  findingsOf(handle, ['folder-listing'], { 'GET /list': { query: { dir: 'uploads' } } })

test.each([
  ['as JSON', (names: string[]) => ({ files: names.map((filename) => ({ filename })) })],
  ['as a page', (names: string[]) => names.map((name) => `<li><a href="${name}">${name}</a></li>`).join('')],
])('a list %s of the folder of settings is found', async (_, shown) => {
  const service: Handler = ({ query }) =>
    /^\/etc$|^(\.\.\/){4,}etc$/.test(query.get('dir') ?? '') ? [200, shown(ETC)] : [200, shown(['tulip.png'])]

  const found = await scanned(service)

  expect(found.map(({ operation, cwes }) => [operation, cwes])).toEqual([['GET /list', [22, 548]]])
})

test('a service that says the same whatever it is asked has no such flaw', async () => {
  expect(await scanned(() => [200, { files: ETC }])).toEqual([])
})
