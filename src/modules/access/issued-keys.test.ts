// Keys that were issued by another key: which one issued them, and that they end with it when that is asked.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { administratorKey, ask, run } from '../../../test/testkit/client.ts'
import { inside } from '../../../test/testkit/inside.ts'
import { newWorld } from '../../../test/testkit/world.ts'

const CREATE = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key apiKey { id issuedById } } }`
const ROTATE = `mutation ($id: ID!) { rotateApiKey(input: { id: $id }) { key apiKey { id issuedById } } }`
const REVOKE = `mutation ($input: RevokeApiKeyInput!) {
  revokeApiKey(input: $input) { apiKey { id } alsoRevoked { id revokedAt } } }`

type Issued = { key: string; apiKey: { id: string; issuedById: string | null } }

const issue = async (by: string, input: object = {}): Promise<Issued> =>
  (await run(by, CREATE, { input: { name: 'A pipeline', ...input } })).createApiKey

const revoke = async (by: string, id: string, withIssued?: boolean) =>
  (await run(by, REVOKE, { input: { id, withIssued } })).revokeApiKey

const statuses = (...keys: string[]) =>
  Promise.all(keys.map(async (key) => (await ask(key, '{ viewer { id } }')).status))

test('a key says by which one it was issued', async () => {
  const { owner } = await newWorld()

  const child = await issue(owner.key)
  const grandchild = await issue(child.key)

  expect(child.apiKey.issuedById).toMatch(/^\d+$/)
  expect(grandchild.apiKey.issuedById).toBe(child.apiKey.id)
})

test('a key that is revoked with what it issued ends all that came of it, of whomever, and no other', async () => {
  const { owner } = await newWorld()
  const leaked = await issue(owner.key)
  const [child, beside] = [await issue(leaked.key), await issue(owner.key)]
  const grandchild = await issue(child.key)

  const { apiKey, alsoRevoked } = await revoke(owner.key, leaked.apiKey.id, true)

  expect(apiKey.id).toBe(leaked.apiKey.id)
  expect(alsoRevoked).toEqual(
    [child, grandchild].map(({ apiKey: { id } }) => ({ id, revokedAt: expect.stringMatching(/Z$/) })),
  )
  expect(await statuses(leaked.key, child.key, grandchild.key, beside.key, owner.key)).toEqual([
    401, 401, 401, 200, 200,
  ])
})

test('what it issued stays where nobody asks for more', async () => {
  const { owner } = await newWorld()
  const parent = await issue(owner.key)
  const child = await issue(parent.key)

  const { alsoRevoked } = await revoke(owner.key, parent.apiKey.id)

  expect(alsoRevoked).toEqual([])
  expect(await statuses(parent.key, child.key)).toEqual([401, 200])
})

test('a key that an administrator issued for somebody else ends with the administrator’s', async () => {
  const { owner } = await newWorld()
  const administrators = await issue(administratorKey(), { scopes: ['read', 'write'] })
  const given = await issue(administrators.key, { userId: owner.id })

  await revoke(administratorKey(), administrators.apiKey.id, true)

  expect(await statuses(given.key)).toEqual([401])
})

test('the key in the place of a rotated one is issued by the key that asked', async () => {
  const { owner } = await newWorld()
  const [leaked, beside] = [await issue(owner.key), await issue(owner.key)]

  const { rotateApiKey: own } = await run(leaked.key, ROTATE, { id: leaked.apiKey.id })
  const { rotateApiKey: taken } = await run(own.key, ROTATE, { id: beside.apiKey.id })
  const { apiKeys } = await run(owner.key, '{ apiKeys { id issuedById } }')
  await revoke(owner.key, leaked.apiKey.id, true)

  const issuers = new Map(apiKeys.map((key: Issued['apiKey']) => [key.id, key.issuedById]))
  expect(issuers.get(own.apiKey.id)).toBe(leaked.apiKey.id)
  expect(issuers.get(taken.apiKey.id)).toBe(own.apiKey.id)
  expect(await statuses(own.key, taken.key, owner.key)).toEqual([401, 401, 200])
})

test('a key issues none once it is revoked, while other processes still take it for valid', async () => {
  const { owner } = await newWorld()
  const leaked = await issue(owner.key)
  await ask(leaked.key, '{ viewer { id } }')
  const { db } = await inside()
  await sql`update api_key set revoked_at = now() where id = ${leaked.apiKey.id}`.execute(db)

  const { errors } = await ask(leaked.key, CREATE, { input: { name: 'Too late' } })

  expect(errors.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED'])
})

test('keys that are issued all the while end too', async () => {
  const { owner } = await newWorld()
  const leaked = await issue(owner.key)
  const issued: string[] = []
  const thieves = Array.from({ length: 8 }, async () => {
    for (let key = leaked.key; ; ) {
      const { data } = await ask(key, CREATE, { input: { name: 'Another' } })
      if (!data?.createApiKey) return
      key = data.createApiKey.key
      issued.push(key)
    }
  })

  await expect.poll(() => issued.length).toBeGreaterThan(16)
  await revoke(owner.key, leaked.apiKey.id, true)
  await Promise.all(thieves)

  expect(new Set(await statuses(...issued))).toEqual(new Set([401]))
})
