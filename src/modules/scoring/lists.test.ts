// Lists of issues can be filtered by due date and priority, and sorted by them.

import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { newHome } from '../../../test/testkit/findings.ts'
import { services } from '../../../test/testkit/service.ts'

const LIST = `query ($companyId: ID!, $filters: IssuesFiltersInput, $sortOptions: [IssueSortOptionInput!], $after: String) {
  issues(companyId: $companyId, pagination: { perPage: 3, after: $after }, filters: $filters, sortOptions: $sortOptions) {
    collection { id title sla { state dueAt } priority { score } } metadata { totalCount endCursor } } }`

type Listed = { id: string; title: string; sla: { state: string; dueAt: string } | null; priority: { score: number } }

const seeds = [
  { title: 'new', severity: 'HIGH', age: 0 },
  { title: 'late', severity: 'HIGH', age: 40 },
  { title: 'soon', severity: 'HIGH', age: 27 },
  { title: 'closed', severity: 'CRITICAL', age: 3, status: 'FIX_ACCEPTED' },
  { title: 'note', severity: 'NOTIFICATION', age: 3 },
  { title: 'CVE-2098-1001', severity: 'LOW', age: 1 },
  { title: 'GHSA-jfh8-c2jp-5v3q', severity: 'LOW', age: 1 },
  { title: 'likely', severity: 'MEDIUM', age: 1, epss: 0.9 },
  { title: 'unlikely', severity: 'MEDIUM', age: 1, epss: 0.2 },
  { title: 'used', severity: 'LOW', age: 1, known: true },
]

let key = ''
let companyId = ''

beforeAll(async () => {
  const home = await newHome()
  key = home.key
  companyId = home.companyId
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  await sql`
    insert into issue (company_id, asset_id, type, rule, title, severity, status, birth_key, created_at)
    select ${companyId}::bigint, ${home.assetId}::bigint, 'SCA_FINDING', 'rule', title, severity,
           coalesce(status, 'CREATED'), sha256(convert_to(title || ${companyId}::text, 'UTF8')),
           now() - make_interval(days => age)
    from jsonb_to_recordset(${JSON.stringify(seeds)}::jsonb)
      as seed (title text, severity severity_category, status issue_status, age int)`.execute(service.app.db)
  await sql`
    update issue set epss = seed.epss, is_known_exploited = coalesce(seed.known, false)
    from jsonb_to_recordset(${JSON.stringify(seeds)}::jsonb) as seed (title text, epss float8, known boolean)
    where company_id = ${companyId} and issue.title = seed.title`.execute(service.app.db)
})

const titles = async (filters: Record<string, unknown>) => {
  const { issues } = await run(key, LIST.replace('perPage: 3', 'perPage: 50'), { companyId, filters })
  return issues.collection.map(({ title }: Listed) => title).sort()
}

async function walk(sortOptions: unknown): Promise<Listed[]> {
  const walked: Listed[] = []
  for (let after: string | null = null; ; ) {
    const { issues } = await run(key, LIST, { companyId, sortOptions, after })
    walked.push(...issues.collection)
    after = issues.metadata.endCursor
    if (issues.collection.length < 3) return walked
  }
}

describe('a list of issues', () => {
  test.each([
    [{ slaStates: ['BREACHED'] }, ['late']],
    [{ slaStates: ['APPROACHING', 'BREACHED'] }, ['late', 'soon']],
    [{ slaStates: ['RESOLVED'] }, ['closed']],
    [{ slaStates: ['ON_TRACK'] }, ['CVE-2098-1001', 'GHSA-jfh8-c2jp-5v3q', 'likely', 'new', 'unlikely', 'used']],
    [{ slaStates: [], knownExploited: true }, ['used']],
    [{ knownExploited: true }, ['used']],
    [{ knownExploited: false, severities: ['MEDIUM', 'LOW'], minimumPriority: 20 }, ['likely', 'unlikely']],
    [{ minimumEpss: 0.5 }, ['likely']],
    [{ minimumPriority: 44 }, ['late', 'soon']],
    [{ vulnerabilityIds: ['cve-2098-1001', ' GHSA-JFH8-c2jp-5V3Q'] }, ['CVE-2098-1001', 'GHSA-jfh8-c2jp-5v3q']],
    [{ vulnerabilityIds: ['CVE-2098-9999'] }, []],
  ])('narrowed by %j has %j', async (filters, expected) => {
    expect(await titles(filters)).toEqual(expected)
  })

  test('is walked from the most pressing to the least, page by page', async () => {
    const walked = await walk([{ field: 'PRIORITY', order: 'DESC' }])

    const scores = walked.map(({ priority }) => priority.score)
    expect(scores).toEqual([48, 44, 40, 34, 27, 16, 10, 10, 0, 0])
    expect(new Set(walked.map(({ id }) => id)).size).toBe(seeds.length)
  })

  test('is walked from what is due first to what is never due, page by page', async () => {
    const walked = await walk([{ field: 'SLA_DUE_AT', order: 'ASC' }, { field: 'ID' }])

    const dates = walked.map(({ sla }) => sla?.dueAt ?? 'never')
    expect(dates).toEqual([...dates].sort())
    expect(walked[0]?.title).toBe('late')
    expect(walked.at(-1)?.title).toBe('note')
    expect(walked).toHaveLength(seeds.length)
  })

  test('in these orders refuses a cursor of another one', async () => {
    const { issues } = await run(key, LIST, { companyId, sortOptions: [{ field: 'TITLE' }] })

    const foreign = walkFrom(issues.metadata.endCursor)

    await expect(foreign).rejects.toThrow('BAD_USER_INPUT: after is not a cursor of this list')
  })
})

const walkFrom = (after: string) =>
  run(key, LIST, { companyId, sortOptions: [{ field: 'PRIORITY', order: 'DESC' }], after })
