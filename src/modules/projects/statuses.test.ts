// Types and statuses of projects, and changes of many projects at once, through the endpoint.

import { describe, expect, test } from 'vitest'
import { type Data, refusal, run } from '../../../test/testkit/client.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { newPerson, newProject, newWorld } from '../../../test/testkit/world.ts'

const TYPES = `query ($page: Int, $limit: Int, $params: ProjectTypeSearch) {
  projectTypes(page: $page, limit: $limit, params: $params) {
    collection { id label code description defaultDuration } metadata { totalCount totalPages currentPage limitValue } } }`
const STATUSES = `query ($page: Int, $limit: Int) { projectStatuses(page: $page, limit: $limit) {
  collection { id label isInitial } metadata { totalCount } } }`
const UPDATE_STATUS = `mutation ($input: UpdateProjectStatusInput!) {
  updateProjectStatus(input: $input) { errors clientMutationId project { id label status } } }`
const BULK_STATUS = `mutation ($input: BulkUpdateProjectStatusInput!) {
  bulkUpdateProjectStatus(input: $input) { clientMutationId projects { id status statusReason } } }`
const BULK_DELETE = `mutation ($input: BulkDeleteProjectInput!) {
  bulkDeleteProjects(input: $input) { clientMutationId projects { id } } }`
const HISTORY = `query ($id: ID!) { project(id: $id) {
  status statusReason statusHistory { previousStatus status reason portalUser { email } createdAt } } }`

const threeProjects = async (key: string, companyId: string): Promise<string[]> => {
  const made = []
  for (let count = 0; count < 3; count += 1) made.push((await newProject(key, companyId)).id)
  return made
}

