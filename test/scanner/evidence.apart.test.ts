// Evidence that can be followed: credentials are masked, what the check put in is shown, and the command stays one command.

import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { evidenceOf } from '../../src/scanner/evidence.ts'
import { findingsOf, type Handler } from './tiny.ts'

const none = { hidden: [], plain: [] }
const payload = "x' OR '4711'='4711"

const exchangeOf = (members: Record<string, string>, values: string[], headers: [string, string][] = []) => ({
  request: {
    method: 'POST',
    url: 'http://shop.example/login',
    headers: [['Content-Type', 'application/json'] as const, ...headers],
    body: JSON.stringify(members),
  },
  answer: { status: 200, headers: [], body: Buffer.from(''), isCut: false, ms: 1 },
  text: '{"token":"abcdefghijkl"}',
  operation: 'POST /login',
  identity: null,
  values,
})

/** The words that a shell makes of a command. */
const wordsOf = (command: string) =>
  execFileSync('sh', ['-c', `for word in ${command}; do printf '%s\\n' "$word"; done`])
    .toString()
    .trimEnd()
    .split('\n')

test('what a check put into a password is shown and marked, beside secrets that are masked', () => {
  const exchange = exchangeOf(
    { username: 'ann', password: payload, api_key: 'k-123456789' },
    [payload],
    [['Cookie', 'sid=abcdefghijkl']],
  )

  const { request, response, proof, curl } = evidenceOf(exchange, [payload], none)

  expect(proof.map(({ from, to }) => request.slice(from, to))).toEqual([payload])
  expect(wordsOf(curl)).toContain(JSON.stringify({ username: 'ann', password: payload, api_key: 'k-***' }))
  expect(wordsOf(curl)).toContain('Cookie: sid=abc***')
  expect(`${request}${response}${curl}`).not.toMatch(/k-123456789|abcdefghijkl/)
})

test('a value of the target that a check sent again stays masked, because it may be a credential', () => {
  const key = 'k-0123456789'

  const { request, curl } = evidenceOf(exchangeOf({ api_key: key }, [key]), [key], none)

  expect(request + curl).not.toContain(key)
})

test('a secret with quotes leaves a command that a shell takes', () => {
  const secret = "it's a 'secret' of mine"

  const { curl } = evidenceOf(exchangeOf({ password: secret, note: secret }, []), [], { hidden: [secret], plain: [] })

  expect(wordsOf(curl)).toContain(JSON.stringify({ password: 'i***', note: "it'***" }))
})

test.each(['hidden', 'plain'] as const)('a secret with dollars is masked where it is %s', (kind) => {
  const secret = '$&-of-mine'
  const exchange = exchangeOf({}, [])
  const request = { ...exchange.request, body: `password=${secret}` }

  const evidence = evidenceOf({ ...exchange, request }, [], { ...none, [kind]: [secret] })

  expect(evidence.request).toContain('password=$&***')
  expect(evidence.request).not.toContain('-of-mine')
})

test('a flaw of a password field is shown with the value that shows it', async () => {
  const service: Handler = ({ body }) => {
    const password = typeof body === 'object' && body !== null && 'password' in body ? String(body.password) : ''
    return password.includes("'") ? [500, `SQLITE_ERROR: unrecognized token: "${password}"`] : [401, {}]
  }

  const [found] = await findingsOf(service, ['sql-injection-error'], {
    'POST /login': { body: { username: 'ann', password: 'wrong' }, isOpen: true },
  })

  expect(found?.evidence.request).toMatch(/"password":"[^"]*'[^"]*"/)
})

test('a password that is a word of the target’s addresses is masked in its field alone, so that the command finds the page', async () => {
  const form = '<form method="post" action="/admin"><input name="user"><input type="password" name="password"></form>'
  const service: Handler = ({ method, body }) =>
    method === 'GET'
      ? [200, form]
      : JSON.stringify(body).includes("'")
        ? [500, 'SQLITE_ERROR: unrecognized token']
        : [200, '<p>in</p>', { 'set-cookie': 'sid=0123456789abcdef01; Path=/' }]

  const found = await findingsOf(
    service,
    ['sql-injection-error'],
    { 'POST /admin': { body: { q: 'tea' } } },
    (url) => ({
      identities: [
        {
          name: 'ann',
          headers: [],
          cookies: [],
          query: [],
          login: { type: 'FORM', url: `${url}/admin`, username: 'ann', password: 'admin' },
        },
      ],
    }),
  )

  expect(found.map(({ url, evidence }) => [new URL(url).pathname, evidence.curl.includes('/admin')])).toEqual([
    ['/admin', true],
  ])
})

test('a password that is a word of the target’s addresses is not shown in a field of passwords', () => {
  const exchange = exchangeOf({ password: 'admin' }, [])
  const sent = { ...exchange, request: { ...exchange.request, body: 'user=admin&password=admin&next=/admin' } }

  const { request } = evidenceOf(sent, [], { hidden: [], plain: ['admin'] })

  expect(request).toContain('user=admin&password=a***&next=/admin')
})

test('an object that a check put into a cookie is shown, since it holds the address that only the scan knows', () => {
  const object = Buffer.from('cos\nsystem\n(S"curl 127.0.0.1/z0123456789abcdef01234567"\ntR.').toString('base64')

  const { curl } = evidenceOf(exchangeOf({}, [object], [['Cookie', `sid=${object}; own=abcdefghijkl`]]), [], none)

  expect(wordsOf(curl)).toContain(`Cookie: sid=${object}; own=abc***`)
})
