// Values in pages, redirects and links: each check finds its flaw, and nothing in the mended service.

import { escaped, testEach } from './injections.ts'

testEach([
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
    flaw: 'a redirect that refuses dots and slashes, and takes a host that is written as a number',
    checks: ['open-redirect'],
    operations: { 'GET /go': { query: { next: 'home' } } },
    service:
      (isFlawed) =>
      ({ query }) => {
        const next = query.get('next') ?? ''
        const isTaken = isFlawed ? !/[./]/.test(next) : /^\w*$/.test(next)
        return isTaken ? [302, '', { location: encodeURI(next) }] : [400, 'This leads nowhere']
      },
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
])
