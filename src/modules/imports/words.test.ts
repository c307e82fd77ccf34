// What a report itself decides of its findings, beside what people decide.

import { expect, test } from 'vitest'
import { type Data, run, type Variables } from '../../../test/testkit/client.ts'
import {
  countsOf,
  imported,
  newReportHome,
  type ReportHome,
  result,
  results,
  sarif,
} from '../../../test/testkit/reports.ts'

const suppressed = (number: number) =>
  result(number, { suppressions: [{ kind: 'inSource', justification: 'Checked by hand' }] })

const shown = async ({ key }: ReportHome, id: string): Promise<Data> =>
  (await run(key, 'query ($id: ID!) { issue(id: $id) { status history { kind status reason } } }', { id })).issue

const change = (key: string, input: Variables) =>
  run(key, 'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }', {
    input,
  })

const idOf = ({ rows }: Data, index = 0): string => rows.collection[index].issue.id

test('a suppression in the report holds for new findings, with its reason', async () => {
  const home = await newReportHome()

  const made = await imported(home, sarif([suppressed(1), result(2)]))

  expect(countsOf(made)).toEqual({ read: 2, created: 2 })
  const [first, second] = [await shown(home, idOf(made)), await shown(home, idOf(made, 1))]
  expect([first.status, second.status]).toEqual(['SUPPRESSED', 'CREATED'])
  expect(first.history).toContainEqual({ kind: 'SCAN', status: 'SUPPRESSED', reason: 'Checked by hand' })
})

test('a finding that the report no longer suppresses is IDENTIFIED', async () => {
  const home = await newReportHome()
  const id = idOf(await imported(home, sarif([suppressed(1)])))

  const same = await imported(home, sarif([suppressed(1)]))
  const after = await imported(home, sarif(results(1)))

  expect([countsOf(same), countsOf(after)]).toEqual([
    { read: 1, unchanged: 1 },
    { read: 1, updated: 1 },
  ])
  const { status, history } = await shown(home, id)
  expect(status).toBe('IDENTIFIED')
  expect(history).toContainEqual({
    kind: 'SCAN',
    status: 'IDENTIFIED',
    reason: 'The report no longer marks it SUPPRESSED',
  })
})

test('what a person decided stands against what the report says, both ways', async () => {
  const home = await newReportHome()
  const made = await imported(home, sarif([suppressed(1), result(2)]))
  const [unsuppressed, accepted] = [idOf(made), idOf(made, 1)]
  await change(home.key, { id: unsuppressed, status: 'IDENTIFIED' })
  await change(home.key, { id: accepted, status: 'RISK_ACCEPTED', reason: 'Behind a wall' })

  await imported(home, sarif([suppressed(1), suppressed(2)]))
  const both = [(await shown(home, unsuppressed)).status, (await shown(home, accepted)).status]
  await imported(home, sarif(results(2)))
  const after = [(await shown(home, unsuppressed)).status, (await shown(home, accepted)).status]

  expect(both).toEqual(['IDENTIFIED', 'RISK_ACCEPTED'])
  expect(after).toEqual(['IDENTIFIED', 'RISK_ACCEPTED'])
})

test('a risk that the report says is accepted until some day is so until then, and not beyond it', async () => {
  const home = await newReportHome()
  const said = (title: string, riskAcceptedUntil: string) => ({
    title,
    severity: 'High',
    file_path: `${title}.js`,
    status: 'RISK_ACCEPTED',
    riskAcceptedUntil,
  })
  const until = '2999-01-01T00:00:00Z'

  await imported(home, JSON.stringify({ findings: [said('later', until), said('over', '2020-01-01T00:00:00Z')] }))

  const query = `query ($id: ID!) { issues(companyId: $id, pagination: { perPage: 10 }) {
    collection { title status riskAcceptedUntil } } }`
  const { collection } = (await run(home.key, query, { id: home.companyId })).issues
  expect(collection.toSorted((one: Data, other: Data) => (one.title < other.title ? -1 : 1))).toEqual([
    { title: 'later', status: 'RISK_ACCEPTED', riskAcceptedUntil: until },
    { title: 'over', status: 'CREATED', riskAcceptedUntil: null },
  ])
})

test('rows of one finding that say different things about it decide nothing', async () => {
  const home = await newReportHome()
  const finding = { title: 'Weak hash', severity: 'Low', fileName: 'src/a.js', line: 3 }
  const report = ['FIX_ACCEPTED', 'FALSE_POSITIVE'].map((status) => ({ ...finding, status }))

  const made = await imported(home, JSON.stringify({ findings: report }))

  expect(countsOf(made)).toEqual({ read: 2, created: 1, merged: 1 })
  expect((await shown(home, idOf(made))).status).toBe('CREATED')
})
