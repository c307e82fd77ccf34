// Checks of attack patterns: how findings, decisions and waivers change their state, through the endpoint.

import { describe, expect, test } from 'vitest'
import { ask, type Data, refusal, run } from '../../../test/testkit/client.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { everyScope, newAsset, newIssue, newPerson, newProject, newWorld } from '../../../test/testkit/world.ts'

const CREATE = `mutation ($input: CreateThreatModelingRequirementsInput!) {
  createThreatModelingRequirements(input: $input) { requirements { id check { id } } } }`
const STATES = `query ($companyId: ID!, $id: ID!) { requirement(companyId: $companyId, id: $id) { project { id }
  check { id capecId state stateReason openFindings satisfiedAt waiver { reason at until by { email } }
    findings(pagination: { perPage: 2 }) { collection { id title } metadata { totalCount endCursor } } } } }`
const DECIDE = `mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }`
const WAIVE = `mutation ($input: WaiveCheckInput!) { waiveCheck(input: $input) { clientMutationId
  check { id state stateReason waiver { reason until by { email } } } } }`
const REVOKE = `mutation ($input: RevokeWaiverInput!) { revokeWaiver(input: $input) { check { id state waiver { reason } } } }`
const NEXT_YEAR = new Date(Date.now() + 365 * 86_400_000).toISOString()

async function newRequirement(key: string, companyId: string, capecIds: readonly string[], projectId?: string) {
  const input = { companyId, projectId, requirements: [{ label: 'Inputs are bound', capecIds }] }
  const { createThreatModelingRequirements } = await run(key, CREATE, { input })
  const [made] = createThreatModelingRequirements.requirements
  const read = async (): Promise<Data[]> => (await run(key, STATES, { companyId, id: made.id })).requirement.check
  return { id: made.id as string, checkIds: made.check.map(({ id }: { id: string }) => id) as string[], read }
}

const statesOf = async (read: () => Promise<Data[]>) => (await read()).map(({ state }) => state)

