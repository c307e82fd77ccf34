// What a scan is given: credentials of every kind, descriptions of every format, a listener, permission to delete.

import type { IncomingMessage, RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import { run, upload } from '../../../test/testkit/client.ts'
import { findings, type Home, listening, newTarget, SAVE, scanned } from '../../../test/testkit/dynamic-scans.ts'
import { CREATE } from '../../../test/testkit/secrets.ts'
import { totpOf } from '../../scanner/totp.ts'

const key = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

const newSecret = async ({ key: user, companyId }: Home, type: string, values: Record<string, string>) =>
  (await run(user, CREATE, { input: { companyId, name: 'Ann', type, values } })).createSecret.secret.id

const cookieOf = ({ headers }: IncomingMessage) => /sid=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? ''

/** Signs in by a form with a code, and forgets whoever asked 30 times; the first page leads on to another. */
function guarded(): { answer: RequestListener; signIns: () => number } {
  const left = new Map<string, number>()
  const answer: RequestListener = async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const given = new URLSearchParams(Buffer.concat(chunks).toString())
    const { pathname } = new URL(request.url ?? '/', 'http://target.test')
    response.setHeader('content-type', 'text/html')
    if (pathname === '/login' && request.method === 'GET') {
      return response.end(
        '<form method="post"><input name="who"><input type="password" name="word"><button name="do" value="in" id="in">In</button></form>',
      )
    }
    if (pathname === '/login' && given.get('word') === 'tulip-4-field' && given.get('do') === 'in') {
      return response.end('<form method="post" action="/code"><input name="otp"><button>Go</button></form>')
    }
    if (pathname === '/code' && [totpOf(key), totpOf(key, Date.now() - 30_000)].includes(given.get('otp') ?? '')) {
      left.set(`s${left.size}`, 30)
      return response.writeHead(302, { location: '/', 'set-cookie': `sid=s${left.size - 1}; Path=/` }).end()
    }
    const remaining = left.get(cookieOf(request)) ?? 0
    if (remaining === 0) return response.writeHead(302, { location: '/login' }).end()
    left.set(cookieOf(request), remaining - 1)
    response.end(
      '<html><body><a href="/inside?x=1">inside</a><form action="/inside"><input name="x"></form></body></html>',
    )
  }
  return { answer, signIns: () => left.size }
}

/** What secrets of each type put on a request. */
const carried: readonly (readonly [
  type: string,
  values: Record<string, string>,
  (request: IncomingMessage) => boolean,
])[] = [
  [
    'BASIC_AUTH',
    { username: 'ann', password: 'tulip' },
    ({ headers }) => headers.authorization === `Basic ${Buffer.from('ann:tulip').toString('base64')}`,
  ],
  ['BEARER_TOKEN', { token: 'abcd-1234' }, ({ headers }) => headers.authorization === 'Bearer abcd-1234'],
  ['HEADER', { name: 'X-Key', value: 'abcd-1234' }, ({ headers }) => headers['x-key'] === 'abcd-1234'],
  ['COOKIE', { name: 'sid', value: 'abcd1234' }, (request) => cookieOf(request) === 'abcd1234'],
  ['QUERY_PARAMETER', { name: 'key', value: 'abcd1234' }, ({ url }) => /[?&]key=abcd1234/.test(url ?? '')],
]

/** How one signs in at the form of a guarded target, but for its button. */
const formAt = (url: string) => ({
  loginUrl: `${url}login`,
  username: 'ann',
  password: 'tulip-4-field',
  usernameSelector: '[name=who]',
  passwordSelector: '[name=word]',
})

