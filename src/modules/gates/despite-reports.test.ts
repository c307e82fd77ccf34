// Rules with despiteReports count what was settled without a decision, until a person decides.

import { expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { decide } from '../../../test/testkit/findings.ts'
import { gateOf, newDeployed, setPolicy } from '../../../test/testkit/gates.ts'
import { imported, newReportHome, result, sarif } from '../../../test/testkit/reports.ts'
import { newDeploy } from '../../../test/testkit/world.ts'

const suppressed = { level: 'error', suppressions: [{ kind: 'inSource' }] }

/** A deploy of main with two findings of severity HIGH, of which the report itself says that one is suppressed. */
async function newSuppressed() {
  const home = await newReportHome()
  const deploy = await newDeploy(home.key, home.assetId, '', { branchName: 'main' })
  const found = [result(1, { level: 'error' }), result(2, suppressed)]
  const { rows } = await imported(home, sarif(found), { branchName: 'main', deployId: deploy.id })
  const issueOf = (status: string): string =>
    rows.collection.find(({ issue }: { issue: { status: string } }) => issue.status === status).issue.id
  return { ...home, deployId: deploy.id, openId: issueOf('CREATED'), suppressedId: issueOf('SUPPRESSED') }
}

/** The findings of each reason of the deploy's gate. */
const counted = async (key: string, deployId: string) =>
  (await gateOf(key, deployId)).reasons.map(
    ({ count, issues }: { count: number; issues: { collection: { id: string }[] } }) => [
      count,
      issues.collection.map(({ id }) => id).sort(),
    ],
  )

test('a suppression in the code lets its finding through, but not past a rule that counts despite reports', async () => {
  const { key, companyId, deployId, openId, suppressedId } = await newSuppressed()
  const rule = { severities: ['HIGH'], limit: 0, decision: 'BLOCK' }

  await setPolicy({ key, companyId }, [
    { ...rule, subject: 'INTRODUCED' },
    { ...rule, subject: 'INTRODUCED', despiteReports: true },
    { ...rule, subject: 'OPEN' },
    { ...rule, subject: 'OPEN', despiteReports: true },
  ])

  const [open, both] = [
    [1, [openId]],
    [2, [openId, suppressedId].sort()],
  ]
  expect(await counted(key, deployId)).toEqual([open, both, open, both])
})

test('what a person has decided is let through by every rule', async () => {
  const { key, companyId, deployId, openId, suppressedId } = await newSuppressed()
  await setPolicy({ key, companyId }, [{ subject: 'INTRODUCED', limit: 0, decision: 'BLOCK', despiteReports: true }])

  await decide(key, openId, 'FALSE_POSITIVE')
  const before = await counted(key, deployId)
  await decide(key, suppressedId, 'SUPPRESSED')

  expect(before).toEqual([[1, [suppressedId]]])
  expect(await counted(key, deployId)).toEqual([])
})

test('a draft that a tool reports counts', async () => {
  const { key, companyId, deployId, report } = await newDeployed()
  const reported = await report('HIGH', { status: 'DRAFT' })

  await setPolicy({ key, companyId }, [{ subject: 'INTRODUCED', limit: 0, decision: 'BLOCK', despiteReports: true }])

  expect(await counted(key, deployId)).toEqual([[1, [reported]]])
})

test('a branch without a deploy is judged so too, with the findings behind it', async () => {
  const home = await newReportHome()
  await imported(home, sarif([result(1, suppressed)]), { branchName: 'main' })
  await setPolicy(home, [{ subject: 'INTRODUCED', limit: 0, decision: 'BLOCK', despiteReports: true }])

  const { securityGateRun } = await run(
    home.key,
    `query ($assetId: ID!) { securityGateRun(assetId: $assetId) {
      status reason { high { count status } } failingVulnerabilities { collection { file line decision } } } }`,
    { assetId: home.assetId },
  )

  expect(securityGateRun).toEqual({
    status: 'FAILED',
    reason: { high: { count: 1, status: 'FAILED' } },
    failingVulnerabilities: { collection: [{ file: 'src/a.js', line: 10, decision: 'BLOCK' }] },
  })
})
