// Searches that answer otherwise for reasons of their own: none of them follows the truth of a condition.

import { expect, test } from 'vitest'
import { injections } from './injections.ts'
import { type Described, findingsOf, type Handler } from './tiny.ts'

const reading: Described = { 'GET /items': { query: { name: 'tea' } } }

test('a search that finds what was sent to it before is no injection', async () => {
  const kept: string[] = []
  const service: Handler = ({ method, query, body }) => {
    if (method === 'POST') kept.push(String(Object(body).text))
    const name = query.get('name')?.toLowerCase() ?? ''
    return [200, method === 'POST' ? { id: 1 } : { hits: kept.filter((one) => one.toLowerCase().includes(name)) }]
  }

  const operations = { 'POST /a-note': { body: { text: 'tea' } }, ...reading }
  const found = await findingsOf(service, injections, operations, { identities: [] })

  expect(found).toEqual([])
})

test('a search whose results change with every word is no injection', async () => {
  const words = ['tea', 'milk', 'and', '1', 'or']
  const search: Handler = ({ query }) => [
    200,
    { hits: words.filter((word) => (query.get('name') ?? '').toLowerCase().includes(word)), took: Math.random() },
  ]

  const found = await findingsOf(search, injections, reading, { identities: [] })

  expect(found).toEqual([])
})

test.each([
  ['names of entities', (letter: string) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[letter] ?? `&#39;`],
  ['numbers', (letter: string) => `&#${letter.charCodeAt(0)};`],
])('a page that shows what was asked for, escaped by %s, is no injection', async (_, reference) => {
  const rest = 'and what else there is to say, '.repeat(20)
  const page: Handler = ({ query }) => [
    200,
    `<p>Hello ${(query.get('name') ?? '').replace(/[&<>"']/g, reference)}</p><p>${rest}</p>`,
    { 'content-type': 'text/html' },
  ]

  const found = await findingsOf(page, injections, reading, { identities: [] })

  expect(found).toEqual([])
})
