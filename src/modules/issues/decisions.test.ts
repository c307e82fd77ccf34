// What people decide of issues, through the endpoint.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { refusal, run, type Variables } from '../../../test/testkit/client.ts'
import { countStatements, services } from '../../../test/testkit/service.ts'
import { everyScope, newAsset, newIssue, newPerson, newWorld } from '../../../test/testkit/world.ts'
import { expireRiskAcceptances } from './jobs.ts'

const CHANGE = `mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) {
  clientMutationId issue { id status permittedStatus statusReason decidedBy { email } decidedAt riskAcceptedUntil closedAt } } }`
const BULK = `mutation ($input: BulkChangeIssueStatusInput!) { bulkChangeIssueStatus(input: $input) { clientMutationId jobId } }`
const DELETE = `mutation ($input: DeleteIssueInput!) { deleteIssue(input: $input) { issue {
  id cweIds patterns priority { score } exploitation { vulnerabilityIds isKnownExploited } history { at } places { at } } } }`
const BULK_DELETE = `mutation ($input: BulkDeleteIssuesInput!) { bulkDeleteIssues(input: $input) { clientMutationId jobId } }`
const ASSIGN = `mutation ($input: UpdateIssueAssigneesInput!) { updateIssueAssignee(input: $input) {
  clientMutationId assignees { id } issue { id assignedUsers { email name } } } }`
const STATUS = `query ($id: ID!) { issue(id: $id) { status statusReason riskAcceptedUntil decidedBy { id }
  history { action kind authorEmail assigneeEmail previousStatus status reason externalAuthorIdentifier } } }`
const AUDIT = `query ($companyId: ID!) { auditRecords(companyId: $companyId) {
  collection { operation object before after portalUser { email } } } }`

async function newIssueWorld() {
  const world = await newWorld()
  const asset = await newAsset(world.owner.key, world.companyId)
  const { id } = await newIssue(world.owner.key, asset.id)
  return { ...world, asset, id, key: world.owner.key }
}

const change = (key: string, input: Variables) => run(key, CHANGE, { input })
const refusedChange = (key: string, input: Variables) => refusal(key, CHANGE, { input })

