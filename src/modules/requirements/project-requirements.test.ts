// Requirements of projects and their activities, through the endpoint.

import { describe, expect, test } from 'vitest'
import { administratorKey, ask, type Data, refusal, run, upload } from '../../../test/testkit/client.ts'
import { countStatements, services, startService } from '../../../test/testkit/service.ts'
import { newPerson, newProject, newWorld } from '../../../test/testkit/world.ts'

const CREATE = `mutation ($input: CreateProjectRequirementInput!) { createProjectRequirement(input: $input) {
  clientMutationId errors projectRequirement { id label description activities { id title } checklist { id label } } } }`
const UPDATE = `mutation ($input: UpdateProjectRequirementInput!) { updateProjectRequirement(input: $input) {
  clientMutationId errors projectRequirement { id label description activities { id title description reference } } } }`
const DELETE = `mutation ($input: DeleteProjectRequirementInput!) { deleteProjectRequirement(input: $input) {
  clientMutationId errors projectRequirement { id } } }`
const MOVE = `mutation ($input: UpdateActivityInput!) { updateActivity(input: $input) {
  activity { id title status startedAt finishedAt } } }`
const ATTACH = `mutation ($input: AddActivityAttachmentInput!) { addActivityAttachment(input: $input) {
  activity { id title evidences { filename } } errors } }`
const PROJECT = `query ($id: ID!, $companyId: ID!) { project(id: $id, companyId: $companyId) { id label
  projectRequirements { id label checklist { id label }
    activities { id title status startedAt finishedAt evidences { filename }
      history(pagination: { page: 1, perPage: 10 }) {
        collection { id createdAt actionType portalUser { email name } evidences { filename }
          previousStatus status comment } metadata { totalCount } }
      description reference }
    global updatedAt createdAt }
  requirementsProgress { done total } } }`

type Made = { id: string; activities: { id: string; title: string }[] }

async function newRequirement(key: string, projectId: string, titles: readonly string[]): Promise<Made> {
  const activities = titles.map((label) => ({ label, description: `How to ${label}` }))
  const input = { projectId, label: 'Inputs are tested', activities }
  return (await run(key, CREATE, { input })).createProjectRequirement.projectRequirement
}

async function newActivity(key: string, companyId: string): Promise<{ projectId: string; activityId: string }> {
  const project = await newProject(key, companyId)
  const { activities } = await newRequirement(key, project.id, ['Fuzz'])
  return { projectId: project.id, activityId: activities[0]?.id ?? '' }
}

