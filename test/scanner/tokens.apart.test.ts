// Forged, altered, expired and guessable tokens: each way of reading them wrongly is found, and right reading is not.

import { createHmac, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Described, findingsOf, type Handler } from './tiny.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = String(publicKey.export({ type: 'spki', format: 'pem' }))
const strong = 'vq2Z8mJx0Lr5-a key that is in no list-71c'
const hour = Math.floor(Date.now() / 1000) + 3600
const claims = { sub: 'user-a', exp: hour }

const shared = (key: string | Buffer, body: object = claims) => {
  const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(body)}`
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
}
const signedRs = () => {
  const input = `${encode({ alg: 'RS256', kid: 'k' })}.${encode(claims)}`
  return `${input}.${sign('RSA-SHA256', Buffer.from(input), privateKey).toString('base64url')}`
}

type Reading = 'right' | 'none' | 'cut' | 'unchecked' | 'late' | 'confused' | 'named key' | 'brought key'

/** Whether a token is accepted by a service that reads it in such a way. */
function accepts(token: string, reading: Reading, key: string): boolean {
  const [head = '', payload = '', signature = ''] = token.split('.')
  try {
    const header = JSON.parse(Buffer.from(head, 'base64url').toString())
    const body = JSON.parse(Buffer.from(payload, 'base64url').toString())
    if (typeof body.sub !== 'string' || (reading !== 'late' && body.exp < Date.now() / 1000)) return false
    if (reading === 'unchecked') return true
    if (reading === 'brought key' && header.jwk) {
      const brought = createPublicKey({ key: header.jwk, format: 'jwk' })
      return verify('RSA-SHA256', Buffer.from(`${head}.${payload}`), brought, Buffer.from(signature, 'base64url'))
    }
    if (reading === 'none' && header.alg === 'none') return true
    if (reading === 'cut' && signature === '') return true
    const hmac = (secret: string) => createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url')
    if (reading === 'named key' && /dev\/null$/.test(header.kid ?? '')) return hmac('') === signature
    if (header.alg === 'RS256')
      return verify('RSA-SHA256', Buffer.from(`${head}.${payload}`), pem, Buffer.from(signature, 'base64url'))
    if (reading === 'confused') return hmac(pem) === signature
    return header.alg === 'HS256' && key !== '' && hmac(key) === signature
  } catch {
    return false
  }
}

const service =
  (reading: Reading, key: string): Handler =>
  ({ path, headers }) => {
    if (path === '/.well-known/jwks.json') return [200, { keys: [publicKey.export({ format: 'jwk' })] }]
    const token = (headers.authorization ?? '').replace('Bearer ', '')
    return accepts(token, reading, key) ? [200, { name: 'user-a', mail: 'a@example.com' }] : [401, { message: 'no' }]
  }

const scanned = (reading: Reading, token: string, key = '') =>
  findingsOf(
    service(reading, key),
    ['token-forgery', 'token-key'],
    { 'GET /me': {} },
    {
      identities: [{ name: 'user-a', headers: [['Authorization', `Bearer ${token}`]], cookies: [], query: [] }],
    },
  )

test.each<[Reading, string]>([
  ['none', 'algorithm none'],
  ['cut', 'was removed'],
  ['unchecked', 'not verified'],
  ['named key', 'as its key'],
  ['brought key', 'carries its own signing key'],
])('tokens whose signature is read as %s are found', async (reading, said) => {
  const found = await scanned(reading, shared(strong), strong)

  expect(found.map(({ cwes }) => cwes)).toContainEqual([347])
  expect(found.map(({ detail }) => detail).join()).toContain(said)
})

test('a token signed with the public key as a shared one is found', async () => {
  const found = await scanned('confused', signedRs())

  expect(found.map(({ detail }) => detail).join()).toContain('key confusion')
})

test('a common key is found from the token alone, and an expired token that it signs is tried', async () => {
  const found = await scanned('late', shared('secret123'), 'secret123')

  expect(found.map(({ cwes }) => cwes[0]).sort()).toEqual([1391, 613])
})

test('a common key is found where a library takes it for base 64, with what is left of it or without', async () => {
  const whole = await scanned('right', shared(Buffer.from('secret', 'base64')), 'none')
  const groups = await scanned('right', shared(Buffer.from('secr', 'base64')), 'none')

  expect([...whole, ...groups].map(({ cwes }) => cwes)).toEqual([[1391], [1391]])
})

test('a token without an end is found', async () => {
  const found = await scanned('right', shared(strong, { sub: 'user-a' }), strong)

  expect(found.map(({ cwes }) => cwes)).toEqual([[613]])
})

test('a token that nothing signs is found where it is handed out, and not where it only comes back', async () => {
  // merlon:allow a token that has to be found
  const bare = `${encode({ alg: 'none' })}.${encode(claims)}.`
  const answering = (handle: Handler, operations: Described) =>
    findingsOf(handle, ['token-key'], operations, { identities: [] })

  const told = await answering(() => [200, { token: bare }], { 'GET /token': {} })
  const signed = await answering(() => [200, { token: shared(strong) }], { 'GET /token': {} })
  const echoed = await answering(({ body }) => [200, body], { 'POST /check': { body: { token: bare } } })

  expect(told.map(({ cwes }) => cwes)).toEqual([[347]])
  expect([...signed, ...echoed]).toEqual([])
})

test('a token within a sentence of an answer is an example', async () => {
  const endless = shared('secret123', { sub: 'user-a' })
  const answering = (body: object) =>
    findingsOf(() => [200, body], ['token-key'], { 'GET /help': {} }, { identities: [] })

  const example = await answering({ text: `Try it with -H 'Cookie: token=${endless}' and see` })
  const own = await answering({ token: endless })

  expect(example).toEqual([])
  expect(own.length).toBeGreaterThan(0)
})

test('tokens that are read rightly leave nothing to find', async () => {
  const [one, other] = [await scanned('right', shared(strong), strong), await scanned('right', signedRs())]

  expect([...one, ...other]).toEqual([])
})

test('an operation that does not check signatures is found behind many that everybody may ask', async () => {
  const careless = service('unchecked', strong)
  const handle: Handler = (asked) => (asked.path === '/mine' ? careless(asked) : [200, { page: asked.path }])
  const pages = Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`GET /page-${at}`, {}]))

  const findings = await findingsOf(
    handle,
    ['token-forgery'],
    { ...pages, 'GET /mine': {} },
    { identities: [{ name: 'a', headers: [['Authorization', `Bearer ${shared(strong)}`]], cookies: [], query: [] }] },
  )

  expect(findings.map(({ cwes, operation }) => [cwes, operation])).toContainEqual([[347], 'GET /mine'])
})

test('an operation that does not check signatures is found behind one that does', async () => {
  const [careful, careless] = [service('right', strong), service('unchecked', strong)]
  const handle: Handler = (asked) => (asked.path === '/careless' ? careless(asked) : careful(asked))

  const findings = await findingsOf(
    handle,
    ['token-forgery'],
    { 'GET /careful': {}, 'GET /careless': {} },
    {
      identities: [{ name: 'a', headers: [['Authorization', `Bearer ${shared(strong)}`]], cookies: [], query: [] }],
    },
  )

  const forged = findings.filter(({ cwes }) => cwes.includes(347))
  expect(forged.map(({ operation }) => operation)).toEqual(['GET /careless'])
  expect(forged[0]?.detail).toContain('not verified')
})

test('a signature that is not checked is found though the list behind it has grown since it was asked first', async () => {
  const open = service('unchecked', strong)
  let asked = 0
  const growing: Handler = async (request) => {
    const [status, body] = await open(request)
    if (status === 200) asked += 1
    const rows = Array.from({ length: asked > 1 ? 40 : 0 }, (_, row) => ({ note: `row of ${row}` }))
    return [status, { body, rows }]
  }

  const found = await findingsOf(
    growing,
    ['token-forgery'],
    { 'GET /me': {} },
    {
      identities: [
        { name: 'user-a', headers: [['Authorization', `Bearer ${shared(strong)}`]], cookies: [], query: [] },
      ],
    },
  )

  expect(found.map(({ check }) => check)).toEqual(['token-forgery'])
})
