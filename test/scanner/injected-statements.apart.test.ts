// Values in statements of databases and directories: each check finds its flaw, and nothing in the mended service.

import { DatabaseSync } from 'node:sqlite'
import { escaped, testEach } from './injections.ts'
import type { Described } from './tiny.ts'

function database(): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  db.exec(
    "create table item (id integer primary key, name text); insert into item (name) values ('tea'), ('milk'), ('salt')",
  )
  return db
}

const reading: Described = { 'GET /items': { query: { name: 'tea' } } }

testEach([
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
])