describe('the state of a check', () => {
  test('SQL injection and cross-site scripting are unknown while nothing is known', async () => {
    const { companyId, owner } = await newWorld()
    const { read } = await newRequirement(owner.key, companyId, ['66', '63'])

    const checks = await read()

    expect(checks.map(({ state }) => state)).toEqual(['UNKNOWN', 'UNKNOWN'])
    expect(checks[0]).toMatchObject({
      stateReason: 'No finding is open, and no scan has yet reported a weakness that CAPEC-66 uses.',
      openFindings: 0,
      satisfiedAt: null,
      waiver: null,
      findings: { collection: [], metadata: { totalCount: 0 } },
    })
  })

  test('a finding of CWE-89 violates SQL injection alone, is named, and closing it returns the check', async () => {
    const { companyId, owner } = await newWorld()
    const { id: assetId } = await newAsset(owner.key, companyId)
    const { read } = await newRequirement(owner.key, companyId, ['66', '63'])

    const issue = await newIssue(owner.key, assetId, { category: 'CWE-89', severity: 'HIGH' })
    const [injection, scripting] = await read()
    await run(owner.key, DECIDE, { input: { id: issue.id, status: 'IDENTIFIED' } }).catch(() => null)
    await run(owner.key, DECIDE, { input: { id: issue.id, status: 'FIX_ACCEPTED', reason: 'Bound' } })
    const [closed] = await read()

    expect(injection).toMatchObject({
      state: 'VIOLATED',
      openFindings: 1,
      findings: { collection: [issue], metadata: { totalCount: 1 } },
    })
    expect(injection.stateReason).toContain(`Issue ${issue.id}, “${issue.title}”`)
    expect(injection.stateReason).toContain('CWE-89')
    expect(scripting.state).toBe('UNKNOWN')
    expect(closed).toMatchObject({ state: 'UNKNOWN', openFindings: 0, findings: { collection: [] } })
  })

  test('a descendant violates the patterns that use its ancestor, an ancestor does not', async () => {
    const { companyId, owner } = await newWorld()
    const { id: assetId } = await newAsset(owner.key, companyId)
    const { read } = await newRequirement(owner.key, companyId, ['66', '63'])

    await newIssue(owner.key, assetId, { category: 'CWE-943' })
    const above = await statesOf(read)
    await newIssue(owner.key, assetId, { category: 'CWE-564' })
    const injected = await statesOf(read)
    await newIssue(owner.key, assetId, { category: 'CWE-80' })
    const both = await statesOf(read)

    expect(above).toEqual(['UNKNOWN', 'UNKNOWN'])
    expect(injected).toEqual(['VIOLATED', 'UNKNOWN'])
    expect(both).toEqual(['VIOLATED', 'VIOLATED'])
  })

  test('of several findings the most severe is named, and they are walked newest first', async () => {
    const { companyId, owner } = await newWorld()
    const { id: assetId } = await newAsset(owner.key, companyId)
    const { id, read } = await newRequirement(owner.key, companyId, ['66'])
    const issues = []
    for (const severity of ['LOW', 'CRITICAL', 'MEDIUM']) {
      const levels = { LOW: 'LOW', MEDIUM: 'MEDIUM', CRITICAL: 'HIGH' }[severity]
      const extra = { category: 'CWE-89', severity, impactLevel: levels, probabilityLevel: levels }
      issues.push(await newIssue(owner.key, assetId, extra))
    }

    const [check] = await read()
    const rest = await run(
      owner.key,
      `query ($companyId: ID!, $id: ID!, $after: String) { requirement(companyId: $companyId, id: $id) {
        check { findings(pagination: { perPage: 2, after: $after }) { collection { id } } } } }`,
      { companyId, id, after: check.findings.metadata.endCursor },
    )

    expect(check.stateReason).toContain('3 open findings')
    expect(check.stateReason).toContain(`the most severe is Issue ${issues[1]?.id}`)
    expect(check.findings.collection.map((issue: Data) => issue.id)).toEqual([issues[2]?.id, issues[1]?.id])
    expect(check.findings.metadata.totalCount).toBe(3)
    expect(rest.requirement.check[0].findings.collection).toEqual([{ id: issues[0]?.id }])
  })

  test("a project's requirement looks at the project's assets alone", async () => {
    const { companyId, owner } = await newWorld()
    const [inside, outside] = [await newAsset(owner.key, companyId), await newAsset(owner.key, companyId)]
    const project = await newProject(owner.key, companyId, { assetsIds: [Number(inside.id)] })
    const { id, read } = await newRequirement(owner.key, companyId, ['66'], project.id)

    await newIssue(owner.key, outside.id, { category: 'CWE-89' })
    const before = await statesOf(read)
    const issue = await newIssue(owner.key, inside.id, { category: 'CWE-89' })
    const [after] = await read()

    const { requirement } = await run(owner.key, STATES, { companyId, id })
    expect(requirement.project).toEqual({ id: project.id })
    expect(before).toEqual(['UNKNOWN'])
    expect(after).toMatchObject({ state: 'VIOLATED', openFindings: 1, findings: { collection: [issue] } })
  })

  test('a draft does not violate until it is reported', async () => {
    const { companyId, owner } = await newWorld()
    const { id: assetId } = await newAsset(owner.key, companyId)
    const { read } = await newRequirement(owner.key, companyId, ['66'])
    const issue = await newIssue(owner.key, assetId, { category: 'CWE-89', status: 'DRAFT' })

    const drafted = await statesOf(read)
    await run(owner.key, DECIDE, { input: { id: issue.id, status: 'CREATED' } })
    const reported = await statesOf(read)

    expect([drafted, reported]).toEqual([['UNKNOWN'], ['VIOLATED']])
  })

  test('an accepted risk does not break the check, and is mentioned', async () => {
    const { companyId, owner } = await newWorld()
    const { id: assetId } = await newAsset(owner.key, companyId)
    const { read } = await newRequirement(owner.key, companyId, ['66'])
    const issue = await newIssue(owner.key, assetId, { category: 'CWE-89', status: 'IDENTIFIED' })

    await run(owner.key, DECIDE, { input: { id: issue.id, status: 'RISK_ACCEPTED', reason: 'Only inside' } })

    const [check] = await read()
    expect(check.state).toBe('UNKNOWN')
    expect(check.stateReason).toContain('1 finding with such a weakness stay')
  })

  test("another company's findings change nothing", async () => {
    const [mine, other] = [await newWorld(), await newWorld()]
    const { read } = await newRequirement(mine.owner.key, mine.companyId, ['66'])
    const { id: assetId } = await newAsset(other.owner.key, other.companyId)

    await newIssue(other.owner.key, assetId, { category: 'CWE-89' })

    expect(await statesOf(read)).toEqual(['UNKNOWN'])
  })

  test('the states of twenty requirements take as many statements as those of one', async () => {
    const { companyId, owner } = await newWorld()
    const { id: assetId } = await newAsset(owner.key, companyId)
    await newIssue(owner.key, assetId, { category: 'CWE-89' })
    for (const capecId of Array.from({ length: 20 }, (_, index) => String(60 + index))) {
      await newRequirement(owner.key, companyId, [capecId, '66', '63'])
    }
    const page = (perPage: number) =>
      countStatements(async () => {
        const { errors } = await ask(
          owner.key,
          `query ($scopeId: Int!, $perPage: Int!) { requirements(scopeId: $scopeId, pagination: { perPage: $perPage }) {
            collection { id check { id state stateReason openFindings
              findings(pagination: { perPage: 1 }) { collection { id } metadata { totalCount } } } } } }`,
          { scopeId: Number(companyId), perPage },
        )
        expect(errors).toEqual([])
      })

    const one = await page(1)
    const twenty = await page(20)

    expect(twenty).toBe(one)
  })
})

