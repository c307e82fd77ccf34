// The first report of an asset: written without comparing, and the same all the same.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { deployed, lines, newCodeHome } from '../../../test/testkit/code-home.ts'
import { takenByJob } from '../../../test/testkit/large-reports.ts'
import {
  countsOf,
  imported,
  newReportHome,
  type ReportHome,
  result,
  results,
  rowsOf,
  sarif,
} from '../../../test/testkit/reports.ts'
import { services } from '../../../test/testkit/service.ts'
import { emptyTree, newAsset } from '../../../test/testkit/world.ts'

const FILE = 'src/kept.js'

/** What a report of many says, with every field that a finding in code can have. */
const report = () =>
  sarif([
    ...results(120, 100),
    result(7, {}, FILE, 3),
    result(
      8,
      {
        message: { text: 'A tab\t, a \\N, a "quote", {braces}, a line\nand another\r\n and ünïcödé 🙂' },
        level: 'note',
        fingerprints: { 'a/v1': 'back\\slash\t{"}' },
        correlationGuid: 'an id',
        properties: {
          tags: ['external/cwe/cwe-79', 'external/cwe/cwe-89', 'CVE-2024-1234'],
          'security-severity': '9.1',
        },
        fixes: [{ description: { text: 'Do not' } }],
      },
      FILE,
      5,
    ),
  ])

/** All that is stored of the findings in the file, without ids and times. */
async function stored({ companyId }: ReportHome): Promise<unknown> {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { rows } = await sql<{ table: string; row: Record<string, unknown> }>`
    with place as (select * from occurrence where company_id = ${companyId} and path = ${FILE}),
    stored (name, place, row) as (
      select 'finding', place.line, to_jsonb(finding) from finding join place on place.company_id = finding.company_id and issue_id = finding.id
      union all select 'occurrence', line, to_jsonb(place) from place
      union all select 'place', place.line, to_jsonb(former) from occurrence_place as former
        join place on place.company_id = former.company_id and place.id = occurrence_id
      union all select 'event', place.line, to_jsonb(event) from issue_event as event
        join place on place.company_id = event.company_id and place.issue_id = event.issue_id
      union all select 'deploy', place.line, to_jsonb(brought) from deploy_finding as brought
        join place on place.company_id = brought.company_id and place.issue_id = brought.issue_id
      union all select 'row', place.line, to_jsonb(told) from import_row as told
        join place on place.company_id = told.company_id and place.issue_id = told.issue_id
      union all select 'seen', place.line, to_jsonb(seen) from import_seen as seen
        join place on place.company_id = seen.company_id and place.issue_id = seen.issue_id)
    select name as table, row from stored order by name, place`.execute(service.app.parts.db)
  const isOwn = (name: string) =>
    !/(^|_)(id|at)$/.test(name) &&
    !['birth_key', 'report_key', 'report_ask', 'number', 'commit_ref', 'seen_commit'].includes(name)
  const isSet = ({ table, row }: { table: string; row: Record<string, unknown> }) => ({
    table,
    set: Object.keys(row).filter((name) => row[name] !== null),
    ...Object.fromEntries(Object.entries(row).filter(([name]) => isOwn(name))),
  })
  return rows.map(isSet)
}

/** An asset with a deploy at the commit that is scanned. */
async function newHome() {
  const home = await newCodeHome()
  const commitRef = home.repository.commit({ [FILE]: lines('a') })
  await deployed(home, home.repository.diff(emptyTree, commitRef), emptyTree, commitRef, 'main')
  return { home, asked: { branchName: 'main', commitRef } }
}

test('a finding of an asset’s first report is stored as one of a later report is', async () => {
  const [first, later] = [await newHome(), await newHome()]
  const before = await imported(later.home, sarif([result(1, { ruleId: 'another' }, 'src/other.js')]), later.asked)

  const made = await imported(first.home, report(), first.asked)
  const added = await imported(later.home, report(), later.asked)

  expect(countsOf(before)).toEqual({ read: 1, created: 1 })
  expect([countsOf(made), countsOf(added)]).toEqual([
    { read: 122, created: 122 },
    { read: 122, created: 122 },
  ])
  expect(await stored(first.home)).toHaveLength(14)
  expect(await stored(first.home)).toEqual(await stored(later.home))
})

test('an asset’s first report again is UNCHANGED, whatever its findings say', async () => {
  const { home, asked } = await newHome()
  await imported(home, report(), asked)

  expect(countsOf(await imported(home, report(), asked))).toEqual({ read: 122, unchanged: 122 })
})

