// The way of the data that a report tells: kept step by step, shown with the finding, and told on when it is exported.

import { expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { fetched } from '../../../test/testkit/exports.ts'
import { newHome, sast, upsert } from '../../../test/testkit/findings.ts'
import { countsOf, imported, newReportHome, type ReportHome, result, sarif } from '../../../test/testkit/reports.ts'

const FLOW = `query ($companyId: ID!) { issues(companyId: $companyId, pagination: { perPage: 10 }) { collection {
  ... on SastFinding { detail { source sink flow { path line text } } } } } }`

const flowsIn = async ({ key, companyId }: Pick<ReportHome, 'key' | 'companyId'>) =>
  (await run(key, FLOW, { companyId })).issues.collection.map(({ detail }: { detail: object }) => detail)

const at = (uri: string, line: number, text?: string) => ({
  location: {
    physicalLocation: { artifactLocation: { uri }, region: { startLine: line } },
    ...(text ? { message: { text } } : {}),
  },
})

const withFlow = (...locations: object[]) => result(1, { codeFlows: [{ threadFlows: [{ locations }] }] })

const three = withFlow(at('src/in.js', 3, 'req.query.name'), at('src/in.js', 5, 'name'), at('src/a.js', 10, 'eval'))

const kept = {
  source: 'src/in.js:3',
  sink: 'src/a.js:10',
  flow: [
    { path: 'src/in.js', line: 3, text: 'req.query.name' },
    { path: 'src/in.js', line: 5, text: 'name' },
    { path: 'src/a.js', line: 10, text: 'eval' },
  ],
}

test('the steps of a report’s data flow are kept in their order, and told again they change nothing', async () => {
  const home = await newReportHome()

  await imported(home, sarif([three]))
  const again = await imported(home, sarif([three]), { branchName: 'other' })
  const third = await imported(home, sarif([three]))

  expect(await flowsIn(home)).toEqual([kept])
  expect([countsOf(again), countsOf(third)]).toEqual([
    { read: 1, updated: 1 },
    { read: 1, unchanged: 1 },
  ])
})

test('a report that has another way replaces the steps, and one that has none leaves them', async () => {
  const home = await newReportHome()
  await imported(home, sarif([three]))

  await imported(home, sarif([withFlow(at('src/in.js', 4, 'req.body'), at('src/a.js', 10))]))
  await imported(home, sarif([result(1)]))

  expect(await flowsIn(home)).toMatchObject([
    {
      flow: [
        { path: 'src/in.js', line: 4, text: 'req.body' },
        { path: 'src/a.js', line: 10, text: null },
      ],
    },
  ])
})

test('of a long way both ends are kept', async () => {
  const home = await newReportHome()
  const steps = Array.from({ length: 300 }, (_, index) => at('src/a.js', index + 1))

  await imported(home, sarif([withFlow(...steps)]))

  const [{ flow }] = await flowsIn(home)
  const lines = flow.map(({ line }: { line: number }) => line)
  expect([lines.length, lines[0], lines[49], lines[50], lines.at(-1)]).toEqual([100, 1, 50, 251, 300])
})

test('source and sink that were told apart are the two ends of a flow', async () => {
  const { key, assetId, companyId } = await newHome()

  await upsert(key, sast(assetId, { source: 'src/in.ts:7 request.query', sink: 'the database' }))

  expect(await flowsIn({ key, companyId })).toMatchObject([
    {
      flow: [
        { path: 'src/in.ts', line: 7, text: 'request.query' },
        { path: null, line: null, text: 'the database' },
      ],
    },
  ])
})

test.each(['NDJSON', 'SARIF'])('an export as %s tells the steps on', async (format) => {
  const [from, to] = [await newReportHome(), await newReportHome()]
  await imported(from, sarif([three]))

  await imported(to, (await fetched(from, format)).text)

  expect(await flowsIn(to)).toEqual([kept])
})