describe('waiveCheck and revokeWaiver', () => {
  test('a person waives a check with a reason until a date, and takes the waiver back', async () => {
    const { companyId, owner } = await newWorld()
    const { id: assetId } = await newAsset(owner.key, companyId)
    await newIssue(owner.key, assetId, { category: 'CWE-89' })
    const { checkIds } = await newRequirement(owner.key, companyId, ['66'])
    const [checkId] = checkIds

    const { waiveCheck } = await run(owner.key, WAIVE, {
      input: { checkId, reason: 'No database', until: NEXT_YEAR, clientMutationId: 'w' },
    })
    const { revokeWaiver } = await run(owner.key, REVOKE, { input: { checkId } })

    expect(waiveCheck).toMatchObject({
      clientMutationId: 'w',
      check: { state: 'WAIVED', waiver: { reason: 'No database', by: { email: owner.email } } },
    })
    expect(waiveCheck.check.stateReason).toContain('Without the waiver: 1 open finding')
    expect(revokeWaiver.check).toEqual({ id: checkId, state: 'VIOLATED', waiver: null })
  })

  test('a reason and a moment to come are needed, and there must be a waiver to revoke', async () => {
    const { companyId, owner } = await newWorld()
    const { checkIds } = await newRequirement(owner.key, companyId, ['66'])
    const [checkId] = checkIds

    const silent = await refusal(owner.key, WAIVE, { input: { checkId, reason: '  ', until: NEXT_YEAR } })
    const late = await refusal(owner.key, WAIVE, { input: { checkId, reason: 'Old', until: '2020-01-01' } })
    const nothing = await refusal(owner.key, REVOKE, { input: { checkId } })

    expect(silent.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.reason' })
    expect(late.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.until' })
    expect(nothing.extensions.code).toBe('FAILED_PRECONDITION')
  })

  test('it takes an analyst and a key that decides; a foreign check is as one that is missing', async () => {
    const { companyId, owner } = await newWorld()
    const other = await newWorld()
    const { checkIds } = await newRequirement(owner.key, companyId, ['66'])
    const [checkId = ''] = checkIds
    const developer = await newPerson(companyId, 'DEVELOPER')
    const pipeline = await newPerson(
      companyId,
      'ANALYST',
      everyScope.filter((scope) => scope !== 'issues:decide'),
    )
    const waive = (key: string, id: string) =>
      refusal(key, WAIVE, { input: { checkId: id, reason: 'Mine', until: NEXT_YEAR } })

    const [asDeveloper, asPipeline] = [await waive(developer.key, checkId), await waive(pipeline.key, checkId)]
    const [foreign, missing] = [await waive(other.owner.key, checkId), await waive(other.owner.key, '999999999')]

    expect([asDeveloper.extensions.code, asPipeline.extensions.code]).toEqual(['FORBIDDEN', 'FORBIDDEN'])
    expect(foreign.extensions.code).toBe('NOT_FOUND')
    expect(foreign.message.replace(checkId, '#')).toBe(missing.message.replace('999999999', '#'))
  })
})
