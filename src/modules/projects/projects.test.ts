// Projects, through the endpoint.

import { describe, expect, test } from 'vitest'
import { administratorKey, type Data, refusal, run, unique } from '../../../test/testkit/client.ts'
import { newAsset, newIssue, newPerson, newProject, newWorld } from '../../../test/testkit/world.ts'

const PROJECTS = `query ($page: Int, $limit: Int, $params: ProjectSearch, $sortBy: String, $descending: Boolean) {
  projects(page: $page, limit: $limit, params: $params, sortBy: $sortBy, descending: $descending) {
    collection { id label status createdAt startDate endDate estimatedHours environmentCompromised
      projectType { label } tags { name } allocatedAnalyst { portalUser { name email } } assets { id name } company { id }
      statusHistory { status portalUser { email } } accessPortalUsers { email } }
    metadata { totalCount totalPages currentPage limitValue } } }`
const PROJECT = `query ($id: ID!, $companyId: ID!) { project(id: $id, companyId: $companyId) {
  id label tags { name } assets { id name } playbooks { id } projectScopeUrls { url } endDate comment environmentCompromised
  status statusReason statusHistory { previousStatus status reason portalUser { email } } accessPortalUsers { email } } }`
const CREATE = `mutation ($input: CreateProjectInput!) { createProject(input: $input) {
  project { id pid label goal scope createdAt startDate endDate estimatedHours projectType { id label }
    allocatedAnalyst { portalUser { email } } } clientMutationId errors } }`
const UPDATE = `mutation ($input: UpdateProjectInput!) { updateProject(input: $input) {
  project { id label goal scope startDate endDate estimatedHours projectType { id label } tags { name } assets { id name }
    allocatedAnalyst { portalUser { email } } } clientMutationId errors msg } }`
const DELETE = 'mutation ($input: DeleteProjectInput!) { deleteProject(input: $input) { project { id label } } }'

const needed = (companyId: string) => ({
  companyId: Number(companyId),
  typeId: 1,
  label: unique('Project'),
  goal: 'To know',
  scope: 'Everything',
  startDate: '2026-03-01',
})

const labels = (answer: Data): string[] => answer.projects.collection.map(({ label }: Data) => label)

