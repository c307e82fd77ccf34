// Users, memberships and audit records, through the endpoint.

import { describe, expect, test } from 'vitest'
import { administratorKey, ask, refusal, run, unique } from '../../../test/testkit/client.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { newPerson, newWorld } from '../../../test/testkit/world.ts'

const CREATE = `mutation ($input: CreatePortalUserInput!) {
  createPortalUser(input: $input) { clientMutationId portalUser { id name email isAdministrator createdAt } } }`
const ACCESS = `mutation ($input: UpdatePortalUserAccessInput!) {
  updatePortalUserAccess(input: $input) { clientMutationId portalUserAccess { role company { id } portalUser { id email } } } }`
const USERS = `query ($companyId: ID!, $search: String, $pagination: PaginationInput) { portalUsers(companyId: $companyId, search: $search, pagination: $pagination) {
  collection { id name email profile(companyId: $companyId) { id role } }
  metadata { currentPage limitValue totalCount totalPages endCursor } } }`
const PROFILE = `query ($companyId: ID!, $id: ID) {
  portalUserProfile(companyId: $companyId, id: $id) { id name email profile(companyId: $companyId) { id role } } }`
const AUDIT = `query ($companyId: ID!, $search: String, $pagination: PaginationInput) { auditRecords(companyId: $companyId, search: $search, pagination: $pagination) {
  collection { id at keyPublicId address requestId operation object before after portalUser { id } }
  metadata { totalCount endCursor } } }`
const COMPANY = 'query ($id: ID!) { company(id: $id) { id } }'

const address = () => `${unique('someone').replace(' ', '.')}@example.test`

