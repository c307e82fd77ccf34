// Activities of a project's requirements, their history and evidence, through the endpoint.

import { describe, expect, test } from 'vitest'
import { administratorKey, type Data, refusal, run, upload } from '../../../test/testkit/client.ts'
import { newProjectRequirement } from '../../../test/testkit/requirements.ts'
import { services, startService } from '../../../test/testkit/service.ts'
import { newProject, newWorld } from '../../../test/testkit/world.ts'

const UPDATE = `mutation ($input: UpdateProjectRequirementInput!) { updateProjectRequirement(input: $input) {
  projectRequirement { id } } }`
const DELETE = `mutation ($input: DeleteProjectRequirementInput!) { deleteProjectRequirement(input: $input) {
  projectRequirement { id } } }`
const MOVE = `mutation ($input: UpdateActivityInput!) { updateActivity(input: $input) {
  activity { id title status startedAt finishedAt } } }`
const ATTACH = `mutation ($input: AddActivityAttachmentInput!) { addActivityAttachment(input: $input) {
  activity { id title evidences { filename } } errors } }`
const PROJECT = `query ($id: ID!, $companyId: ID!) { project(id: $id, companyId: $companyId) {
  projectRequirements { activities { id title status history {
    collection { actionType previousStatus status comment } metadata { totalCount } } } }
  requirementsProgress { done total } } }`

async function newActivity(key: string, companyId: string): Promise<{ projectId: string; activityId: string }> {
  const project = await newProject(key, companyId)
  const { activities } = await newProjectRequirement(key, project.id, ['Fuzz'])
  return { projectId: project.id, activityId: activities[0]?.id ?? '' }
}

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
      const made = await newProjectRequirement(owner.key, project.id, ['Fuzz'])
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
