// Assets, through the endpoint.

import { describe, expect, test } from 'vitest'
import { type Data, refusal, run, unique } from '../../../test/testkit/client.ts'
import { newAsset, newIssue, newPerson, newProject, newWorld } from '../../../test/testkit/world.ts'

const ASSETS = `query ($companyId: ID!, $limit: Int, $page: Int, $search: AssetsSearch) {
  assets(companyId: $companyId, limit: $limit, page: $page, search: $search) {
    collection { id name businessImpact dataClassification exploitability threat environmentCompromised updatedAt
      assetsTagList integrations pendingVulnerabilitiesStats { count value } riskScore { current { value } }
      assetType environment audience createdAt tags { name } company { id label } }
    metadata { totalPages totalCount currentPage limitValue } } }`
const ASSET = `query ($id: ID!) { asset(id: $id) {
  id name company { id label } assetType businessImpact architectureType technologies environment audience description
  url repoUrl lifeCycle scanType criticity developmentModel developmentTeam environmentList teamIds tags { name }
  createdAt updatedAt riskScore { current { value } } environmentCompromised } }`
const CREATE = `mutation ($input: CreateAssetInput!) { createAsset(input: $input) {
  asset { id name businessImpact dataClassification environmentCompromised assetsTagList updatedAt } clientMutationId errors } }`
const UPDATE = `mutation ($input: UpdateAssetInput!) { updateAsset(input: $input) {
  asset { id name businessImpact dataClassification environmentCompromised assetsTagList updatedAt } clientMutationId } }`
const DELETE =
  'mutation ($input: DeleteAssetInput!) { deleteAsset(input: $input) { asset { collection { id name } } } }'

const names = (answer: Data): string[] => answer.assets.collection.map(({ name }: { name: string }) => name)

