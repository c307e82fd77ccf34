// Requirements of projects and their activities, through the endpoint.

import { describe, expect, test } from 'vitest'
import { ask, refusal, run } from '../../../test/testkit/client.ts'
import { newProjectRequirement } from '../../../test/testkit/requirements.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { newPerson, newProject, newWorld } from '../../../test/testkit/world.ts'

const CREATE = `mutation ($input: CreateProjectRequirementInput!) { createProjectRequirement(input: $input) {
  clientMutationId errors projectRequirement { id label description activities { id title } checklist { id label } } } }`
const UPDATE = `mutation ($input: UpdateProjectRequirementInput!) { updateProjectRequirement(input: $input) {
  clientMutationId errors projectRequirement { id label description activities { id title description reference } } } }`
const DELETE = `mutation ($input: DeleteProjectRequirementInput!) { deleteProjectRequirement(input: $input) {
  clientMutationId errors projectRequirement { id } } }`
const MOVE = `mutation ($input: UpdateActivityInput!) { updateActivity(input: $input) {
  activity { id title status startedAt finishedAt } } }`
const PROJECT = `query ($id: ID!, $companyId: ID!) { project(id: $id, companyId: $companyId) { id label
  projectRequirements { id label checklist { id label }
    activities { id title status startedAt finishedAt evidences { filename }
      history(pagination: { page: 1, perPage: 10 }) {
        collection { id createdAt actionType portalUser { email name } evidences { filename }
          previousStatus status comment } metadata { totalCount } }
      description reference }
    global updatedAt createdAt }
  requirementsProgress { done total } } }`

