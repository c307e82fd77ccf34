// A person's word on all findings that a filter finds, through the endpoint; and how the worker writes it.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { refusal, run, unique, type Variables } from '../../../test/testkit/client.ts'
import { fillWith, inside } from '../../../test/testkit/inside.ts'
import { everyScope, newPerson, withAsset } from '../../../test/testkit/world.ts'
import { runDecision } from './run.ts'
import { requireRight } from './service.ts'

const FIELDS = `id status reason riskAcceptedUntil state total done unchanged failure refusals { from count } createdBy { email } endedAt`
const DECIDE = `mutation ($input: DecideOnIssuesInput!) { decideOnIssues(input: $input) {
  clientMutationId issueDecision { ${FIELDS} } } }`
const DECISION = `query ($id: ID!) { issueDecision(id: $id) { ${FIELDS} } }`
const STATUSES = `query ($companyId: ID!) { issuesStats(companyId: $companyId) { statuses { value count } } }`

/** A company with so many findings, of which every tenth is fixed already. */
async function newFindings(many: number) {
  const world = await withAsset()
  const { companyId, asset, owner } = world
  await fillWith(sql`
    insert into issue (company_id, asset_id, type, tool_name, rule, title, severity, status, birth_key)
    select ${companyId}, ${asset.id}, 'SAST_FINDING', 'tool', 'rule', 'Finding ' || n, 'LOW',
      case when n % 10 = 0 then 'FIX_ACCEPTED' else 'CREATED' end::issue_status, sha256((${unique('birth')} || n)::bytea)
    from generate_series(1, ${many}::int) n`)
  const decide = (input: Variables, key = owner.key) =>
    run(key, DECIDE, { input: { companyId, filters: {}, ...input } }).then(
      ({ decideOnIssues }) => decideOnIssues.issueDecision,
    )
  const refused = (input: Variables, key = owner.key) =>
    refusal(key, DECIDE, { input: { companyId, filters: {}, ...input } })
  const write = async (id: string) => runDecision(await inside(), { companyId, id })
  const decision = async (id: string) => (await run(owner.key, DECISION, { id })).issueDecision
  const statuses = async () => {
    const { issuesStats } = await run(owner.key, STATUSES, { companyId })
    return Object.fromEntries(
      issuesStats.statuses
        .filter(({ count }: { count: number }) => count > 0)
        .map(({ value, count }: { value: string; count: number }) => [value, count]),
    )
  }
  return { ...world, decide, refused, write, decision, statuses }
}

test('decideOnIssues decides on all that the filter found, each with its history and record, and tells what it came to', async () => {
  const { companyId, owner, decide, write, decision, statuses } = await newFindings(2_300)
  const begun = await decide({ filters: { statuses: ['CREATED'] }, status: 'SUPPRESSED', reason: ' Generated code ' })

  await write(begun.id)

  const ended = await decision(begun.id)
  const { issues } = await run(
    owner.key,
    `query ($companyId: ID!) { issues(companyId: $companyId, filters: { statuses: [SUPPRESSED] }, pagination: { perPage: 1 }) {
      collection { id statusReason decidedBy { email } history { action kind previousStatus status reason authorEmail } } } }`,
    { companyId },
  )
  const [one] = issues.collection
  const { auditRecords } = await run(
    owner.key,
    'query ($companyId: ID!, $search: String) { auditRecords(companyId: $companyId, search: $search) { collection { object operation before after } } }',
    { companyId, search: `Issue ${one.id}` },
  )
  expect(begun).toMatchObject({
    state: 'PENDING',
    total: 2_070,
    done: 0,
    createdBy: { email: owner.email },
    endedAt: null,
  })
  expect(ended).toMatchObject({
    state: 'SUCCEEDED',
    reason: 'Generated code',
    done: 2_070,
    unchanged: 0,
    refusals: [],
    failure: null,
    endedAt: expect.any(String),
  })
  expect(await statuses()).toEqual({ SUPPRESSED: 2_070, FIX_ACCEPTED: 230 })
  expect(one).toMatchObject({ statusReason: 'Generated code', decidedBy: { email: owner.email } })
  expect(one.history[0]).toEqual({
    action: 'STATUS_CHANGED',
    kind: 'PERSON',
    previousStatus: 'CREATED',
    status: 'SUPPRESSED',
    reason: 'Generated code',
    authorEmail: owner.email,
  })
  expect(auditRecords.collection[0]).toMatchObject({
    operation: 'decideOnIssues',
    before: { status: 'CREATED' },
    after: { status: 'SUPPRESSED' },
  })
})

