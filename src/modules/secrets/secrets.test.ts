// Secrets, through the endpoint and, for what must not be seen, from inside.

import { describe, expect, test } from 'vitest'
import { type Data, refusal, run } from '../../../test/testkit/client.ts'
import {
  AUDIT,
  CREATE,
  newSecret,
  opened,
  ROTATE,
  SECRET,
  SECRETS,
  samples,
  types,
  UPDATE,
} from '../../../test/testkit/secrets.ts'
import { countSettled } from '../../../test/testkit/service.ts'
import { newPerson, newWorld, type World } from '../../../test/testkit/world.ts'

const DELETE = 'mutation ($input: DeleteSecretInput!) { deleteSecret(input: $input) { clientMutationId id } }'

describe('secrets', () => {
  test.each(types)('a secret of the type %s is kept, and opens to what was given', async (type) => {
    const world = await newWorld()
    const values = samples[type]()

    const { createSecret } = await run(world.owner.key, CREATE, {
      input: { companyId: world.companyId, name: ' Staging ', description: 'For scans', type, values },
    })

    expect(createSecret.secret).toMatchObject({
      name: 'Staging',
      description: 'For scans',
      type,
      createdBy: { email: world.owner.email },
    })
    expect(await opened(world.companyId, createSecret.secret.id)).toEqual({ type, ...values })
  })

  test('an update without values leaves them, one with values replaces them all', async () => {
    const world = await newWorld()
    const id = await newSecret(world, { type: 'BASIC_AUTH', values: { username: 'u', password: 'p' } })

    const renamed = await run(world.owner.key, UPDATE, { input: { id, name: 'Renamed', description: 'New' } })
    const kept = await opened(world.companyId, id)
    await run(world.owner.key, UPDATE, { input: { id, type: 'HEADER', values: { name: 'X-Key', value: 'v' } } })
    const replaced = await opened(world.companyId, id)

    expect(renamed.updateSecret.secret).toEqual({ id, name: 'Renamed', type: 'BASIC_AUTH', description: 'New' })
    expect(kept).toEqual({ type: 'BASIC_AUTH', username: 'u', password: 'p' })
    expect(replaced).toEqual({ type: 'HEADER', name: 'X-Key', value: 'v' })
  })

  test('audit records name a secret and its type, and that its values were replaced', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    const id = await newSecret(world)
    await run(owner.key, UPDATE, { input: { id, values: { token: 'next' } } })
    await run(owner.key, DELETE, { input: { companyId, id } })

    const { auditRecords } = await run(owner.key, AUDIT, { companyId })

    const told = { name: 'A secret', type: 'BEARER_TOKEN' }
    const about = auditRecords.collection.filter(({ object }: Data) => object === `Secret ${id}`)
    expect(about.map(({ operation, before, after }: Data) => [operation, before, after])).toEqual([
      ['deleteSecret', told, null],
      ['updateSecret', told, { ...told, valuesReplaced: true }],
      ['createSecret', null, told],
    ])
  })

  test('a deleted secret is gone, and its id comes back', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    const id = await newSecret(world)

    const { deleteSecret } = await run(owner.key, DELETE, { input: { companyId, id, clientMutationId: 'mine' } })

    const gone = await refusal(owner.key, SECRET, { id })
    expect(deleteSecret).toEqual({ clientMutationId: 'mine', id })
    expect(gone.extensions.code).toBe('NOT_FOUND')
  })

  test('a deletion without an id is refused by name', async () => {
    const { companyId, owner } = await newWorld()

    const failure = await refusal(owner.key, DELETE, { input: { companyId } })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.id' })
  })

  test('secrets are listed newest first, of some types when asked', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    await newSecret(world, { name: 'Token' })
    await newSecret(world, { name: 'Cookie', type: 'COOKIE', values: { name: 'a', value: 'b' } })

    const all = await run(owner.key, SECRETS, { companyId, pagination: { perPage: 1 } })
    const tokens = await run(owner.key, SECRETS, { companyId, types: ['BEARER_TOKEN'] })

    expect(all.secrets.collection.map(({ name }: Data) => name)).toEqual(['Cookie'])
    expect(all.secrets.metadata).toEqual({ totalCount: 2, totalPages: 2, currentPage: 1, limitValue: 1 })
    expect(tokens.secrets.collection.map(({ name }: Data) => name)).toEqual(['Token'])
  })

  test('secrets are found by a part of their name in any case, and by their ids', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    const token = await newSecret(world, { name: 'Token of 100% Shop' })
    await newSecret(world, { name: 'Cookie' })
    const foreign = await newSecret(await newWorld(), { name: 'Token' })

    const byName = await run(owner.key, SECRETS, { companyId, search: 'of 100% shop' })
    const byId = await run(owner.key, SECRETS, { companyId, ids: [token, foreign] })

    expect(byName.secrets.collection.map(({ name }: Data) => name)).toEqual(['Token of 100% Shop'])
    expect(byId.secrets.collection.map(({ name }: Data) => name)).toEqual(['Token of 100% Shop'])
  })

  test('secrets and companies of others answer as missing ones do', async () => {
    const [mine, theirs] = [await newWorld(), await newWorld()]
    const foreign = await newSecret(theirs)
    const { companyId, owner } = mine
    const calls = (id: string) => [
      refusal(owner.key, SECRET, { id }),
      refusal(owner.key, UPDATE, { input: { id, name: 'Mine' } }),
      refusal(owner.key, DELETE, { input: { companyId, id } }),
    ]

    const told = await Promise.all(calls(foreign))
    const missing = await Promise.all(calls('999999999'))
    const companies = await Promise.all([
      refusal(owner.key, SECRETS, { companyId: theirs.companyId }),
      refusal(owner.key, DELETE, { input: { companyId: theirs.companyId, id: foreign } }),
      refusal(owner.key, ROTATE, { input: { companyId: theirs.companyId } }),
    ])

    const shown = ({ message, extensions }: Data, id: string) => [message.replace(id, '#'), extensions.code]
    expect(told.map((failure) => shown(failure, foreign))).toEqual(
      missing.map((failure) => shown(failure, '999999999')),
    )
    expect(companies.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'])
  })

  test('a key without the scope, a developer and, for rotation, an analyst are refused', async () => {
    const world = await newWorld()
    const { companyId } = world
    const unscoped = await newPerson(companyId, 'OWNER', ['read', 'write'])
    const developer = await newPerson(companyId, 'DEVELOPER')
    const analyst = await newPerson(companyId, 'ANALYST')
    const input = { companyId, name: 'x', type: 'BEARER_TOKEN', values: { token: 'x' } }

    const failures = await Promise.all([
      refusal(unscoped.key, CREATE, { input }),
      refusal(developer.key, CREATE, { input }),
      refusal(analyst.key, ROTATE, { input: { companyId } }),
    ])

    expect(failures.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'])
  })

  test('a page takes as many statements with one secret as with twenty', async () => {
    const [small, large] = [await newWorld(), await newWorld()]
    await newSecret(small)
    for (let made = 0; made < 20; made += 1) await newSecret(large)
    const page = ({ companyId, owner }: World) => run(owner.key, SECRETS, { companyId, pagination: { perPage: 50 } })
    const [one, twenty] = [await countSettled(() => page(small)), await countSettled(() => page(large))]

    expect(twenty).toBe(one)
  })
})