describe('the status of an issue', () => {
  test('is changed with who, why and when, in history and audit', async () => {
    const { companyId, id, key, owner } = await newIssueWorld()

    const { changeIssueStatus } = await change(key, {
      id,
      status: 'FALSE_POSITIVE',
      reason: ' The input is a constant ',
      externalAuthorIdentifier: 'jane@tracker',
      clientMutationId: 'mine',
    })

    const { issue } = await run(key, STATUS, { id })
    const { auditRecords } = await run(key, AUDIT, { companyId })
    expect(changeIssueStatus).toMatchObject({
      clientMutationId: 'mine',
      issue: {
        status: 'FALSE_POSITIVE',
        permittedStatus: ['IDENTIFIED'],
        statusReason: 'The input is a constant',
        decidedBy: { email: owner.email },
        decidedAt: expect.any(String),
        closedAt: expect.any(String),
      },
    })
    expect(issue.history[0]).toEqual({
      action: 'STATUS_CHANGED',
      kind: 'PERSON',
      authorEmail: owner.email,
      assigneeEmail: null,
      previousStatus: 'CREATED',
      status: 'FALSE_POSITIVE',
      reason: 'The input is a constant',
      externalAuthorIdentifier: 'jane@tracker',
    })
    expect(auditRecords.collection[0]).toMatchObject({
      operation: 'changeIssueStatus',
      object: `Issue ${id}`,
      before: { status: 'CREATED' },
      after: { status: 'FALSE_POSITIVE' },
      portalUser: { email: owner.email },
    })
  })

  test('goes only where the table lets it, and the refusal names where', async () => {
    const { id, key } = await newIssueWorld()

    const failure = await refusedChange(key, { id, status: 'DRAFT' })

    expect(failure.extensions.code).toBe('FAILED_PRECONDITION')
    expect(failure.message).toBe(
      'An issue that is CREATED can become IDENTIFIED, IN_PROGRESS, FIX_ACCEPTED, RISK_ACCEPTED, FALSE_POSITIVE, SUPPRESSED, not DRAFT',
    )
  })

  test('set to what it is already changes nothing and is no error', async () => {
    const { id, key } = await newIssueWorld()
    await change(key, { id, status: 'IDENTIFIED' })

    const { changeIssueStatus } = await change(key, { id, status: 'IDENTIFIED' })

    const { issue } = await run(key, STATUS, { id })
    expect(changeIssueStatus.issue.status).toBe('IDENTIFIED')
    expect(issue.history).toHaveLength(2)
  })

  test('of a person needs a reason', async () => {
    const { id, key } = await newIssueWorld()

    for (const status of ['RISK_ACCEPTED', 'FALSE_POSITIVE', 'SUPPRESSED']) {
      const failure = await refusedChange(key, { id, status, reason: '  ' })
      expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.reason' })
    }
  })

  test("of a person is neither given nor taken back by a pipeline's key", async () => {
    const { companyId, id, key } = await newIssueWorld()
    const pipeline = await newPerson(companyId, 'OWNER', ['read', 'write'])
    const developer = await newPerson(companyId, 'DEVELOPER', everyScope)

    const byPipeline = await refusedChange(pipeline.key, { id, status: 'SUPPRESSED', reason: 'noise' })
    const byDeveloper = await refusedChange(developer.key, { id, status: 'SUPPRESSED', reason: 'noise' })
    await change(key, { id, status: 'SUPPRESSED', reason: 'noise' })
    const back = await refusedChange(pipeline.key, { id, status: 'IDENTIFIED' })

    for (const failure of [byPipeline, byDeveloper, back]) expect(failure.extensions.code).toBe('FORBIDDEN')
  })

  test('may be fixed by a pipeline, and is then no decision of a person', async () => {
    const { companyId, id } = await newIssueWorld()
    const pipeline = await newPerson(companyId, 'DEVELOPER', ['write'])

    const { changeIssueStatus } = await change(pipeline.key, { id, status: 'FIX_ACCEPTED', reason: 'Gone' })

    expect(changeIssueStatus.issue).toMatchObject({ status: 'FIX_ACCEPTED', closedAt: expect.any(String) })
  })

  test('names a run of a scanner only when the company has it', async () => {
    const { id, key } = await newIssueWorld()

    const failure = await refusedChange(key, { id, status: 'FIX_ACCEPTED', controlSyncStatusId: '999999999' })

    expect(failure.extensions.code).toBe('NOT_FOUND')
    expect(failure.message).toBe('The scan 999999999 was not found')
  })

  test('has an end only as an accepted risk, and only in the future', async () => {
    const { id, key } = await newIssueWorld()
    const reason = 'Until the next release'

    const past = { id, status: 'RISK_ACCEPTED', reason, riskAcceptedUntil: '2020-01-01T00:00:00Z' }
    const other = { id, status: 'SUPPRESSED', reason, riskAcceptedUntil: '2999-01-01T00:00:00Z' }
    const failures = [await refusedChange(key, past), await refusedChange(key, other)]
    const until = '2999-01-01T00:00:00Z'
    const { changeIssueStatus } = await change(key, { id, status: 'RISK_ACCEPTED', reason, riskAcceptedUntil: until })

    for (const { extensions } of failures) {
      expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.riskAcceptedUntil' })
    }
    expect(changeIssueStatus.issue).toMatchObject({ status: 'RISK_ACCEPTED', riskAcceptedUntil: until })
  })

  test('of an accepted risk is extended by saying it again with another end, and word for word again changes nothing', async () => {
    const { id, key } = await newIssueWorld()
    const accepted = (reason: string, year: number) => ({
      id,
      status: 'RISK_ACCEPTED',
      reason,
      riskAcceptedUntil: `${year}-01-01T00:00:00Z`,
    })

    await change(key, accepted('Until the next release', 2998))
    await change(key, accepted('It was put off', 2999))
    await change(key, { ...accepted('It was put off', 2999), riskAcceptedUntil: '2999-01-01T01:00:00+01:00' })
    const { issue } = await run(key, STATUS, { id })

    expect(issue).toMatchObject({ statusReason: 'It was put off', riskAcceptedUntil: '2999-01-01T00:00:00Z' })
    const actions = issue.history.map(({ action }: { action: string }) => action)
    expect(actions.filter((action: string) => action === 'STATUS_CHANGED')).toHaveLength(2)
  })

  test('of an accepted risk keeps its end with another reason, unless the end is taken away', async () => {
    const { companyId, id, key } = await newIssueWorld()
    const riskAcceptedUntil = '2999-01-01T00:00:00Z'
    const again = { id, status: 'RISK_ACCEPTED', reason: 'It was put off' }
    await change(key, { ...again, reason: 'Until the next release', riskAcceptedUntil })

    const kept = await change(key, again)
    const same = await change(key, again)
    const { auditRecords } = await run(key, AUDIT, { companyId })
    const endless = await change(key, { ...again, riskAcceptedUntil: null })

    const ends = [kept, same, endless].map(({ changeIssueStatus }) => changeIssueStatus.issue.riskAcceptedUntil)
    expect(ends).toEqual([riskAcceptedUntil, riskAcceptedUntil, null])
    expect(auditRecords.collection[0].after).toMatchObject({ reason: 'It was put off', riskAcceptedUntil })
    const { issue } = await run(key, STATUS, { id })
    expect(issue.history.filter(({ action }: { action: string }) => action === 'STATUS_CHANGED')).toHaveLength(3)
  })

  test('of an accepted risk returns to IDENTIFIED once it has expired, once', async () => {
    const { companyId, id, key } = await newIssueWorld()
    const [service] = await services()
    if (!service) throw new Error('No service was started')
    const riskAcceptedUntil = '2099-01-01T00:00:00Z'
    await change(key, { id, status: 'RISK_ACCEPTED', reason: 'For a moment', riskAcceptedUntil })

    const { db } = service.app
    await sql`update issue set risk_accepted_until = now() where company_id = ${companyId} and id = ${id}`.execute(db)
    await expireRiskAcceptances(service.app.parts)
    await expireRiskAcceptances(service.app.parts)

    const { issue } = await run(key, STATUS, { id })
    const { auditRecords } = await run(key, AUDIT, { companyId })
    expect(issue).toMatchObject({
      status: 'IDENTIFIED',
      statusReason: 'The risk acceptance has expired',
      riskAcceptedUntil: null,
      decidedBy: null,
    })
    expect(issue.history.map(({ kind }: { kind: string }) => kind)).toEqual(['SYSTEM', 'PERSON', 'PERSON'])
    expect(auditRecords.collection[0]).toMatchObject({ operation: 'expire-risk-acceptances', portalUser: null })
  })

  test('of evidence signed elsewhere is refused rather than forgotten', async () => {
    const { id, key } = await newIssueWorld()

    const failure = await refusedChange(key, { id, status: 'IDENTIFIED', evidenceBlobSignedIds: ['a'] })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.evidenceBlobSignedIds' })
  })

  test('changed by two at once is changed once after the other', async () => {
    const { id, key } = await newIssueWorld()

    await Promise.all(Array.from({ length: 8 }, () => change(key, { id, status: 'IN_PROGRESS' })))

    const { issue } = await run(key, STATUS, { id })
    expect(issue.history).toHaveLength(2)
  })
})