describe('types and statuses of projects', () => {
  test('types are listed in pages and found by label or code', async () => {
    const { owner } = await newWorld()

    const first = await run(owner.key, TYPES, { limit: 2 })
    const second = await run(owner.key, TYPES, { limit: 2, page: 2 })
    const byLabel = await run(owner.key, TYPES, { params: { labelCont: 'WEB' } })
    const byCode = await run(owner.key, TYPES, { params: { codeEq: 'TM' } })

    expect(first.projectTypes.collection.map(({ code }: Data) => code)).toEqual(['TM', 'SCR'])
    expect(first.projectTypes.metadata).toEqual({ totalCount: 7, totalPages: 4, currentPage: 1, limitValue: 2 })
    expect(second.projectTypes.collection.map(({ code }: Data) => code)).toEqual(['WEB', 'API'])
    expect(byLabel.projectTypes.collection.map(({ label }: Data) => label)).toEqual(['Web application test'])
    expect(byCode.projectTypes.collection).toMatchObject([{ label: 'Threat modeling', defaultDuration: 5 }])
  })

  test('statuses are listed, and one of them is the first', async () => {
    const { owner } = await newWorld()

    const { projectStatuses } = await run(owner.key, STATUSES)
    const rest = await run(owner.key, STATUSES, { limit: 2, page: 3 })

    expect(projectStatuses.collection.map(({ label, isInitial }: Data) => [label, isInitial])).toEqual([
      ['PLANNED', true],
      ['ANALYSIS', false],
      ['PAUSED', false],
      ['DONE', false],
      ['DISCONTINUED', false],
    ])
    expect(projectStatuses.metadata.totalCount).toBe(5)
    expect(rest.projectStatuses.collection.map(({ label }: Data) => label)).toEqual(['DISCONTINUED'])
  })

  test('a change of status is kept with its reason and who made it', async () => {
    const { companyId, owner } = await newWorld()
    const analyst = await newPerson(companyId, 'ANALYST')
    const { id, label } = await newProject(owner.key, companyId)

    const { updateProjectStatus } = await run(analyst.key, UPDATE_STATUS, {
      input: { id, projectStatus: 'PAUSED', reason: 'Holidays', clientMutationId: 'one' },
    })
    const { project } = await run(owner.key, HISTORY, { id })

    expect(updateProjectStatus).toEqual({
      errors: null,
      clientMutationId: 'one',
      project: { id, label, status: 'PAUSED' },
    })
    expect(project).toMatchObject({
      status: 'PAUSED',
      statusReason: 'Holidays',
      statusHistory: [
        { previousStatus: null, status: 'PLANNED', reason: null, portalUser: { email: owner.email } },
        { previousStatus: 'PLANNED', status: 'PAUSED', reason: 'Holidays', portalUser: { email: analyst.email } },
      ],
    })
  })

  test('many projects change their status together or not at all', async () => {
    const { companyId, owner } = await newWorld()
    const other = await newWorld()
    const ids = await threeProjects(owner.key, companyId)
    const foreign = await newProject(other.owner.key, other.companyId)
    const input = { companyId, projectStatus: 'DONE', reason: 'All found' }

    const refused = await refusal(owner.key, BULK_STATUS, { input: { ...input, ids: [...ids, foreign.id] } })
    const untouched = await run(owner.key, HISTORY, { id: ids[0] })
    const { bulkUpdateProjectStatus } = await run(owner.key, BULK_STATUS, { input: { ...input, ids } })
    const history = await run(owner.key, HISTORY, { id: ids[2] })

    expect(refused.message).toBe(`The project ${foreign.id} was not found`)
    expect(untouched.project.status).toBe('PLANNED')
    expect(bulkUpdateProjectStatus.projects).toEqual(
      ids.map((id) => ({ id, status: 'DONE', statusReason: 'All found' })),
    )
    expect(history.project.statusHistory).toHaveLength(2)
  })

  test('many projects are deleted together or not at all', async () => {
    const { companyId, owner } = await newWorld()
    const ids = await threeProjects(owner.key, companyId)

    const refused = await refusal(owner.key, BULK_DELETE, { input: { companyId, ids: [...ids, '999999999'] } })
    const { bulkDeleteProjects } = await run(owner.key, BULK_DELETE, {
      input: { companyId: Number(companyId), ids: ids.map(Number), clientMutationId: 'two' },
    })
    const { projects } = await run(
      owner.key,
      'query ($params: ProjectSearch!) { projects(page: 1, limit: 3, params: $params) { collection { id } } }',
      { params: { scopeIdEq: companyId, idIn: ids } },
    )

    expect(refused.message).toBe('The project 999999999 was not found')
    expect(bulkDeleteProjects).toEqual({ clientMutationId: 'two', projects: ids.map((id) => ({ id })) })
    expect(projects.collection).toEqual([])
  })

  test('many projects take as many statements as one', async () => {
    const { companyId, owner } = await newWorld()
    const ids = await threeProjects(owner.key, companyId)
    const input = { companyId, projectStatus: 'ANALYSIS' }

    const ofOne = await countStatements(() =>
      run(owner.key, BULK_STATUS, { input: { ...input, ids: ids.slice(0, 1) } }),
    )
    const ofThree = await countStatements(() => run(owner.key, BULK_STATUS, { input: { ...input, ids } }))

    expect(ofThree).toBe(ofOne)
  })

  test('a developer and somebody from elsewhere change no status', async () => {
    const { companyId, owner } = await newWorld()
    const developer = await newPerson(companyId, 'DEVELOPER')
    const stranger = await newWorld()
    const { id } = await newProject(owner.key, companyId)
    const asked = (key: string) =>
      Promise.all([
        refusal(key, UPDATE_STATUS, { input: { id, projectStatus: 'DONE' } }),
        refusal(key, BULK_STATUS, { input: { ids: [id], companyId, projectStatus: 'DONE' } }),
        refusal(key, BULK_DELETE, { input: { ids: [id], companyId } }),
      ])

    const [ofDeveloper, ofStranger] = [await asked(developer.key), await asked(stranger.owner.key)]

    for (const { extensions } of ofDeveloper) expect(extensions.code).toBe('FORBIDDEN')
    expect(ofStranger.map(({ message }) => message)).toEqual([
      `The project ${id} was not found`,
      `The company ${companyId} was not found`,
      `The company ${companyId} was not found`,
    ])
  })

  test('a reason that is too long and an unknown status are refused', async () => {
    const { companyId, owner } = await newWorld()
    const { id } = await newProject(owner.key, companyId)

    const long = await refusal(owner.key, UPDATE_STATUS, {
      input: { id, projectStatus: 'DONE', reason: 'r'.repeat(100_001) },
    })
    const unknown = await refusal(owner.key, UPDATE_STATUS, { input: { id, projectStatus: 'Fixing' } })

    expect(long.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.reason' })
    expect(unknown.message).toContain('NewProjectStatusEnum')
  })
})
