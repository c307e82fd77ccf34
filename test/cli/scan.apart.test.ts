// `merlon scan` as a person runs it: against a small service, with a description and two people, in each form of output.

import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, describe as group, test } from 'vitest'
import { BLOCKED, REFUSED, WRONG_USE } from '../../src/cli/exit.ts'
import { describe, type Handler, serving } from '../scanner/tiny.ts'
import { merlon } from './command.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'merlon-scan-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const orders: Record<string, { id: string; owner: string; address: string }> = {
  '7': { id: '7', owner: 'user-a', address: 'Tulip Street 4, Elsewhere' },
  '8': { id: '8', owner: 'user-b', address: 'Rose Lane 9, Somewhere' },
}

/** Each sees their own orders in the list, and anybody's by its number. */
const shop: Handler = ({ path, user }) => {
  if (user === null) return [401, {}]
  if (path === '/me') return [200, { name: `user-${user}` }]
  if (path === '/orders') return [200, Object.values(orders).filter(({ owner }) => owner === `user-${user}`)]
  const order = orders[path.split('/').at(-1) ?? '']
  return order ? [200, order] : [404, {}]
}

const description = describe({ 'GET /me': {}, 'GET /orders': {}, 'GET /orders/{id}': { path: { id: '7' } } })

const words = async (url: string, ...more: string[]): Promise<string[]> => [
  'scan',
  url,
  '--schema',
  await file('openapi.json', description),
  '--no-browser',
  '--check',
  'object-access',
  '--check',
  'content-type-options-missing',
  ...more,
]

const twoPeople = async () => [
  '--identity',
  await file('a.json', { bearer: 'a-token' }),
  '--identity',
  await file('b.json', { bearer: 'b-token' }),
]

