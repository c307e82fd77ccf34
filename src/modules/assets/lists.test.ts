// Lists of assets, through the endpoint: what they are searched and sorted by, and their pages.

import { describe, expect, test } from 'vitest'
import { type Data, run } from '../../../test/testkit/client.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { newAsset, newIssue, newWorld } from '../../../test/testkit/world.ts'

const ASSETS = `query ($companyId: ID!, $limit: Int, $page: Int, $search: AssetsSearch) {
  assets(companyId: $companyId, limit: $limit, page: $page, search: $search) {
    collection { id name businessImpact dataClassification exploitability threat environmentCompromised updatedAt
      assetsTagList integrations pendingVulnerabilitiesStats { count value } riskScore { current { value } }
      assetType environment audience createdAt tags { name } company { id label } }
    metadata { totalPages totalCount currentPage limitValue } } }`

const names = (answer: Data): string[] => answer.assets.collection.map(({ name }: { name: string }) => name)

describe('a list of assets', () => {
  test('is searched by part of the name, by tags, levels and application', async () => {
    const { companyId, owner } = await newWorld()
    await newAsset(owner.key, companyId, { name: 'Payment API', assetsTagList: ['api', 'pci'], businessImpact: 'HIGH' })
    const web = await newAsset(owner.key, companyId, { name: 'Web shop', assetsTagList: ['web', 'pci'], threat: 'LOW' })
    await newAsset(owner.key, companyId, { name: 'Intranet', environmentCompromised: true, assetType: 'web' })
    const application = await run(
      owner.key,
      'mutation ($input: CreateApplicationInput!) { createApplication(input: $input) { application { id } } }',
      { input: { companyId: Number(companyId), name: 'Shop', assetIds: [Number(web.id)] } },
    )
    const search = async (asked: unknown) => names(await run(owner.key, ASSETS, { companyId, search: asked })).sort()

    const found = await Promise.all([
      search({ name: 'PAY' }),
      search({ tags: ['pci'] }),
      search({ tags: ['pci', 'web'] }),
      search({ businessImpact: ['HIGH', 'MEDIUM'] }),
      search({ threat: 'LOW' }),
      search({ environmentCompromised: true }),
      search({ assetType: 'web', environmentCompromised: false }),
      search({ applicationId: application.createApplication.application.id }),
      search({ ids: [web.id] }),
      search({}),
    ])

    expect(found).toEqual([
      ['Payment API'],
      ['Payment API', 'Web shop'],
      ['Web shop'],
      ['Payment API'],
      ['Web shop'],
      ['Intranet'],
      [],
      ['Web shop'],
      ['Web shop'],
      ['Intranet', 'Payment API', 'Web shop'],
    ])
  })

  test('is sorted by name, impact or risk, and newest first by default', async () => {
    const { companyId, owner } = await newWorld()
    const made = {
      b: await newAsset(owner.key, companyId, { name: 'b', businessImpact: 'LOW' }),
      a: await newAsset(owner.key, companyId, { name: 'A', businessImpact: 'HIGH' }),
      c: await newAsset(owner.key, companyId, { name: 'c' }),
    }
    await newIssue(owner.key, made.b.id, { severity: 'LOW' })
    await newIssue(owner.key, made.c.id, { severity: 'CRITICAL' })
    const sorted = async (search: unknown) => names(await run(owner.key, ASSETS, { companyId, search }))

    const found = [
      await sorted({}),
      await sorted({ order: 'DESC' }),
      await sorted({ order: 'ASC' }),
      await sorted({ sortBy: 'name' }),
      await sorted({ sortBy: 'business_impact', order: 'DESC' }),
      await sorted({ sortBy: 'risk_score', order: 'DESC' }),
    ]

    expect(found).toEqual([
      ['c', 'A', 'b'],
      ['c', 'A', 'b'],
      ['b', 'A', 'c'],
      ['A', 'b', 'c'],
      ['A', 'b', 'c'],
      ['c', 'b', 'A'],
    ])
  })

  test('is paged by number and by cursor', async () => {
    const { companyId, owner } = await newWorld()
    for (let count = 0; count < 5; count += 1) await newAsset(owner.key, companyId)
    const WALK = `query ($companyId: ID!, $page: Int, $after: String) {
      assets(companyId: $companyId, limit: 2, page: $page, after: $after) { collection { name } metadata { endCursor totalCount totalPages } } }`

    const first = await run(owner.key, WALK, { companyId })
    const byNumber = await run(owner.key, WALK, { companyId, page: 2 })
    const byCursor = await run(owner.key, WALK, { companyId, after: first.assets.metadata.endCursor })

    expect(first.assets.metadata).toMatchObject({ totalCount: 5, totalPages: 3 })
    expect(names(byCursor)).toEqual(names(byNumber))
    expect(names(byNumber)).not.toEqual(names(first))
  })

  test('takes as many statements for a page of twenty as for a page of one', async () => {
    const { companyId, owner } = await newWorld()
    for (let count = 0; count < 20; count += 1) {
      const { id } = await newAsset(owner.key, companyId)
      if (count % 5 === 0) await newIssue(owner.key, id)
    }
    const page = (limit: number) => countStatements(() => run(owner.key, ASSETS, { companyId, limit }))

    await page(1)
    const [ofOne, ofTwenty] = [await page(1), await page(20)]

    expect(ofTwenty).toBe(ofOne)
  })
})
