// Integrations, through the endpoint.

import { describe, expect, test } from 'vitest'
import { type Data, refusal, run } from '../../../test/testkit/client.ts'
import {
  BOARDS,
  DELETE,
  HOST_A,
  HOST_B,
  INTEGRATION,
  INTEGRATIONS,
  SCANNER_A,
  SCANNER_B,
  saved,
  TASKS,
} from '../../../test/testkit/integrations.ts'
import { countSettled } from '../../../test/testkit/service.ts'
import { fakeVendor, get, json } from '../../../test/testkit/vendor-fake.ts'
import { newAsset, newPerson, newWorld, type World } from '../../../test/testkit/world.ts'

const shown = ({ message, extensions }: Data) => [message.replace(/\d+/, '#'), extensions.code]

describe('an integration', () => {
  test.each([
    ['createOrUpdateScannerAIntegration', SCANNER_A, { accessKey: null, baseUrl: null, createdAt: expect.any(String) }],
    ['createOrUpdateScannerBIntegration', SCANNER_B, { baseUrl: null, region: null }],
    ['createOrUpdateHostAIntegration', HOST_A, { astBranchPattern: null, astScansEnabled: false, workspaceIds: [] }],
    [
      'createOrUpdateHostBIntegration',
      HOST_B,
      { astBranchPattern: null, astScansEnabled: false, instanceUrl: null, groupIds: [] },
    ],
    ['createOrUpdateBoardsTrackerIntegration', BOARDS, { organizationName: null }],
    ['createOrUpdateTaskTrackerIntegration', TASKS, { workspaceId: null }],
  ])('is made by %s with nothing but a company, and is the same the second time', async (_, mutation, expected) => {
    const { companyId, owner } = await newWorld()

    const first = await saved(owner.key, mutation, { companyId, clientMutationId: 'mine' })
    const second = await saved(owner.key, mutation, { companyId })

    expect(first).toEqual({ id: first.id, hasCredential: false, ...expected })
    expect(second).toEqual(first)
  })

  test('keeps what is left out, and loses what is null', async () => {
    const { companyId, owner } = await newWorld()
    const settings = {
      instanceUrl: 'https://git.example.test/',
      astScansEnabled: true,
      astBranchPattern: 'release/*',
      groupIds: ['7', '8'],
    }

    const made = await saved(owner.key, HOST_B, { companyId, ...settings })
    const kept = await saved(owner.key, HOST_B, { companyId, astScansEnabled: false })
    const lost = await saved(owner.key, HOST_B, { companyId, instanceUrl: null, astBranchPattern: '', groupIds: null })

    const held = { ...settings, id: made.id, hasCredential: false, instanceUrl: 'https://git.example.test' }
    expect(made).toEqual(held)
    expect(kept).toEqual({ ...held, astScansEnabled: false })
    expect(lost).toMatchObject({ instanceUrl: null, astBranchPattern: null, groupIds: [] })
  })

  test('has a region or an address, the one that was given last', async () => {
    const { companyId, owner } = await newWorld()

    const region = await saved(owner.key, SCANNER_B, { companyId, region: 'EU_1' })
    const address = await saved(owner.key, SCANNER_B, { companyId, baseUrl: 'https://api.example.test' })
    const both = await refusal(owner.key, SCANNER_B, {
      input: { companyId, region: 'US_1', baseUrl: 'https://a.test' },
    })

    expect(region).toMatchObject({ region: 'EU_1', baseUrl: null })
    expect(address).toMatchObject({ region: null, baseUrl: 'https://api.example.test' })
    expect(both.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.baseUrl' })
  })

  test.each([
    [SCANNER_A, { accessKey: 'abc' }, 'input.secretKey'],
    [SCANNER_A, { secretKey: 'abc' }, 'input.accessKey'],
    [SCANNER_A, { accessKey: '', secretKey: 'abc' }, 'input.accessKey'],
    [SCANNER_A, { accessKey: 'a;b', secretKey: 'abc' }, 'input.accessKey'],
    [SCANNER_A, { accessKey: 'abc', secretKey: 'a\r\nb' }, 'input.secretKey'],
    [SCANNER_A, { baseUrl: 'http://insecure.example.test' }, 'input.baseUrl'],
    [SCANNER_A, { baseUrl: 'https://me:pass@example.test' }, 'input.baseUrl'],
    [HOST_B, { code: 'abc' }, 'input.state'],
    [HOST_B, { code: 'abc', state: 'abc', personalToken: 'abc' }, 'input.personalToken'],
    [HOST_B, { instanceUrl: 'file:///etc/passwd' }, 'input.instanceUrl'],
    [HOST_B, { astBranchPattern: 'a'.repeat(256) }, 'input.astBranchPattern'],
    [HOST_B, { groupIds: Array.from({ length: 101 }, String) }, 'input.groupIds'],
    [HOST_A, { email: 'me@example.test' }, 'input.apiToken'],
  ])('takes no such input: %#', async (mutation, fields, argument) => {
    const { companyId, owner } = await newWorld()

    const failure = await refusal(owner.key, mutation, { input: { companyId, ...fields } })

    const { integrations } = await run(owner.key, INTEGRATIONS, { companyId })
    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
    expect(integrations.metadata.totalCount).toBe(0)
  })

  test.each([
    [HOST_A, { accessToken: 'a' }, 'https://api.bitbucket.org', '/2.0/user/workspaces'],
    [HOST_A, { email: 'me@example.test', apiToken: 'a' }, 'https://api.bitbucket.org', '/2.0/user/workspaces'],
    [HOST_B, { personalToken: 'a' }, 'https://gitlab.com', '/api/v4/user'],
    [
      HOST_B,
      { personalToken: 'a', instanceUrl: 'https://git.example.test' },
      'https://git.example.test',
      '/api/v4/user',
    ],
  ])('keeps nothing of a credential that its vendor refuses: %#', async (mutation, credential, origin, path) => {
    const { companyId, owner } = await newWorld()
    await fakeVendor(origin, [get(path, json({}, { status: 401 }))])

    const failure = await refusal(owner.key, mutation, { input: { companyId, ...credential } })

    const { integrations } = await run(owner.key, INTEGRATIONS, { companyId })
    expect(failure.extensions.code).toBe('FAILED_PRECONDITION')
    expect(failure.message).toMatch(/^Host[AB] does not accept the credential$/)
    expect(integrations.metadata.totalCount).toBe(0)
  })

  test.each([
    [SCANNER_A, 'baseUrl', 'https://a.example.test', 'https://b.example.test'],
    [SCANNER_B, 'baseUrl', 'https://a.example.test', 'https://b.example.test'],
    [HOST_A, 'astBranchPattern', 'main', 'release/*'],
    [HOST_B, 'instanceUrl', 'https://a.example.test', 'https://b.example.test'],
    [BOARDS, 'organizationName', 'acme', 'zenith'],
    [TASKS, 'workspaceId', '7', '8'],
  ])('is one of several when another is asked for, and then is named by its id: %#', async (mutation, field, a, b) => {
    const { companyId, owner } = await newWorld()
    const first = await saved(owner.key, mutation, { companyId })
    const second = await saved(owner.key, mutation, { companyId, addAnother: true, [field]: b })

    const unnamed = await refusal(owner.key, mutation, { input: { companyId } })
    const both = await refusal(owner.key, mutation, {
      input: { companyId, integrationId: first.id, addAnother: true },
    })
    const named = await saved(owner.key, mutation, { companyId, integrationId: first.id, [field]: a })
    const untouched = await saved(owner.key, mutation, { companyId, integrationId: second.id })

    expect(second.id).not.toBe(first.id)
    expect(unnamed.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.integrationId' })
    expect(both.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.integrationId' })
    expect(named).toMatchObject({ id: first.id, [field]: a })
    expect(untouched).toEqual(second)
  })

  test('is made once by twenty callers at once', async () => {
    const { companyId, owner } = await newWorld()

    const made = await Promise.all(Array.from({ length: 20 }, () => saved(owner.key, SCANNER_A, { companyId })))

    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
  })

  test('is the company’s and may be named by its assets', async () => {
    const { companyId, owner } = await newWorld()
    const { id } = await saved(owner.key, SCANNER_B, { companyId })
    await saved(owner.key, HOST_A, { companyId })
    const theirs = await newWorld()
    const foreign = await saved(theirs.owner.key, SCANNER_B, { companyId: theirs.companyId })
    const asset = await newAsset(owner.key, companyId, { integrationIds: [id] })

    const read = await run(
      owner.key,
      'query ($company: ID!, $asset: ID!) { company(id: $company) { integrations } asset(id: $asset) { integrations } }',
      { company: companyId, asset: asset.id },
    )

    expect(read).toEqual({ company: { integrations: ['HOST_A', 'SCANNER_B'] }, asset: { integrations: ['SCANNER_B'] } })
    await expect(newAsset(owner.key, companyId, { integrationIds: [foreign.id] })).rejects.toThrow('NOT_FOUND')
  })

  test('is deleted, and its id is gone', async () => {
    const { companyId, owner } = await newWorld()
    const { id } = await saved(owner.key, SCANNER_A, { companyId })

    const { deleteIntegration } = await run(owner.key, DELETE, { input: { id } })

    expect(deleteIntegration.id).toBe(id)
    expect((await refusal(owner.key, INTEGRATION, { id })).extensions.code).toBe('NOT_FOUND')
  })

  test('of others, or of another type, answers as a missing one does', async () => {
    const [mine, theirs] = [await newWorld(), await newWorld()]
    const foreign = await saved(theirs.owner.key, SCANNER_A, { companyId: theirs.companyId })
    const other = await saved(mine.owner.key, HOST_A, { companyId: mine.companyId })
    const { key } = mine.owner
    const calls = (id: string, companyId: string) => [
      refusal(key, INTEGRATION, { id }),
      refusal(key, DELETE, { input: { id } }),
      refusal(key, SCANNER_A, { input: { companyId: mine.companyId, integrationId: id } }),
      refusal(key, SCANNER_A, { input: { companyId } }),
      refusal(key, INTEGRATIONS, { companyId }),
    ]

    const told = await Promise.all(calls(foreign.id, theirs.companyId))
    const missing = await Promise.all(calls('999999999', '999999999'))
    const wrongType = await refusal(key, SCANNER_A, { input: { companyId: mine.companyId, integrationId: other.id } })

    expect(told.map(shown)).toEqual(missing.map(shown))
    expect(new Set(told.map(({ extensions }) => extensions.code))).toEqual(new Set(['NOT_FOUND']))
    expect(wrongType.extensions.code).toBe('NOT_FOUND')
  })

  test('is an owner’s to change, with a key that manages integrations', async () => {
    const { companyId, owner } = await newWorld()
    const { id } = await saved(owner.key, SCANNER_A, { companyId })
    const people = [await newPerson(companyId, 'ANALYST'), await newPerson(companyId, 'OWNER', ['read', 'write'])]

    const failures = await Promise.all(
      people.flatMap(({ key }) => [
        refusal(key, SCANNER_A, { input: { companyId } }),
        refusal(key, DELETE, { input: { id } }),
      ]),
    )

    expect(new Set(failures.map(({ extensions }) => extensions.code))).toEqual(new Set(['FORBIDDEN']))
  })

  test('is listed newest first, by type when asked', async () => {
    const { companyId, owner } = await newWorld()
    const scanner = await saved(owner.key, SCANNER_A, { companyId })
    const host = await saved(owner.key, HOST_B, { companyId })

    const all = await run(owner.key, INTEGRATIONS, { companyId, pagination: { page: 1, perPage: 1 } })
    const scanners = await run(owner.key, INTEGRATIONS, { companyId, type: 'SCANNER_A' })

    expect(all.integrations.collection).toMatchObject([
      { __typename: 'HostBIntegration', id: host.id, integrationType: 'HOST_B' },
    ])
    expect(all.integrations.metadata).toEqual({ currentPage: 1, limitValue: 1, totalCount: 2, totalPages: 2 })
    expect(scanners.integrations.collection.map(({ id }: Data) => id)).toEqual([scanner.id])
  })

  test('takes as many statements on a page of one as on a page of twenty', async () => {
    const [small, large] = [await newWorld(), await newWorld()]
    await saved(small.owner.key, SCANNER_A, { companyId: small.companyId })
    for (let made = 0; made < 20; made += 1) {
      await saved(large.owner.key, SCANNER_A, { companyId: large.companyId, addAnother: true })
    }
    const page = ({ companyId, owner }: World) =>
      run(owner.key, INTEGRATIONS, { companyId, pagination: { perPage: 50 } })
    const [one, twenty] = [await countSettled(() => page(small)), await countSettled(() => page(large))]

    expect(twenty).toBe(one)
  })
})
