// Refusals about users and keys, sentence by sentence, and what is only just allowed.

import { describe, expect, test } from 'vitest'
import { administratorKey, refusal, run, unique } from '../../../test/testkit/client.ts'
import { newPerson, newWorld } from '../../../test/testkit/world.ts'

const CREATE_KEY =
  'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key apiKey { id name scopes companyIds expiresAt } } }'
const ROTATE =
  'mutation ($id: ID!) { rotateApiKey(input: { id: $id }) { key apiKey { id name scopes companyIds expiresAt } } }'
const REVOKE = 'mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }'
const KEYS = 'query ($userId: ID) { apiKeys(userId: $userId) { id } }'
const CREATE_USER =
  'mutation ($input: CreatePortalUserInput!) { createPortalUser(input: $input) { portalUser { id email name } } }'
const ACCESS =
  'mutation ($input: UpdatePortalUserAccessInput!) { updatePortalUserAccess(input: $input) { portalUserAccess { role } } }'

const NOBODY = '999999999'

/** Code and sentence of a refusal. */
async function said(key: string, query: string, variables: Record<string, unknown>): Promise<string> {
  const { message, extensions } = await refusal(key, query, variables)
  return `${extensions.code}: ${message}`
}

describe('a new key', () => {
  const refused: [string, Record<string, unknown>, string][] = [
    ['without a name', { name: ' ' }, 'BAD_USER_INPUT: name has 1 to 200 characters'],
    ['with too long a name', { name: 'x'.repeat(201) }, 'BAD_USER_INPUT: name has 1 to 200 characters'],
    ['that has ended', { expiresAt: '2020-01-01T00:00:00Z' }, 'BAD_USER_INPUT: expiresAt is in the past'],
    ['for somebody else', { userId: NOBODY }, `NOT_FOUND: The user ${NOBODY} was not found`],
  ]

  test.each(refused)('%s is refused', async (_, input, sentence) => {
    const { owner } = await newWorld()

    expect(await said(owner.key, CREATE_KEY, { input: { name: 'A key', ...input } })).toBe(sentence)
  })

  test('for nobody is refused to an administrator too, and so is a scope that does not exist', async () => {
    const nobody = await said(administratorKey(), CREATE_KEY, { input: { name: 'x', userId: NOBODY } })
    const scope = await said(administratorKey(), CREATE_KEY, { input: { name: 'x', scopes: ['read', 'all'] } })

    expect(nobody).toBe(`NOT_FOUND: The user ${NOBODY} was not found`)
    expect(scope).toMatch(/^BAD_USER_INPUT: There is no scope all; there are read, write, issues:decide, /)
  })

  test('is held by an administrator to companies that there are, or to none', async () => {
    const { companyId } = await newWorld()
    const held = (companyIds: string[]) => ({ input: { name: 'x', companyIds } })

    const missing = await said(administratorKey(), CREATE_KEY, held([companyId, NOBODY]))
    const { createApiKey: toOne } = await run(administratorKey(), CREATE_KEY, held([companyId]))
    const { createApiKey: toNone } = await run(administratorKey(), CREATE_KEY, held([]))

    expect(missing).toBe(`NOT_FOUND: The company ${NOBODY} was not found`)
    expect(toOne.apiKey.companyIds).toEqual([companyId])
    expect(toNone.apiKey.companyIds).toEqual([])
  })

  test('has the longest name, the latest end and its own user as they were given', async () => {
    const { owner } = await newWorld()
    const [name, expiresAt] = ['x'.repeat(200), '2999-01-01T00:00:00.000Z']

    const { createApiKey } = await run(owner.key, CREATE_KEY, { input: { name, expiresAt, userId: owner.id } })

    expect(createApiKey.apiKey).toMatchObject({ name, expiresAt: expect.stringMatching(/^2999-01-01T00:00:00/) })
  })

  test('by a key without a scope says which', async () => {
    const { companyId } = await newWorld()
    const { key } = await newPerson(companyId, 'OWNER', ['read', 'write'])

    const sentence = await said(key, CREATE_KEY, { input: { name: 'x', scopes: ['audit:read'] } })

    expect(sentence).toBe('FORBIDDEN: A key cannot give the scope audit:read that it does not have')
  })
})

