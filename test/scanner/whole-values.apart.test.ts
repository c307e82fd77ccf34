// Values that are all of what is interpreted: a command, an expression, a filter, a body of text.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { injections } from './injections.ts'
import { type Described, findingsOf, type Handler } from './tiny.ts'

const cases: { flaw: string; checks: string[]; operations: Described; service: (isFlawed: boolean) => Handler }[] = [
  {
    flaw: 'a whole command without a shell',
    checks: ['command-injection'],
    operations: { 'GET /run': { query: { command: 'uptime' } } },
    service:
      (isFlawed) =>
      ({ query }) => {
        const [program, left, , right, ...rest] = (query.get('command') ?? '').split(' ')
        const isRun = isFlawed && program === 'expr' && rest.length === 0
        return [200, { output: isRun ? String(Number(left) + Number(right)) : 'up 5 days' }]
      },
  },
  {
    flaw: 'a condition of XPath, which knows words in lower case alone',
    checks: ['sql-injection-boolean'],
    operations: { 'GET /partners': { query: { password: 'tea' } } },
    service:
      (isFlawed) =>
      ({ query }) => {
        const given = query.get('password') ?? ''
        const [, left, right] = /^tea' and (?:string-length\('ab'\)=2 and )?'(\d+)'='(\d+)$/.exec(given) ?? []
        const isTrue = isFlawed && left !== undefined && left === right
        return [200, { partners: given === 'tea' || isTrue ? ['ann', 'bob', 'eve'] : [] }]
      },
  },
  {
    flaw: 'a whole expression of XPath',
    checks: ['xpath-injection-error'],
    operations: { 'GET /query': { query: { xpath: '/people' } } },
    service:
      (isFlawed) =>
      ({ query }) =>
        isFlawed && query.get('xpath')?.startsWith(']') ? [500, { error: 'XPath parse error' }] : [200, { people: [] }],
  },
  {
    flaw: 'a condition of XPath that a quote breaks, as Java tells it',
    checks: ['xpath-injection-error'],
    operations: { 'POST /partners': { body: { name: 'tea' } } },
    service:
      (isFlawed) =>
      ({ body }) =>
        isFlawed && String(Object(body).name).includes("'")
          ? [
              200,
              'javax.xml.xpath.XPathExpressionException: javax.xml.transform.TransformerException: misquoted literal',
            ]
          : [200, { partners: [] }],
  },
  {
    flaw: 'a text that is inserted, and whose faults nobody is told',
    checks: ['sql-injection-time'],
    operations: { 'POST /notes': { body: { title: 'tea' } } },
    service:
      (isFlawed) =>
      async ({ body }) => {
        // what stands between two quotes is added up by the database before it is kept
        const inner = /^.{0,20}'\+(\(.{1,60}\))\+'$/.exec(String(Object(body).title))?.[1] ?? ''
        const seconds = isFlawed ? Number(/SLEEP\(([\d.]{1,4})\)/.exec(inner)?.[1] ?? 0) : 0
        await sleep(seconds * 1_000)
        return [200, { kept: true }]
      },
  },
  {
    flaw: 'a whole filter of a directory',
    checks: ['ldap-injection'],
    operations: { 'GET /entries': { query: { filter: '(name=tea)' } } },
    service:
      (isFlawed) =>
      ({ query }) =>
        isFlawed && !query.get('filter')?.startsWith('(')
          ? [500, { error: 'javax.naming.NamingException: no filter' }]
          : [200, { entries: [] }],
  },
]

test.each(cases)(
  '$flaw is found by its own check alone, and the mended service has nothing',
  async ({ checks, operations, service }) => {
    const flawed = await findingsOf(service(true), injections, operations, { identities: [] })
    const mended = await findingsOf(service(false), injections, operations, { identities: [] })

    expect([...new Set(flawed.map(({ check }) => check))]).toEqual(checks)
    expect(mended).toEqual([])
  },
)

test('a body of plain text is a value, and a template that it becomes is found', async () => {
  const content = { 'text/plain': { schema: { type: 'string' } } }
  const text = JSON.stringify({ openapi: '3.0.3', paths: { '/render': { post: { requestBody: { content } } } } })
  const service =
    (isFlawed: boolean): Handler =>
    ({ body }) => {
      const [left, right] = isFlawed ? (/\{\{=(\d+)\*(\d+)\}\}/.exec(String(body))?.slice(1) ?? []) : []
      return [200, { shown: left && right ? Number(left) * Number(right) : String(body) }]
    }
  const scanned = (isFlawed: boolean) =>
    findingsOf(service(isFlawed), injections, {}, { identities: [], schema: { name: 'openapi.json', text } })

  const flawed = await scanned(true)

  expect(flawed.map(({ check, parameter }) => [check, parameter?.place])).toEqual([['template-injection', 'body']])
  expect(await scanned(false)).toEqual([])
})
