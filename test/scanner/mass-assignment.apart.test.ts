// Fields that a client must not set: read back changed from a list, and left alone by services with a list of their own.

import { expect, test } from 'vitest'
import { type Described, findingsOf, type Handler, places } from './tiny.ts'

const accounts = (allowed: readonly string[], isEcho = false): Handler => {
  const kept: Record<string, unknown>[] = []
  return ({ method, body, user }) => {
    if (user === null) return [401, {}]
    if (method !== 'POST' || typeof body !== 'object' || body === null) return [200, { items: kept }]
    const taken = Object.fromEntries(Object.entries(body).filter(([name]) => isEcho || allowed.includes(name)))
    kept.push({ isAdmin: false, ...taken })
    return [201, { message: 'made' }]
  }
}
const accountDescription: Described = {
  'GET /accounts': {},
  'POST /accounts': { body: { name: 'dave', motto: 'tea' } },
}

test('a field that a client must not set is found by reading it back from the list', async () => {
  const found = await findingsOf(accounts(['name', 'motto', 'isAdmin']), ['mass-assignment'], accountDescription)

  expect(found.map(({ operation, parameter, cwes }) => [operation, parameter?.name, cwes])).toEqual([
    ['POST /accounts', 'isAdmin', [915]],
  ])
})

test('fields that a list of its own lets through are not found, nor is a store that keeps whatever it is given', async () => {
  const mended = await findingsOf(accounts(['name', 'motto']), ['mass-assignment'], accountDescription)
  const echo = await findingsOf(accounts([], true), ['mass-assignment'], accountDescription)

  expect(mended).toEqual([])
  expect(echo).toEqual([])
})

test('a field that the answer of what makes an account leaves out is found where a list shows it', async () => {
  const asked = async (allowed: readonly string[]) => {
    const store = accounts(allowed)
    const service: Handler = async (one) => {
      const [status, body] = await store(one)
      const { name } = typeof one.body === 'object' && one.body !== null && 'name' in one.body ? one.body : {}
      return status === 201 ? [201, { name, status }] : [status, body]
    }
    return places(await findingsOf(service, ['mass-assignment'], accountDescription))
  }

  expect(await asked(['name', 'motto', 'isAdmin'])).toEqual(['POST /accounts'])
  expect(await asked(['name', 'motto'])).toEqual([])
})

test('a field that the list for everybody leaves out is found where another list shows it', async () => {
  const store = accounts(['name', 'motto', 'isAdmin'])
  const service: Handler = async (asked) => {
    const [status, body] = await store(asked)
    const isShort = asked.method === 'GET' && asked.path === '/accounts'
    if (!isShort || typeof body !== 'object' || body === null || !('items' in body) || !Array.isArray(body.items)) {
      return [status, body]
    }
    return [status, { items: body.items.map(({ name }) => ({ name })) }]
  }

  const found = await findingsOf(service, ['mass-assignment'], { ...accountDescription, 'GET /debug/accounts': {} })

  expect(found.map(({ operation, parameter }) => [operation, parameter?.name])).toEqual([['POST /accounts', 'isAdmin']])
})

/** Answers an update with all that it was sent but the id; `isStored`: and keeps all of it. */
const profile = (isStored: boolean): Handler => {
  let kept: Record<string, unknown> = { id: 'p-77', nickname: 'tea', isAdmin: false }
  return ({ method, path, body, user }) => {
    if (user === null) return [401, {}]
    if (path !== '/profiles/p-77') return [404, {}]
    const { nickname = kept.nickname, ...others } = method === 'PATCH' ? Object(body) : {}
    const more = { ...others, id: kept.id }
    kept = { ...kept, nickname, ...(isStored ? more : {}) }
    return [200, { ...kept, ...more }]
  }
}

test('a right that an update keeps with whatever else it is sent is found, and none that it only repeats', async () => {
  const foundAt = async (isStored: boolean) =>
    places(
      await findingsOf(
        profile(isStored),
        ['mass-assignment'],
        {
          'GET /profiles/{id}': { path: { id: 'p-77' } },
          'PATCH /profiles/{id}': { path: { id: 'p-77' }, body: { id: 'p-77', nickname: 'tea' } },
        },
        { profile: 'DEEP' },
      ),
    )

  expect(await foundAt(true)).toEqual(['PATCH /profiles/{id}'])
  expect(await foundAt(false)).toEqual([])
})