describe('a rotation', () => {
  test('of a key that ends later keeps name, scopes, companies and end', async () => {
    const { companyId, owner } = await newWorld()
    const input = { name: 'Kept', scopes: ['read'], companyIds: [companyId], expiresAt: '2999-01-01T00:00:00.000Z' }
    const old = (await run(owner.key, CREATE_KEY, { input })).createApiKey.apiKey

    const { rotateApiKey } = await run(owner.key, ROTATE, { id: old.id })

    expect(rotateApiKey.apiKey).toEqual({ ...old, id: expect.any(String) })
    expect(rotateApiKey.apiKey.id).not.toBe(old.id)
  })

  test('says why not: revoked, beyond the scopes, beyond the companies, nobody’s', async () => {
    const { companyId, owner } = await newWorld()
    const make = async (input: Record<string, unknown>) =>
      (await run(owner.key, CREATE_KEY, { input: { name: 'x', ...input } })).createApiKey
    const [revoked, strong, wide] = [
      await make({}),
      await make({ scopes: ['read', 'write', 'audit:read'] }),
      await make({}),
    ]
    const held = await make({ companyIds: [companyId] })
    await run(owner.key, REVOKE, { id: revoked.apiKey.id })

    const sentences = [
      await said(owner.key, ROTATE, { id: revoked.apiKey.id }),
      await said(held.key, ROTATE, { id: strong.apiKey.id }),
      await said(held.key, ROTATE, { id: wide.apiKey.id }),
      await said(owner.key, ROTATE, { id: NOBODY }),
      await said(owner.key, REVOKE, { id: NOBODY }),
    ]

    expect(sentences).toEqual([
      'CONFLICT: The key is revoked already',
      'FORBIDDEN: A key cannot rotate one with the scope audit:read, which it does not have',
      'FORBIDDEN: A key cannot rotate one that sees more companies than it does',
      `NOT_FOUND: The API key ${NOBODY} was not found`,
      `NOT_FOUND: The API key ${NOBODY} was not found`,
    ])
  })

  test('by a key that is held to companies reaches the keys that are held to them or to fewer', async () => {
    const { companyId, owner } = await newWorld()
    const input = { name: 'x', companyIds: [companyId] }
    const [by, of] = [await run(owner.key, CREATE_KEY, { input }), await run(owner.key, CREATE_KEY, { input })]

    const { rotateApiKey } = await run(by.createApiKey.key, ROTATE, { id: of.createApiKey.apiKey.id })

    expect(rotateApiKey.apiKey.companyIds).toEqual([companyId])
  })
})

describe('a key that ends', () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

  test('gives no other key more time than it has itself', async () => {
    const { owner } = await newWorld()
    const expiresAt = inAnHour()
    const make = async (by: string, more: object) =>
      (await run(by, CREATE_KEY, { input: { name: 'x', ...more } })).createApiKey
    const ending = await make(owner.key, { expiresAt })
    const lasting = await make(owner.key, {})

    const unsaid = await make(ending.key, {})
    const sentences = [
      await said(ending.key, CREATE_KEY, { input: { name: 'x', expiresAt: '2999-01-01T00:00:00Z' } }),
      await said(ending.key, ROTATE, { id: lasting.apiKey.id }),
    ]

    expect(unsaid.apiKey.expiresAt).toBe(ending.apiKey.expiresAt)
    expect(sentences).toEqual([
      `FORBIDDEN: A key cannot give more time than its own, until ${ending.apiKey.expiresAt}`,
      `FORBIDDEN: A key cannot rotate one that outlives it: it ends at ${ending.apiKey.expiresAt}`,
    ])
  })
})

