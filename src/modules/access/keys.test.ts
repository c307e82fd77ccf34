// API keys, through the endpoint: created, shown once, limited to what their maker may do, rotated, revoked.

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { administratorKey, ask, refusal, run, unique } from '../../../test/testkit/client.ts'
import { inside } from '../../../test/testkit/inside.ts'
import { countStatements, services } from '../../../test/testkit/service.ts'
import { everyScope, newPerson, newWorld, type Person } from '../../../test/testkit/world.ts'

const KEY_FIELDS = 'id publicId name scopes companyIds expiresAt lastUsedAt revokedAt createdAt portalUser { id email }'
const CREATE = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { clientMutationId key apiKey { ${KEY_FIELDS} } } }`
const ROTATE = `mutation ($input: RotateApiKeyInput!) { rotateApiKey(input: $input) { clientMutationId key apiKey { ${KEY_FIELDS} } } }`
const REVOKE = `mutation ($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { clientMutationId apiKey { ${KEY_FIELDS} } } }`
const KEYS = `query ($userId: ID) { apiKeys(userId: $userId) { ${KEY_FIELDS} } }`
const VIEWER = '{ viewer { id } }'

const newKey = async (by: string, input: Record<string, unknown> = {}) =>
  (await run(by, CREATE, { input: { name: 'Mine', ...input } })).createApiKey

async function seenCompanies(key: string): Promise<string[]> {
  const { companies } = await run(key, '{ companies(limit: 1000) { collection { id } } }')
  return companies.collection.map(({ id }: { id: string }) => id).sort()
}

/** A person who is a member of two companies. */
async function newMemberOfTwo(): Promise<{ person: Person; companyIds: [string, string] }> {
  const [first, second] = [await newWorld(), await newWorld()]
  const { email } = first.owner
  const input = { companyId: second.companyId, email, name: 'x', role: 'READER' }
  await run(
    administratorKey(),
    'mutation ($input: CreatePortalUserInput!) { createPortalUser(input: $input) { portalUser { id } } }',
    { input },
  )
  return { person: first.owner, companyIds: [first.companyId, second.companyId].sort() as [string, string] }
}

describe('a key', () => {
  test('is shown once and kept as a SHA-256 hash only', async () => {
    const { owner } = await newWorld()

    const made = await newKey(owner.key, { clientMutationId: 'c' })

    const { db } = await inside()
    const { rows } = await sql<{ hash: Buffer; whole: string }>`
      select hash, k::text as whole from api_key k where id = ${made.apiKey.id}`.execute(db)
    const listed = JSON.stringify(await run(owner.key, KEYS))
    expect(made).toMatchObject({
      clientMutationId: 'c',
      key: expect.stringMatching(/^mrl_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/),
    })
    expect(made.apiKey).toMatchObject({
      name: 'Mine',
      scopes: ['read', 'write'],
      companyIds: null,
      portalUser: { id: owner.id },
    })
    expect(rows[0]?.hash).toEqual(createHash('sha256').update(made.key).digest())
    expect(rows[0]?.whole).not.toContain(made.key.slice(17))
    expect(listed).toContain(made.apiKey.publicId)
    expect(listed).not.toContain(made.key.slice(17))
  })

  test('stands in no table, log or audit record in the clear, nor does it after a retry', async () => {
    const { owner } = await newWorld()

    const answer = await ask(
      owner.key,
      CREATE,
      { input: { name: 'Kept' } },
      { 'idempotency-key': unique('k').replace(' ', '') },
    )

    const secret = answer.data.createApiKey.key.slice(17)
    const nodes = await services()
    const { db } = await inside()
    const { rows: tables } = await sql<{ name: string }>`
      select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`.execute(db)
    for (const { name } of tables) {
      const { rows } = await sql`select 1 from ${sql.raw(name)} t where t::text like ${`%${secret}%`}`.execute(db)
      expect(rows, name).toEqual([])
    }
    expect(nodes.flatMap(({ logged }) => logged).join('')).not.toContain(secret)
  })

  test('that was mistyped is refused without asking the database', async () => {
    const { owner } = await newWorld()
    const last = owner.key.at(-1) === 'a' ? 'b' : 'a'
    const swapped = owner.key.slice(0, 20) + owner.key.at(21) + owner.key.at(20) + owner.key.slice(22)

    const statements = await countStatements(async () => {
      for (const typo of [owner.key.slice(0, -1) + last, swapped, `${owner.key}a`, owner.key.toUpperCase()]) {
        expect((await ask(typo === owner.key ? `${typo}x` : typo, VIEWER)).status).toBe(401)
      }
    })

    expect(statements).toBe(0)
  })

  test('that is unknown is refused like one that is mistyped', async () => {
    const { newKey: makeKey } = await import('./keys.ts')

    const unknown = await refusal(makeKey().key, VIEWER)
    const mistyped = await refusal('mrl_x', VIEWER)

    expect(unknown.message).toBe(mistyped.message)
    expect(unknown.extensions.code).toBe('UNAUTHENTICATED')
  })

  test('ends when it expires', async () => {
    const { owner } = await newWorld()
    const { key, apiKey } = await newKey(owner.key, { expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
    const before = await ask(key, VIEWER)
    const { db } = await inside()
    await sql`update api_key set expires_at = now() where id = ${apiKey.id}`.execute(db)
    for (const { app } of await services()) app.parts.forgetViewers()

    const after = await refusal(key, VIEWER)

    expect([before.status, after.extensions.code]).toEqual([200, 'UNAUTHENTICATED'])
  })

  test('ends with its user', async () => {
    const { owner } = await newWorld()
    const { db } = await inside()
    await sql`update portal_user set disabled_at = now() where id = ${owner.id}`.execute(db)
    for (const { app } of await services()) app.parts.forgetViewers()

    const failure = await refusal(owner.key, VIEWER)

    expect(failure.extensions.code).toBe('UNAUTHENTICATED')
  })

  test('tells when it was last used', async () => {
    const { owner } = await newWorld()
    const { key, apiKey } = await newKey(owner.key)
    await run(key, VIEWER)

    await expect
      .poll(
        async () => (await run(owner.key, KEYS)).apiKeys.find(({ id }: { id: string }) => id === apiKey.id).lastUsedAt,
      )
      .toMatch(/^\d{4}-.*Z$/)
  })

  test.each([
    ['no name', { name: ' ' }, 'input.name'],
    ['a name that is too long', { name: 'x'.repeat(201) }, 'input.name'],
    ['an unknown scope', { scopes: ['read', 'root'] }, 'input.scopes'],
    ['an expiry that has passed', { expiresAt: '2020-01-01' }, 'input.expiresAt'],
    ['a company id that is none', { companyIds: ['x'] }, 'input.companyIds.0'],
  ])('cannot be made with %s', async (_, input, argument) => {
    const { owner } = await newWorld()

    const failure = await refusal(owner.key, CREATE, { input: { name: 'Mine', ...input } })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
  })
})

describe('a key makes no key that reaches further', () => {
  test('in scopes', async () => {
    const { companyId } = await newWorld()
    const person = await newPerson(companyId, 'OWNER', ['read', 'write', 'audit:read'])

    const beyond = await refusal(person.key, CREATE, { input: { name: 'x', scopes: ['read', 'secrets:manage'] } })
    const within = await newKey(person.key, { scopes: ['audit:read', 'read'] })

    expect(beyond.extensions.code).toBe('FORBIDDEN')
    expect(within.apiKey.scopes).toEqual(['read', 'audit:read'])
  })

  test('in companies, even when none are named', async () => {
    const { person, companyIds } = await newMemberOfTwo()
    const held = await newKey(person.key, { companyIds: [companyIds[0]] })

    const unnamed = await newKey(held.key)
    const foreign = await refusal(held.key, CREATE, { input: { name: 'x', companyIds: [companyIds[1]] } })
    const missing = await refusal(held.key, CREATE, { input: { name: 'x', companyIds: ['999999999'] } })

    expect(await seenCompanies(person.key)).toEqual(companyIds)
    expect(await seenCompanies(held.key)).toEqual([companyIds[0]])
    expect(await seenCompanies(unnamed.key)).toEqual([companyIds[0]])
    expect(foreign.message.replace(companyIds[1], '#')).toBe(missing.message.replace('999999999', '#'))
  })

  test('by rotating a stronger one of the same user', async () => {
    const { person, companyIds } = await newMemberOfTwo()
    const strong = await newKey(person.key, { scopes: everyScope })
    const fewScopes = await newKey(person.key, { scopes: ['read', 'write'] })
    const oneCompany = await newKey(person.key, { scopes: everyScope, companyIds: [companyIds[0]] })

    const byFew = await refusal(fewScopes.key, ROTATE, { input: { id: strong.apiKey.id } })
    const byHeld = await refusal(oneCompany.key, ROTATE, { input: { id: strong.apiKey.id } })

    expect([byFew.extensions.code, byHeld.extensions.code]).toEqual(['FORBIDDEN', 'FORBIDDEN'])
    expect((await ask(strong.key, VIEWER)).status).toBe(200)
  })

  test('by reading alone', async () => {
    const { companyId } = await newWorld()
    const reader = await newPerson(companyId, 'OWNER', ['read'])
    const [own] = (await run(reader.key, KEYS)).apiKeys

    const failures = [
      await refusal(reader.key, CREATE, { input: { name: 'x', scopes: ['read'] } }),
      await refusal(reader.key, ROTATE, { input: { id: own.id } }),
      await refusal(reader.key, REVOKE, { input: { id: own.id } }),
    ]

    expect(failures.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'])
  })

  test('for somebody else, unless an administrator does', async () => {
    const [mine, other] = [await newWorld(), await newWorld()]

    const byOwner = await refusal(mine.owner.key, CREATE, { input: { name: 'x', userId: other.owner.id } })
    const byAdministrator = await newKey(administratorKey(), { userId: other.owner.id })

    expect(byOwner.extensions.code).toBe('NOT_FOUND')
    expect(await seenCompanies(byAdministrator.key)).toEqual([other.companyId])
  })

  test('of an administrator held to a company sees that company and administers nothing', async () => {
    const { companyId } = await newWorld()

    const { key } = await newKey(administratorKey(), { companyIds: [companyId], scopes: everyScope })

    const create = 'mutation { createCompany(input: { label: "x" }) { company { id } } }'
    expect(await seenCompanies(key)).toEqual([companyId])
    expect((await refusal(key, create)).extensions.code).toBe('FORBIDDEN')
  })
})

describe('keys of others', () => {
  test('are neither listed nor changed, and look like keys that do not exist', async () => {
    const [mine, other] = [await newWorld(), await newWorld()]
    const [theirs] = (await run(other.owner.key, KEYS)).apiKeys

    for (const operation of [ROTATE, REVOKE]) {
      const foreign = await refusal(mine.owner.key, operation, { input: { id: theirs.id } })
      const missing = await refusal(mine.owner.key, operation, { input: { id: '999999999' } })
      expect(foreign.extensions.code).toBe('NOT_FOUND')
      expect(foreign.message.replace(theirs.id, '#')).toBe(missing.message.replace('999999999', '#'))
    }
    expect((await refusal(mine.owner.key, KEYS, { userId: other.owner.id })).extensions.code).toBe('NOT_FOUND')
    expect((await run(administratorKey(), KEYS, { userId: other.owner.id })).apiKeys).toHaveLength(1)
  })
})

describe('rotation and revocation', () => {
  test('a rotated key ends at once and the new one has its reach', async () => {
    const { companyId, owner } = await newWorld()
    const old = await newKey(owner.key, { scopes: ['read'], companyIds: [companyId] })

    const { rotateApiKey: next } = await run(owner.key, ROTATE, { input: { id: old.apiKey.id, clientMutationId: 'r' } })

    expect((await refusal(old.key, VIEWER)).extensions.code).toBe('UNAUTHENTICATED')
    expect((await run(next.key, VIEWER)).viewer.id).toBe(owner.id)
    expect(next).toMatchObject({
      clientMutationId: 'r',
      apiKey: { scopes: ['read'], companyIds: [companyId], revokedAt: null },
    })
    expect((await refusal(owner.key, ROTATE, { input: { id: old.apiKey.id } })).extensions.code).toBe('CONFLICT')
  })

  test('a key may rotate itself', async () => {
    const { owner } = await newWorld()
    const { key, apiKey } = await newKey(owner.key)

    const { rotateApiKey: next } = await run(key, ROTATE, { input: { id: apiKey.id } })

    expect((await ask(key, VIEWER)).status).toBe(401)
    expect((await ask(next.key, VIEWER)).status).toBe(200)
  })

  test('a key that has expired is not rotated', async () => {
    const { owner } = await newWorld()
    const { apiKey } = await newKey(owner.key)
    const { db } = await inside()
    await sql`update api_key set expires_at = now() where id = ${apiKey.id}`.execute(db)

    const failure = await refusal(owner.key, ROTATE, { input: { id: apiKey.id } })

    expect(failure.extensions.code).toBe('CONFLICT')
  })

  test('revoking twice keeps the first time', async () => {
    const { owner } = await newWorld()
    const { apiKey } = await newKey(owner.key)

    const first = await run(owner.key, REVOKE, { input: { id: apiKey.id } })
    const second = await run(owner.key, REVOKE, { input: { id: apiKey.id } })

    expect(first.revokeApiKey.apiKey.revokedAt).toMatch(/Z$/)
    expect(second.revokeApiKey.apiKey.revokedAt).toBe(first.revokeApiKey.apiKey.revokedAt)
  })

  test.each([
    ['plainly', {}],
    ['under an Idempotency-Key', { 'idempotency-key': unique('revoke').replace(' ', '-') }],
  ])('no call succeeds after a revocation was answered, of fifty callers at work, %s', async (_, headers) => {
    const { owner } = await newWorld()
    const { key, apiKey } = await newKey(owner.key)
    let isAnswered = false
    let before = 0
    let after = 0
    let refused = 0
    let isOver = false
    const workers = Array.from({ length: 50 }, async () => {
      while (!isOver) {
        const startedAfter = isAnswered
        const { status } = await ask(key, VIEWER)
        if (status === 200 && startedAfter) after += 1
        if (status !== 200 && startedAfter) refused += 1
        if (status === 200 && !startedAfter) before += 1
      }
    })

    await ask(owner.key, REVOKE, { input: { id: apiKey.id } }, headers)
    isAnswered = true
    await ask(key, VIEWER)
    await expect.poll(() => refused + after).toBeGreaterThan(200)
    isOver = true
    await Promise.all(workers)

    expect(before).toBeGreaterThan(0)
    expect(after).toBe(0)
  })
})
