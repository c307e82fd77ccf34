// What goes out can come in again: one company's export, imported into another, exports the same.

import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fetched } from '../../../test/testkit/exports.ts'
import { awayFromMidnight } from '../../../test/testkit/midnight.ts'
import { countsOf, imported, newReportHome, type ReportHome, results, sarif } from '../../../test/testkit/reports.ts'
import { services } from '../../../test/testkit/service.ts'
import { newStock } from '../../../test/testkit/stock.ts'
import { newPerson } from '../../../test/testkit/world.ts'

type Line = Record<string, unknown> & {
  kind: string
  title: string
  places?: ({ branch: string } & Record<string, unknown>)[]
}

/** The lines of an export of everything, without ids and times. */
async function linesOf(home: ReportHome): Promise<Line[]> {
  const { text } = await fetched(home, 'NDJSON')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .slice(1)
    .map(
      ({
        id: _,
        asset: __,
        createdAt: ___,
        updatedAt: ____,
        slaStartedAt: _____,
        closedAt,
        decidedAt,
        places,
        ...line
      }) => ({
        ...line,
        isClosed: closedAt !== null,
        isDecided: decidedAt !== null,
        places: places?.toSorted((one: { branch: string }, other: { branch: string }) =>
          one.branch < other.branch ? -1 : 1,
        ),
      }),
    )
}

/** When each finding was created, decided and closed, and since when it is to be mended. */
async function timesOf(home: ReportHome): Promise<(string | null)[][]> {
  const { text } = await fetched(home, 'NDJSON')
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return lines
    .filter(({ kind }) => kind === 'finding')
    .map(({ title, createdAt, decidedAt, closedAt, slaStartedAt }) => [
      title,
      createdAt,
      decidedAt,
      closedAt,
      slaStartedAt,
    ])
    .sort()
}

async function database() {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  return service.app.db
}

async function dueIn({ companyId }: ReportHome): Promise<unknown[]> {
  const { rows } = await sql`select title, sla_due_at, priority_score, revalue_at from issue
    where company_id = ${companyId} order by title, created_at`.execute(await database())
  return rows
}

const sorted = (lines: readonly Line[]) => lines.map((line) => JSON.stringify(line, undefined, 1)).sort()

/** The formats that hold findings completely, and the names under which they are read. */
const complete = [
  ['NDJSON', 'merlon'],
  ['SARIF', 'sarif'],
  ['CSV', 'generic'],
] as const

test.each(complete)(
  '%s that was exported gives an empty company the same findings in the same states',
  async (format, reader) => {
    const [from, to] = [await newStock(), await newReportHome()]
    await sql`update issue set detail = detail || '{"proof": [{"from": 0, "to": 3, "isInRequest": true}]}'
    where company_id = ${from.companyId} and type = 'DAST_FINDING'`.execute(await database())
    const { text } = await fetched(from, format)

    const made = await imported(to, text, { branchName: 'of-the-caller', commitRef: 'fffffff' })

    const before = await linesOf(from)
    expect(made).toMatchObject({ status: 'SUCCEEDED', format: reader })
    expect(countsOf(made)).toEqual({ read: before.length - 1, created: before.length - 1 })
    expect(sorted(await linesOf(to))).toEqual(sorted(before))
  },
)

test.each(complete)('findings of %s are as old as they were, and are to be mended by the same day', async (format) => {
  const [from, to] = [await newStock(), await newReportHome()]
  const db = await database()
  await sql`update issue set created_at = created_at - interval '200 days', sla_started_at = sla_started_at - interval '90 days',
    decided_at = decided_at - interval '50 days', closed_at = closed_at - interval '40 days', sla_due_at = null, revalue_at = '-infinity'
    where company_id = ${from.companyId}`.execute(db)

  await imported(to, (await fetched(from, format)).text)

  const [due, dueThere] = [await dueIn(to), await dueIn(from)]
  const { rows: begun } = await sql`select distinct event.at = issue.created_at as same from issue_event as event
    join issue on issue.company_id = event.company_id and issue.id = event.issue_id
    where event.company_id = ${to.companyId} and event.action = 'CREATED'`.execute(db)
  expect(await timesOf(to)).toEqual(await timesOf(from))
  expect(due).toEqual(dueThere)
  expect(begun).toEqual([{ same: true }])
})