describe('a narrow key', () => {
  test('neither lists nor ends a key of its user that can do more, and ends itself', async () => {
    const { companyId, owner } = await newWorld()
    const make = async (more: object) =>
      (await run(owner.key, CREATE_KEY, { input: { name: 'x', ...more } })).createApiKey
    const narrow = await make({ companyIds: [companyId] })
    const wide = await make({})
    const strong = await make({ companyIds: [companyId], scopes: ['read', 'audit:read'] })

    const listed = (await run(narrow.key, '{ apiKeys { id } }')).apiKeys.map(({ id }: { id: string }) => id)
    const sentences = [
      await said(narrow.key, REVOKE, { id: wide.apiKey.id }),
      await said(narrow.key, REVOKE, { id: strong.apiKey.id }),
    ]
    const { revokeApiKey } = await run(narrow.key, REVOKE, { id: narrow.apiKey.id })

    expect(listed).toEqual([strong.apiKey.id, narrow.apiKey.id])
    expect(sentences).toEqual([
      'FORBIDDEN: A key cannot revoke one that sees more companies than it does',
      'FORBIDDEN: A key cannot revoke one with the scope audit:read, which it does not have',
    ])
    expect(revokeApiKey.apiKey.id).toBe(narrow.apiKey.id)
  })
})

describe('keys of somebody', () => {
  test('are not listed to others, and an administrator of some companies is one of them', async () => {
    const [mine, other] = [await newWorld(), await newWorld()]
    const input = { name: 'x', companyIds: [mine.companyId], scopes: ['read'] }
    const { createApiKey } = await run(administratorKey(), CREATE_KEY, { input })

    const sentences = [
      await said(mine.owner.key, KEYS, { userId: other.owner.id }),
      await said(createApiKey.key, KEYS, { userId: other.owner.id }),
    ]

    const sentence = `NOT_FOUND: The user ${other.owner.id} was not found`
    expect(sentences).toEqual([sentence, sentence])
    expect((await run(mine.owner.key, KEYS, { userId: mine.owner.id })).apiKeys).toHaveLength(1)
  })
})

describe('a new member', () => {
  const address = () => `${unique('member').replace(' ', '-')}@example.test`

  test.each([
    ['without an @', { email: 'nobody' }, 'email is not an address'],
    ['with two', { email: 'a@b@c' }, 'email is not an address'],
    ['with a sign whose small letter is another’s', { email: 'mi\u212Ae@example.test' }, 'email is not an address'],
    ['with white space', { email: 'a b@c' }, 'email is not an address'],
    ['that is too long', { email: `${'a'.repeat(309)}@example.test` }, 'email is not an address'],
    ['of nobody', { email: '@example.test' }, 'email is not an address'],
    ['of nowhere', { email: 'somebody@' }, 'email is not an address'],
    ['and no name', { name: ' ' }, 'name has 1 to 200 characters'],
    ['and too long a name', { name: 'x'.repeat(201) }, 'name has 1 to 200 characters'],
  ])('with an address %s is refused', async (_, input, sentence) => {
    const { companyId, owner } = await newWorld()
    const whole = { companyId, email: address(), name: 'A member', role: 'READER', ...input }

    expect(await said(owner.key, CREATE_USER, { input: whole })).toBe(`BAD_USER_INPUT: ${sentence}`)
  })

  test('has the longest name and address, without the white space around them', async () => {
    const { companyId, owner } = await newWorld()
    const email = `${address().replace('@example.test', '').padEnd(307, 'a')}@example.test`
    const name = 'x'.repeat(200)

    const { createPortalUser } = await run(owner.key, CREATE_USER, {
      input: { companyId, email: ` ${email} `, name: ` ${name} `, role: 'READER' },
    })

    expect(email).toHaveLength(320)
    expect(createPortalUser.portalUser).toMatchObject({ email, name })
  })

  test('twice is said with the address, and a change of who is none with the id', async () => {
    const { companyId, owner } = await newWorld()
    const member = await newPerson(companyId, 'READER')

    const twice = await said(owner.key, CREATE_USER, {
      input: { companyId, email: member.email, name: 'x', role: 'READER' },
    })
    const nobody = await said(owner.key, ACCESS, { input: { companyId, id: NOBODY, role: 'READER' } })

    expect(twice).toBe(`CONFLICT: ${member.email} is a member of this company already`)
    expect(nobody).toBe(`NOT_FOUND: The user ${NOBODY} was not found`)
  })
})