describe('assets', () => {
  test('an asset keeps all that it was made with', async () => {
    const { companyId, owner } = await newWorld()
    const input = {
      companyId: Number(companyId),
      name: unique('Shop'),
      description: 'Sells things',
      url: 'https://shop.example.test/a?b=c',
      repoUrl: 'git@code.example.test:shop/shop.git',
      assetType: 'progressive_web_app',
      audience: 'internal_and_external',
      architectureType: 'microservices',
      criticity: 'critical',
      businessImpact: 'HIGH',
      dataClassification: ['PERSONALLY_IDENTIFIABLE_INFORMATION', 'PAYMENT_CARD_INDUSTRY'],
      developmentModel: 'third_party',
      developmentTeam: 'internal',
      environmentList: ['production', 'staging'],
      lifeCycle: 'production',
      scanType: 'SAST',
      tecnologyList: ['TypeScript', 'PostgreSQL'],
      assetsTagList: [' web ', 'shop', 'web'],
      teamIds: ['7'],
      exploitability: 'INTERNET_FACING',
      threat: 'MEDIUM',
    }

    const { createAsset } = await run(owner.key, CREATE, { input: { ...input, clientMutationId: 'one' } })
    const { asset } = await run(owner.key, ASSET, { id: createAsset.asset.id })

    expect(createAsset).toMatchObject({ clientMutationId: 'one', errors: null })
    expect(createAsset.asset).toMatchObject({
      name: input.name,
      businessImpact: 'HIGH',
      assetsTagList: ['web', 'shop'],
    })
    expect(asset).toMatchObject({
      company: { id: companyId },
      assetType: 'progressive_web_app',
      architectureType: 'microservices',
      technologies: ['TypeScript', 'PostgreSQL'],
      environment: 'production, staging',
      audience: 'internal_and_external',
      description: 'Sells things',
      url: input.url,
      repoUrl: input.repoUrl,
      scanType: 'SAST',
      criticity: 'critical',
      teamIds: ['7'],
      tags: [{ name: 'web' }, { name: 'shop' }],
      riskScore: { current: { value: 0 } },
      environmentCompromised: false,
    })
  })

  test('an asset of which only the name is given has plain defaults', async () => {
    const { companyId, owner } = await newWorld()
    const { id } = await newAsset(owner.key, companyId)

    const { assets } = await run(owner.key, ASSETS, { companyId })

    expect(assets.collection).toEqual([
      expect.objectContaining({
        id,
        businessImpact: 'NOT_DEFINED',
        dataClassification: [],
        exploitability: 'NOT_DEFINED',
        threat: 'NONE',
        environmentCompromised: false,
        assetsTagList: [],
        integrations: [],
        assetType: null,
        environment: null,
        riskScore: { current: { value: 0 } },
      }),
    ])
    expect(assets.metadata).toEqual({ totalPages: 1, totalCount: 1, currentPage: 1, limitValue: 10 })
  })

  test('open findings make the risk score, the counts by severity and the compromised environment', async () => {
    const { companyId, owner } = await newWorld()
    const { id } = await newAsset(owner.key, companyId)
    await newIssue(owner.key, id, { severity: 'CRITICAL', compromisedEnvironment: true })
    await newIssue(owner.key, id, { severity: 'LOW' })
    await newIssue(owner.key, id, { severity: 'LOW' })
    await newIssue(owner.key, id, { severity: 'HIGH', status: 'DRAFT' })

    const { assets } = await run(owner.key, ASSETS, { companyId })
    const { asset } = await run(owner.key, 'query ($id: ID!) { asset(id: $id) { riskScore { current { points } } } }', {
      id,
    })

    expect(asset.riskScore.current.points).toBe(42)
    expect(assets.collection[0]).toMatchObject({
      environmentCompromised: true,
      riskScore: { current: { value: 34.3 } },
      pendingVulnerabilitiesStats: [
        { value: 'CRITICAL', count: 1 },
        { value: 'HIGH', count: 0 },
        { value: 'MEDIUM', count: 0 },
        { value: 'LOW', count: 2 },
        { value: 'NOTIFICATION', count: 0 },
      ],
    })
  })

  test('a change leaves what is not given and clears what is null', async () => {
    const { companyId, owner } = await newWorld()
    const made = await newAsset(owner.key, companyId, {
      description: 'Old',
      assetsTagList: ['one'],
      businessImpact: 'LOW',
      url: 'example.test',
    })
    const input = { id: made.id, companyId: Number(companyId), url: null, businessImpact: null, assetsTagList: ['two'] }

    const { updateAsset } = await run(owner.key, UPDATE, { input })
    const { asset } = await run(owner.key, ASSET, { id: made.id })

    expect(updateAsset.asset).toMatchObject({ businessImpact: 'NOT_DEFINED', assetsTagList: ['two'] })
    expect(asset).toMatchObject({ name: made.name, description: 'Old', url: null })
  })

  test('a name is taken once in a company, and free in another', async () => {
    const [here, there] = [await newWorld(), await newWorld()]
    const taken = await newAsset(here.owner.key, here.companyId)
    const other = await newAsset(here.owner.key, here.companyId)

    const again = await refusal(here.owner.key, CREATE, {
      input: { companyId: Number(here.companyId), name: ` ${taken.name} ` },
    })
    const renamed = await refusal(here.owner.key, UPDATE, {
      input: { id: other.id, companyId: Number(here.companyId), name: taken.name },
    })
    const elsewhere = await newAsset(there.owner.key, there.companyId, { name: taken.name })

    expect([again.extensions.code, renamed.extensions.code]).toEqual(['CONFLICT', 'CONFLICT'])
    expect(elsewhere.name).toBe(taken.name)
  })

  test('an asset is put into projects of its own company only', async () => {
    const { companyId, owner } = await newWorld()
    const other = await newWorld()
    const mine = await newProject(owner.key, companyId)
    const foreign = await newProject(other.owner.key, other.companyId)
    const developer = await newPerson(companyId, 'DEVELOPER')
    const made = await newAsset(owner.key, companyId, { projectIds: [Number(mine.id)] })
    const putInto = (projectId: string) => ({
      input: { id: made.id, companyId: Number(companyId), projectIds: [Number(projectId)] },
    })

    const inProject = await run(owner.key, ASSETS, { companyId, search: { projectId: mine.id } })
    const refusedForeign = await refusal(owner.key, UPDATE, putInto(foreign.id))
    const refusedRole = await refusal(developer.key, UPDATE, putInto(mine.id))

    expect(names(inProject)).toEqual([made.name])
    expect(refusedForeign.extensions.code).toBe('NOT_FOUND')
    expect(refusedForeign.message).toBe(`The project ${foreign.id} was not found`)
    expect(refusedRole.extensions.code).toBe('FORBIDDEN')
  })

  test('deleting an asset answers with those that remain, and takes a role for it', async () => {
    const { companyId, owner } = await newWorld()
    const kept = await newAsset(owner.key, companyId)
    const gone = await newAsset(owner.key, companyId)
    const issue = await newIssue(owner.key, gone.id)
    const developer = await newPerson(companyId, 'DEVELOPER')
    const input = { companyId: Number(companyId), id: Number(gone.id) }

    const forbidden = await refusal(developer.key, DELETE, { input })
    const { deleteAsset } = await run(owner.key, DELETE, { input })
    const again = await refusal(owner.key, DELETE, { input })
    const orphan = await refusal(owner.key, 'query ($id: ID!) { issue(id: $id) { id } }', { id: issue.id })

    expect(forbidden.extensions.code).toBe('FORBIDDEN')
    expect(deleteAsset.asset.collection).toEqual([kept])
    expect([again.extensions.code, orphan.extensions.code]).toEqual(['NOT_FOUND', 'NOT_FOUND'])
  })

  test('a foreign asset and a missing one look the same, whatever is asked of them', async () => {
    const { companyId, owner } = await newWorld()
    const other = await newWorld()
    const foreign = await newAsset(other.owner.key, other.companyId)
    const asked = (id: string) => [
      refusal(owner.key, ASSET, { id }),
      refusal(owner.key, UPDATE, { input: { id, companyId: Number(companyId), name: 'Mine' } }),
      refusal(owner.key, DELETE, { input: { id } }),
    ]

    const ofForeign = await Promise.all(asked(foreign.id))
    const ofMissing = await Promise.all(asked('999999999'))
    const list = await refusal(owner.key, ASSETS, { companyId: other.companyId })

    const messages = (failures: Data[], id: string) =>
      failures.map(({ message, extensions }) => [extensions.code, message.replace(id, '#')])
    expect(messages(ofForeign, foreign.id)).toEqual(messages(ofMissing, '999999999'))
    expect(messages(ofForeign, foreign.id)[0]).toEqual(['NOT_FOUND', 'The asset # was not found'])
    expect(list.message).toBe(`The company ${other.companyId} was not found`)
  })

  test('a reader sees assets and changes none', async () => {
    const { companyId, owner } = await newWorld()
    const { id } = await newAsset(owner.key, companyId)
    const reader = await newPerson(companyId, 'READER')

    const { asset } = await run(reader.key, ASSET, { id })
    const refused = await Promise.all([
      refusal(reader.key, CREATE, { input: { companyId: Number(companyId), name: 'New' } }),
      refusal(reader.key, UPDATE, { input: { id, companyId: Number(companyId), name: 'New' } }),
    ])

    expect(asset.id).toBe(id)
    expect(refused.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN'])
  })

  test.each([
    ['name', ' '],
    ['name', 'n'.repeat(501)],
    ['description', 'd'.repeat(100_001)],
    ['url', 'javascript:alert(1)'],
    ['url', 'https://user:secret@example.test/'],
    ['repoUrl', 'file:///etc/passwd'],
    ['repoUrl', 'ssh://git:secret@code.example.test/a.git'],
    ['assetsTagList', ['']],
    ['environmentList', Array.from({ length: 101 }, (_, index) => `e${index}`)],
  ])('what cannot be used as %s is refused by its name', async (argument, value) => {
    const { companyId, owner } = await newWorld()

    const failure = await refusal(owner.key, CREATE, {
      input: { companyId: Number(companyId), name: 'Asset', [argument]: value },
    })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: `input.${argument}` })
  })

  test('an integration that is not the company’s cannot be named', async () => {
    const { companyId, owner } = await newWorld()

    const failure = await refusal(owner.key, CREATE, {
      input: { companyId: Number(companyId), name: 'Asset', integrationIds: ['999999999'] },
    })

    expect(failure).toMatchObject({
      message: 'The integration 999999999 was not found',
      extensions: { code: 'NOT_FOUND' },
    })
  })

  test('changes of assets are audited', async () => {
    const { companyId, owner } = await newWorld()
    const { id } = await newAsset(owner.key, companyId)
    await run(owner.key, UPDATE, { input: { id, companyId: Number(companyId), description: 'New' } })
    await run(owner.key, DELETE, { input: { id } })

    const { auditRecords } = await run(
      owner.key,
      'query ($companyId: ID!) { auditRecords(companyId: $companyId) { collection { operation object } } }',
      { companyId },
    )

    const ofAsset = auditRecords.collection.filter(({ object }: { object: string }) => object === `Asset ${id}`)
    expect(ofAsset.map(({ operation }: { operation: string }) => operation)).toEqual([
      'deleteAsset',
      'updateAsset',
      'createAsset',
    ])
  })
})
