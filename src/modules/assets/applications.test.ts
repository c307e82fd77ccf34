// Applications, through the endpoint.

import { describe, expect, test } from 'vitest'
import { type Data, refusal, run, unique } from '../../../test/testkit/client.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { newAsset, newIssue, newPerson, newWorld } from '../../../test/testkit/world.ts'

const APPLICATION = `query ($id: ID!, $companyId: ID!) { application(id: $id, companyId: $companyId) {
  id name description url riskScore assetsCount createdAt updatedAt assets { id name } company { id } } }`
const APPLICATIONS = `query ($companyId: ID!, $search: String) { applications(companyId: $companyId, search: $search) {
  id name description url riskScore assetsCount createdAt updatedAt } }`
const CREATE = `mutation ($input: CreateApplicationInput!) {
  createApplication(input: $input) { application { id } clientMutationId errors } }`
const UPDATE = `mutation ($input: UpdateApplicationInput!) {
  updateApplication(input: $input) { application { id name description assets { id } } clientMutationId errors } }`
const ADD = `mutation ($input: AddApplicationAssetsInput!) {
  addApplicationAssets(input: $input) { application { id assets { id } } clientMutationId errors } }`
const REMOVE = `mutation ($input: RemoveApplicationAssetsInput!) {
  removeApplicationAssets(input: $input) { application { id assets { id } } clientMutationId errors } }`
const DELETE = `mutation ($input: DeleteApplicationInput!) {
  deleteApplication(input: $input) { application { id name } clientMutationId } }`

async function newApplication(key: string, companyId: string, extra: Record<string, unknown> = {}): Promise<string> {
  const input = { companyId: Number(companyId), name: unique('Application'), ...extra }
  const { createApplication } = await run(key, CREATE, { input })
  return createApplication.application.id
}

const idsOf = (assets: Data[]): string[] => assets.map(({ id }) => id)

