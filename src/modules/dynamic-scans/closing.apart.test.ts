// A flaw that was fixed is closed by two scans that no longer see it, even where the fix changes what a scan meets.

import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { run, upload } from '../../../test/testkit/client.ts'
import { findings, listening, newTarget, SAVE, scanned } from '../../../test/testkit/dynamic-scans.ts'
import { CREATE } from '../../../test/testkit/secrets.ts'

/** Once it is fixed, its forms have tokens, its settings are handed out no more, and it refuses whoever guesses. */
const shop = (isFixed: () => boolean): RequestListener => {
  let guesses = 0
  const token = () => (isFixed() ? '<input type="hidden" name="csrf_token" value="ab12cd34ef56">' : '')
  const form = (action: string, fields: string) =>
    `<html><body><form method="post" action="${action}">${token()}${fields}<button>Go</button></form></body></html>`
  const signIn = form('/signin', '<input name="username"><input type="password" name="password">')
  return async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const sent = new URLSearchParams(Buffer.concat(chunks).toString())
    const { pathname } = new URL(request.url ?? '/', 'http://target.test')
    const answer = (status: number, text: string, type = 'text/html') =>
      response.writeHead(status, { 'content-type': type }).end(text)
    if (pathname === '/.env' && !isFixed()) return answer(200, 'DB_HOST=db\nDB_PASSWORD=Tulip-4-Field\n', 'text/plain')
    if (pathname === '/') return answer(200, `${form('/find', '<input name="q">')}<a href="/signin">Sign in</a>`)
    if (pathname === '/find') {
      const term = sent.get('q') ?? ''
      return answer(200, `<p>${isFixed() ? term.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : term}</p>`)
    }
    if (pathname !== '/signin') return answer(404, 'not here')
    if (request.method === 'GET') return answer(200, signIn)
    guesses += isFixed() ? 1 : 0
    return guesses > 5 ? answer(429, 'Too many attempts') : answer(401, `<p>Wrong password</p>${signIn}`)
  }
}

test('a form that got a token, a file that is handed out no more and guesses that are refused close what was found there', async () => {
  let isFixed = false
  const home = await newTarget(await listening(shop(() => isFixed)))
  const rules = ['cross-site-scripting', 'hidden-file', 'unlimited-guessing']
  const standing = async () =>
    (await findings(home))
      .filter(({ rule }) => rules.includes(rule))
      .map(({ rule, status }) => `${rule} ${status}`)
      .sort()

  await scanned(home)
  const found = await standing()
  isFixed = true
  await scanned(home)
  const afterOne = await standing()
  await scanned(home)

  expect(found).toEqual(rules.map((rule) => `${rule} CREATED`))
  expect(afterOne).toEqual(found)
  expect(await standing()).toEqual(rules.map((rule) => `${rule} FIX_ACCEPTED`))
})

/** Who has a key reads notes, everybody's own or not, and breaks the statement with a quote; nobody else reads any. */
const notes =
  (keys: () => Readonly<Record<string, string>>): RequestListener =>
  (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://target.test')
    const user = keys()[request.headers.authorization?.slice('Bearer '.length) ?? '']
    const [status, answer] =
      user === undefined
        ? [401, { error: 'who are you?' }]
        : pathname === '/notes' && searchParams.get('q')?.includes("'")
          ? [500, { error: 'SQLITE_ERROR: unrecognized token' }]
          : pathname === '/notes'
            ? [200, [{ id: user === 'ann' ? 4711 : 4712, owner: user }]]
            : pathname === '/notes/4711'
              ? [200, { id: 4711, owner: 'ann', text: 'the tulips are to be watered on Thursdays' }]
              : [404, { error: 'no such note' }]
    response.writeHead(Number(status), { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }

const DESCRIBED = {
  openapi: '3.0.3',
  info: { title: 'notes', version: '1' },
  paths: {
    '/notes': { get: { parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }], responses: {} } },
    '/notes/{id}': {
      get: { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }], responses: {} },
    },
  },
}

test('scans that lack the credentials with which something was found close nothing of it', async () => {
  let keys: Record<string, string> = { 'ann-key-1': 'ann', 'bob-key-1': 'bob' }
  const home = await newTarget(await listening(notes(() => keys)))
  const secretOf = async (token: string) => {
    const input = { companyId: home.companyId, name: token, type: 'BEARER_TOKEN', values: { token } }
    return (await run(home.key, CREATE, { input })).createSecret.secret.id
  }
  const [ann, bob] = [await secretOf('ann-key-1'), await secretOf('bob-key-1')]
  const described = { content: JSON.stringify(DESCRIBED), filename: 'openapi.json' }
  const input = { assetId: home.assetId, apiFormat: 'OPENAPI', secretIds: [ann], secondSecretIds: [bob] }
  await upload(home.key, SAVE, { input }, { 'input.apiSchemaSourceFile': described })
  const rules = ['object-access', 'sql-injection-error']
  const standing = async () =>
    (await findings(home))
      .filter(({ rule }) => rules.includes(rule))
      .map(({ rule, status }) => `${rule} ${status}`)
      .sort()
  const twice = async (more: Record<string, unknown>) => {
    await run(home.key, SAVE, { input: { assetId: home.assetId, ...more } })
    await scanned(home)
    return scanned(home)
  }

  await scanned(home)
  const found = await standing()
  await twice({ secondSecretIds: [] })
  const withoutTheSecond = await standing()
  await twice({ secretIds: [] })
  const asNobody = await standing()
  keys = { 'ann-key-2': 'ann', 'bob-key-2': 'bob' }
  const { dynamicScan } = await twice({ secretIds: [ann], secondSecretIds: [bob] })
  const withOldKeys = await standing()

  expect(found).toEqual(rules.map((rule) => `${rule} CREATED`))
  expect([withoutTheSecond, asNobody, withOldKeys]).toEqual([found, found, found])
  expect(dynamicScan.notes).toContainEqual(expect.stringContaining('GET /notes'))
})

test('scans of a target that is down close nothing', async () => {
  let status = 200
  const answer = notes(() => ({ 'ann-key-1': 'ann' }))
  const home = await newTarget(
    await listening((request, response) =>
      status === 200 ? answer(request, response) : response.writeHead(status).end('back soon'),
    ),
  )
  const values = { token: 'ann-key-1' }
  const secret = { companyId: home.companyId, name: 'Ann', type: 'BEARER_TOKEN', values }
  const secretIds = [(await run(home.key, CREATE, { input: secret })).createSecret.secret.id]
  const described = { content: JSON.stringify(DESCRIBED), filename: 'openapi.json' }
  const input = { assetId: home.assetId, apiFormat: 'OPENAPI', secretIds }
  await upload(home.key, SAVE, { input }, { 'input.apiSchemaSourceFile': described })

  await scanned(home)
  const before = await findings(home)
  const notesOf: string[][] = []
  for (status of [503, 500, 404, 403]) notesOf.push((await scanned(home)).dynamicScan.notes)

  expect(before.map(({ rule }) => rule)).toContain('sql-injection-error')
  for (const { id, status } of before)
    expect(await findings(home)).toContainEqual(expect.objectContaining({ id, status }))
  for (const said of notesOf)
    expect(said).toContainEqual(expect.stringContaining('gave its own response to a normal request'))
})
