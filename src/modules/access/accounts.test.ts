// Disabling and enabling users, through the endpoint.

import { describe, expect, test } from 'vitest'
import { administratorKey, ask, refusal, run } from '../../../test/testkit/client.ts'
import { newPerson, newWorld } from '../../../test/testkit/world.ts'

describe('a user', () => {
  const DISABLE = 'mutation ($id: ID!) { disablePortalUser(input: { id: $id }) { portalUser { id disabledAt } } }'
  const ENABLE = 'mutation ($id: ID!) { enablePortalUser(input: { id: $id }) { portalUser { id disabledAt } } }'

  test('a disabled user is shut out with every key once that is answered, and let in again with the same keys', async () => {
    const { owner } = await newWorld()
    const { createApiKey } = await run(owner.key, 'mutation { createApiKey(input: { name: "Another" }) { key } }')
    const keys = [owner.key, createApiKey.key]
    for (const key of keys) await run(key, '{ viewer { id } }')

    const { disablePortalUser } = await run(administratorKey(), DISABLE, { id: owner.id })
    const shutOut = await Promise.all(keys.map((key) => ask(key, '{ viewer { id } }')))
    const { enablePortalUser } = await run(administratorKey(), ENABLE, { id: owner.id })
    const again = await Promise.all(keys.map((key) => ask(key, '{ viewer { id disabledAt } }')))

    expect(disablePortalUser.portalUser).toEqual({ id: owner.id, disabledAt: expect.stringMatching(/Z$/) })
    expect(shutOut.map(({ errors }) => errors[0]?.extensions.code)).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED'])
    expect(enablePortalUser.portalUser).toEqual({ id: owner.id, disabledAt: null })
    expect(again.map(({ data }) => data.viewer)).toEqual(keys.map(() => ({ id: owner.id, disabledAt: null })))
  })

  test('is disabled by an administrator alone, not by an owner, and not by itself', async () => {
    const { companyId, owner } = await newWorld()
    const member = await newPerson(companyId, 'READER')
    const { viewer } = await run(administratorKey(), '{ viewer { id } }')

    const byOwner = [
      await refusal(owner.key, DISABLE, { id: member.id }),
      await refusal(owner.key, ENABLE, { id: '1' }),
    ]
    const itself = await refusal(administratorKey(), DISABLE, { id: viewer.id })
    const nobody = await refusal(administratorKey(), DISABLE, { id: '999999999' })

    expect(byOwner.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN'])
    expect([itself, nobody].map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT', 'NOT_FOUND'])
    expect((await ask(member.key, '{ viewer { id } }')).errors).toEqual([])
  })

  test('that is disabled twice keeps the first time', async () => {
    const { owner } = await newWorld()

    const first = await run(administratorKey(), DISABLE, { id: owner.id })
    const second = await run(administratorKey(), DISABLE, { id: owner.id })

    expect(second).toEqual(first)
  })
})
