// What goes out can come in again: one company's export, imported into another, exports the same.

import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { fetched } from '../../../test/testkit/exports.ts'
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

test('everything that exportFindings gives as NDJSON is the same after importFindings into an empty company', async () => {
  const from = await newStock()
  const to = await newReportHome()
  const { text } = await fetched(from, 'NDJSON')

  const made = await imported(to, text, { branchName: 'of-the-caller', commitRef: 'fffffff' })

  const before = await linesOf(from)
  expect(made).toMatchObject({ status: 'SUCCEEDED', format: 'merlon' })
  expect(countsOf(made)).toEqual({ read: before.length - 1, created: before.length - 1 })
  expect(sorted(await linesOf(to))).toEqual(sorted(before))
})

test('findings are as old as they were, and are to be mended by the same day', async () => {
  const [from, to] = [await newStock(), await newReportHome()]
  const db = await database()
  await sql`update issue set created_at = created_at - interval '200 days', sla_started_at = sla_started_at - interval '90 days',
    decided_at = decided_at - interval '50 days', closed_at = closed_at - interval '40 days', sla_due_at = null, revalue_at = '-infinity'
    where company_id = ${from.companyId}`.execute(db)

  await imported(to, (await fetched(from, 'NDJSON')).text)

  const [due, dueThere] = [await dueIn(to), await dueIn(from)]
  const { rows: begun } = await sql`select distinct event.at = issue.created_at as same from issue_event as event
    join issue on issue.company_id = event.company_id and issue.id = event.issue_id
    where event.company_id = ${to.companyId} and event.action = 'CREATED'`.execute(db)
  expect(await timesOf(to)).toEqual(await timesOf(from))
  expect(due).toEqual(dueThere)
  expect(begun).toEqual([{ same: true }])
})

test('times of who may not decide begin anew, and none begins in the future', async () => {
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

test('the same file twice changes nothing', async () => {
  const from = await newStock()
  const to = await newReportHome()
  const { text } = await fetched(from, 'NDJSON')
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

test('decisions of who may not decide are the file’s word, and a later report takes them back', async () => {
  const from = await newStock()
  const to = await newReportHome()
  const developer = await newPerson(to.companyId, 'DEVELOPER')
  const { text } = await fetched(from, 'NDJSON')

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

test('SARIF that Merlon wrote comes in with title, severity, type, tool, place, fingerprints, accepted decisions and what was fixed', async () => {
  const from = await newStock()
  const to = await newReportHome()
  const { text } = await fetched(from, 'SARIF', { filters: { types: ['SAST_FINDING', 'IAC_FINDING', 'MAST_FINDING'] } })

  await imported(to, text)

  const told = (lines: readonly Line[]) =>
    lines
      .filter(({ kind, type }) => kind === 'finding' && /SAST|IAC|MAST/.test(`${type}`))
      .map(
        ({
          title,
          description,
          severity,
          type,
          toolName,
          rule,
          status,
          places,
          fingerprint,
          originalIssueIdFromTool,
        }) => {
          const isAccepted = ['RISK_ACCEPTED', 'FALSE_POSITIVE', 'SUPPRESSED', 'FIX_ACCEPTED'].includes(`${status}`)
          const place = places?.find(({ branch }) => branch === 'main') ?? places?.[0]
          return {
            title,
            description,
            severity,
            type,
            toolName,
            rule,
            fingerprint,
            originalIssueIdFromTool,
            path: place?.path,
            line: place?.line,
            snippet: place?.snippet,
            status: isAccepted ? status : 'open',
          }
        },
      )
      .map((each) => JSON.stringify(each))
      .sort()
  expect(told(await linesOf(to))).toEqual(told(await linesOf(from)))
})

test.each(['SARIF', 'CSV'] as const)(
  '%s that Merlon wrote keeps apart what differs in its parameters alone, and mere notifications as such',
  async (format) => {
    const [from, to] = [await newReportHome(), await newReportHome()]
    const query =
      'mutation ($input: CreateOrUpdateDastFindingInput!) { createOrUpdateDastFinding(input: $input) { issue { id } } }'
    const common = {
      assetId: Number(from.assetId),
      title: 'Reflected',
      description: 'It comes back',
      toolName: 'a-prober',
    }
    const exchange = { url: 'https://shop.example.test/a', method: 'GET', severity: 'NOTIFICATION' }
    for (const parameters of ['name', 'text'])
      await run(from.key, query, { input: { ...common, ...exchange, parameters } })

    const made = await imported(to, (await fetched(from, format)).text)

    const told = (lines: readonly Line[]) =>
      lines
        .filter(({ kind }) => kind === 'finding')
        .map(({ severity, type, detail }) => ({
          severity,
          type,
          parameters: (detail as { parameters?: string }).parameters,
        }))
        .sort((one, other) => `${one.parameters}`.localeCompare(`${other.parameters}`))
    expect(countsOf(made)).toEqual({ read: 2, created: 2 })
    expect(told(await linesOf(to))).toEqual(told(await linesOf(from)))
  },
)