describe('many issues at once', () => {
  test('change their status together, or none of them does', async () => {
    const { companyId, id, key, asset } = await newIssueWorld()
    const other = await newIssue(key, asset.id)
    await change(key, { id: other.id, status: 'FIX_ACCEPTED' })
    const ids = [id, other.id]

    const refused = await refusal(key, BULK, { input: { ids, companyId, status: 'IN_PROGRESS' } })
    const between = await run(key, STATUS, { id })
    const { bulkChangeIssueStatus } = await run(key, BULK, { input: { ids, companyId, status: 'IDENTIFIED' } })
    const after = await run(key, STATUS, { id })

    expect(refused.extensions.code).toBe('FAILED_PRECONDITION')
    expect(between.issue.status).toBe('CREATED')
    expect(bulkChangeIssueStatus).toEqual({ clientMutationId: null, jobId: null })
    expect(after.issue.status).toBe('IDENTIFIED')
  })

  test('take as many statements as one', async () => {
    const { companyId, id, key, asset } = await newIssueWorld()
    const ids = [id]
    for (let index = 0; index < 9; index += 1) ids.push((await newIssue(key, asset.id)).id)

    const ten = await countStatements(() => run(key, BULK, { input: { ids, companyId, status: 'IDENTIFIED' } }))
    const one = await countStatements(() => run(key, BULK, { input: { ids: [id], companyId, status: 'IN_PROGRESS' } }))

    expect(ten).toBe(one)
  })

  test('are refused when one is missing or of another company', async () => {
    const [mine, other] = [await newIssueWorld(), await newIssueWorld()]
    const input = { ids: [mine.id, other.id], companyId: mine.companyId }

    const change = await refusal(mine.key, BULK, { input: { ...input, status: 'IDENTIFIED' } })
    const deletion = await refusal(mine.key, BULK_DELETE, { input })
    const { issue } = await run(mine.key, STATUS, { id: mine.id })

    for (const { message } of [change, deletion]) expect(message).toBe(`The issue ${other.id} was not found`)
    expect(issue.status).toBe('CREATED')
  })

  test('are deleted together', async () => {
    const { companyId, id, key, asset } = await newIssueWorld()
    const other = await newIssue(key, asset.id)

    const { bulkDeleteIssues } = await run(key, BULK_DELETE, { input: { ids: [id, other.id], companyId } })

    const gone = await refusal(key, STATUS, { id })
    expect(bulkDeleteIssues).toEqual({ clientMutationId: null, jobId: null })
    expect(gone.extensions.code).toBe('NOT_FOUND')
  })
})

