// Statements of a database in answers: found with a word of the request in them, and not where a text only speaks of statements.

import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

const checks = ['sql-statement-told', 'database-error', 'error-trace', 'cross-site-scripting', 'sql-injection-time']

const found = async (handle: Handler) =>
  (
    await findingsOf(handle, checks, { 'GET /items': { query: { name: 'tea' } } }, { identities: [], profile: 'DEEP' })
  ).map(({ check, operation, cwes, severity }) => [check, operation, cwes, severity])

const told = [['sql-statement-told', 'GET /items', [209], 'LOW']]

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#39;')

test.each<[string, (name: string) => [number, unknown]]>([
  [
    'a member of JSON',
    (name) => [200, { items: [], debug: { sql: `SELECT id, name FROM items WHERE name = '${name}'` } }],
  ],
  ['a page', (name) => [200, `<p>No such item</p><pre>select *\n from items\n where name = '${escaped(name)}'</pre>`]],
  [
    'a comment of a page',
    (name) => [200, `<p>None</p><!-- select * from items where name = '${name.replaceAll('>', '')}' -->`],
  ],
  [
    'a fault',
    (name) => [500, { error: `Could not run: insert into visits (path, name) values ('/items', '${name}')` }],
  ],
  ['an update', (name) => [200, { did: `UPDATE \`visits\` SET seen = 1 WHERE name = '${name}'` }]],
])('a statement in %s is found', async (_, answer) => {
  expect(await found(({ query }) => answer(query.get('name') ?? '') as [number, unknown])).toEqual(told)
})

test.each<[string, (name: string) => unknown]>([
  ['answers with what was found', (name) => ({ asked: name, items: [] })],
  [
    'teaches statements, and repeats what was looked for',
    (name) =>
      `<p>You looked for ${escaped(name)}</p><p>Lesson 1: SELECT * FROM items WHERE name = 'tea'</p><p>Nothing for ${escaped(name)}</p>`,
  ],
  ['repeats whatever it is sent', (name) => ({ message: `${name} was not found` })],
  ['keeps what it was sent', (name) => ({ notes: ["' AND (SELECT 1 FROM pg_sleep(1))=1-- -", name] })],
  [
    'speaks of updates',
    (name) =>
      `<p>Update your profile, and select an item from the list for ${escaped(name)}: where there is none, (${escaped(name)}) is a limit</p>`,
  ],
])('a service that %s has no such flaw', async (_, answer) => {
  expect(await found(({ query }) => [200, answer(query.get('name') ?? '')])).toEqual([])
})

test('a statement beside the message of its database is one finding', async () => {
  const service: Handler = ({ query }) => [
    500,
    {
      code: 'ER_PARSE_ERROR',
      sqlMessage: 'You have an error in your SQL syntax',
      sql: `select * from items where name = '${query.get('name')}'`,
    },
  ]

  expect((await found(service)).map(([check]) => check)).toEqual(['database-error'])
})