describe('requirements of a project', () => {
  test('a requirement is made with its activities, and listed with the project', async () => {
    const { companyId, owner } = await newWorld()
    const project = await newProject(owner.key, companyId)

    const made = await newRequirement(owner.key, project.id, ['Fuzz', 'Read'])

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

  test('an update changes, adds and removes the activities that it names', async () => {
    const { companyId, owner } = await newWorld()
    const project = await newProject(owner.key, companyId)
    const { id, activities } = await newRequirement(owner.key, project.id, ['Kept', 'Changed', 'Removed'])

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
    const theirs = await newRequirement(other.owner.key, project.id, ['Theirs'])
    const own = await newProject(mine.owner.key, mine.companyId)
    const [first, second] = [
      await newRequirement(mine.owner.key, own.id, ['First']),
      await newRequirement(mine.owner.key, own.id, ['Second']),
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
    const { id } = await newRequirement(owner.key, project.id, ['Fuzz'])

    const { deleteProjectRequirement } = await run(owner.key, DELETE, { input: { id } })

    const { project: shown } = await run(owner.key, PROJECT, { id: project.id, companyId })
    expect(deleteProjectRequirement).toMatchObject({ errors: null, projectRequirement: { id } })
    expect(shown).toMatchObject({ projectRequirements: [], requirementsProgress: { done: 0, total: 0 } })
  })

  test('a project of twenty requirements takes as many statements as one of one', async () => {
    const { companyId, owner } = await newWorld()
    const [small, large] = [await newProject(owner.key, companyId), await newProject(owner.key, companyId)]
    await newRequirement(owner.key, small.id, ['Fuzz'])
    for (let number = 0; number < 20; number += 1) await newRequirement(owner.key, large.id, ['Fuzz', 'Read'])
    const show = (id: string) => countStatements(() => ask(owner.key, PROJECT, { id, companyId }))

    const one = await show(small.id)
    const twenty = await show(large.id)

    expect(twenty).toBe(one)
  })
})

describe('activities', () => {
  test('a status sets when the work started and finished, stands in the history and counts as progress', async () => {
    const { companyId, owner } = await newWorld()
    const { projectId, activityId } = await newActivity(owner.key, companyId)
    const move = async (status: string, comment?: string): Promise<Data> =>
      (await run(owner.key, MOVE, { input: { id: activityId, status, comment } })).updateActivity.activity

    const started = await move('IN_PROGRESS')
    const done = await move('DONE', 'Nothing found')
    const { project } = await run(owner.key, PROJECT, { id: projectId, companyId })
    const left = await move('NOT_APPLICABLE')
    const { project: without } = await run(owner.key, PROJECT, { id: projectId, companyId })
    const again = await move('NOT_STARTED')

    expect(started).toMatchObject({ status: 'IN_PROGRESS', startedAt: expect.any(String), finishedAt: null })
    expect(done).toMatchObject({ startedAt: started.startedAt, finishedAt: expect.any(String) })
    expect(project.requirementsProgress).toEqual({ done: 1, total: 1 })
    expect(project.projectRequirements[0].activities[0].history).toMatchObject({
      collection: [
        { actionType: 'STATUS_CHANGED', previousStatus: 'IN_PROGRESS', status: 'DONE', comment: 'Nothing found' },
        { actionType: 'STATUS_CHANGED', previousStatus: 'NOT_STARTED', status: 'IN_PROGRESS', comment: null },
        { actionType: 'CREATED' },
      ],
      metadata: { totalCount: 3 },
    })
    expect(left.status).toBe('NOT_APPLICABLE')
    expect(without.requirementsProgress).toEqual({ done: 0, total: 0 })
    expect(again).toMatchObject({ startedAt: null, finishedAt: null })
  })

  test('the same status twice and an empty change leave the history as it is', async () => {
    const { companyId, owner } = await newWorld()
    const { projectId, activityId } = await newActivity(owner.key, companyId)

    await run(owner.key, MOVE, { input: { id: activityId, status: 'NOT_STARTED' } })
    await run(owner.key, MOVE, { input: { id: activityId } })
    await run(owner.key, MOVE, { input: { id: activityId, title: 'Fuzz more' } })

    const { project } = await run(owner.key, PROJECT, { id: projectId, companyId })
    const [activity] = project.projectRequirements[0].activities
    expect(activity.title).toBe('Fuzz more')
    expect(activity.history.collection.map(({ actionType }: Data) => actionType)).toEqual(['UPDATED', 'CREATED'])
  })

  test('a file becomes an evidence of the activity and of its history, and is downloaded inert', async () => {
    const { companyId, owner } = await newWorld()
    const other = await newWorld()
    const { projectId, activityId } = await newActivity(owner.key, companyId)
    const own = await startService({})
    const content = '<script>alert(1)</script>'

    const { data, errors } = await upload(
      owner.key,
      ATTACH,
      { input: { activityId, archive: null, description: 'The page' } },
      { 'input.archive': { content, filename: 'proofs/prüf.html', type: 'text/html' } },
    )
    const { project } = await run(
      owner.key,
      `query ($id: ID!, $companyId: ID!) { project(id: $id, companyId: $companyId) { projectRequirements { activities {
        evidences { id filename contentType size sha256 description downloadUrl createdAt }
        history { collection { actionType evidences { filename } } } } } } }`,
      { id: projectId, companyId },
    )
    const [activity] = project.projectRequirements[0].activities
    const download = (key: string, path: string) => fetch(`${own.url}${path}`, { headers: { 'x-api-key': key } })
    const got = await download(owner.key, activity.evidences[0].downloadUrl)
    const text = await got.text()
    const foreign = await download(other.owner.key, activity.evidences[0].downloadUrl)
    const missing = await download(other.owner.key, '/activity-evidences/999999999')
    await own.app.stop(0)

    expect(errors).toEqual([])
    expect(data.addActivityAttachment).toEqual({
      activity: { id: activityId, title: 'Fuzz', evidences: [{ filename: 'prüf.html' }] },
      errors: null,
    })
    expect(activity.evidences[0]).toMatchObject({
      contentType: 'text/html',
      size: 25,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(activity.history.collection[0]).toEqual({
      actionType: 'EVIDENCE_ADDED',
      evidences: [{ filename: 'prüf.html' }],
    })
    expect(text).toBe(content)
    expect(got.headers.get('content-type')).toBe('application/octet-stream')
    expect(got.headers.get('content-disposition')).toBe(
      `attachment; filename="pr_f.html"; filename*=UTF-8''pr%C3%BCf.html`,
    )
    expect(got.headers.get('x-content-type-options')).toBe('nosniff')
    expect(got.headers.get('content-security-policy')).toContain('sandbox')
    expect([foreign.status, missing.status]).toEqual([404, 404])
  })

  test('a file in a JSON body is kept too; one that is too large, or of no activity, is refused', async () => {
    const { companyId, owner } = await newWorld()
    const { activityId } = await newActivity(owner.key, companyId)
    const archive = { filename: 'notes.txt', contentType: 'text/plain', base64: Buffer.from('seen').toString('base64') }

    const { addActivityAttachment } = await run(owner.key, ATTACH, { input: { id: activityId, archive } })
    const missing = await refusal(owner.key, ATTACH, { input: { activityId: '999999999', archive } })
    const nameless = await refusal(owner.key, ATTACH, { input: { archive } })

    expect(addActivityAttachment.activity.evidences).toEqual([{ filename: 'notes.txt' }])
    expect(missing.extensions.code).toBe('NOT_FOUND')
    expect(nameless.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.activityId' })
  })

  test('files go with their activity, requirement, project and company', async () => {
    const { companyId, owner } = await newWorld()
    const [service] = await services()
    const archive = { filename: 'notes.txt', contentType: 'text/plain', base64: Buffer.from('seen').toString('base64') }
    const withFile = async () => {
      const project = await newProject(owner.key, companyId)
      const made = await newRequirement(owner.key, project.id, ['Fuzz'])
      const activityId = made.activities[0]?.id
      await run(owner.key, ATTACH, { input: { activityId, archive } })
      return { projectId: project.id, id: made.id, activityId }
    }
    const count = async () => {
      const files = service?.app.db.selectFrom('stored_object').select('id').where('company_id', '=', companyId)
      return (await files?.execute())?.length
    }
    const made = [await withFile(), await withFile(), await withFile(), await withFile()]
    const { company } = await run(owner.key, 'query ($id: ID!) { company(id: $id) { label } }', { id: companyId })
    const left = [await count()]

    await run(owner.key, UPDATE, { input: { id: made[0]?.id, removeActivityIds: [made[0]?.activityId] } })
    left.push(await count())
    await run(owner.key, DELETE, { input: { id: made[1]?.id } })
    left.push(await count())
    await run(
      owner.key,
      'mutation ($input: BulkDeleteProjectInput!) { bulkDeleteProjects(input: $input) { clientMutationId } }',
      {
        input: { ids: [made[2]?.projectId], companyId },
      },
    )
    left.push(await count())
    await run(administratorKey(), 'mutation ($input: DeleteCompanyInput!) { deleteCompany(input: $input) { id } }', {
      input: { id: companyId, label: company.label },
    })
    left.push(await count())

    expect(left).toEqual([4, 3, 2, 1, 0])
  })

  test('a file that was sent once is the evidence of one activity', async () => {
    const { companyId, owner } = await newWorld()
    const [first, second] = [await newActivity(owner.key, companyId), await newActivity(owner.key, companyId)]

    const { data, errors } = await upload(
      owner.key,
      `mutation ($first: ID!, $second: ID!, $archive: Upload!) {
        first: addActivityAttachment(input: { id: $first, archive: $archive }) { activity { evidences { filename } } }
        second: addActivityAttachment(input: { id: $second, archive: $archive }) { activity { evidences { filename } } } }`,
      { first: first.activityId, second: second.activityId, archive: null },
      { archive: { content: 'seen', filename: 'notes.txt' } },
    )

    expect(data.first.activity.evidences).toEqual([{ filename: 'notes.txt' }])
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT'])
  })

  test('an evidence above the limit of attachments is refused', async () => {
    const { companyId, owner } = await newWorld()
    const { activityId } = await newActivity(owner.key, companyId)
    const own = await startService({ MERLON_ATTACHMENT_BYTES: '3' })
    const archive = { filename: 'notes.txt', contentType: 'text/plain', base64: Buffer.from('seen').toString('base64') }

    const response = await fetch(`${own.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': owner.key },
      body: JSON.stringify({ query: ATTACH, variables: { input: { activityId, archive } } }),
    })
    const { errors } = (await response.json()) as Data
    await own.app.stop(0)

    expect(errors[0].extensions).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', argument: 'input.archive' })
  })
})
