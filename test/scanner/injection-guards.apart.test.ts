// What looks like an injection and is another flaw or none, and what guards by the look of a value hide.

import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

test('a sum that a database computes of a text is no code', async () => {
  const sum = (body: unknown): number | null => {
    const text = body !== null && typeof body === 'object' && 'entry' in body ? String(body.entry) : ''
    const [, left, right] = /'\+\((\d+)\*(\d+)\)\+'/.exec(text) ?? []
    return left && right ? Number(left) * Number(right) : null
  }
  const joined = (body: unknown) => {
    const text = body !== null && typeof body === 'object' && 'entry' in body ? String(body.entry) : ''
    return text.replace(/'\+\(\d+\*\d+\)\+'/, () => String(sum(body)))
  }
  const asked = (answer: (body: unknown) => unknown) =>
    findingsOf(({ body }) => [200, { entry: answer(body) }], ['code-injection'], {
      'POST /blog': { body: { entry: 'tea' } },
    })

  const [database, script] = [await asked((body) => sum(body) ?? 'kept'), await asked(joined)]

  expect(database).toEqual([])
  expect(script.map(({ check }) => check)).toEqual(['code-injection'])
})

test('a script in a header that a page shows is not taken for one that is kept', async () => {
  const showing: Handler = ({ headers }) => [200, `<p>You came from ${headers.referer ?? 'nowhere'}</p>`]

  const found = await findingsOf(
    showing,
    ['header-values', 'stored-cross-site-scripting'],
    { 'GET /back': {}, 'GET /home': {} },
    { identities: [] },
  )

  expect(found.map(({ check }) => check)).toEqual(['header-values'])
})

test('signs that a guard refuses, whatever they mean, are no filter of a directory', async () => {
  const guarded: Handler = ({ query }) => {
    const isRefused = (query.get('name') ?? '').includes('&')
    return isRefused
      ? [200, { error: 'These signs are not allowed' }]
      : [200, { content: 'sh: a bracket is unexpected' }]
  }

  const found = await findingsOf(guarded, ['ldap-injection'], { 'GET /people': { query: { name: 'tea' } } })

  expect(found).toEqual([])
})

test('an answer that drifts a little from one request to the next follows no condition', async () => {
  let total = 0
  const counting: Handler = () => {
    total += 17
    return [200, `<p>${'tea and cake '.repeat(60)} ${total} pieces for ${total * 3}</p>`]
  }

  const found = await findingsOf(counting, ['ldap-injection', 'sql-injection-boolean'], {
    'GET /basket': { query: { name: 'tea' } },
  })

  expect(found).toEqual([])
})

test('a call is provoked where a guard refuses the usual spellings of this machine', async () => {
  const guarded: Handler = async ({ query }) => {
    const url = query.get('image') ?? ''
    if (/127\.0|localhost/.test(url)) return [403, { message: 'not allowed' }]
    if (/^http:\/\/\d/.test(url)) await fetch(url).catch(() => null)
    return [202, {}]
  }

  const found = await findingsOf(
    guarded,
    ['request-forgery'],
    { 'GET /thumbnail': { query: { image: 'x' } } },
    { identities: [], listener: { host: '127.0.0.1', ports: [0, 0] } },
  )

  expect(found.map(({ check }) => check)).toEqual(['request-forgery'])
})

test('a program of another host that is run is told once, and not as a request as well', async () => {
  const including: Handler = async ({ query }) => {
    const at = query.get('page') ?? ''
    const program = at.startsWith('http://127.0.0.1:') ? await (await fetch(at)).text() : ''
    const [, left, right] = /print\((\d+)\*(\d+)\)/.exec(program) ?? []
    return [200, `<p>${left ? Number(left) * Number(right) : 'home'}</p>`]
  }

  const found = await findingsOf(
    including,
    ['request-forgery', 'remote-inclusion'],
    { 'GET /show': { query: { page: 'home.php' } } },
    { identities: [], listener: { host: '127.0.0.1', ports: [0, 0] } },
  )

  expect(found.map(({ check }) => check)).toEqual(['remote-inclusion'])
})

test('the proof of a file that comes as base64 is that file, and not a picture beside it', async () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const passwd = encoded('root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1:daemon:/usr/sbin:/bin/sh\n')
  const handing: Handler = ({ query }) => {
    const isAbove = /^(\.\.\/)+etc\/passwd$/.test(query.get('file') ?? '')
    return isAbove ? [200, { logo: encoded('a picture '.repeat(20)), content: passwd }] : [404, {}]
  }

  const [found] = await findingsOf(handing, ['path-traversal'], { 'GET /file': { query: { file: 'a.txt' } } })

  const { response, proof } = found?.evidence ?? { response: '', proof: [] }
  expect(proof.map(({ from, to }) => response.slice(from, to))).toEqual([passwd.slice(0, 80)])
})
