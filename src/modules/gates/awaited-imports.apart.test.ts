// A verdict on a branch that is asked for while a report waits for its job: it takes in what the report brings, or is refused.

import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Data, run, runAt } from '../../../test/testkit/client.ts'
import { newHome } from '../../../test/testkit/deploys.ts'
import { large, parts } from '../../../test/testkit/large-reports.ts'
import { newReportHome, type ReportHome, result, taken } from '../../../test/testkit/reports.ts'
import { deployed, reviewed } from '../../../test/testkit/reviews.ts'
import { diffAdding } from '../../../test/testkit/secret-samples.ts'
import { withService } from '../../../test/testkit/service.ts'
import { runImport } from '../imports/jobs.ts'

const RUN = `query ($assetId: ID!, $branchId: ID) { securityGateRun(assetId: $assetId, branchId: $branchId) {
  status branch { name } reason { high { count } } } }`

const report = large([result(1, { level: 'error' }, 'src/a.js'), result(2, { level: 'error' }, 'src/b.js')])

const onMain = { branchName: 'main' }
const harmless = diffAdding([{ path: 'src/client.ts', lines: ['open()'] }])

const runJob = async ({ companyId }: ReportHome, { id }: Data) => runImport(await parts(), { companyId, id })

test('a verdict waits for the first report of its asset, and counts what it brings', async () => {
  const home = await newReportHome()
  const waiting = await taken(home, report, { branchName: 'main' })

  const asked = run(home.key, RUN, { assetId: home.assetId })
  await delay(400)
  await runJob(home, waiting)

  const { securityGateRun } = await asked
  expect(securityGateRun).toMatchObject({ branch: { name: 'main' }, reason: { high: { count: 2 } } })
})

test('a verdict on another branch, and one of another asset, wait for nothing', async () => {
  const home = await newReportHome()
  const other = await newReportHome()
  await runJob(home, await taken(home, report, { branchName: 'topic' }))
  const { branches } = await run(
    home.key,
    `query ($companyId: ID!, $assetId: ID!) { branches(companyId: $companyId, assetId: $assetId) { collection { id } } }`,
    { companyId: home.companyId, assetId: home.assetId },
  )
  await taken(home, report, { branchName: 'main' })

  const ofTopic = await run(home.key, RUN, { assetId: home.assetId, branchId: branches.collection[0].id })
  const elsewhere = await run(other.key, RUN, { assetId: other.assetId })

  expect(ofTopic.securityGateRun).toMatchObject({ branch: { name: 'topic' } })
  expect(elsewhere.securityGateRun).toMatchObject({ branch: null })
})

test('a verdict is refused, to be asked for again, if an import takes too long', async () => {
  const home = await newReportHome()
  const waiting = await taken(home, report, { branchName: 'main' })

  // half of it is for the import, and the other half for all else that the request does
  await withService({ MERLON_REQUEST_TIMEOUT_MS: '8000' }, async ({ url }) => {
    await expect(runAt(url, home.key, RUN, { assetId: home.assetId })).rejects.toThrow(
      new RegExp(`Import ${waiting.id} has not ended.*"code":"FAILED_PRECONDITION".*"retryable":true`),
    )
    await runJob(home, waiting)
    const { securityGateRun } = await runAt(url, home.key, RUN, { assetId: home.assetId })
    expect(securityGateRun.reason.high.count).toBe(2)
  })
})

test('the gate of a deploy does not wait, but names the imports of its branch that have not ended', async () => {
  const home = await newHome()
  const { id } = await deployed(home, harmless)
  await reviewed(home, id)
  const [first, second] = [await taken(home, report, onMain), await taken(home, report, onMain)]
  await taken(home, report, { branchName: 'topic' })
  const gate = async () =>
    (await run(home.key, 'query ($id: ID!) { deploy(id: $id) { gate { sentence unknown unendedImports } } }', { id }))
      .deploy.gate

  const both = await gate()
  await runJob(home, first)
  const one = await gate()
  await runJob(home, second)
  const none = await gate()

  const sentence = `Import ${second.id} has not ended, and what its report brings is not counted yet.`
  expect(both).toMatchObject({
    unendedImports: [first.id, second.id],
    unknown: [`Imports ${first.id} and ${second.id} have not ended, and what their reports bring is not counted yet.`],
  })
  expect(one).toMatchObject({ unendedImports: [second.id], unknown: [sentence] })
  expect(one.sentence).toContain(sentence)
  expect(none).toMatchObject({ unendedImports: [], unknown: [] })
})
