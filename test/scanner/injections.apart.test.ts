// Injection: every check finds its own flaw in a small service that has it and nothing else there, and nothing in the mended one.

import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Profile } from '../../src/scanner/types.ts'
import { injections } from './injections.ts'
import { type Described, findingsOf, type Handler } from './tiny.ts'

function database(): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  db.exec(
    "create table item (id integer primary key, name text); insert into item (name) values ('tea'), ('milk'), ('salt')",
  )
  return db
}

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

/** What a shell makes of `expr 1 + 2` where a value lets a command begin. */
const shell = (line: string): string => {
  const sum = /(?:^|[;|&\n`]|\$\()expr (\d+) \+ (\d+)/.exec(line)
  return sum ? String(Number(sum[1]) + Number(sum[2])) : ''
}

type Case = {
  flaw: string
  checks: string[]
  operations: Described
  service: (isFlawed: boolean) => Handler
  profile?: Profile
}

const reading: Described = { 'GET /items': { query: { name: 'tea' } } }

const cases: readonly Case[] = [
  {
    flaw: 'a statement made of text whose errors are shown',
    checks: ['sql-injection-error'],
    operations: reading,
    service: (isFlawed) => {
      const db = database()
      return ({ query }) => {
        const name = query.get('name') ?? ''
        if (!isFlawed) return [200, db.prepare('select * from item where name = ?').all(name)]
        try {
          return [200, db.prepare(`select * from item where name = '${name}'`).all()]
        } catch (error) {
          return [500, { error: `SQLITE_ERROR: ${String(error)}` }]
        }
      }
    },
  },
  {
    flaw: 'a statement made of text whose errors are hidden',
    checks: ['sql-injection-boolean'],
    operations: reading,
    service: (isFlawed) => {
      const db = database()
      return ({ query }) => {
        const name = query.get('name') ?? ''
        if (!isFlawed)
          return [
            200,
            {
              at: new Date().toISOString(),
              asked: name,
              items: db.prepare('select * from item where name = ?').all(name),
            },
          ]
        try {
          return [
            200,
            {
              at: new Date().toISOString(),
              asked: name,
              items: db.prepare(`select * from item where name = '${name}'`).all(),
            },
          ]
        } catch {
          return [500, { error: 'it did not work' }]
        }
      }
    },
  },
  {
    flaw: 'a condition of a document database taken from the caller',
    checks: ['nosql-injection'],
    operations: { 'POST /login': { body: { user: 'a', password: 'wrong' } } },
    service:
      (isFlawed) =>
      ({ body }) => {
        const password = body !== null && typeof body === 'object' && 'password' in body ? body.password : null
        if (typeof password === 'string')
          return password === 'right' ? [200, { user: 'a' }] : [401, { error: 'no such user' }]
        if (!isFlawed || typeof password !== 'object' || password === null)
          return [400, { error: 'a text is expected' }]
        const [operator] = Object.keys(password)
        if (operator !== '$ne' && operator !== '$eq') return [500, { error: 'unknown operator' }]
        return operator === '$ne' ? [200, { user: 'a', welcome: true }] : [401, { error: 'no such user' }]
      },
  },
  {
    flaw: 'a condition of a document database on a field of numbers',
    checks: ['nosql-injection'],
    operations: { 'POST /letters/find': { body: { number: 100_001 } } },
    service:
      (isFlawed) =>
      ({ body }) => {
        const [, operator] = /^\{"number":(?:\{"(.{3})":)?\d+\}+$/.exec(JSON.stringify(body)) ?? [null, 'none']
        if (operator && (!isFlawed || !['$eq', '$ne'].includes(operator))) return [500, { error: 'it went wrong' }]
        return operator === '$ne' ? [200, { letter: 'dear ann' }] : [404, { error: 'no such letter' }]
      },
  },
  {
    flaw: 'a condition of a document database that is read from a text, and shows a few rows on a large page',
    checks: ['nosql-injection'],
    operations: { 'GET /people': { query: { name: 'tea' } } },
    service:
      (isFlawed) =>
      ({ query }) => {
        const name = query.get('name') ?? ''
        const [, operator] = /^\{"\$(\w+)":"\w+"\}$/.exec(name) ?? []
        if (isFlawed && operator && !['ne', 'eq'].includes(operator)) return [500, 'unknown operator']
        const rows = isFlawed && operator === 'ne' ? 'ann, bob' : 'nobody'
        return [
          200,
          `<h1>${name.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}</h1>${'<p>tea and cake</p>'.repeat(300)}<p>${rows}</p>`,
        ]
      },
  },
  {
    flaw: 'a command line made of text',
    checks: ['command-injection'],
    operations: { 'GET /ping': { query: { host: 'localhost' } } },
    service:
      (isFlawed) =>
      ({ query }) => [
        200,
        { output: isFlawed ? `PING ${shell(query.get('host') ?? '')}` : 'PING', asked: query.get('host') },
      ],
  },
  {
    flaw: 'a template made of text',
    checks: ['template-injection'],
    operations: { 'GET /hello': { query: { name: 'tea' } } },
    service:
      (isFlawed) =>
      ({ query }) => {
        const name = query.get('name') ?? ''
        const made = isFlawed ? name.replace(/\{\{(\d+)\*(\d+)\}\}/g, (_, a, b) => String(Number(a) * Number(b))) : name
        return [200, { text: `Hello ${made}` }]
      },
  },
  {
    flaw: 'a value evaluated as code',
    checks: ['code-injection'],
    operations: { 'POST /calculate': { body: { formula: '1' } } },
    service:
      (isFlawed) =>
      ({ body }) => {
        const formula = body !== null && typeof body === 'object' && 'formula' in body ? String(body.formula) : ''
        const product = /^(\d+)\*(\d+)$/.exec(formula)
        return isFlawed && product
          ? [200, { result: Number(product[1]) * Number(product[2]) }]
          : [200, { result: formula }]
      },
  },
  {
    flaw: 'a file named by the caller',
    checks: ['path-traversal'],
    operations: { 'GET /file': { query: { file: 'a.txt' } } },
    service:
      (isFlawed) =>
      ({ query }) => {
        const file = query.get('file') ?? ''
        return isFlawed && /^(\.\.\/)+etc\/passwd$/.test(file)
          ? [200, { content: 'root:x:0:0:root:/root:/bin/sh\n' }]
          : [404, { error: `${file} is not there` }]
      },
  },
  {
    flaw: 'a page that repeats a value as it is',
    checks: ['cross-site-scripting'],
    operations: { 'GET /search': { query: { q: 'tea' } } },
    service:
      (isFlawed) =>
      ({ query }) => [
        200,
        `<html><body><p>You looked for ${isFlawed ? query.get('q') : escaped(query.get('q') ?? '')}</p></body></html>`,
      ],
  },
  {
    flaw: 'a value in a script whose quotes are not escaped',
    checks: ['cross-site-scripting'],
    operations: { 'GET /search': { query: { q: 'tea' } } },
    service:
      (isFlawed) =>
      ({ query }) => {
        const safe = (query.get('q') ?? '').replaceAll('<', '\\u003c')
        return [
          200,
          `<html><script>var q = '${isFlawed ? safe : safe.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'</script></html>`,
        ]
      },
  },
  {
    flaw: 'a page that shows what was stored as it is',
    checks: ['stored-cross-site-scripting'],
    profile: 'DEEP',
    operations: { 'POST /notes': { body: { text: 'tea' } }, 'GET /notes': {} },
    service: (isFlawed) => {
      const notes: string[] = []
      return ({ method, body }) => {
        if (method === 'GET')
          return [
            200,
            `<html><body>${notes.map((note) => `<p>${isFlawed ? note : escaped(note)}</p>`).join('')}</body></html>`,
          ]
        notes.push(body !== null && typeof body === 'object' && 'text' in body ? String(body.text) : '')
        return [201, { id: notes.length }]
      }
    },
  },
  {
    flaw: 'a redirect to wherever the caller says',
    checks: ['open-redirect'],
    operations: { 'GET /go': { query: { next: '/home' } } },
    service:
      (isFlawed) =>
      ({ query }) => [
        302,
        '',
        { location: isFlawed || /^\/\w*$/.test(query.get('next') ?? '') ? encodeURI(query.get('next') ?? '') : '/' },
      ],
  },
  {
    flaw: 'links built from the Host header',
    checks: ['host-header-injection'],
    operations: { 'GET /page': {} },
    service:
      (isFlawed) =>
      ({ headers }) => [200, `<html><a href="http://${isFlawed ? headers.host : 'shop.example'}/home">home</a></html>`],
  },
  {
    flaw: 'a link in JSON that is the Host header',
    checks: ['host-header-injection'],
    operations: { 'POST /letters': { body: { email: 'ann@shop.example' } } },
    service:
      (isFlawed) =>
      ({ headers }) => [200, { text: `Go on <a href='${isFlawed ? headers.host : 'shop.example'}'>here</a>` }],
  },
  {
    flaw: 'an address that the service asks itself',
    checks: ['request-forgery'],
    operations: { 'GET /preview': { query: { url: 'https://example.com' } } },
    service:
      (isFlawed) =>
      async ({ query, path, headers }) => {
        if (path === '/') return [200, '<html><title>The own page of this service</title></html>']
        const url = query.get('url') ?? ''
        if (!isFlawed || !url.startsWith(`http://${headers.host}`)) return [502, { error: 'not reached' }]
        return [200, { content: await (await fetch(url)).text() }]
      },
  },
  {
    flaw: 'entities of a document that are followed',
    checks: ['xml-external-entity'],
    operations: { 'POST /import': { body: { name: 'tea' } } },
    service:
      (isFlawed) =>
      ({ body }) => {
        const entity = typeof body === 'string' ? /<!ENTITY (\w+) SYSTEM "([^"]+)">/.exec(body) : null
        const isRead =
          isFlawed &&
          entity?.[2] === 'file:///etc/passwd' &&
          typeof body === 'string' &&
          body.includes(`&${entity[1]};`)
        return [200, { name: isRead ? 'root:x:0:0:root:/root:/bin/sh' : 'tea' }]
      },
  },
  {
    flaw: 'entities of a document of which the description says nothing',
    checks: ['xml-external-entity'],
    operations: { 'POST /import': {} },
    service:
      (isFlawed) =>
      ({ body }) => {
        const isRead = isFlawed && String(body).includes('SYSTEM "file:///etc/passwd">')
        return [200, { name: isRead ? 'root:x:0:0:root:/root:/bin/sh' : 'tea' }]
      },
  },
  {
    flaw: 'entities whose missing files are complained of',
    checks: ['xml-external-entity'],
    operations: { 'POST /import': { body: { name: 'tea' } } },
    service:
      (isFlawed) =>
      ({ body }) => {
        const file = typeof body === 'string' ? /<!ENTITY \w+ SYSTEM "([^"]+)">/.exec(body)?.[1] : undefined
        if (file === undefined) return [200, { name: 'tea' }]
        return [
          500,
          { error: isFlawed ? `I/O warning: failed to load external entity "${file}"` : `failed to load ${body}` },
        ]
      },
  },
  {
    flaw: 'objects of any class',
    checks: ['unsafe-deserialisation-error'],
    operations: { 'GET /resume': { query: { state: 'a:1:{i:0;s:3:"tea";}' } } },
    service:
      (isFlawed) =>
      ({ query }) => {
        const name = /^O:\d+:"(\w+)"/.exec(query.get('state') ?? '')?.[1]
        if (name === undefined) return [200, { state: 'tea' }]
        return [500, { error: isFlawed ? `Unserialization of '${name}' is not allowed` : 'Objects are not allowed' }]
      },
  },
  {
    flaw: 'pickles',
    checks: ['unsafe-deserialisation-error'],
    operations: { 'POST /jobs': { body: { pickled: 'gASVBAAAAAAAAACMAHgu' } } },
    service:
      (isFlawed) =>
      ({ body }) => {
        const text = Buffer.from(String(Object(body).pickled), 'base64').toString()
        const module = /^c(\w+)\n/.exec(text)?.[1]
        return isFlawed && module ? [500, { error: `ModuleNotFoundError: No module named '${module}'` }] : [200, {}]
      },
  },
  {
    flaw: 'a header that a statement is made of and a page shows',
    checks: ['header-values'],
    operations: { 'GET /visits': {}, 'GET /visits-of-all': {} },
    service: (isFlawed) => {
      const db = database()
      return ({ headers }) => {
        const agent = headers['user-agent'] ?? ''
        const shown = `<p>You came with ${isFlawed ? agent : escaped(agent)}</p>`
        try {
          if (isFlawed) db.exec(`insert into item (name) values ('${agent}')`)
          else db.prepare('insert into item (name) values (?)').run(agent)
        } catch (error) {
          return [500, `<p>SQLite error: ${error instanceof Error ? error.message : ''}</p>`]
        }
        return [200, shown]
      }
    },
  },
  {
    flaw: 'a cookie that a statement is made of',
    checks: ['cookie-values'],
    operations: { 'GET /greeting': {} },
    service: (isFlawed) => {
      const db = database()
      return ({ headers }) => {
        const given = /visitor=([^;]*)/.exec(headers.cookie ?? '')?.[1] ?? ''
        const cookie = { 'set-cookie': 'visitor=7; Path=/' }
        try {
          if (isFlawed) db.prepare(`select name from item where id = '${given}'`).all()
          else db.prepare('select name from item where id = ?').all(given)
        } catch (error) {
          return [500, `<p>SQLite error: ${error instanceof Error ? error.message : ''}</p>`, cookie]
        }
        return [200, '<p>Welcome</p>', cookie]
      }
    },
  },
  {
    flaw: 'a filter of a directory made of text',
    checks: ['ldap-injection'],
    operations: { 'GET /people': { query: { name: 'tea' } } },
    service:
      (isFlawed) =>
      ({ query }) => {
        const name = query.get('name') ?? ''
        const condition = /^[\w*]+\)\(([|&])\(objectClass=\*\)\(\w+=\*\)$/.exec(name)
        if (!isFlawed || !condition) return [200, { people: name === 'tea' ? ['tea'] : [] }]
        return [200, { people: condition[1] === '|' ? ['tea', 'milk', 'salt'] : [] }]
      },
  },
]

test.each(cases)(
  '$flaw is found by its own check alone, and the mended service has nothing',
  async ({ checks, operations, service, profile = 'BALANCED' }) => {
    const flawed = await findingsOf(service(true), injections, operations, { identities: [], profile })
    const mended = await findingsOf(service(false), injections, operations, { identities: [], profile })

    expect([...new Set(flawed.map(({ check }) => check))]).toEqual(checks)
    expect(mended).toEqual([])
  },
)
