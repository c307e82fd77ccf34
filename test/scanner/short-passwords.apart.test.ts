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