group('merlon scan', () => {
  test('takes two people whose files name nobody, and tells what one sees of the other', async () => {
    const ended = await serving(shop, async (url) =>
      merlon(await words(url, ...(await twoPeople()), '--output', 'json', '--fail-on', 'medium')),
    )

    const outcome = JSON.parse(ended.out)
    expect(ended.code).toBe(BLOCKED)
    expect(outcome.state).toBe('COMPLETED')
    expect(outcome.findings.map((one: { check: string }) => one.check)).toContain('object-access')
    expect(ended.out).not.toContain('a-token')
  })

  test('takes the description from the address that hands it out', async () => {
    const told: Handler = (asked) => (asked.path === '/openapi.json' ? [200, description] : shop(asked))
    const ended = await serving(told, async (url) =>
      merlon([
        ...['scan', url, '--schema', `${url}/openapi.json`, '--no-browser', '--check', 'object-access'],
        ...[...(await twoPeople()), '--output', 'json'],
      ]),
    )

    expect(JSON.parse(ended.out).operations).toContain('GET /orders/{id}')
  })

  test('says what is wrong with a description that is not handed out, and with a word of an identity that it does not know', async () => {
    const [gone, unknown] = await serving(shop, async (url) => [
      await merlon(['scan', url, '--schema', `${url}/openapi.json`, '--header', 'Authorization: Bearer a-token']),
      await merlon(['scan', url, '--identity', await file('form.json', { login: { type: 'TOKEN', url, form: {} } })]),
    ])

    expect(gone.code).toBe(WRONG_USE)
    expect(gone.err).toContain('/openapi.json answered 4')
    expect(unknown.code).toBe(WRONG_USE)
    expect(unknown.err).toContain('form')
  })

  test('refuses a fingerprint that is none before anything is asked', async () => {
    const ended = await serving(shop, async (url) => merlon(await words(url, '--certificate', 'ab:cd')))

    expect(ended.code).toBe(WRONG_USE)
    expect(ended.err).toContain('64 hexadecimal digits')
  })

  test('refuses a certificate without a description that it could be of', async () => {
    const ended = await serving(shop, (url) => merlon(['scan', url, '--certificate', 'any']))

    expect(ended.code).toBe(WRONG_USE)
    expect(ended.err).toContain('https address in --schema')
  })

  test('writes SARIF that names its rules, with the exchange of each result', async () => {
    const ended = await serving(shop, async (url) =>
      merlon(await words(url, ...(await twoPeople()), '--output', 'sarif')),
    )

    const [run] = JSON.parse(ended.out).runs
    expect(ended.code).toBe(0)
    expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toContain('object-access')
    expect(run.results[0].webRequest).toBeDefined()
    expect(run.invocations[0].exitCodeDescription).toBe('COMPLETED')
  })

  test('tells a person what it found, how to see it again and what was left out', async () => {
    const withDelete = describe({ 'GET /me': {}, 'DELETE /orders/{id}': { path: { id: '7' } } })
    const schema = await file('delete.json', withDelete)

    const ended = await serving(shop, async (url) =>
      merlon([...(await words(url)), '--schema', schema, '--header', 'Authorization: Bearer a-token']),
    )

    expect(ended.code).toBe(0)
    expect(ended.out).toContain('curl -sSik')
    expect(ended.out).toContain('1 operation was not scanned: it is destructive, which this scan does not allow')
  })

  test('ends by name for a target that is not there, and refuses what it cannot read', async () => {
    const gone = await merlon(await words('http://127.0.0.1:9/'))
    const address = await merlon(['scan', 'ftp://127.0.0.1/'])
    const identity = await merlon(await words('http://127.0.0.1:9/', '--identity', await file('bad.json', '{')))
    const listener = await merlon(await words('http://127.0.0.1:9/', '--listen', 'here:0-1'))

    expect([gone.code, gone.out]).toEqual([REFUSED, expect.stringContaining('the target never responded')])
    expect([address.code !== 0, address.err]).toEqual([
      true,
      expect.stringContaining('is not an http or https address'),
    ])
    expect([identity.code !== 0, identity.err]).toEqual([true, expect.stringContaining('bad.json is not JSON')])
    expect([listener.code !== 0, listener.err]).toEqual([true, expect.stringContaining('--listen takes')])
  })

  test('refuses a check, a severity or a description that there is not, and names those near it', async () => {
    const check = await merlon(['scan', 'http://127.0.0.1:9/', '--check', 'sql-injection-eror'])
    const severity = await merlon(['scan', 'http://127.0.0.1:9/', '--fail-on', 'nope'])
    const readme = await merlon(['scan', 'http://127.0.0.1:9/', '--schema', await file('README.md', '# A shop')])

    expect(check).toMatchObject({
      code: WRONG_USE,
      err: 'There is no check sql-injection-eror; did you mean sql-injection-error?\n',
    })
    expect(severity).toMatchObject({
      code: WRONG_USE,
      out: '',
      err: '--fail-on nope is not one of NOTIFICATION, LOW, MEDIUM, HIGH, CRITICAL\n',
    })
    expect(readme).toMatchObject({
      code: WRONG_USE,
      err: expect.stringMatching(
        /README\.md: the API description is not in a known format; the supported formats are OpenAPI, /,
      ),
    })
  })

  test.each<[string, string, (id: number) => void]>([
    ['is interrupted', 'CANCELED', (id) => process.kill(id, 'SIGINT')],
    ['whose process is killed', 'FAILED', (id) => killChildren(id)],
  ])('of which one %s ends as %s, with what it found', async (_, state, end) => {
    let running = 0
    let asked = 0
    const slow: Handler = async (one) => {
      asked += 1
      if (asked === 10) end(running)
      if (asked >= 10) await sleep(200)
      return shop(one)
    }

    const ended = await serving(slow, async (url) =>
      merlon([...(await words(url)), '--check', 'sql-injection-error', '--output', 'json', ...(await twoPeople())], {
        onStart: ({ pid = 0 }) => {
          running = pid
        },
      }),
    )

    const outcome = JSON.parse(ended.out)
    expect(outcome.state).toBe(state)
    expect(outcome.findings.length).toBeGreaterThan(0)
    expect(ended.code).toBe(REFUSED)
  })
})

/** The processes that the command itself began. */
function killChildren(id: number): void {
  const children = readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').split(' ').filter(Boolean)
  for (const child of children) process.kill(Number(child), 'SIGKILL')
}