test('rows of an asset’s first report that are one finding are one, and each says of which row', async () => {
  const { home, asked } = await newHome()
  const twice = sarif([...results(3), result(2), ...results(2, 4), result(2), result(4)])

  const made = await imported(home, twice, asked)

  expect(countsOf(made)).toEqual({ read: 8, created: 5, merged: 3 })
  const [issues, merged] = [rowsOf(made, 'CREATED'), rowsOf(made, 'MERGED')]
  const of = (at: number) => issues.find((row) => row.at === `runs[0].results[${at}]`)?.issue.id
  expect(merged.map(({ at, issue, reason, matchedBy }) => ({ at, id: issue.id, reason, matchedBy }))).toEqual([
    { at: 'runs[0].results[3]', id: of(1), reason: 'The same finding as runs[0].results[1]', matchedBy: 'PLACE' },
    { at: 'runs[0].results[6]', id: of(1), reason: 'The same finding as runs[0].results[1]', matchedBy: 'PLACE' },
    { at: 'runs[0].results[7]', id: of(4), reason: 'The same finding as runs[0].results[4]', matchedBy: 'PLACE' },
  ])
})

test('an asset’s first report in which two tools speak of the same place has one issue for both', async () => {
  const { home, asked } = await newHome()
  const run = (name: string, line: number) => ({
    tool: { driver: { name } },
    results: [
      result(1, { ruleId: name, properties: { tags: ['external/cwe/cwe-95'] } }, FILE, 3),
      result(2, { ruleId: name }, FILE, line),
    ],
  })

  const made = await imported(home, JSON.stringify({ version: '2.1.0', runs: [run('one', 5), run('other', 7)] }), asked)

  expect(countsOf(made)).toEqual({ read: 4, created: 3, merged: 1 })
})

test('an asset’s first report goes in also where a finding of the same words was moved out of the asset', async () => {
  const home = await newReportHome()
  const other = await newAsset(home.key, home.companyId)
  await imported(home, sarif(results(2)))
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  await sql`update finding set asset_id = ${other.id} where company_id = ${home.companyId}`.execute(
    service.app.parts.db,
  )
  await sql`update occurrence set asset_id = ${other.id} where company_id = ${home.companyId}`.execute(
    service.app.parts.db,
  )

  const made = await imported(home, sarif(results(3)))

  expect(countsOf(made)).toEqual({ read: 3, created: 3 })
})

/** More rows than one statement writes. */
const MANY = 2100

const many = () => Array.from({ length: MANY }, (_, index) => result(index + 1, {}, `src/${index % 100}.js`))

const rowsThatAre = async ({ key }: ReportHome, id: string, disposition: string) =>
  (
    await run(
      key,
      `query ($id: ID!, $disposition: ImportRowDisposition!) { import(id: $id) {
        rows(disposition: $disposition) { collection { at reason issue { id status } } } } }`,
      { id, disposition },
    )
  ).import.rows.collection

test('a row that repeats one of long before, which is written by then, is that finding', async () => {
  const home = await newReportHome()
  const again = [result(1, {}, 'src/0.js'), result(MANY, {}, `src/${(MANY - 1) % 100}.js`), result(1, {}, 'src/0.js')]

  const made = await takenByJob(home, sarif([...many(), ...again]))

  expect(countsOf(made)).toEqual({ read: MANY + 3, created: MANY, merged: 3 })
  const merged: { at: string; reason: string }[] = await rowsThatAre(home, made.id, 'MERGED')
  expect(merged.map(({ at, reason }) => [at, reason])).toEqual([
    [`runs[0].results[${MANY}]`, 'The same finding as runs[0].results[0]'],
    [`runs[0].results[${MANY + 1}]`, `The same finding as runs[0].results[${MANY - 1}]`],
    [`runs[0].results[${MANY + 2}]`, 'The same finding as runs[0].results[0]'],
  ])
})

test('an asset’s first report whose last row is suppressed is compared, and nothing of it is there twice', async () => {
  const home = await newReportHome()
  const suppressed = result(MANY + 1, { suppressions: [{ kind: 'inSource', justification: 'Checked' }] })

  const made = await takenByJob(home, sarif([...many(), suppressed]))

  expect(countsOf(made)).toEqual({ read: MANY + 1, created: MANY + 1 })
  const found = await run(
    home.key,
    `query ($companyId: ID!) {
      all: issues(companyId: $companyId, pagination: { perPage: 1 }) { metadata { totalCount } }
      suppressed: issues(companyId: $companyId, filters: { statuses: [SUPPRESSED] }, pagination: { perPage: 1 }) {
        metadata { totalCount } } }`,
    { companyId: home.companyId },
  )
  expect([found.all.metadata.totalCount, found.suppressed.metadata.totalCount]).toEqual([MANY + 1, 1])
})

test('of two first reports at once one brings the findings, and the other finds them', async () => {
  const home = await newReportHome()
  const report = sarif(many())

  const both = await Promise.all([takenByJob(home, report), takenByJob(home, report)])

  const counts = both.map(countsOf).sort((left) => (left.created ? -1 : 1))
  expect(counts).toEqual([
    { read: MANY, created: MANY },
    { read: MANY, unchanged: MANY },
  ])
})
