// That the vulnerable service is what its list of flaws says: each has a switch, and it runs without rights on the loopback address.

import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { credentials, launch, type Target } from './launch.ts'
import { flaws } from './service.ts'

let broken: Target
let mended: Target

beforeAll(async () => {
  broken = await launch()
  mended = await launch([])
})

afterAll(() => Promise.all([broken.stop(), mended.stop()]))

const signIn = async (target: Target, name: string) => {
  const account = credentials.find((candidate) => candidate.name === name)
  const answer = await fetch(`${target.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: name, password: account?.password }),
  })
  const { token }: { token: string } = JSON.parse(await answer.text())
  return { authorization: `Bearer ${token}` }
}
const textOf = async (target: Target, path: string, headers: Record<string, string> = {}) =>
  (await fetch(`${target.url}${path}`, { headers })).text()

test('at least sixty flaws of at least thirty kinds are listed, each under a name of its own', () => {
  const ids = new Set(flaws.map(({ id }) => id))
  const kinds = new Set(flaws.map(({ cwe }) => cwe))

  expect(ids.size).toBe(flaws.length)
  expect(flaws.length).toBeGreaterThanOrEqual(60)
  expect(kinds.size).toBeGreaterThanOrEqual(30)
})

test('each flaw has a switch that some code asks for', () => {
  const folders = ['test/targets/', 'test/targets/areas/']
  const code = folders
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.ts'))
        .map((name) => folder + name),
    )
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')

  const unused = flaws.filter(({ id }) => !/^(open|any-user):/.test(id) && code.split(`'${id}'`).length < 3)

  expect(unused).toEqual([])
})

test('the service runs without the rights of root, and its commands in a folder of its own', async () => {
  const who = await textOf(broken, '/api/tools/lookup?host=x;id%20-u;pwd')

  expect(who.split('\n')[1]).not.toBe('0')
  expect(who.split('\n')[2]).toContain('merlon-target-')
})

test.each([
  ["/api/products?kind=kitchen'%20or%201=1--%20", 'bicycle'],
  ['/api/documents?name=../../../../../../../../etc/passwd', 'root:'],
  ['/api/people?uid=*)(uid=bob', 'bob'],
  ["/api/badges?uid=x'%20or%20'1'='1", 'alice'],
  ['/api/tools/price?formula=6*7', '42'],
  ['/search?q=<b>bold</b>', '<b>bold</b>'],
  ['/.git/config', '[core]'],
])('what %s does is mended when its flaw is off', async (path, sign) => {
  const wrong = await textOf(broken, path)
  const right = await textOf(mended, path)

  expect(wrong).toContain(sign)
  expect(right).not.toContain(sign)
})

test('what is not theirs is answered to other users until it is mended', async () => {
  const [wrong, right] = await Promise.all([broken, mended].map((target) => signIn(target, 'bob')))

  const seen = await textOf(broken, '/api/orders/1101', wrong)
  const refused = await textOf(mended, '/api/orders/1101', right)

  expect(seen).toContain('teapot')
  expect(refused).not.toContain('teapot')
})

test('a reset forgets what was written', async () => {
  const body = new URLSearchParams({ author: 'x', text: 'to be forgotten' })
  await fetch(`${broken.url}/notes`, { method: 'POST', body })
  const before = await textOf(broken, '/notes')

  await broken.reset()
  const after = await textOf(broken, '/notes')

  expect(before).toContain('to be forgotten')
  expect(after).not.toContain('to be forgotten')
})