describe('requirements of a project', () => {
  test('a requirement is made with its activities, and listed with the project', async () => {
    const { companyId, owner } = await newWorld()
    const project = await newProject(owner.key, companyId)

    const made = await newProjectRequirement(owner.key, project.id, ['Fuzz', 'Read'])

    const { projectRequirements } = await run(
      owner.key,
      'query ($projectId: ID!) { projectRequirements(projectId: $projectId) { id label description createdAt updatedAt } }',
      { projectId: project.id },
    )
    const shown = (await run(owner.key, PROJECT, { id: project.id, companyId })).project
    expect(projectRequirements).toMatchObject([{ id: made.id, label: 'Inputs are tested', description: null }])
    expect(shown.projectRequirements).toMatchObject([
      {
        id: made.id,
        checklist: [],
        global: false,
        activities: [
          {
            title: 'Fuzz',
            description: 'How to Fuzz',
            status: 'NOT_STARTED',
            startedAt: null,
            finishedAt: null,
            evidences: [],
            history: { collection: [{ actionType: 'CREATED', portalUser: { email: owner.email }, evidences: [] }] },
          },
          { title: 'Read' },
        ],
      },
    ])
    expect(shown.requirementsProgress).toEqual({ done: 0, total: 2 })
  })

  test("one that starts from the company's takes over its attack patterns, and its other checks as activities", async () => {
    const { companyId, owner } = await newWorld()
    const project = await newProject(owner.key, companyId)
    const threats = await run(
      owner.key,
      `mutation ($input: CreateThreatModelingRequirementsInput!) {
        createThreatModelingRequirements(input: $input) { requirements { id } } }`,
      { input: { companyId, requirements: [{ label: 'Inputs', capecIds: ['66'] }] } },
    )
    const requirementId = threats.createThreatModelingRequirements.requirements[0].id
    await run(
      owner.key,
      'mutation ($input: RequirementInput!) { createOrUpdateRequirement(input: $input) { requirement { id } } }',
      {
        input: {
          id: requirementId,
          companyId,
          label: 'Inputs',
          description: 'Why',
          activities: [{ label: 'Read', description: '' }],
        },
      },
    )

    const { createProjectRequirement } = await run(owner.key, CREATE, {
      input: { projectId: project.id, label: 'Ours', requirementId },
    })

    expect(createProjectRequirement).toMatchObject({
      errors: null,
      projectRequirement: {
        label: 'Ours',
        description: 'Why',
        activities: [{ title: 'Read' }],
        checklist: [{ label: 'CAPEC-66: SQL Injection' }],
      },
    })
  })

  test("a project names the company's requirements as its playbooks, and no other's", async () => {
    const [mine, other] = [await newWorld(), await newWorld()]
    const newPlaybook = async ({ companyId, owner }: typeof mine): Promise<string> => {
      const input = { companyId, label: 'Playbook', description: '' }
      const saved = await run(
        owner.key,
        'mutation ($input: RequirementInput!) { createOrUpdateRequirement(input: $input) { requirement { id } } }',
        { input },
      )
      return saved.createOrUpdateRequirement.requirement.id
    }
    const [own, theirs] = [await newPlaybook(mine), await newPlaybook(other)]
    const { companyId, owner } = mine

    const project = await newProject(owner.key, companyId, { playbooksIds: [Number(own)] })
    const foreign = newProject(owner.key, companyId, { playbooksIds: [Number(theirs)] })

    await expect(foreign).rejects.toThrow(`NOT_FOUND: The requirement ${theirs} was not found`)
    const shown = await run(
      owner.key,
      'query ($id: ID!, $companyId: ID!) { project(id: $id, companyId: $companyId) { playbooks { id } } }',
      { id: project.id, companyId },
    )
    expect(shown.project.playbooks).toEqual([{ id: own }])
  })

  test('an update changes, adds and removes the activities that it names', async () => {
    const { companyId, owner } = await newWorld()
    const project = await newProject(owner.key, companyId)
    const { id, activities } = await newProjectRequirement(owner.key, project.id, ['Kept', 'Changed', 'Removed'])

    const { updateProjectRequirement } = await run(owner.key, UPDATE, {
      input: {
        id,
        description: 'Now',
        activities: [
          { id: activities[1]?.id, reference: 'WSTG' },
          { label: 'Added', sort: 0 },
        ],
        removeActivityIds: [activities[2]?.id],
        clientMutationId: 'u',
      },
    })

    expect(updateProjectRequirement).toMatchObject({
      clientMutationId: 'u',
      errors: null,
      projectRequirement: {
        label: 'Inputs are tested',
        description: 'Now',
        activities: [
          { title: 'Added' },
          { id: activities[0]?.id, title: 'Kept' },
          { id: activities[1]?.id, title: 'Changed', description: 'How to Changed', reference: 'WSTG' },
        ],
      },
    })
  })

  test('what is foreign is as what is missing, and what is not a project’s is none', async () => {
    const [mine, other] = [await newWorld(), await newWorld()]
    const project = await newProject(other.owner.key, other.companyId)
    const theirs = await newProjectRequirement(other.owner.key, project.id, ['Theirs'])
    const own = await newProject(mine.owner.key, mine.companyId)
    const [first, second] = [
      await newProjectRequirement(mine.owner.key, own.id, ['First']),
      await newProjectRequirement(mine.owner.key, own.id, ['Second']),
    ]
    const { key } = mine.owner
    const companys = await run(
      key,
      'mutation ($input: RequirementInput!) { createOrUpdateRequirement(input: $input) { requirement { id } } }',
      { input: { companyId: mine.companyId, label: 'Own', description: '' } },
    )

    const failures = [
      await refusal(key, CREATE, { input: { projectId: project.id, label: 'Mine' } }),
      await refusal(key, CREATE, { input: { projectId: own.id, label: 'Mine', requirementId: theirs.id } }),
      await refusal(key, UPDATE, { input: { id: theirs.id, label: 'Mine' } }),
      await refusal(key, UPDATE, { input: { id: first.id, activities: [{ id: second.activities[0]?.id }] } }),
      await refusal(key, UPDATE, { input: { id: first.id, removeActivityIds: [theirs.activities[0]?.id] } }),
      await refusal(key, DELETE, { input: { id: theirs.id } }),
      await refusal(key, DELETE, { input: { id: companys.createOrUpdateRequirement.requirement.id } }),
      await refusal(key, MOVE, { input: { id: theirs.activities[0]?.id, status: 'DONE' } }),
      await refusal(key, 'query ($id: ID!) { projectRequirements(projectId: $id) { id } }', { id: project.id }),
    ]
    const missing = await refusal(key, MOVE, { input: { id: '999999999', status: 'DONE' } })

    expect(failures.map(({ extensions }) => extensions.code)).toEqual(failures.map(() => 'NOT_FOUND'))
    expect(failures[7]?.message.replace(theirs.activities[0]?.id ?? '', '#')).toBe(
      missing.message.replace('999999999', '#'),
    )
  })

  test('bad input is refused by name, and a developer may not write', async () => {
    const { companyId, owner } = await newWorld()
    const project = await newProject(owner.key, companyId)
    const developer = await newPerson(companyId, 'DEVELOPER')
    const refuse = async (input: Record<string, unknown>) =>
      (await refusal(owner.key, CREATE, { input: { projectId: project.id, label: 'Fine', ...input } })).extensions

    const answers = [
      await refuse({ label: '' }),
      await refuse({ activities: [{ description: 'No title' }] }),
      await refuse({ activities: [{ id: '1', label: 'Not yet' }] }),
    ]
    const forbidden = await refusal(developer.key, CREATE, { input: { projectId: project.id, label: 'Mine' } })

    expect(answers.map(({ code, argument }) => [code, argument])).toEqual([
      ['BAD_USER_INPUT', 'input.label'],
      ['BAD_USER_INPUT', 'input.activities.0.label'],
      ['BAD_USER_INPUT', 'input.activities'],
    ])
    expect(forbidden.extensions.code).toBe('FORBIDDEN')
  })

  test('a deleted one is gone with its activities', async () => {
    const { companyId, owner } = await newWorld()
    const project = await newProject(owner.key, companyId)
    const { id } = await newProjectRequirement(owner.key, project.id, ['Fuzz'])

    const { deleteProjectRequirement } = await run(owner.key, DELETE, { input: { id } })

    const { project: shown } = await run(owner.key, PROJECT, { id: project.id, companyId })
    expect(deleteProjectRequirement).toMatchObject({ errors: null, projectRequirement: { id } })
    expect(shown).toMatchObject({ projectRequirements: [], requirementsProgress: { done: 0, total: 0 } })
  })

  test('a project of twenty requirements takes as many statements as one of one', async () => {
    const { companyId, owner } = await newWorld()
    const [small, large] = [await newProject(owner.key, companyId), await newProject(owner.key, companyId)]
    await newProjectRequirement(owner.key, small.id, ['Fuzz'])
    for (let number = 0; number < 20; number += 1) await newProjectRequirement(owner.key, large.id, ['Fuzz', 'Read'])
    const show = (id: string) => countStatements(() => ask(owner.key, PROJECT, { id, companyId }))

    const one = await show(small.id)
    const twenty = await show(large.id)

    expect(twenty).toBe(one)
  })
})