describe('projects', () => {
  test('a project keeps all that it was made with', async () => {
    const { companyId, owner } = await newWorld()
    const analyst = await newPerson(companyId, 'ANALYST')
    const asset = await newAsset(owner.key, companyId)
    const input = {
      ...needed(companyId),
      endDate: '2026-03-31',
      estimatedHours: '40',
      tags: ['pci', 'web'],
      assetsIds: [Number(asset.id)],
      allocatedPortalUserEmails: [analyst.email.toUpperCase()],
      accessPortalUserEmails: [owner.email],
      projectScopeUrls: ['https://shop.example.test'],
      teamsIds: [3],
      credentialsIds: [4],
      secretIds: ['vault'],
      clientMutationId: 'one',
    }

    const { createProject } = await run(owner.key, CREATE, { input })
    const { project } = await run(owner.key, PROJECT, { id: createProject.project.id, companyId })

    expect(createProject).toMatchObject({ clientMutationId: 'one', errors: null })
    expect(createProject.project).toMatchObject({
      pid: `TM-${createProject.project.id}`,
      goal: 'To know',
      startDate: '2026-03-01',
      endDate: '2026-03-31',
      estimatedHours: '40',
      projectType: { id: '1', label: 'Threat modeling' },
      allocatedAnalyst: [{ portalUser: { email: analyst.email } }],
    })
    expect(project).toMatchObject({
      label: input.label,
      tags: [{ name: 'pci' }, { name: 'web' }],
      assets: [asset],
      playbooks: [],
      projectScopeUrls: [{ url: 'https://shop.example.test' }],
      status: 'PLANNED',
      statusHistory: [{ previousStatus: null, status: 'PLANNED', reason: null, portalUser: { email: owner.email } }],
      accessPortalUsers: [{ email: owner.email }],
    })
  })

  test('a change leaves what is not given, clears what is null and replaces lists', async () => {
    const { companyId, owner } = await newWorld()
    const analyst = await newPerson(companyId, 'ANALYST')
    const assets = [await newAsset(owner.key, companyId), await newAsset(owner.key, companyId)]
    const { id, label } = await newProject(owner.key, companyId, {
      endDate: '2026-05-01',
      tags: ['one'],
      assetsIds: [Number(assets[0]?.id)],
      allocatedPortalUserEmails: [owner.email],
    })

    const { updateProject } = await run(owner.key, UPDATE, {
      input: {
        id: Number(id),
        companyId: Number(companyId),
        endDate: null,
        comment: 'Late',
        typeId: 2,
        tags: ['two'],
        assetsIds: [Number(assets[1]?.id)],
        allocatedPortalUserEmails: [analyst.email],
      },
    })
    const { project } = await run(owner.key, PROJECT, { id, companyId })

    expect(updateProject).toMatchObject({ errors: null, msg: null })
    expect(updateProject.project).toMatchObject({
      label,
      goal: 'To know what is wrong',
      endDate: null,
      projectType: { label: 'Secure code review' },
      tags: [{ name: 'two' }],
      assets: [assets[1]],
      allocatedAnalyst: [{ portalUser: { email: analyst.email } }],
    })
    expect(project).toMatchObject({ comment: 'Late', endDate: null })
  })

  test('a person who left the company is no longer allocated', async () => {
    const { companyId, owner } = await newWorld()
    const analyst = await newPerson(companyId, 'ANALYST')
    await newProject(owner.key, companyId, { allocatedPortalUserEmails: [analyst.email, owner.email] })
    await run(
      owner.key,
      `mutation ($input: UpdatePortalUserAccessInput!) {
        updatePortalUserAccess(input: $input) { portalUserAccess { portalUser { id } } } }`,
      { input: { companyId, id: analyst.id } },
    )

    const { projects } = await run(owner.key, PROJECTS, {})

    expect(projects.collection[0].allocatedAnalyst).toEqual([{ portalUser: { name: 'A person', email: owner.email } }])
  })

  test('what a project names must be of its own company', async () => {
    const { companyId, owner } = await newWorld()
    const other = await newWorld()
    const foreign = await newAsset(other.owner.key, other.companyId)
    const { id } = await newProject(owner.key, companyId)
    const refused = (given: object) =>
      Promise.all([
        refusal(owner.key, CREATE, { input: { ...needed(companyId), ...given } }),
        refusal(owner.key, UPDATE, { input: { id, ...given } }),
      ])

    const asset = await refused({ assetsIds: [Number(foreign.id)] })
    const type = await refused({ typeId: 999_999 })
    const playbook = await refused({ playbooksIds: [999_999_999] })
    const allocated = await refused({ allocatedPortalUserEmails: [other.owner.email] })
    const access = await refused({ accessPortalUserEmails: ['nobody@example.test'] })

    for (const { message } of asset) expect(message).toBe(`The asset ${foreign.id} was not found`)
    for (const { message } of type) expect(message).toBe('The project type 999999 was not found')
    for (const { extensions } of playbook) expect(extensions.code).toBe('NOT_FOUND')
    for (const { extensions } of allocated) {
      expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.allocatedPortalUserEmails' })
    }
    for (const { extensions } of access) expect(extensions.argument).toBe('input.accessPortalUserEmails')
  })

  test.each([
    ['endDate', '2026-02-28'],
    ['label', ' '],
    ['label', 'l'.repeat(501)],
    ['goal', ''],
    ['scope', 's'.repeat(100_001)],
    ['students', -1],
    ['estimatedHours', 'h'.repeat(201)],
    ['projectScopeUrls', ['javascript:alert(1)']],
    ['tags', ['']],
  ])('what cannot be used as %s is refused by its name', async (argument, value) => {
    const { companyId, owner } = await newWorld()
    const { id } = await newProject(owner.key, companyId)

    const made = await refusal(owner.key, CREATE, { input: { ...needed(companyId), [argument]: value } })
    const changed = await refusal(owner.key, UPDATE, { input: { id, [argument]: value } })

    expect(made.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: `input.${argument}` })
    expect(changed.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: `input.${argument}` })
  })

  test('a start that is moved behind the end is refused', async () => {
    const { companyId, owner } = await newWorld()
    const { id } = await newProject(owner.key, companyId, { endDate: '2026-03-02' })

    const failure = await refusal(owner.key, UPDATE, { input: { id, startDate: '2026-03-03' } })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.endDate' })
  })

  test('a foreign project and a missing one look the same, whatever is asked of them', async () => {
    const { companyId, owner } = await newWorld()
    const other = await newWorld()
    const foreign = await newProject(other.owner.key, other.companyId)
    const asked = (id: string) => [
      refusal(owner.key, 'query ($id: ID!) { project(id: $id) { id } }', { id }),
      refusal(owner.key, PROJECT, { id, companyId }),
      refusal(owner.key, UPDATE, { input: { id, label: 'Mine' } }),
      refusal(owner.key, DELETE, { input: { id } }),
    ]

    const ofForeign = await Promise.all(asked(foreign.id))
    const ofMissing = await Promise.all(asked('999999999'))

    for (const { message } of ofForeign) expect(message).toBe(`The project ${foreign.id} was not found`)
    for (const { message } of ofMissing) expect(message).toBe('The project 999999999 was not found')
  })

  test('a project is found under its own company only', async () => {
    const [here, there] = [await newWorld(), await newWorld()]
    const { id } = await newProject(here.owner.key, here.companyId)

    const byAdministrator = await refusal(administratorKey(), PROJECT, { id, companyId: there.companyId })
    const changed = await refusal(administratorKey(), UPDATE, {
      input: { id, companyId: Number(there.companyId), label: 'Other' },
    })
    const deleted = await refusal(administratorKey(), DELETE, { input: { id, companyId: there.companyId } })

    for (const { message } of [byAdministrator, changed, deleted])
      expect(message).toBe(`The project ${id} was not found`)
  })

  test('a developer sees projects and changes none', async () => {
    const { companyId, owner } = await newWorld()
    const developer = await newPerson(companyId, 'DEVELOPER')
    const { id, label } = await newProject(owner.key, companyId)

    const seen = await run(developer.key, PROJECTS, {})
    const refused = await Promise.all([
      refusal(developer.key, CREATE, { input: needed(companyId) }),
      refusal(developer.key, UPDATE, { input: { id, label: 'New' } }),
      refusal(developer.key, DELETE, { input: { id } }),
    ])

    expect(labels(seen)).toEqual([label])
    expect(refused.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'])
  })

  test('a project goes and its assets stay', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const { id, label } = await newProject(owner.key, companyId, { assetsIds: [Number(asset.id)] })
    const issue = await newIssue(owner.key, asset.id, { projectId: Number(id) })

    const { deleteProject } = await run(owner.key, DELETE, { input: { id, companyId } })
    const again = await refusal(owner.key, DELETE, { input: { id } })
    const left = await run(
      owner.key,
      'query ($asset: ID!, $issue: ID!) { asset(id: $asset) { id } issue(id: $issue) { id } }',
      { asset: asset.id, issue: issue.id },
    )

    expect(deleteProject.project).toEqual({ id, label })
    expect(again.extensions.code).toBe('NOT_FOUND')
    expect(left).toEqual({ asset: { id: asset.id }, issue: { id: issue.id } })
  })
})
