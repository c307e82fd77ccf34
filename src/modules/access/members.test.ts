// The people whom other records name: members of the company alone, however they are named.

import { describe, expect, test } from 'vitest'
import { administratorKey, run } from '../../../test/testkit/client.ts'
import { services } from '../../../test/testkit/service.ts'
import { newPerson, newWorld } from '../../../test/testkit/world.ts'
import type { Context } from '../context.ts'
import { membersAmong, membersByEmail, membersById } from './service.ts'

async function contextOf(): Promise<Context> {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  // of a context the database alone is asked
  return { db: service.app.db } as unknown as Context
}

const refused = (message: string) => expect.objectContaining({ code: 'BAD_USER_INPUT', message, argument: 'input.who' })

describe('by address', () => {
  test('are members whatever the case, each once', async () => {
    const { companyId, owner } = await newWorld()
    const other = await newPerson(companyId, 'READER')
    const named = [owner.email, owner.email.toUpperCase(), other.email.toUpperCase()]

    const members = await membersByEmail(await contextOf(), companyId, named, 'input.who')

    expect(members.map(({ id }) => id).toSorted()).toEqual([owner.id, other.id].toSorted())
  })

  test('that are none are refused, the first of them by its address', async () => {
    const { companyId, owner } = await newWorld()
    const foreign = (await newWorld()).owner
    const named = [owner.email, foreign.email.toUpperCase(), 'nobody@example.test']

    const members = membersByEmail(await contextOf(), companyId, named, 'input.who')

    await expect(members).rejects.toEqual(refused(`${foreign.email} is not a member of this company`))
  })

  test('that may not come in any more, or are no members, are told nothing', async () => {
    const { companyId, owner } = await newWorld()
    const gone = await newPerson(companyId, 'READER')
    const foreign = (await newWorld()).owner
    await run(
      administratorKey(),
      'mutation ($id: ID!) { disablePortalUser(input: { id: $id }) { clientMutationId } }',
      { id: gone.id },
    )
    const { db } = await contextOf()

    const told = await membersAmong(db, companyId, [gone.email, owner.email, foreign.email])

    expect(told).toEqual([owner.email])
  })
})

describe('by id', () => {
  test('are members', async () => {
    const { companyId, owner } = await newWorld()
    const other = await newPerson(companyId, 'READER')

    const members = await membersById(await contextOf(), companyId, [other.id, owner.id], 'input.who')

    expect(members.map(({ email }) => email).toSorted()).toEqual([owner.email, other.email].toSorted())
  })

  test('that are none are refused, the first of them by its id', async () => {
    const { companyId, owner } = await newWorld()
    const foreign = (await newWorld()).owner

    const members = membersById(await contextOf(), companyId, [owner.id, foreign.id, '999999999'], 'input.who')

    await expect(members).rejects.toEqual(refused(`User ${foreign.id} is not a member of this company`))
  })
})

test('nobody is nobody, and is not asked for', async () => {
  const { companyId } = await newWorld()
  // there is no database to ask
  const context = {} as unknown as Context

  const found = [
    await membersByEmail(context, companyId, [], 'input.who'),
    await membersAmong(context.db, companyId, []),
    await membersById(context, companyId, [], 'input.who'),
  ]

  expect(found).toEqual([[], [], []])
})
