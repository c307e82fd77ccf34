// Keys that were issued by a key: which one it was, and that they end with it where that is asked.

import { expect, test } from 'vitest'
import { administratorKey, ask, run } from '../../../test/testkit/client.ts'
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
  const administrators = await issue(administratorKey(), { scopes: ['read', 'write', 'admin'] })
  const given = await issue(administrators.key, { userId: owner.id })

  await revoke(administratorKey(), administrators.apiKey.id, true)

  expect(await statuses(given.key)).toEqual([401])
})

test('what a key issued goes to the one that takes its place, which ends with it too', async () => {
  const { owner } = await newWorld()
  const [kept, leaked] = [await issue(owner.key), await issue(owner.key)]
  const children = [await issue(kept.key), await issue(leaked.key)]

  const { rotateApiKey: next } = await run(owner.key, ROTATE, { id: kept.apiKey.id })
  const { rotateApiKey: stolen } = await run(leaked.key, ROTATE, { id: leaked.apiKey.id })
  await revoke(owner.key, next.apiKey.id, true)
  await revoke(owner.key, leaked.apiKey.id, true)

  expect(next.apiKey.issuedById).toBe(kept.apiKey.id)
  expect(await statuses(next.key, stolen.key, ...children.map(({ key }) => key))).toEqual([401, 401, 401, 401])
})
