// Many findings of a report at once: written another way than few, and the same all the same.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import {
  countsOf,
  imported,
  newReportHome,
  type ReportHome,
  result,
  results,
  sarif,
} from '../../../test/testkit/reports.ts'
import { services } from '../../../test/testkit/service.ts'
import { newAsset } from '../../../test/testkit/world.ts'

/** What is stored of the finding in `file`, without ids and times. */
async function stored({ companyId }: ReportHome, file: string): Promise<Record<string, unknown>[]> {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { rows } = await sql<{ table: string; row: Record<string, unknown> }>`
    with place as (select * from occurrence where company_id = ${companyId} and path = ${file})
    select 'finding' as table, to_jsonb(finding) as row from finding join place on place.company_id = finding.company_id
      and issue_id = finding.id
    union all select 'occurrence', to_jsonb(place) from place
    union all select 'place', to_jsonb(former) from occurrence_place as former join place
      on place.company_id = former.company_id and place.id = occurrence_id
    union all select 'event', to_jsonb(event) from issue_event as event join place
      on place.company_id = event.company_id and place.issue_id = event.issue_id`.execute(service.app.parts.db)
  const isOwn = (name: string) =>
    !/(^|_)(id|at)$/.test(name) && !['birth_key', 'report_key', 'report_ask', 'sla_due_at', 'author_id'].includes(name)
  return rows.map(({ table, row }) => ({
    table,
    ...Object.fromEntries(Object.entries(row).filter(([name]) => isOwn(name))),
  }))
}

/** Words that a format of lines and lists could mistake for its own. */
const strange = () =>
  result(
    7,
    {
      message: { text: 'A tab\t, a \\N, a "quote", {braces}, a line\nand another\r\n, \\x41 and ünïcödé 🙂' },
      fingerprints: { 'a/v1': 'back\\slash\t{"}' },
      properties: { tags: ['security', 'external/cwe/cwe-79', 'external/cwe/cwe-89'] },
    },
    'src/a "strange" \\ file.js',
  )

test('a finding among many is stored as it is alone', async () => {
  const [alone, among] = [await newReportHome(), await newReportHome()]
  const place = 'src/a "strange" / file.js'

  await imported(alone, sarif([strange()]))
  const created = await imported(among, sarif([...results(150, 100), strange()]))

  expect(countsOf(created)).toEqual({ read: 151, created: 151 })
  const [few, many] = [await stored(alone, place), await stored(among, place)]
  expect(few.map(({ table }) => table)).toEqual(['finding', 'occurrence', 'place', 'event'])
  expect(many).toEqual(few)
})

/** What the findings of the asset whose title begins so are worth, days counted from when they were found. */
async function worths({ assetId }: ReportHome, title: string): Promise<Record<string, unknown>[]> {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { rows } = await sql<Record<string, unknown>>`
    select severity, status, vulnerability_ids, epss, is_known_exploited, priority_score, sla_started_at - created_at as started,
      sla_due_at - created_at as due, revalue_at - created_at as revalued
    from finding where asset_id = ${assetId} and title like ${`${title}%`} order by title`.execute(service.app.parts.db)
  return rows
}

test.each([
  { businessImpact: 'HIGH', exploitability: 'INTERNET_FACING' },
  { businessImpact: 'LOW', exploitability: 'INTERNAL' },
  { businessImpact: 'MEDIUM', audience: 'external' },
  {},
])('findings among many in an asset with %o are worth what they are alone', async (facts) => {
  const { companyId, key } = await newReportHome()
  await run(
    key,
    'mutation ($input: SetSlaPolicyInput!) { setSlaPolicy(input: $input) { slaPolicy { rules { days } } } }',
    {
      input: {
        companyId: Number(companyId),
        rules: [
          { severity: 'HIGH', businessImpact: 'HIGH', days: 3 },
          { severity: 'LOW', businessImpact: 'LOW', days: null },
        ],
      },
    },
  )
  const home = async () => ({ companyId, key, assetId: (await newAsset(key, companyId, facts)).id })
  const [alone, among] = [await home(), await home()]
  const told = ['9.8', '7.5', '5.0', '2.0', '0.0'].map((score, index) =>
    result(index + 1, { message: { text: `Worth ${index}` }, properties: { 'security-severity': score } }),
  )
  const settled = result(6, {
    message: { text: 'Worth 6' },
    suppressions: [{ kind: 'external', status: 'accepted', justification: 'It is no fault' }],
  })
  const named = result(7, { message: { text: 'Worth 7' }, ruleId: 'CVE-2021-44228' })
  const reported = [...told, settled, named]

  await imported(alone, sarif(reported))
  await imported(among, sarif([...reported, ...results(150, 100)]))

  const [few, many] = [await worths(alone, 'Worth'), await worths(among, 'Worth')]
  expect(few).toHaveLength(7)
  expect(new Set(few.map(({ severity }) => severity)).size).toBeGreaterThanOrEqual(4)
  expect(many).toEqual(few)
})

test('of many that come again only those count as changed that are', async () => {
  const home = await newReportHome()
  await imported(home, sarif(results(150)))

  const again = await imported(home, sarif([...results(149), result(150, { message: { text: 'Other words' } })]))

  expect(countsOf(again)).toEqual({ read: 150, updated: 1, unchanged: 149 })
})

test('a report about more rules than are compared together keeps its findings', async () => {
  const home = await newReportHome()
  const reportOf = (words: string) =>
    sarif(results(250).map((each, index) => ({ ...each, ruleId: `rule ${index}`, message: { text: words } })))
  await imported(home, reportOf('In these words'))

  const again = await imported(home, reportOf('In others'))

  expect(countsOf(again)).toEqual({ read: 250, updated: 250 })
})

test('what an import has written goes with its asset', async () => {
  const home = await newReportHome()
  await imported(home, sarif(results(150)))
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const left = () =>
    sql<{ places: number; rows: number; seen: number }>`
      select (select count(*)::int from occurrence_place where company_id = ${home.companyId}) as places,
        (select count(*)::int from import_row where company_id = ${home.companyId}) as rows,
        (select count(*)::int from import_seen where company_id = ${home.companyId}) as seen`.execute(
      service.app.parts.db,
    )
  expect((await left()).rows).toEqual([{ places: 150, rows: 150, seen: 150 }])

  await run(
    home.key,
    'mutation ($input: DeleteAssetInput!) { deleteAsset(input: $input) { asset { collection { id } } } }',
    {
      input: { companyId: home.companyId, id: home.assetId },
    },
  )

  expect((await left()).rows).toEqual([{ places: 0, rows: 0, seen: 0 }])
})
