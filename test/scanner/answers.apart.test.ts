// What answers tell by themselves, and what a server does that it should not: found where it is, and not in the mended form.

import { expect, test } from 'vitest'
import { checks } from '../../src/scanner/checks/index.ts'
import type { ScanOptions } from '../../src/scanner/options.ts'
import { type Answered, type Asked, type Described, findingsOf, type Handler } from './tiny.ts'

type Case = {
  check: string
  flawed: (asked: Asked) => Answered | Promise<Answered>
  mended: (asked: Asked) => Answered | Promise<Answered>
  operations?: Described
  more?: Partial<ScanOptions>
}

const html = (text: string, headers: Record<string, string> = {}): Answered => [200, `<html>${text}</html>`, headers]
const passwd = 'root:x:0:0:root:/root:/bin/bash\nbin:x:1:1:bin:/bin:/sbin/nologin\n'
const multipart = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 't', version: '1' },
  paths: {
    '/files': {
      post: {
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } },
            },
          },
        },
        responses: {},
      },
    },
  },
})

/** Keeps files of a multipart body, and hands them out as what they are called, or as plain text. */
function files(isFlawed: boolean, isRenaming = false): Handler {
  const kept = new Map<string, string>()
  return ({ method, path, body }) => {
    if (method === 'GET') {
      const content = kept.get(path.replace('/uploads/', ''))
      if (content === undefined) return [404, 'nothing here']
      return [200, content, { 'content-type': isFlawed ? 'text/html' : 'text/plain' }]
    }
    const [, given = '', content = ''] = /filename="([^"]+)"[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(String(body)) ?? []
    const name = isRenaming ? `file-${4711 + kept.size}${given.slice(given.lastIndexOf('.'))}` : given
    kept.set(name, content)
    return [201, isRenaming ? { attachment: name } : { url: `/uploads/${name}` }]
  }
}

/** Takes whatever is put, or nothing. */
function webdav(isFlawed: boolean): Handler {
  const kept = new Map<string, string>()
  return ({ method, path, body }) => {
    if (method === 'PUT' && isFlawed) kept.set(path, String(body))
    if (method === 'PUT') return [isFlawed ? 201 : 405, {}]
    return kept.has(path) ? [200, kept.get(path), { 'content-type': 'text/plain' }] : [404, {}]
  }
}

const entityOf = (text: string): string | undefined => /<!ENTITY \w+ SYSTEM "([^"]+)">/.exec(text)?.[1]

