// Lists of projects, through the endpoint: what they are searched and sorted by, and who sees them.

import { describe, expect, test } from 'vitest'
import { administratorKey, type Data, refusal, run } from '../../../test/testkit/client.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { newAsset, newIssue, newPerson, newProject, newWorld } from '../../../test/testkit/world.ts'

const PROJECTS = `query ($page: Int, $limit: Int, $params: ProjectSearch, $sortBy: String, $descending: Boolean) {
  projects(page: $page, limit: $limit, params: $params, sortBy: $sortBy, descending: $descending) {
    collection { id label status createdAt startDate endDate estimatedHours environmentCompromised
      projectType { label } tags { name } allocatedAnalyst { portalUser { name email } } assets { id name } company { id }
      statusHistory { status portalUser { email } } accessPortalUsers { email } }
    metadata { totalCount totalPages currentPage limitValue } } }`

const labels = (answer: Data): string[] => answer.projects.collection.map(({ label }: Data) => label)

describe('a list of projects', () => {
  test('has the projects of all companies that the key sees, or of one of them', async () => {
    const [here, there, foreign] = [await newWorld(), await newWorld(), await newWorld()]
    await run(
      administratorKey(),
      'mutation ($input: CreatePortalUserInput!) { createPortalUser(input: $input) { portalUser { id } } }',
      { input: { companyId: there.companyId, email: here.owner.email, name: 'A person', role: 'READER' } },
    )
    const mine = await newProject(here.owner.key, here.companyId)
    const theirs = await newProject(there.owner.key, there.companyId)
    await newProject(foreign.owner.key, foreign.companyId)
    const fresh = await run(here.owner.key, 'mutation { createApiKey(input: { name: "New" }) { key } }')
    const { key } = fresh.createApiKey

    const all = await run(key, PROJECTS, {})
    const ofOne = await run(key, PROJECTS, { params: { scopeIdEq: Number(there.companyId) } })
    const refused = await refusal(key, PROJECTS, { params: { companyId: foreign.companyId } })

    expect(labels(all)).toEqual([theirs.label, mine.label])
    expect(labels(ofOne)).toEqual([theirs.label])
    expect(refused.message).toBe(`The company ${foreign.companyId} was not found`)
  })

  test('is searched by what projects are', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const web = await newProject(owner.key, companyId, {
      label: 'Web 2026',
      typeId: 3,
      tags: ['pci', 'web'],
      assetsIds: [Number(asset.id)],
      allocatedPortalUserEmails: [owner.email],
      startDate: '2026-01-10',
      endDate: '2026-01-20',
    })
    const model = await newProject(owner.key, companyId, { label: 'Model', goal: 'Payment', startDate: '2026-02-10' })
    await newIssue(owner.key, asset.id, { projectId: Number(model.id), compromisedEnvironment: true })
    await run(
      owner.key,
      'mutation ($id: ID!) { updateProjectStatus(input: { id: $id, projectStatus: DONE }) { project { id } } }',
      { id: model.id },
    )
    const found = async (params: object) =>
      labels(await run(owner.key, PROJECTS, { params: { scopeIdEq: companyId, ...params } }))

    for (const params of [
      { labelCont: 'WEB' },
      { labelEq: 'Web 2026' },
      { idEq: Number(web.id) },
      { idIn: [web.id, '999999999'] },
      { pidEq: `WEB-${web.id}` },
      { projectStatusLabelEq: 'PLANNED' },
      { projectStatusLabelIn: ['PLANNED', 'ANALYSIS'] },
      { projectTypeLabelEq: 'Web application test' },
      { projectTypeLabelIn: ['Web application test', 'API test'] },
      { projectTypeLabelCont: 'web app' },
      { tagNameEq: 'pci' },
      { tags: ['pci', 'web'] },
      { assetIdIn: [asset.id] },
      { labelEq: 'Web 2026', idIn: [], assetIdIn: [], projectStatusLabelIn: [], analystsEmailIn: [], tags: [] },
      { analystsEmailIn: [owner.email] },
      { startDateLteq: '2026-01-10' },
      { endDateGteq: '2026-01-20' },
      { environmentCompromised: false },
    ]) {
      expect([params, await found(params)]).toEqual([params, ['Web 2026']])
    }
    for (const params of [
      { search: 'payment' },
      { startDateGteq: '2026-02-01' },
      { startDateEq: '2026-02-10' },
      { environmentCompromised: true },
    ]) {
      expect([params, await found(params)]).toEqual([params, ['Model']])
    }
    expect(await found({ createdAtLteq: '2026-01-01' })).toEqual([])
    expect(await found({ createdAtGteq: '2026-01-01', endDateLteq: '2025-01-01' })).toEqual([])
    expect(await found({ idEq: web.id, idIn: [model.id] })).toEqual([])
  })

  test('is sorted by the keys that exist, and by no other', async () => {
    const { companyId, owner } = await newWorld()
    await newProject(owner.key, companyId, { label: 'b', startDate: '2026-01-02' })
    await newProject(owner.key, companyId, { label: 'A', startDate: '2026-01-03' })
    await newProject(owner.key, companyId, { label: 'c', startDate: '2026-01-01' })
    const sorted = async (sortBy: string | null, descending: boolean) =>
      labels(await run(owner.key, PROJECTS, { params: { scopeIdEq: companyId }, sortBy, descending })).join('')

    const found = [
      await sorted(null, false),
      await sorted('label', false),
      await sorted('label', true),
      await sorted('startDate', false),
      await sorted('createdAt', false),
    ]
    const unknown = await refusal(owner.key, PROJECTS, { params: { scopeIdEq: companyId }, sortBy: 'goal; drop' })

    expect(found).toEqual(['cAb', 'Abc', 'cbA', 'cbA', 'bAc'])
    expect(unknown).toMatchObject({
      message: 'sortBy is one of createdAt, startDate, endDate, label, status',
      extensions: { code: 'BAD_USER_INPUT', argument: 'sortBy' },
    })
  })

  test('is not shown to a key without the scope read', async () => {
    const { companyId } = await newWorld()
    const person = await newPerson(companyId, 'OWNER', ['certificates:grant'])

    const failure = await refusal(person.key, PROJECTS, {})

    expect(failure.extensions.code).toBe('FORBIDDEN')
  })

  test('takes as many statements for a page of twenty as for a page of one', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    for (let count = 0; count < 20; count += 1) {
      await newProject(owner.key, companyId, {
        typeId: 1 + (count % 7),
        assetsIds: [Number(asset.id)],
        allocatedPortalUserEmails: [owner.email],
      })
    }
    const page = (limit: number) =>
      countStatements(() => run(owner.key, PROJECTS, { limit, params: { scopeIdEq: companyId } }))

    await page(1)
    const [ofOne, ofTwenty] = [await page(1), await page(20)]

    expect(ofTwenty).toBe(ofOne)
  })
})