test('times of who may not decide begin anew, and none begins in the future', async () => {
  await awayFromMidnight()
  const [from, to, other] = [await newStock(), await newReportHome(), await newReportHome()]
  const developer = await newPerson(to.companyId, 'DEVELOPER')
  const text = (await fetched(from, 'NDJSON')).text.replace(/"(createdAt|slaStartedAt)":"\d{4}/g, '"$1":"2999')

  await imported({ ...to, key: developer.key }, text.replaceAll('"2999', '"2001'))
  await imported(other, text)

  const years = async (home: ReportHome) =>
    new Set((await timesOf(home)).flatMap(([_, ...times]) => times.map((at) => at?.slice(0, 4))))
  const now = String(new Date().getUTCFullYear())
  expect(await years(to)).toEqual(new Set([now, undefined]))
  expect(await years(other)).toEqual(new Set([now, undefined]))
})

test.each(complete)('the same file of %s twice changes nothing', async (format) => {
  const from = await newStock()
  const to = await newReportHome()
  const { text } = await fetched(from, format)
  const first = await imported(to, text)

  const second = await imported(to, text)

  expect(countsOf(second)).toEqual({ read: countsOf(first).read, unchanged: countsOf(first).read })
})

test('what a scan had closed stays closed on its branch when the file comes again', async () => {
  const from = await newReportHome()
  const to = await newReportHome()
  await imported(from, sarif(results(3)), { branchName: 'main' })
  await imported(from, sarif(results(2)), { branchName: 'main', closeAbsent: true })
  const { text } = await fetched(from, 'NDJSON')
  await imported(to, text)
  const before = await linesOf(to)

  const again = await imported(to, text)

  expect(before.flatMap(({ places }) => places?.map(({ isOpen }) => isOpen) ?? [])).toContain(false)
  expect(countsOf(again)).toEqual({ read: 3, unchanged: 3 })
  expect(await linesOf(to)).toEqual(before)
})

test.each(['generic/small.csv', 'npm-audit/six.json', 'nuclei/small.jsonl', 'tenable/small.nessus'])(
  'a report that names no file or no parameters meets what was brought from elsewhere: %s',
  async (sample) => {
    const from = await newReportHome()
    const to = await newReportHome()
    const report = readFileSync(`test/reports/samples/${sample}`)
    const first = countsOf(await imported(from, report))
    await imported(to, (await fetched(from, 'NDJSON')).text)

    const again = countsOf(await imported(to, report, { closeAbsent: true }))

    expect(first.created).toBeGreaterThan(0)
    expect(again).toEqual({ read: first.read, unchanged: first.created, leftOut: first.leftOut })
  },
)

test.each(complete)('decisions of who may not decide are the word of the %s, and not a person’s', async (format) => {
  const from = await newStock()
  const to = await newReportHome()
  const developer = await newPerson(to.companyId, 'DEVELOPER')
  const { text } = await fetched(from, format)

  await imported({ ...to, key: developer.key }, text)

  const lines = await linesOf(to)
  const accepted = lines.filter(({ status }) => ['RISK_ACCEPTED', 'FALSE_POSITIVE', 'SUPPRESSED'].includes(`${status}`))
  expect(accepted.length).toBeGreaterThan(0)
  expect(new Set(accepted.map(({ isDecided }) => isDecided))).toEqual(new Set([false]))
})

test('an export that was cut short says so, and one of another format is refused', async () => {
  const from = await newStock()
  const to = await newReportHome()
  const { text } = await fetched(from, 'NDJSON')
  const lines = text.trimEnd().split('\n')

  const cut = await imported(to, lines.slice(0, -5).join('\n'), { closeAbsent: true })
  const newer = imported(to, text.replace('"format":1', '"format":2'))

  expect(cut.unclosedReason).toContain('does not end with the count of its lines')
  await expect(newer).rejects.toThrow('another version of Merlon')
})

test('what is known already takes the file’s decisions where nobody has decided', async () => {
  const from = await newStock()
  const to = await newReportHome()
  const [header, ...lines] = (await fetched(from, 'NDJSON')).text.trimEnd().split('\n')
  const open = lines.map((line) =>
    line.replace('"status":"FALSE_POSITIVE"', '"status":"CREATED"').replace(/"decidedAt":"[^"]+"/, '"decidedAt":null'),
  )
  await imported(to, [header, ...open].join('\n'))

  await imported(to, [header, ...lines].join('\n'))

  const statuses = (all: Line[]) =>
    all.map(({ status }) => status).filter((status) => status === 'FALSE_POSITIVE').length
  expect(statuses(await linesOf(to))).toBe(statuses(await linesOf(from)))
})

test.each(['CYCLONEDX', 'OPENVEX', 'CSAF'])(
  '%s brings false positives and what was fixed, and leaves all else open',
  async (format) => {
    const [from, to] = [await newStock(), await newReportHome()]

    await imported(to, (await fetched(from, format)).text)

    const statuses = new Set((await linesOf(to)).filter(({ kind }) => kind === 'finding').map(({ status }) => status))
    expect(statuses).toEqual(new Set(['CREATED', 'FALSE_POSITIVE', 'FIX_ACCEPTED']))
  },
)

type Result = { properties: { merlon: Record<string, unknown>; status: string } }
type Report = { runs: [{ tool: { driver: { name: string } }; results: Result[] }] }

test('SARIF of another tool decides nothing by properties that look like Merlon’s', async () => {
  const [from, to] = [await newStock(), await newReportHome()]
  const report: Report = JSON.parse((await fetched(from, 'SARIF')).text)
  report.runs[0].tool.driver.name = 'Another'

  await imported(to, JSON.stringify(report))

  const statuses = new Set((await linesOf(to)).filter(({ kind }) => kind === 'finding').map(({ status }) => status))
  expect(statuses).toEqual(new Set(['CREATED', 'SUPPRESSED']))
})

test('an export in a later form is refused as SARIF and as CSV', async () => {
  const [from, to] = [await newStock(), await newReportHome()]
  const { text: report } = await fetched(from, 'SARIF')
  const { text: table } = await fetched(from, 'CSV')

  const sent = Promise.allSettled([
    imported(to, report.replaceAll('"merlon":{"format":1', '"merlon":{"format":2')),
    imported(to, table.replaceAll('{""format"":1', '{""format"":2')),
  ])

  const refused = { status: 'rejected', reason: { message: expect.stringContaining('another version of Merlon') } }
  expect(await sent).toMatchObject([refused, refused])
})

/** The rows of an exported table after a change, with the header, as a spreadsheet would save them. */
async function tableOf(home: ReportHome, change: (row: Record<string, string>) => void): Promise<string> {
  const rows: Record<string, string>[] = parse((await fetched(home, 'CSV')).text, { columns: true })
  for (const row of rows) change(row)
  const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
  return lines.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';')).join('\n')
}

test('what somebody changed in the columns of an exported table counts', async () => {
  const [from, to] = [await newReportHome(), await newReportHome()]
  await imported(from, sarif(results(1)), { branchName: 'main' })
  const table = await tableOf(from, (row) =>
    Object.assign(row, { status: 'IN_PROGRESS', severity: 'LOW', title: "'=1+1" }),
  )

  await imported(to, table)

  const [line] = await linesOf(to)
  expect(line).toMatchObject({ status: 'IN_PROGRESS', severity: 'LOW', title: '=1+1', places: [{ branch: 'main' }] })
})

test('a row of an exported table whose last column was cut is left out, and without it is read by the others', async () => {
  const [from, to] = [await newReportHome(), await newReportHome()]
  await imported(from, sarif(results(3)))
  let row = 0
  const table = await tableOf(from, (cells) => {
    row += 1
    if (row === 1) cells.merlon = cells.merlon?.slice(0, 40) ?? ''
    if (row === 2) cells.merlon = ''
  })

  const made = await imported(to, table)

  expect(countsOf(made)).toEqual({ read: 3, created: 2, leftOut: 1 })
})
