// Answers that come again: looked at once, but for what stands in requests, and what a probe changes in them is seen.

import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

const described = { 'GET /find': { query: { q: 'tea', token: 'Tulip-field-9' } } }
const TRACE = 'Traceback (most recent call last):\n  File "/srv/app/find.py", line 3'

/** Shows what it is asked and when; a quote breaks it. */
const echo: Handler = ({ query }) => {
  const q = query.get('q') ?? ''
  if (q.includes("'")) return [500, TRACE]
  const shown = q.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  return [200, `<p>Nothing was found for ${shown} at ${new Date().toISOString()}</p>`]
}

test('a page that differs by times and by what was sent alone is one answer', async () => {
  const found = await findingsOf(echo, ['content-type-options-missing', 'command-injection'], described)

  expect(found.map(({ check }) => check)).toEqual(['content-type-options-missing'])
  // as each of both people, and where the other value is the one that is changed
  expect(found[0]?.count).toBeLessThanOrEqual(4)
})

test('what only one probe shows is seen among answers that are alike', async () => {
  const found = await findingsOf(echo, ['error-trace', 'sql-injection-error'], described)

  expect(found.map(({ check }) => check)).toEqual(['error-trace'])
})

test('what stands in a request is seen though its answer is known', async () => {
  const found = await findingsOf(() => [200, '<p>always the same</p>'], ['secret-in-address'], described)

  expect(found.map(({ check, operation }) => [check, operation])).toEqual([['secret-in-address', 'GET /find']])
})
