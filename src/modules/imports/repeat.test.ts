// A large report that came before, byte for byte: not read again, and the same all the same.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Data, run, upload } from '../../../test/testkit/client.ts'
import { deployed, lines, newCodeHome } from '../../../test/testkit/code-home.ts'
import { found, large, parts, takenByJob } from '../../../test/testkit/large-reports.ts'
import {
  countsOf,
  imported,
  newReportHome,
  type ReportHome,
  result,
  results,
  sarif,
  taken,
} from '../../../test/testkit/reports.ts'
import { emptyTree } from '../../../test/testkit/world.ts'
import { transaction } from '../../core/db/open.ts'
import { holdAsset } from '../issues/findings/service.ts'
import { runImport, tasks } from './jobs.ts'

/** Findings that are known in each way, and a row that cannot be read. */
const mixed = () => [
  ...results(3),
  result(4, { fingerprints: { 'a/v1': 'abc' } }),
  result(5, { correlationGuid: '0d6f1e55-3b0f-4b8e-9c5f-000000000005' }),
  'nonsense',
]

const issueOf = (told: Data, at: number): string => told.rows.collection[at].issue.id

const decide = ({ key }: ReportHome, id: string, status: string) =>
  run(key, 'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }', {
    input: { id, status, reason: 'Looked at' },
  })

/** What is stored of the places of the company's findings, without ids and times. */
async function storedPlaces({ companyId }: ReportHome): Promise<unknown[]> {
  const { db } = await parts()
  const { rows } = await sql<{ place: Record<string, unknown> }>`
    select to_jsonb(occurrence) as place from occurrence where company_id = ${companyId} order by line`.execute(db)
  const isOwn = ([name]: [string, unknown]) =>
    !/(^|_)(id|at)$/.test(name) && !['report_key', 'report_ask'].includes(name)
  return rows.map(({ place }) => Object.fromEntries(Object.entries(place).filter(isOwn)))
}

/** Rows as they are told, without the ids of their issues. */
const toldOf = ({ rows }: Data): unknown[] =>
  rows.collection.map(({ issue, ...row }: Data) => ({ ...row, title: issue?.title }))

const documents = {
  importAstFindingsFile:
    'mutation ($input: ImportAstFindingsFileInput!) { importAstFindingsFile(input: $input) { import { id } } }',
  importSbom: 'mutation ($input: ImportSbomInput!) { importSbom(input: $input) }',
}

/** As takenByJob, of three results, by a mutation that takes reports otherwise. */
async function takenAs(home: ReportHome, mutation: keyof typeof documents, more: object = {}): Promise<Data> {
  const { key, companyId, assetId } = home
  const { data } = await upload(
    key,
    documents[mutation],
    { input: { companyId, assetId, ...more } },
    { 'input.file': { filename: 'report.sarif', content: large(results(3)) } },
  )
  const told = data[mutation]
  const id: string = told.importId ?? told.import.id
  await runImport(await parts(), { companyId, id })
  return found(home, id)
}

/** Forgets what is no longer shown of the company's imports, so many days after them. */
async function sweptAfter({ companyId }: ReportHome, days: number): Promise<void> {
  const { db } = await parts()
  await sql`
    update import set finished_at = now() - make_interval(days => ${days}) where company_id = ${companyId}`.execute(db)
  await tasks.find(({ name }) => name === 'sweep-import-rows')?.run(await parts(), null)
}