describe('an issue', () => {
  test('is deleted by an analyst, not by a developer', async () => {
    const { companyId, id } = await newIssueWorld()
    const developer = await newPerson(companyId, 'DEVELOPER')
    const analyst = await newPerson(companyId, 'ANALYST')

    const refused = await refusal(developer.key, DELETE, { input: { id } })
    const { deleteIssue } = await run(analyst.key, DELETE, { input: { id } })

    const gone = await refusal(analyst.key, STATUS, { id })
    expect(refused.extensions.code).toBe('FORBIDDEN')
    expect(deleteIssue.issue).toEqual({
      id,
      cweIds: [],
      patterns: [],
      priority: { score: 0 },
      exploitation: { vulnerabilityIds: [], isKnownExploited: false },
      history: [],
      places: [],
    })
    expect(gone.extensions.code).toBe('NOT_FOUND')
  })

  test('is noted as analysed in its history, and stays as it was', async () => {
    const { companyId, id, key, owner } = await newIssueWorld()
    const { issue: before } = await run(key, STATUS, { id })
    const MARK = `mutation ($input: MarkIssueAsAnalyzedInput!) { markIssueAsAnalyzed(input: $input) { aiAgentAnalysis {
      id at issue { id } analyzedBy { email } } } }`

    const { markIssueAsAnalyzed } = await run(key, MARK, { input: { companyId, issueId: id } })
    const elsewhere = await refusal(key, MARK, { input: { companyId: '999999999', issueId: id } })

    const { issue } = await run(
      key,
      'query ($id: ID!) { issue(id: $id) { status history { eventId action authorEmail } } }',
      { id },
    )
    const [event] = issue.history
    expect(markIssueAsAnalyzed.aiAgentAnalysis).toMatchObject({
      id: event.eventId,
      issue: { id },
      analyzedBy: { email: owner.email },
    })
    expect(event).toMatchObject({ action: 'ANALYZED', authorEmail: owner.email })
    expect(issue.status).toBe(before.status)
    expect(elsewhere.extensions.code).toBe('NOT_FOUND')
  })

  test('is assigned to members, who take the place of those before', async () => {
    const { companyId, id, key, owner } = await newIssueWorld()
    const colleague = await newPerson(companyId, 'DEVELOPER')
    await run(key, ASSIGN, { input: { issueId: id, assigneeEmails: [owner.email] } })

    const { updateIssueAssignee } = await run(key, ASSIGN, {
      input: { issueId: id, assigneeEmails: [colleague.email] },
    })

    const { issue } = await run(key, STATUS, { id })
    expect(updateIssueAssignee).toMatchObject({
      assignees: [{ id: colleague.id }],
      issue: { id, assignedUsers: [{ email: colleague.email, name: 'A person' }] },
    })
    expect(issue.history.slice(0, 3)).toMatchObject([
      { action: 'ASSIGNED', assigneeEmail: colleague.email, authorEmail: owner.email },
      { action: 'UNASSIGNED', assigneeEmail: owner.email },
      { action: 'ASSIGNED', assigneeEmail: owner.email },
    ])
  })

  test('is not assigned to somebody who is no member', async () => {
    const { id, key } = await newIssueWorld()

    const failure = await refusal(key, ASSIGN, { input: { issueId: id, assigneeEmails: ['nobody@example.test'] } })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.assigneeEmails' })
  })

  test('of another company is neither changed, assigned nor deleted', async () => {
    const [mine, other] = [await newIssueWorld(), await newIssueWorld()]

    const failures = [
      await refusedChange(mine.key, { id: other.id, status: 'IDENTIFIED' }),
      await refusal(mine.key, ASSIGN, { input: { issueId: other.id, assigneeEmails: [] } }),
      await refusal(mine.key, DELETE, { input: { id: other.id } }),
    ]

    for (const { message } of failures) expect(message).toBe(`The issue ${other.id} was not found`)
  })

  test('is changed by no reader', async () => {
    const { companyId, id } = await newIssueWorld()
    const reader = await newPerson(companyId, 'READER')

    const failure = await refusedChange(reader.key, { id, status: 'IDENTIFIED' })

    expect(failure.extensions.code).toBe('FORBIDDEN')
  })
})