describe('users of a company', () => {
  test('the viewer is the user behind the key', async () => {
    const { owner } = await newWorld()

    const { viewer } = await run(owner.key, '{ viewer { id email name isAdministrator createdAt } }')

    expect(viewer).toMatchObject({ id: owner.id, email: owner.email, name: 'A person', isAdministrator: false })
  })

  test('an owner adds a user, who is listed with their role', async () => {
    const { companyId, owner } = await newWorld()
    const email = address()

    const { createPortalUser } = await run(owner.key, CREATE, {
      input: { companyId, email: ` ${email} `, name: ' Ann ', role: 'ANALYST', clientMutationId: 'c' },
    })

    const { portalUsers } = await run(owner.key, USERS, { companyId })
    const { id } = createPortalUser.portalUser
    expect(createPortalUser).toMatchObject({
      clientMutationId: 'c',
      portalUser: { email, name: 'Ann', isAdministrator: false },
    })
    expect(portalUsers.collection[0]).toEqual({ id, name: 'Ann', email, profile: { id, role: 'ANALYST' } })
    expect(portalUsers.metadata).toMatchObject({ currentPage: 1, limitValue: 10, totalCount: 2, totalPages: 1 })
  })

  test('members are found by a part of their name or address, in any case', async () => {
    const { companyId, owner } = await newWorld()
    const email = address()
    await run(owner.key, CREATE, { input: { companyId, email, name: 'Ann Quay', role: 'ANALYST' } })
    const found = async (search: string) =>
      (await run(owner.key, USERS, { companyId, search })).portalUsers.collection.map(
        ({ name }: { name: string }) => name,
      )

    expect(await found('n QUAY')).toEqual(['Ann Quay'])
    expect(await found(email.toUpperCase())).toEqual(['Ann Quay'])
    expect(await found('quay%')).toEqual([])
  })

  test('of ten who add the same address at once one does, and the others are conflicts', async () => {
    const { companyId, owner } = await newWorld()
    const input = { companyId, email: address(), name: 'A person', role: 'READER' }

    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(owner.key, CREATE, { input })))

    const codes = answers.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code))
    expect(codes).toEqual(Array(9).fill('CONFLICT'))
  })

  test('a user of another company is added as the same user, whatever the case of the address', async () => {
    const [mine, other] = [await newWorld(), await newWorld()]
    const input = { companyId: mine.companyId, email: other.owner.email.toUpperCase(), name: 'Renamed', role: 'READER' }

    const { createPortalUser } = await run(mine.owner.key, CREATE, { input })

    expect(createPortalUser.portalUser).toMatchObject({ id: other.owner.id, name: 'A person' })
    expect((await run(other.owner.key, COMPANY, { id: mine.companyId })).company.id).toBe(mine.companyId)
    expect((await refusal(mine.owner.key, CREATE, { input })).extensions.code).toBe('CONFLICT')
  })

  test.each([
    ['an address that is none', { email: 'someone' }, 'input.email'],
    ['an address with a space', { email: 'a b@example.test' }, 'input.email'],
    ['an address that is too long', { email: `${'a'.repeat(320)}@example.test` }, 'input.email'],
    ['no name', { name: '  ' }, 'input.name'],
    ['a name that is too long', { name: 'x'.repeat(201) }, 'input.name'],
    ['a role that there is not', { role: 'ROOT' }, 'input.role'],
    ['a company id that is none', { companyId: '-1' }, 'input.companyId'],
  ])('a user cannot be added with %s', async (_, wrong, argument) => {
    const { companyId, owner } = await newWorld()

    const failure = await refusal(owner.key, CREATE, {
      input: { companyId, email: address(), name: 'x', role: 'READER', ...wrong },
    })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
  })

  test.each([
    ['READER', 'FORBIDDEN'],
    ['DEVELOPER', 'FORBIDDEN'],
    ['ANALYST', 'FORBIDDEN'],
    ['OWNER', undefined],
  ])('a member who is %s gets %s for managing members', async (role, code) => {
    const { companyId, owner } = await newWorld()
    const member = await newPerson(companyId, role)

    const change = { input: { companyId, id: owner.id, role: 'ANALYST' } }
    const failed = code
      ? (await refusal(member.key, ACCESS, change)).extensions.code
      : await run(member.key, ACCESS, change)

    expect(code ? failed : undefined).toBe(code)
  })

  test('an owner without the scope members:manage does not manage members', async () => {
    const { companyId } = await newWorld()
    const owner = await newPerson(companyId, 'OWNER', ['read', 'write'])

    const failure = await refusal(owner.key, CREATE, {
      input: { companyId, email: address(), name: 'x', role: 'READER' },
    })

    expect(failure.message).toBe('members:manage requires a key with the scope members:manage')
  })

  test('a changed role counts from the answer on', async () => {
    const { companyId, owner } = await newWorld()
    const member = await newPerson(companyId, 'READER')
    const update = 'mutation ($id: ID!) { updateCompany(input: { id: $id, label: "Renamed" }) { company { id } } }'
    await refusal(member.key, update, { id: companyId })

    const { updatePortalUserAccess } = await run(owner.key, ACCESS, {
      input: { companyId, id: member.id, role: 'OWNER', clientMutationId: 'u' },
    })

    expect(updatePortalUserAccess).toEqual({
      clientMutationId: 'u',
      portalUserAccess: {
        role: 'OWNER',
        company: { id: companyId },
        portalUser: { id: member.id, email: member.email },
      },
    })
    expect((await run(member.key, update, { id: companyId })).updateCompany.company.id).toBe(companyId)
  })

  test('without a role a user leaves the company, even the last owner', async () => {
    const { companyId, owner } = await newWorld()

    const { updatePortalUserAccess } = await run(owner.key, ACCESS, { input: { companyId, id: owner.id } })

    expect(updatePortalUserAccess.portalUserAccess.role).toBeNull()
    expect((await refusal(owner.key, COMPANY, { id: companyId })).extensions.code).toBe('NOT_FOUND')
    expect((await run(administratorKey(), COMPANY, { id: companyId })).company.id).toBe(companyId)
  })

  test('a user of another company and one who does not exist look the same', async () => {
    const [mine, other] = [await newWorld(), await newWorld()]
    const ask = (operation: string, id: string) =>
      refusal(
        mine.owner.key,
        operation,
        operation === PROFILE ? { companyId: mine.companyId, id } : { input: { companyId: mine.companyId, id } },
      )

    for (const operation of [PROFILE, ACCESS]) {
      const foreign = await ask(operation, other.owner.id)
      const missing = await ask(operation, '999999999')
      expect([foreign.extensions.code, missing.extensions.code]).toEqual(['NOT_FOUND', 'NOT_FOUND'])
      expect(foreign.message.replace(other.owner.id, '#')).toBe(missing.message.replace('999999999', '#'))
    }
  })

  test('a foreign company and a missing one look the same in every question', async () => {
    const [mine, other] = [await newWorld(), await newWorld()]

    for (const operation of [USERS, PROFILE, AUDIT]) {
      const foreign = await refusal(mine.owner.key, operation, { companyId: other.companyId })
      const missing = await refusal(mine.owner.key, operation, { companyId: '999999999' })
      expect(foreign.extensions.code).toBe('NOT_FOUND')
      expect(foreign.message.replace(other.companyId, '#')).toBe(missing.message.replace('999999999', '#'))
    }
  })

  test('the profile without an id is the viewer’s own', async () => {
    const { companyId } = await newWorld()
    const member = await newPerson(companyId, 'DEVELOPER')

    const { portalUserProfile } = await run(member.key, PROFILE, { companyId })

    expect(portalUserProfile).toMatchObject({ id: member.id, profile: { role: 'DEVELOPER' } })
  })

  test('a page of users takes as many statements for one as for many', async () => {
    const [few, many] = [await newWorld(), await newWorld()]
    for (let count = 0; count < 8; count += 1) await newPerson(many.companyId, 'READER')
    const pagination = { page: 1, perPage: 100 }
    await run(few.owner.key, USERS, { companyId: few.companyId, pagination })
    await run(many.owner.key, USERS, { companyId: many.companyId, pagination })

    const one = await countStatements(() => run(few.owner.key, USERS, { companyId: few.companyId, pagination }))
    const nine = await countStatements(() => run(many.owner.key, USERS, { companyId: many.companyId, pagination }))

    expect(nine).toBe(one)
  })
})