describe('a report that comes again byte for byte', () => {
  test('is not read, and tells and leaves what it does when it is read', async () => {
    const [home, twin] = [await newReportHome(), await newReportHome()]
    const first = await takenByJob(home, large(mixed()))
    await takenByJob(twin, large(mixed()))

    const again = await takenByJob(home, large(mixed()))
    const read = await takenByJob(twin, `${large(mixed())}\n`)

    expect([first.wasRead, again.wasRead, read.wasRead]).toEqual([true, false, true])
    expect(countsOf(again)).toEqual({ read: 6, unchanged: 5, leftOut: 1 })
    expect(countsOf(read)).toEqual(countsOf(again))
    expect(toldOf(again)).toEqual(toldOf(read))
    expect(again.rows.collection.map((row: Data) => row.matchedBy)).toEqual([
      'PLACE',
      'PLACE',
      'PLACE',
      'FINGERPRINT',
      'TOOL_ID',
      null,
    ])
    expect(await storedPlaces(home)).toEqual(await storedPlaces(twin))
  })

  test('is not read however often it comes, and its findings were last seen then', async () => {
    const home = await newReportHome()
    await takenByJob(home, large(mixed()))
    await takenByJob(home, large(mixed()))

    const third = await takenByJob(home, large(mixed()))

    expect([third.wasRead, countsOf(third).unchanged]).toEqual([false, 5])
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from occurrence join import using (company_id)
      where company_id = ${home.companyId} and import.id = ${third.id} and last_seen_at = taken_at`.execute(
      (await parts()).db,
    )
    expect(rows[0]?.count).toBe(5)
  })

  test('is of the commit that was scanned this time', async () => {
    const home = await newReportHome()
    await takenByJob(home, large(results(2)), { branchName: 'main', commitRef: 'a'.repeat(40) })

    const again = await takenByJob(home, large(results(2)), { branchName: 'main', commitRef: 'b'.repeat(40) })

    expect(again.wasRead).toBe(false)
    const { issue } = await run(
      home.key,
      'query ($id: ID!) { issue(id: $id) { ... on SastFinding { occurrences { commit } } } }',
      { id: issueOf(again, 0) },
    )
    expect(issue.occurrences).toEqual([{ commit: 'b'.repeat(40) }])
  })

  test('closes what was reported of its scope in between, where it is the whole of it', async () => {
    const home = await newReportHome()
    await takenByJob(home, large(results(3)))
    const between = await imported(home, sarif([result(9)]))

    const again = await takenByJob(home, large(results(3)), { closeAbsent: true })

    expect([again.wasRead, countsOf(again)]).toEqual([false, { read: 3, unchanged: 3, closed: 1 }])
    expect(again.rows.collection.at(-1)).toMatchObject({ disposition: 'CLOSED', issue: { id: issueOf(between, 0) } })
  })

  test('that would close most of what is open is refused as any other, and nothing of it is in', async () => {
    const home = await newReportHome()
    await takenByJob(home, large(results(3)))
    await imported(home, sarif(results(30, 100)))

    const again = await takenByJob(home, large(results(3)), { closeAbsent: true })

    expect(again.failure).toMatchObject({ code: 'FAILED_PRECONDITION', message: expect.stringContaining('30 of 33') })
    expect(again.rows.metadata.totalCount).toBe(0)
  })
})

describe('a report that comes again byte for byte is read', () => {
  test('where a person has decided of a finding since, and not the time after that', async () => {
    const home = await newReportHome()
    const first = await takenByJob(home, large(results(3)))
    await decide(home, issueOf(first, 1), 'FALSE_POSITIVE')

    const second = await takenByJob(home, large(results(3)))
    const third = await takenByJob(home, large(results(3)))

    expect([second, third].map(({ wasRead }) => wasRead)).toEqual([true, false])
    expect([second, third].map(countsOf)).toEqual([
      { read: 3, unchanged: 3 },
      { read: 3, unchanged: 3 },
    ])
    expect(third.rows.collection[1].issue.status).toBe('FALSE_POSITIVE')
  })

  test('where another report has said something else of a finding since', async () => {
    const home = await newReportHome()
    await takenByJob(home, large(results(3)))
    await imported(home, sarif([result(2, { message: { text: 'Worse' } })]))

    const again = await takenByJob(home, large(results(3)))

    expect([again.wasRead, countsOf(again)]).toEqual([true, { read: 3, updated: 1, unchanged: 2 }])
  })

  test('where a finding was absent from the report in between, which it reopens', async () => {
    const home = await newReportHome()
    await takenByJob(home, large(results(3)))
    await imported(home, sarif(results(2)), { closeAbsent: true })

    const again = await takenByJob(home, large(results(3)))

    expect([again.wasRead, countsOf(again)]).toEqual([true, { read: 3, unchanged: 2, reopened: 1 }])
  })

  test('where a deploy has moved its lines', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const one = repository.commit({ 'a.ts': lines('a') })
    await deployed(home, repository.diff(emptyTree, one), emptyTree, one, 'main')
    const report = large([result(1, {}, 'a.ts', 5)])
    const first = await takenByJob(home, report, { branchName: 'main' })
    const two = repository.commit({ 'a.ts': [...lines('new', 3), ...lines('a')] })
    await deployed(home, repository.diff(one, two), one, two, 'main')

    const stale = await takenByJob(home, report, { branchName: 'main', commitRef: one })
    const fresh = await takenByJob(home, report, { branchName: 'main' })

    expect([stale, fresh].map(({ wasRead }) => wasRead)).toEqual([true, true])
    expect(countsOf(stale)).toEqual({ read: 1, unchanged: 1 })
    expect(issueOf(stale, 0)).toBe(issueOf(first, 0))
  })

  test.each([
    ['of another branch', { branchName: 'other' }],
    ['of another part of the asset', { scope: 'a part' }],
    ['of another directory', { directory: 'services/api' }],
  ])('where it is %s', async (_, more) => {
    const home = await newReportHome()
    await takenByJob(home, large(results(3)))

    const again = await takenByJob(home, large(results(3)), more)

    expect(again).toMatchObject({ wasRead: true, status: 'SUCCEEDED' })
  })

  test.each([
    ['decides of a finding', [result(1, { suppressions: [{ kind: 'inSource' }] })]],
    ['has a finding twice', [result(1), result(1)]],
  ])('where it %s', async (_, more) => {
    const home = await newReportHome()
    const report = large([...more, ...results(3, 5)])
    await takenByJob(home, report)

    expect(await takenByJob(home, report)).toMatchObject({ wasRead: true, status: 'SUCCEEDED' })
  })

  test('where what became of its rows is forgotten', async () => {
    const home = await newReportHome()
    await takenByJob(home, large(results(3)))
    await takenByJob(home, large(results(3)))
    await sweptAfter(home, 8)

    const again = await takenByJob(home, large(results(3)))

    expect([again.wasRead, countsOf(again)]).toEqual([true, { read: 3, unchanged: 3 }])
  })

  test('where what was left out of it is forgotten, also where it has no finding', async () => {
    const home = await newReportHome()
    const asContainers = { vulnerabilityTypes: ['CONTAINER_FINDING'] }
    const first = await takenAs(home, 'importAstFindingsFile', asContainers)
    await sweptAfter(home, 91)

    const again = await takenAs(home, 'importAstFindingsFile', asContainers)

    expect([first.rows.metadata.totalCount, toldOf(again)]).toEqual([3, toldOf(first)])
  })

  test('where it is to be a bill of materials, which it is not', async () => {
    const home = await newReportHome()
    await takenByJob(home, large(results(3)))

    const again = await takenAs(home, 'importSbom')

    expect(again).toMatchObject({ status: 'FAILED', failure: { message: 'The file lists no component' } })
  })

  test('where a rule says since what counts of its tool', async () => {
    const home = await newReportHome()
    await takenByJob(home, large(results(3)))
    await run(
      home.key,
      'mutation ($input: SetIdentityRuleInput!) { setIdentityRule(input: $input) { identityRule { toolName } } }',
      { input: { companyId: home.companyId, toolName: 'a-scanner', rule: { fields: ['PLACE', 'RULE'] } } },
    )

    expect(await takenByJob(home, large(results(3)))).toMatchObject({ wasRead: true, status: 'SUCCEEDED' })
  })
})

test('a report that has not come before is read while another one is taken in', async () => {
  const home = await newReportHome()
  await imported(home, sarif(results(1)))
  const { id } = await taken(home, large(results(3)))
  const { db } = await parts()
  const { companyId, assetId } = home
  const stagedRows = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from import_staged where company_id = ${companyId} and import_id = ${id}`.execute(
      db,
    )
    return rows[0]?.count
  }

  const job = await transaction(db, async (trx) => {
    await holdAsset(trx, companyId, assetId)
    const running = runImport(await parts(), { companyId, id })
    await expect.poll(stagedRows).toBe(3)
    return [running]
  })

  await Promise.all(job)
  expect(countsOf(await found(home, id))).toEqual({ read: 3, created: 2, unchanged: 1 })
})
