// A line whose code became other code where it stood: its finding is known with both, and a person can take them apart.

import { describe, expect, test } from 'vitest'
import { type Data, run } from '../../../../test/testkit/client.ts'
import { changed, deployed, lines, newCodeHome } from '../../../../test/testkit/code-home.ts'
import { decide } from '../../../../test/testkit/findings.ts'
import { imported, newReportHome, type ReportHome, result, sarif } from '../../../../test/testkit/reports.ts'

const ISSUES = `query ($id: ID!) { issues(companyId: $id, pagination: { perPage: 20 }) { collection { id status
  identity { places { id path line matchedBy } } } } }`

const listed = async ({ key, companyId }: ReportHome): Promise<Data[]> =>
  (await run(key, ISSUES, { id: companyId })).issues.collection

const SPLIT = `mutation ($input: SplitIssueInput!) { splitIssue(input: $input) { issue { id status } splitIssue { id status } } }`

const SPLIT_SHOWN = `mutation ($input: SplitIssueInput!) { splitIssue(input: $input) {
  issue { ... on SastFinding { detail { vulnerableLine codeSnippet } } }
  splitIssue { ... on SastFinding { detail { vulnerableLine codeSnippet } } } } }`

/** A report of one result at line 12, with the code of `number`. */
const withCode = (number: number) => sarif([result(number, {}, 'src/a.js', 12)])

/** Two codes at one line, one report after the other: one issue, which somebody may have decided of in between. */
async function edited({ isDecided }: { isDecided: boolean }) {
  const home = await newReportHome()
  await imported(home, withCode(1))
  const [before] = await listed(home)
  if (isDecided) await decide(home.key, before?.id, 'FALSE_POSITIVE')
  await imported(home, withCode(2))
  const [issue, ...others] = await listed(home)
  if (issue === undefined || others.length > 0) throw new Error('It is not one issue')
  return { home, issue }
}

test('a finding that is taken apart from the same code elsewhere in its file still shows its code', async () => {
  const home = await newReportHome()
  await imported(home, sarif([result(1, {}, 'src/a.js', 12)]))
  await imported(home, sarif([result(1, {}, 'src/a.js', 40)]))
  const [issue] = await listed(home)
  const input = { companyId: home.companyId, issueId: issue?.id, placeId: issue?.identity.places[1].id }

  const { splitIssue: parts } = await run(home.key, SPLIT_SHOWN, { input: { ...input, reason: 'Another call' } })

  const detail = { codeSnippet: 'eval(input1)' }
  expect(parts).toEqual({
    issue: { detail: { ...detail, vulnerableLine: 12 } },
    splitIssue: { detail: { ...detail, vulnerableLine: 40 } },
  })
})

describe('a finding whose code was edited on its line', () => {
  test('has a place with each', async () => {
    const { issue } = await edited({ isDecided: false })

    expect(issue.identity.places).toMatchObject([
      { path: 'src/a.js', line: 12, matchedBy: 'NEW' },
      { path: 'src/a.js', line: 12, matchedBy: 'NEAREST_LINE' },
    ])
  })

  test('has no more places when the same is reported again', async () => {
    const { home, issue } = await edited({ isDecided: false })

    await imported(home, withCode(2))
    await imported(home, sarif([result(2, { level: 'note' }, 'src/a.js', 12)]))

    expect(await listed(home)).toMatchObject([{ id: issue.id, identity: { places: [{}, {}] } }])
  })

  test.each([
    ['is taken apart, and each is found by its own code', false],
    ['is taken apart from what was decided of the code before', true],
  ])('%s', async (_, isDecided) => {
    const { home, issue } = await edited({ isDecided })
    const input = { companyId: home.companyId, issueId: issue.id, placeId: issue.identity.places[1].id }

    const { splitIssue: parts } = await run(home.key, SPLIT, { input: { ...input, reason: 'Another mistake' } })
    const second = await imported(home, withCode(2))
    const first = await imported(home, withCode(1))

    const status = isDecided ? 'FALSE_POSITIVE' : 'CREATED'
    expect(parts).toMatchObject({ issue: { id: issue.id, status }, splitIssue: { status: 'IDENTIFIED' } })
    expect(second.rows.collection).toMatchObject([{ issue: { id: parts.splitIssue.id } }])
    expect(first.rows.collection).toMatchObject([{ issue: { id: issue.id } }])
    expect(await listed(home)).toHaveLength(2)
  })

  test('is introduced by the deploy that brought the other code, once it is taken apart', async () => {
    const home = await newCodeHome()
    const [first, second] = [
      home.repository.commit({ 'src/a.js': lines('a') }),
      home.repository.commit({ 'src/a.js': changed(lines('a'), 12) }),
    ]
    await imported(home, withCode(1), { branchName: 'main', commitRef: first })
    const deploy = await deployed(home, home.repository.diff(first, second), first, second, 'main')
    await imported(home, withCode(2), { deployId: deploy.id })
    const [issue] = await listed(home)
    const gate = async () =>
      (
        await run(
          home.key,
          'query ($id: ID!) { deploy(id: $id) { gate { decision findings { collection { id } } } } }',
          { id: deploy.id },
        )
      ).deploy.gate
    const before = await gate()
    const input = { companyId: home.companyId, issueId: issue?.id, placeId: issue?.identity.places[1].id }

    const { splitIssue: parts } = await run(home.key, SPLIT, { input: { ...input, reason: 'Another mistake' } })

    expect(before).toEqual({ decision: 'PASS', findings: { collection: [] } })
    expect(await gate()).toEqual({ decision: 'WARN', findings: { collection: [{ id: parts.splitIssue.id }] } })
  })

  test('is seen through by the preview of a rule by which its code alone counts', async () => {
    const { home } = await edited({ isDecided: false })
    const { companyId, assetId } = home
    const query = `query ($companyId: ID!, $assetId: ID!) { previewIdentityRule(companyId: $companyId, assetId: $assetId,
      toolName: "a-scanner", rule: { fields: [SNIPPET, RULE] }) { observations merges splits } }`

    const { previewIdentityRule } = await run(home.key, query, { companyId, assetId })

    expect(previewIdentityRule).toEqual({ observations: 2, merges: 0, splits: 1 })
  })
})