describe('applications', () => {
  test('an application shows its assets and the risk of the worst of them', async () => {
    const { companyId, owner } = await newWorld()
    const [calm, worse] = [await newAsset(owner.key, companyId), await newAsset(owner.key, companyId)]
    await newIssue(owner.key, calm.id, { severity: 'LOW' })
    await newIssue(owner.key, worse.id, { severity: 'HIGH' })
    const assetIds = [Number(calm.id), Number(worse.id)]
    const id = await newApplication(owner.key, companyId, {
      name: 'Shop',
      description: 'Sells',
      url: 'https://shop.test',
      assetIds,
    })

    const { application } = await run(owner.key, APPLICATION, { id, companyId })

    expect(application).toMatchObject({
      name: 'Shop',
      description: 'Sells',
      url: 'https://shop.test',
      riskScore: 13.9,
      assetsCount: 2,
      assets: [calm, worse],
      company: { id: companyId },
    })
  })

  test('applications are listed by name and found by part of it', async () => {
    const { companyId, owner } = await newWorld()
    for (const name of ['Zoo', 'Shop', 'Workshop']) await newApplication(owner.key, companyId, { name })
    const listed = async (search?: string) =>
      (await run(owner.key, APPLICATIONS, { companyId, search })).applications.map(({ name }: Data) => name)

    expect(await listed()).toEqual(['Shop', 'Workshop', 'Zoo'])
    expect(await listed('SHOP')).toEqual(['Shop', 'Workshop'])
  })

  test('assets are added, taken out and replaced', async () => {
    const { companyId, owner } = await newWorld()
    const made = [await newAsset(owner.key, companyId), await newAsset(owner.key, companyId)]
    const [first, second] = idsOf(made).map(Number)
    const id = Number(await newApplication(owner.key, companyId, { assetIds: [first] }))
    const named = { id, companyId: Number(companyId) }

    const added = await run(owner.key, ADD, { input: { ...named, assetIds: [first, second] } })
    const removed = await run(owner.key, REMOVE, { input: { ...named, assetIds: [first] } })
    const kept = await run(owner.key, UPDATE, { input: { ...named, description: 'New' } })
    const replaced = await run(owner.key, UPDATE, { input: { ...named, assetIds: [first] } })

    expect(idsOf(added.addApplicationAssets.application.assets)).toEqual([String(first), String(second)])
    expect(idsOf(removed.removeApplicationAssets.application.assets)).toEqual([String(second)])
    expect(idsOf(kept.updateApplication.application.assets)).toEqual([String(second)])
    expect(replaced.updateApplication.application).toMatchObject({
      description: 'New',
      assets: [{ id: String(first) }],
    })
  })

  test('an application goes and its assets stay', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const id = await newApplication(owner.key, companyId, { assetIds: [Number(asset.id)] })

    const { deleteApplication } = await run(owner.key, DELETE, { input: { id, companyId, clientMutationId: 'gone' } })
    const missing = await refusal(owner.key, APPLICATION, { id, companyId })
    const stays = await run(owner.key, 'query ($id: ID!) { asset(id: $id) { id } }', { id: asset.id })

    expect(deleteApplication).toMatchObject({ clientMutationId: 'gone', application: { id } })
    expect(missing.extensions.code).toBe('NOT_FOUND')
    expect(stays.asset.id).toBe(asset.id)
  })

  test('an asset of another company cannot be in it, and looks like a missing one', async () => {
    const { companyId, owner } = await newWorld()
    const other = await newWorld()
    const foreign = await newAsset(other.owner.key, other.companyId)
    const id = Number(await newApplication(owner.key, companyId))
    const named = { id, companyId: Number(companyId) }
    const asked = (assetId: number) => [
      refusal(owner.key, CREATE, { input: { companyId: Number(companyId), name: 'Other', assetIds: [assetId] } }),
      refusal(owner.key, UPDATE, { input: { ...named, assetIds: [assetId] } }),
      refusal(owner.key, ADD, { input: { ...named, assetIds: [assetId] } }),
      refusal(owner.key, REMOVE, { input: { ...named, assetIds: [assetId] } }),
    ]

    const ofForeign = await Promise.all(asked(Number(foreign.id)))
    const ofMissing = await Promise.all(asked(999_999_999))

    expect(ofForeign.map(({ message }) => message.replace(foreign.id, '#'))).toEqual(
      ofMissing.map(({ message }) => message.replace('999999999', '#')),
    )
    expect(ofForeign.every(({ message }) => message === `The asset ${foreign.id} was not found`)).toBe(true)
  })

  test('an application of another company is not found under one’s own', async () => {
    const { companyId, owner } = await newWorld()
    const other = await newWorld()
    const foreign = await newApplication(other.owner.key, other.companyId)
    const named = { id: Number(foreign), companyId: Number(companyId) }

    const failures = await Promise.all([
      refusal(owner.key, APPLICATION, { id: foreign, companyId }),
      refusal(owner.key, UPDATE, { input: { ...named, name: 'Mine' } }),
      refusal(owner.key, ADD, { input: { ...named, assetIds: [] } }),
      refusal(owner.key, REMOVE, { input: { ...named, assetIds: [] } }),
      refusal(owner.key, DELETE, { input: named }),
    ])
    const elsewhere = await refusal(owner.key, APPLICATIONS, { companyId: other.companyId })

    for (const { message } of failures) expect(message).toBe(`The application ${foreign} was not found`)
    expect(elsewhere.extensions.code).toBe('NOT_FOUND')
  })

  test('a name is taken once in a company, readers change nothing, and what cannot be used is named', async () => {
    const { companyId, owner } = await newWorld()
    const reader = await newPerson(companyId, 'READER')
    await newApplication(owner.key, companyId, { name: 'Shop' })
    const input = { companyId: Number(companyId), name: 'Shop' }

    const taken = await refusal(owner.key, CREATE, { input })
    const forbidden = await refusal(reader.key, CREATE, { input: { ...input, name: 'Other' } })
    const blank = await refusal(owner.key, CREATE, { input: { ...input, name: ' ' } })
    const scheme = await refusal(owner.key, CREATE, {
      input: { ...input, name: 'Other', url: 'javascript:1/alert(1)' },
    })

    expect([taken, forbidden].map(({ extensions }) => extensions.code)).toEqual(['CONFLICT', 'FORBIDDEN'])
    expect([blank, scheme].map(({ extensions }) => extensions.argument)).toEqual(['input.name', 'input.url'])
  })

  test('twenty applications take as many statements as one', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const listed = () => countStatements(() => run(owner.key, APPLICATIONS, { companyId }))
    const assetIds = [Number(asset.id)]
    await newApplication(owner.key, companyId, { assetIds })
    await listed()
    const ofOne = await listed()
    for (let count = 1; count < 20; count += 1) await newApplication(owner.key, companyId, { assetIds })

    const ofTwenty = await listed()

    expect(ofTwenty).toBe(ofOne)
  })
})