test('a decision that some findings do not allow is refused with how many are where, unless they are left out', async () => {
  const { decide, refused, write, decision, statuses } = await newFindings(30)

  const failure = await refused({ status: 'FALSE_POSITIVE', reason: 'A test' })
  const begun = await decide({ status: 'FALSE_POSITIVE', reason: 'A test', leaveOthers: true })
  await write(begun.id)

  expect([failure.extensions.code, failure.message]).toEqual([
    'FAILED_PRECONDITION',
    '3 of 30 findings cannot become FALSE_POSITIVE: 3 from FIX_ACCEPTED',
  ])
  expect(await decision(begun.id)).toMatchObject({
    state: 'SUCCEEDED',
    total: 30,
    unchanged: 3,
    refusals: [{ from: 'FIX_ACCEPTED', count: 3 }],
  })
  expect(await statuses()).toEqual({ FALSE_POSITIVE: 27, FIX_ACCEPTED: 3 })
})

test('what went elsewhere between the wish and the worker refuses all of it, and nothing is half done', async () => {
  const { companyId, decide, write, decision, statuses } = await newFindings(1_500)
  const begun = await decide({ filters: { statuses: ['CREATED'] }, status: 'SUPPRESSED', reason: 'Generated code' })
  const { db } = await inside()
  await sql`
    update issue set status = 'FALSE_POSITIVE' where company_id = ${companyId}
    and id = (select max(id) from issue where company_id = ${companyId} and status = 'CREATED')`.execute(db)

  await write(begun.id)
  await write(begun.id)

  expect(await decision(begun.id)).toMatchObject({
    state: 'REFUSED',
    done: 0,
    refusals: [{ from: 'FALSE_POSITIVE', count: 1 }],
  })
  expect(await statuses()).toEqual({ CREATED: 1_349, FALSE_POSITIVE: 1, FIX_ACCEPTED: 150 })
})

test('a decision that meets what somebody else holds changes nothing, and is written once they let go', async () => {
  const { companyId, decide, write, decision, statuses } = await newFindings(1_200)
  const begun = await decide({ filters: { statuses: ['CREATED'] }, status: 'SUPPRESSED', reason: 'Generated code' })
  const { db } = await inside()

  const held = await db.transaction().execute(async (trx) => {
    await sql`
      select from issue where company_id = ${companyId} and id = (select max(id) from issue where company_id = ${companyId} and status = 'CREATED')
      for update`.execute(trx)
    const failed = await write(begun.id).catch(() => 'failed')
    return { failed, ...(await decision(begun.id)), statuses: await statuses() }
  })
  await write(begun.id)

  expect(held).toMatchObject({ failed: 'failed', state: 'RUNNING', statuses: { CREATED: 1_080, FIX_ACCEPTED: 120 } })
  expect(await decision(begun.id)).toMatchObject({ state: 'SUCCEEDED', done: 1_080 })
  expect(await statuses()).toEqual({ SUPPRESSED: 1_080, FIX_ACCEPTED: 120 })
})

test('decideOnIssues refuses what is not as it was looked at, a wrong word and who may not decide', async () => {
  const { companyId, refused, decide, decision } = await newFindings(10)
  const developer = await newPerson(companyId, 'DEVELOPER', everyScope)
  const pipeline = await newPerson(companyId, 'OWNER', ['read', 'write'])
  const { key: stranger } = await newPerson((await withAsset()).companyId, 'OWNER')
  const wish = { status: 'IDENTIFIED' }

  const codes = []
  for (const failure of [
    await refused({ ...wish, leaveOthers: true, expectedCount: 9 }),
    await refused({ status: 'SUPPRESSED', filters: { statuses: ['CREATED'] } }),
    await refused({ ...wish, reason: 'x', riskAcceptedUntil: '2999-01-01T00:00:00Z' }),
    await refused(wish, developer.key),
    await refused(wish, pipeline.key),
    await refused(wish, stranger),
  ])
    codes.push([failure.extensions.code, failure.extensions.argument])
  const { id } = await decide({ ...wish, expectedCount: 10 })
  const unseen = await refusal(stranger, DECISION, { id })

  expect(codes).toEqual([
    ['CONFLICT', undefined],
    ['BAD_USER_INPUT', 'input.reason'],
    ['BAD_USER_INPUT', 'input.riskAcceptedUntil'],
    ['FORBIDDEN', undefined],
    ['FORBIDDEN', undefined],
    ['NOT_FOUND', undefined],
  ])
  expect(unseen.extensions.code).toBe('NOT_FOUND')
  expect(await decision(id)).toMatchObject({ state: 'PENDING', total: 10 })
})

test('the most findings of one decision are 50,000', () => {
  expect(() => requireRight(50_000, 50_000)).not.toThrow()
  expect(() => requireRight(50_001, null)).toThrow('The filters match more than 50000 findings')
})
