// Short passwords: found where an account is made with one, and not where it is refused or where the answer does not tell.

import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

function registration(least: number, isTelling = true) {
  const accounts = new Map<string, string>()
  const handle: Handler = ({ body }) => {
    const { username, password } = Object(body)
    const isTaken = !accounts.has(username) && String(password).length >= least
    if (isTaken) accounts.set(username, password)
    return isTaken || !isTelling ? [201, { message: 'Welcome' }] : [400, { error: 'This is not possible' }]
  }
  return { handle, accounts }
}

const scanned = (handle: Handler) =>
  findingsOf(
    handle,
    ['short-password'],
    { 'POST /register': { body: { username: 'somebody', password: 'tulip-field-7' }, isOpen: true } },
    { profile: 'DEEP' },
  )

test('a password of six characters that makes an account is found, and nobody can guess it', async () => {
  const { handle, accounts } = registration(1)

  const found = await scanned(handle)

  expect(found.map(({ operation, cwes, severity }) => [operation, cwes, severity])).toEqual([
    ['POST /register', [521], 'LOW'],
  ])
  const short = [...accounts.values()].filter((password) => password.length < 8)
  expect(short).toHaveLength(1)
  expect(short[0]).toMatch(/^[A-HJ-NP-Za-km-z2-9]{6}$/)
})

test('a service that asks for eight characters, and one that answers all alike, have no such flaw', async () => {
  expect(await scanned(registration(8).handle)).toEqual([])
  expect(await scanned(registration(1, false).handle)).toEqual([])
})

test('a form that leads on where it is taken is judged by that', async () => {
  const accounts = new Set<unknown>()
  const service =
    (least: number): Handler =>
    ({ method, path, body }) => {
      const form = '<form method=post action=/register><input name=username><input type=password name=password></form>'
      if (path !== '/register' || method !== 'POST') return [200, form]
      const sent = new URLSearchParams(String(body))
      const name = sent.get('username')
      if (accounts.has(name) || (sent.get('password')?.length ?? 0) < least) return [200, `${form} Not possible`]
      accounts.add(name)
      return [302, '', { location: '/welcome' }]
    }
  const scannedAsPages = (handle: Handler) =>
    findingsOf(handle, ['short-password'], {}, { profile: 'DEEP', schema: null, crawl: true, identities: [] })

  expect((await scannedAsPages(service(1))).map(({ cwes }) => cwes)).toEqual([[521]])
  expect(await scannedAsPages(service(8))).toEqual([])
})
