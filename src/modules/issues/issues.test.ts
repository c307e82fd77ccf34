// Issues as they are read, through the endpoint.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { ask, refusal, run } from '../../../test/testkit/client.ts'
import { countStatements, services } from '../../../test/testkit/service.ts'
import { newAsset, newIssue, newWorld } from '../../../test/testkit/world.ts'

const ISSUE = `query ($id: ID!) { issue(id: $id) { id
  ... on SastFinding { detail { fileName vulnerableLine codeSnippet(blob: true) } }
  ... on SourceCodeVulnerability { detail { fileName vulnerableLine codeSnippet(blob: true) } }
  ... on IacFinding { detail { fileName vulnerableLine codeSnippet(blob: true) } }
  ... on SecretFinding { detail { fileName vulnerableLine codeSnippet(blob: true) } }
  ... on ScaFinding { detail { package affectedVersion patchedVersion cve fileName } }
  ... on ContainerFinding { detail { package affectedVersion patchedVersion cve } }
  ... on WebVulnerability { detail { url method parameters request response } method url request response parameters }
  ... on DastFinding { detail { url method parameters request response } method url request response parameters }
  title status
  history { eventId at action authorEmail assigneeEmail previousStatus status kind reason } } }`

const ISSUES = `query ($companyId: ID!, $pagination: PaginationInput!, $filters: IssuesFiltersInput,
    $sortOptions: [IssueSortOptionInput!]) {
  issues(companyId: $companyId, pagination: $pagination, filters: $filters, sortOptions: $sortOptions) {
    collection { id title description status type asset { name assetsTagList company { label } id } author { name }
      assignedUsers { name email }
      ... on SastFinding { severity solution reference impactLevel detail { vulnerableLine fileName codeSnippet } }
      ... on ScaFinding { severity solution reference impactLevel
        detail { package affectedVersion patchedVersion cve fileName } }
      ... on DastFinding { severity solution reference impactLevel }
      ... on NetworkVulnerability { severity solution reference impactLevel }
      ... on SourceCodeVulnerability { severity solution reference impactLevel
        detail { vulnerableLine fileName codeSnippet } }
      ... on IacFinding { severity solution reference impactLevel detail { vulnerableLine fileName codeSnippet } }
      ... on SecretFinding { severity solution reference impactLevel detail { vulnerableLine fileName codeSnippet } }
      ... on WebVulnerability { severity solution reference impactLevel detail { url method parameters } }
      ... on ContainerFinding { severity solution reference impactLevel
        detail { package affectedVersion patchedVersion cve } }
      severity createdAt updatedAt sla { state dueAt daysRemaining } project { id label company { id } } }
    metadata { currentPage limitValue totalCount totalPages endCursor } } }`

const PIPELINE = `query ($companyId: ID!, $failureTypes: [Issue!]!, $assetIds: [ID!]) {
  issues(companyId: $companyId, pagination: { perPage: 50 },
      filters: { assetIds: $assetIds, statuses: [IDENTIFIED], failureTypes: $failureTypes }) {
    collection { id type ... on FindingInterface { originalIssueIdFromTool scanSource } status }
    metadata { totalCount totalPages } } }`

const everyField = `query ($companyId: ID!) { issues(companyId: $companyId, pagination: { perPage: 50 }) { collection {
  id type permittedStatus statusReason decidedBy { email } decidedAt riskAcceptedUntil probabilityLevel cvssScore
  cvssVector category cweIds patterns compromisedEnvironment controlSyncStatusId deployId closedAt
  occurrences { branchName path line commit disposition isOpen firstSeenAt lastSeenAt firstDeployId lastDeployId }
  places { branchName path line commit deployId disposition at } history { eventId action controlSyncStatusId deployId }
  assignedUsers { id } asset { id } project { id } author { id }
  ... on FindingInterface { toolName rule fingerprint originalIssueIdFromTool scanSource } } } }`

/** Puts a finding of a tool straight into the tables. */
async function insertFinding(companyId: string, assetId: string, type: string, detail: object = {}): Promise<string> {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { rows } = await sql<{ id: string }>`
    insert into issue (company_id, asset_id, type, tool_name, rule, title, severity, status, detail, original_issue_id,
      cwe_ids, category, birth_key)
    values (${companyId}, ${assetId}, ${type}::issue_type, 'a-tool', 'a-rule', ${`Found ${type}`}, 'HIGH', 'IDENTIFIED',
      ${JSON.stringify(detail)}, ${`tool-${type}`}, '{79}', 'CWE-79', sha256(${`${type} ${Math.random()}`}::bytea))
    returning id`.execute(service.app.db)
  const id = rows[0]?.id ?? ''
  await sql`
    insert into occurrence (company_id, issue_id, asset_id, branch, path, line, snippet)
    values (${companyId}, ${id}, ${assetId}, 'main', 'src/found.js', 3, 'eval(x)')`.execute(service.app.db)
  return id
}