const cases: readonly Case[] = [
  {
    check: 'backend-server',
    flawed: () => html('', { 'x-backend-server': 'app-7.inner' }),
    mended: () => html(''),
  },
  {
    check: 'debug-token',
    flawed: () => html('', { 'x-debug-token-link': '/_profiler/1a2b' }),
    mended: () => html(''),
  },
  {
    check: 'source-code',
    flawed: () => html('<?php $db = new PDO("mysql:host=db"); echo $db->query("select 1"); ?>'),
    mended: () => html('1'),
  },
  {
    check: 'serialised-object',
    flawed: () => html('', { 'set-cookie': 'state=rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA==; Path=/' }),
    mended: () => html('', { 'set-cookie': 'state=7; Path=/' }),
  },
  {
    check: 'referrer-policy-missing',
    flawed: () => html('', { 'referrer-policy': 'unsafe-url' }),
    mended: () => html('', { 'referrer-policy': 'same-origin' }),
  },
  {
    check: 'content-type-missing',
    flawed: () => [200, '<p>some text</p>', { 'content-type': '' }],
    mended: () => html('some text'),
  },
  {
    check: 'basic-over-http',
    flawed: () => [401, 'who are you?', { 'www-authenticate': 'Basic realm="shop"' }],
    mended: () => [401, 'who are you?', { 'www-authenticate': 'Bearer' }],
  },
  {
    check: 'insecure-form',
    flawed: () => html('<form method="post" action="/in"><input type="password" name="p"></form>'),
    mended: () => html('<form method="post" action="https://shop.test/in"><input type="password" name="p"></form>'),
  },
  {
    check: 'session-in-address',
    flawed: () => html('<a href="/next?PHPSESSID=0123456789abcdef">next</a>'),
    mended: () => html('<a href="/next?page=2">next</a> <pre>cookies: a=b;PHPSESSID=0123456789abcdef</pre>'),
  },
  {
    check: 'cacheable-credentials',
    flawed: () => [200, { access_token: 'abcdefgh-12345678' }, { 'cache-control': 'public, max-age=600' }],
    mended: () => [200, { access_token: 'abcdefgh-12345678' }, { 'cache-control': 'no-store' }],
  },
  {
    check: 'cross-origin-credentials',
    flawed: ({ headers }) =>
      html('', {
        'access-control-allow-origin': headers.origin ?? '*',
        'access-control-allow-credentials': 'true',
      }),
    mended: ({ headers }) => html('', { 'access-control-allow-origin': headers.origin ?? '*' }),
  },
  {
    check: 'trace-method',
    flawed: ({ method, headers }) =>
      method === 'TRACE'
        ? [
            200,
            Object.entries(headers)
              .map((pair) => pair.join(': '))
              .join('\n'),
            { 'content-type': 'message/http' },
          ]
        : html(''),
    mended: ({ method }) => (method === 'TRACE' ? [405, ''] : html('')),
  },
  { check: 'put-method', flawed: webdav(true), mended: webdav(false) },
  {
    check: 'hidden-file',
    flawed: ({ path }) =>
      path === '/.git/config'
        ? [200, '[core]\n\trepositoryformatversion = 0\n', { 'content-type': 'text/plain' }]
        : [404, ''],
    // what answers everything so has no file
    mended: () => [200, '[core]\n\trepositoryformatversion = 0\n', { 'content-type': 'text/plain' }],
  },
  {
    check: 'file-server-traversal',
    flawed: ({ path }) => (/^\/static\/(\.\.%2f){8}etc\/passwd$/i.test(path) ? [200, passwd] : [404, '']),
    mended: () => [404, ''],
  },
  {
    check: 'remote-inclusion',
    operations: { 'GET /page': { query: { template: 'home.php' } } },
    more: { listener: { host: '127.0.0.1', ports: [0, 0] } },
    flawed: async ({ query }) => {
      const at = query.get('template') ?? ''
      const program = at.startsWith('http://127.0.0.1:') ? await (await fetch(at)).text() : ''
      const [, left, right] = /print\((\d+)\*(\d+)\)/.exec(program) ?? []
      return html(left ? String(Number(left) * Number(right)) : 'home')
    },
    mended: () => html('home'),
  },
  {
    check: 'unrestricted-upload',
    more: { schema: { name: 'openapi.json', text: multipart } },
    flawed: files(true),
    mended: files(false),
  },
  {
    // under another name, which is told without its folder
    check: 'unrestricted-upload',
    more: { schema: { name: 'openapi.json', text: multipart } },
    flawed: files(true, true),
    mended: files(false, true),
  },
  {
    check: 'xml-external-entity-value',
    operations: { 'POST /import': { body: { document: '<order><item>tea</item></order>' } } },
    flawed: ({ body }) => {
      const isRead = entityOf(JSON.stringify(body).replaceAll('\\"', '"')) === 'file:///etc/passwd'
      return [200, { item: isRead ? passwd : 'tea' }]
    },
    mended: () => [200, { item: 'tea' }],
  },
]

test.each(cases)('$check is found, and not in the mended form', async ({ check, flawed, mended, operations, more }) => {
  const described = operations ?? { 'GET /page': {} }

  const found = await findingsOf(flawed, [check], described, { identities: [], ...more })
  const left = await findingsOf(mended, [check], described, { identities: [], ...more })

  expect(found.map((one) => one.check)).toContain(check)
  expect(left).toEqual([])
})

test.each([
  ['transport-security-missing', { 'strict-transport-security': 'max-age=31536000' }, '', ''],
  ['mixed-content', {}, '<script src="http://cdn.shop.test/a.js"></script>', '<script src="/a.js"></script>'],
])('%s is seen in a page that came over TLS', (id, mended, flawedPage, mendedPage) => {
  const check = checks.find((one) => one.id === id)
  const seen = (headers: Record<string, string>, page: string) =>
    check?.kind === 'passive'
      ? [
          ...check.look(
            {
              request: { method: 'GET', url: 'https://shop.test/', headers: [], body: null },
              answer: {
                status: 200,
                headers: Object.entries({ 'content-type': 'text/html', ...headers }),
                body: Buffer.from(page),
                isCut: false,
                ms: 1,
              },
              text: page,
              operation: 'GET /',
              identity: null,
            },
            Object.create(null),
          ),
        ]
      : []

  expect(seen({}, `<html>${flawedPage}</html>`)).toHaveLength(1)
  expect(seen(mended, `<html>${mendedPage}</html>`)).toEqual([])
})