describe('credentials', () => {
  test.each(carried)('of a secret of the type %s go along, and stand in no evidence', async (type, values, has) => {
    const url = await listening((request, response) => {
      response.setHeader('content-type', 'text/html')
      if (has(request)) response.end('<a href="/inside?x=1">inside</a>')
      else response.writeHead(401).end('who are you?')
    })
    const home = await newTarget(url, { scanProfile: 'BASIC' })
    await run(home.key, SAVE, { input: { assetId: home.assetId, secretIds: [await newSecret(home, type, values)] } })

    const scan = await scanned(home)

    expect(scan).toMatchObject({ status: 'SUCCEEDED', dynamicScan: { ending: 'COMPLETED' } })
    expect(scan.dynamicScan.operations).toBeGreaterThan(1)
    expect(JSON.stringify(await findings(home))).not.toMatch(/abcd-?1234|ann:tulip/)
  })

  test('of a form with a second factor open what is behind it, again whenever the session is gone', async () => {
    const { answer, signIns } = guarded()
    const url = await listening(answer)
    const home = await newTarget(url)
    const secretId = await newSecret(home, 'FORM_LOGIN', { ...formAt(url), submitSelector: '#in', totp: key })
    await run(home.key, SAVE, { input: { assetId: home.assetId, secretIds: [secretId] } })

    const scan = await scanned(home)

    expect(scan).toMatchObject({ status: 'SUCCEEDED', dynamicScan: { ending: 'COMPLETED' } })
    expect(signIns()).toBeGreaterThan(1)
    expect(JSON.stringify(await findings(home))).not.toContain('tulip-4-field')
  })

  test('that the target does not take end the run with the reason', async () => {
    const url = await listening(guarded().answer)
    const home = await newTarget(url)
    const secretId = await newSecret(home, 'FORM_LOGIN', { ...formAt(url), submitSelector: '#elsewhere' })
    await run(home.key, SAVE, { input: { assetId: home.assetId, secretIds: [secretId] } })

    const scan = await scanned(home)

    expect(scan).toMatchObject({ status: 'FAILED', failureReason: expect.stringContaining('#elsewhere') })
  })
})

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const described = (url: string): readonly (readonly [format: string, filename: string, content: object])[] => [
  [
    'POSTMAN',
    'shop.postman_collection.json',
    {
      info: { name: 'shop', schema },
      item: [{ name: 'find', request: { method: 'GET', url: `${url}items?name=tea` } }],
    },
  ],
  [
    'HAR',
    'shop.har',
    { log: { version: '1.2', entries: [{ request: { method: 'GET', url: `${url}items?name=tea`, headers: [] } }] } },
  ],
]

describe('a description', () => {
  test('may be a collection of Postman or an archive of requests', async () => {
    const asked: string[] = []
    const url = await listening((request, response) => {
      asked.push(request.url ?? '')
      response.end('{}')
    })
    const home = await newTarget(url, { scanProfile: 'BASIC' })
    for (const [apiFormat, filename, content] of described(url)) {
      const input = { assetId: home.assetId, apiFormat }
      const file = { content: JSON.stringify(content), filename }
      await upload(home.key, SAVE, { input }, { 'input.apiSchemaSourceFile': file })
      asked.length = 0

      const scan = await scanned(home)

      expect(scan, apiFormat).toMatchObject({ status: 'SUCCEEDED', dynamicScan: { operations: 1 } })
      expect(asked, apiFormat).toContain('/items?name=tea')
    }
  })
})

/** Calls whatever address it is given, and says nothing of it. */
const caller: RequestListener = async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://target.test')
  const image = searchParams.get('image')
  if (image?.startsWith('http://127.0.0.1:')) await fetch(image).catch(() => null)
  response.setHeader('content-type', 'text/html')
  response.end(pathname === '/' ? '<form action="/thumbnail"><input name="image"></form>' : '<p>done</p>')
}

describe('a listener', () => {
  const onThisMachine = { scanListener: { host: '127.0.0.1', ports: [0, 0] as const } }
  const forged = async (home: Home) =>
    (await findings(home)).filter(({ rule }) => rule === 'request-forgery').map(({ status }) => status)

  test('of the operator shows what shows only by a call; without it the scan says so, and closes nothing for it', async () => {
    const home = await newTarget(await listening(caller))

    const withIt = await scanned(home, '127.0.0.1:*', onThisMachine)
    const found = await forged(home)
    const without = await scanned(home)
    await scanned(home)

    expect(withIt.dynamicScan.notes).toEqual([])
    expect(found).toEqual(['CREATED'])
    expect(without.dynamicScan.notes).toEqual([expect.stringContaining('no listener that the target can reach')])
    expect(await forged(home)).toEqual(['CREATED'])
  })
})

describe('what deletes', () => {
  test('is asked when the configuration says so, and the change is in the audit records', async () => {
    const asked: string[] = []
    const url = await listening((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.end('{}')
    })
    const paths = { '/items': { get: { responses: {} } }, '/items/7': { delete: { responses: {} } } }
    const content = JSON.stringify({ openapi: '3.0.3', info: { title: 't', version: '1' }, paths })
    const home = await newTarget(url)
    const input = { assetId: home.assetId, apiFormat: 'OPENAPI' }
    await upload(home.key, SAVE, { input }, { 'input.apiSchemaSourceFile': { content, filename: 'openapi.json' } })
    const deletes = () => asked.filter((one) => one.startsWith('DELETE'))

    await scanned(home)
    const before = deletes()
    await run(home.key, SAVE, { input: { assetId: home.assetId, allowDestructive: true } })
    await scanned(home)

    expect(before).toEqual([])
    expect(deletes().length).toBeGreaterThan(0)
    const { auditRecords } = await run(
      home.key,
      'query ($companyId: ID!) { auditRecords(companyId: $companyId, pagination: { perPage: 50 }) { collection { object before after } } }',
      { companyId: home.companyId },
    )
    expect(auditRecords.collection).toContainEqual(
      expect.objectContaining({
        before: expect.objectContaining({ allowDestructive: false }),
        after: expect.objectContaining({ allowDestructive: true }),
      }),
    )
  })
})
