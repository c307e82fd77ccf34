// Values in commands, templates, code, files, addresses and documents: each check finds its flaw, and nothing in the mended service.

import { testEach } from './injections.ts'

/** What a shell makes of `expr 1 + 2` where a value lets a command begin. */
const shell = (line: string): string => {
  const sum = /(?:^|[;|&\n`]|\$\()expr (\d+) \+ (\d+)/.exec(line)
  return sum ? String(Number(sum[1]) + Number(sum[2])) : ''
}

testEach([
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
])