const toolTypes = [
  'SAST_FINDING',
  'SCA_FINDING',
  'DAST_FINDING',
  'IAC_FINDING',
  'SECRET_FINDING',
  'CONTAINER_FINDING',
  'MAST_FINDING',
]

const idsOf = (answer: { issues: { collection: { id: string }[] } }) => answer.issues.collection.map(({ id }) => id)

describe('issues', () => {
  test('one that a person wrote down is shown with its code, its place and its history', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const { id, title } = await newIssue(owner.key, asset.id, { firstLine: 5 })

    const { issue } = await run(owner.key, ISSUE, { id })

    expect(issue).toMatchObject({
      id,
      title,
      status: 'CREATED',
      detail: { fileName: 'src/input.js', vulnerableLine: 7, codeSnippet: 'eval(input)' },
      history: [{ action: 'CREATED', kind: 'PERSON', authorEmail: owner.email, status: 'CREATED', reason: null }],
    })
  })

  test('each type shows what only it has', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const component = { package: 'left-pad', affectedVersion: '1.0', patchedVersion: '1.1', cve: 'CVE-2026-1' }
    const exchange = { url: 'https://a.test/', method: 'PURGE', parameters: 'q', request: 'GET /', response: '200' }
    const details: Record<string, object> = {
      SCA_FINDING: component,
      CONTAINER_FINDING: component,
      DAST_FINDING: exchange,
    }
    const made = await Promise.all(
      toolTypes.map(async (type) => ({ type, id: await insertFinding(companyId, asset.id, type, details[type]) })),
    )

    const shown = new Map<string, Record<string, unknown>>()
    for (const { type, id } of made) shown.set(type, (await run(owner.key, ISSUE, { id })).issue)

    expect(shown.get('SCA_FINDING')).toMatchObject({ detail: { ...component, fileName: 'src/found.js' } })
    expect(shown.get('CONTAINER_FINDING')).toMatchObject({ detail: component })
    expect(shown.get('DAST_FINDING')).toMatchObject({
      ...exchange,
      method: 'UNKNOWN',
      detail: { ...exchange, method: 'UNKNOWN' },
    })
    for (const type of ['SAST_FINDING', 'IAC_FINDING', 'SECRET_FINDING']) {
      expect(shown.get(type)).toMatchObject({ detail: { fileName: 'src/found.js', vulnerableLine: 3 } })
    }
  })

  test('a list is newest first and has all that clients select', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId, { assetsTagList: ['web'] })
    const older = await newIssue(owner.key, asset.id)
    const newer = await insertFinding(companyId, asset.id, 'SAST_FINDING')

    const { issues } = await run(owner.key, ISSUES, { companyId, pagination: {} })

    expect(issues.metadata).toMatchObject({ currentPage: 1, limitValue: 10, totalCount: 2, totalPages: 1 })
    expect(issues.collection).toMatchObject([
      { id: newer, type: 'SAST_FINDING', author: null, detail: { fileName: 'src/found.js' } },
      {
        id: older.id,
        type: 'SOURCE_CODE_VULNERABILITY',
        severity: 'HIGH',
        asset: { id: asset.id, name: asset.name, assetsTagList: ['web'] },
        author: { name: 'A person' },
        assignedUsers: [],
        sla: { state: 'ON_TRACK', dueAt: expect.any(String), daysRemaining: expect.any(Number) },
        project: null,
      },
    ])
  })

  test('every field can be asked of every type, compiled or not', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    await newIssue(owner.key, asset.id)
    for (const type of toolTypes) await insertFinding(companyId, asset.id, type)

    const answers = []
    for (let use = 0; use < 4; use += 1) answers.push(await run(owner.key, everyField, { companyId }))

    expect(answers[0].issues.collection).toHaveLength(8)
    expect(answers[0].issues.collection[0]).toMatchObject({
      toolName: 'a-tool',
      rule: 'a-rule',
      scanSource: 'a-tool',
      cweIds: [79],
      occurrences: [{ branchName: 'main', path: 'src/found.js', line: 3, isOpen: true }],
    })
    expect(answers[0].issues.collection.at(-1).places).toMatchObject([{ path: 'src/input.js', line: 7 }])
    expect(answers[3]).toEqual(answers[0])
  })

  test("a pipeline's question is answered, with its own word for the types", async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    await newIssue(owner.key, asset.id)
    const id = await insertFinding(companyId, asset.id, 'SAST_FINDING')
    await insertFinding(companyId, asset.id, 'IAC_FINDING')

    const { issues } = await run(owner.key, PIPELINE, {
      companyId,
      assetIds: [asset.id],
      failureTypes: ['SAST_FINDING', 'SCA_FINDING'],
    })

    expect(issues).toEqual({
      collection: [
        {
          id,
          type: 'SAST_FINDING',
          originalIssueIdFromTool: 'tool-SAST_FINDING',
          scanSource: 'a-tool',
          status: 'IDENTIFIED',
        },
      ],
      metadata: { totalCount: 1, totalPages: 1 },
    })
  })

  test('those whose status changed in a time are found by what they became and were, whatever they are now', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const change = (id: string, status: string) =>
      run(
        owner.key,
        'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }',
        {
          input: { id, status, reason: 'Decided' },
        },
      )
    const { id: reopened } = await newIssue(owner.key, asset.id, { status: 'IDENTIFIED' })
    await newIssue(owner.key, asset.id, { status: 'IDENTIFIED' })
    await change(reopened, 'FALSE_POSITIVE')
    await change(reopened, 'IDENTIFIED')
    const since = { startDate: '2000-01-01T00:00:00Z' }
    const past = { ...since, endDate: '2000-01-02T00:00:00Z' }
    const find = async (statusChange: unknown) =>
      idsOf(await run(owner.key, ISSUES, { companyId, pagination: {}, filters: { statusChange } }))

    expect(await find({ to: ['FALSE_POSITIVE'], range: since })).toEqual([reopened])
    expect(await find({ to: ['IDENTIFIED'], from: ['FALSE_POSITIVE'], range: since })).toEqual([reopened])
    expect(await find({ to: ['IDENTIFIED'], from: ['FIX_ACCEPTED'], range: since })).toEqual([])
    expect(await find({ to: ['FALSE_POSITIVE'], range: past })).toEqual([])
  })

  test('each filter keeps what it names and leaves the rest', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId, { assetsTagList: ['kept'] })
    const elsewhere = await newAsset(owner.key, companyId)
    const kept = await insertFinding(companyId, asset.id, 'SAST_FINDING')
    const { id: left } = await newIssue(owner.key, elsewhere.id, { severity: 'LOW' })
    await run(
      owner.key,
      'mutation ($input: UpdateIssueAssigneesInput!) { updateIssueAssignee(input: $input) { issue { id } } }',
      { input: { issueId: kept, assigneeEmails: [owner.email] } },
    )
    const past = { startDate: '2000-01-01T00:00:00Z', endDate: '2000-01-02T00:00:00Z' }
    const since = { startDate: '2000-01-01T00:00:00Z' }
    const keeping = [
      { ids: [kept] },
      { assetIds: [asset.id] },
      { statuses: ['IDENTIFIED'] },
      { types: ['SAST_FINDING'] },
      { failureTypes: ['SAST_FINDING'] },
      { severities: ['HIGH'] },
      { branchNames: ['main'] },
      { search: 'found sast' },
      { assigneeEmails: [owner.email.toUpperCase()] },
      { toolNames: ['a-tool'] },
      { toolNames: ['A-Tool', 'other'] },
      { toolNames: ['A-TOOL', ...Array.from({ length: 20 }, (_, index) => `tool-${index}`)] },
      { categories: ['CWE-79'] },
      { cweIds: [79, 80] },
      { assetTags: ['kept', 'other'] },
      { fileName: 'src/found.js' },
      { fileName: 'src/found.js', branchNames: ['main'], assetIds: [asset.id] },
      { statuses: ['IDENTIFIED'], createdAtRange: since, updatedAtRange: since },
      { statuses: ['IDENTIFIED'], ids: [], types: [], toolNames: [], branchNames: [], cweIds: [], slaStates: [] },
    ]
    const emptying = [
      { projectIds: ['1'] },
      { controlSyncStatusIds: ['1'] },
      { deployIds: ['1'] },
      { createdAtRange: past },
      { updatedAtRange: { endDate: '2000-01-01T00:00:00Z' } },
      { slaDueAtRange: past },
      { toolNames: ['a_tool'] },
      { toolNames: ['%', '\\'] },
      { fileName: 'src/found.js', branchNames: ['other'] },
    ]

    const all = idsOf(await run(owner.key, ISSUES, { companyId, pagination: {}, filters: {} }))
    for (const filters of keeping) {
      const found = await run(owner.key, ISSUES, { companyId, pagination: {}, filters })
      expect([filters, idsOf(found)]).toEqual([filters, [kept]])
    }
    for (const filters of emptying) {
      const found = await run(owner.key, ISSUES, { companyId, pagination: {}, filters })
      expect([filters, idsOf(found)]).toEqual([filters, []])
    }

    expect(all).toEqual([left, kept])
  })

  test('a list in any order is walked by its cursor without a gap or a repeat', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const severities = ['LOW', 'HIGH', 'LOW', 'CRITICAL', 'HIGH', 'MEDIUM', 'LOW']
    for (const [index, severity] of severities.entries()) {
      await newIssue(owner.key, asset.id, { severity, title: `${index % 3 === 0 ? 'a' : 'B'} title` })
    }
    const orders = [
      [],
      [{ field: 'CREATED_AT' }],
      [{ field: 'UPDATED_AT', order: 'DESC' }],
      [{ field: 'SEVERITY', order: 'DESC' }],
      [{ field: 'STATUS', order: 'ASC' }],
      [{ field: 'TITLE', order: 'ASC' }],
      [{ field: 'ID', order: 'ASC' }],
      [
        { field: 'SEVERITY', order: 'DESC' },
        { field: 'TITLE', order: 'ASC' },
      ],
    ]

    for (const sortOptions of orders) {
      const whole = await run(owner.key, ISSUES, { companyId, pagination: { perPage: 50 }, sortOptions })
      const walked: string[] = []
      let after: string | null = null
      for (let page = 0; page < 4; page += 1) {
        const part: typeof whole = await run(owner.key, ISSUES, {
          companyId,
          pagination: { perPage: 2, after },
          sortOptions,
        })
        expect(part.issues.metadata.totalCount).toBe(7)
        walked.push(...idsOf(part))
        after = part.issues.metadata.endCursor
      }
      expect([sortOptions, walked]).toEqual([sortOptions, idsOf(whole)])
    }
    const bySeverity = await run(owner.key, ISSUES, {
      companyId,
      pagination: {},
      sortOptions: [{ field: 'SEVERITY', order: 'DESC' }],
    })

    expect(bySeverity.issues.collection.map(({ severity }: { severity: string }) => severity)).toEqual([
      'CRITICAL',
      'HIGH',
      'HIGH',
      'MEDIUM',
      'LOW',
      'LOW',
      'LOW',
    ])
  })

  test('a page behind the last is empty and still says how many there are', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    await newIssue(owner.key, asset.id)

    const { issues } = await run(owner.key, ISSUES, { companyId, pagination: { page: 9, perPage: 5 } })

    expect(issues.collection).toEqual([])
    expect(issues.metadata).toMatchObject({ currentPage: 9, limitValue: 5, totalCount: 1, totalPages: 1 })
  })

  test('a page takes as many statements for twenty issues as for one', async () => {
    const { companyId, owner } = await newWorld()
    const assets = [await newAsset(owner.key, companyId), await newAsset(owner.key, companyId)]
    for (let index = 0; index < 20; index += 1) await newIssue(owner.key, assets[index % 2]?.id ?? '')
    const page = (perPage: number) => () => ask(owner.key, ISSUES, { companyId, pagination: { perPage } })
    for (let use = 0; use < 4; use += 1) await page(1)()

    const one = await countStatements(page(1))
    const twenty = await countStatements(page(20))

    expect(twenty).toBe(one)
    expect(twenty).toBeLessThanOrEqual(6)
  })

  test("another company's issue is as missing as one that never was", async () => {
    const [mine, other] = [await newWorld(), await newWorld()]
    const asset = await newAsset(other.owner.key, other.companyId)
    const { id } = await newIssue(other.owner.key, asset.id)

    const foreign = await refusal(mine.owner.key, ISSUE, { id })
    const missing = await refusal(mine.owner.key, ISSUE, { id: '999999999' })
    const list = await refusal(mine.owner.key, ISSUES, { companyId: other.companyId, pagination: {} })

    expect(foreign.extensions.code).toBe('NOT_FOUND')
    expect(foreign.message.replace(id, '#')).toBe(missing.message.replace('999999999', '#'))
    expect(list.extensions.code).toBe('NOT_FOUND')
  })

  test('filters that cannot be used are refused by name', async () => {
    const { companyId, owner } = await newWorld()
    const bad = [
      [{ filters: { assetIds: ['1', 'x'] } }, 'filters.assetIds.1'],
      [{ filters: { search: 'a'.repeat(4001) } }, 'filters.search'],
      [{ filters: { fileName: 'a'.repeat(4001) } }, 'filters.fileName'],
      [{ pagination: { after: 'nonsense' } }, 'after'],
      [{ pagination: { page: 0 } }, 'page'],
    ] as const

    for (const [variables, argument] of bad) {
      const failure = await refusal(owner.key, ISSUES, { companyId, pagination: {}, ...variables })
      expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
    }
  })
})
