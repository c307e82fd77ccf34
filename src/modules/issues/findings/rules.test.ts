// Rules that say which evidence counts of a tool, through the endpoint.

import { describe, expect, test } from 'vitest'
import { type Data, refusal, run } from '../../../../test/testkit/client.ts'
import { newHome, sast, upsert } from '../../../../test/testkit/findings.ts'
import { imported, newReportHome, result, sarif } from '../../../../test/testkit/reports.ts'
import { newPerson } from '../../../../test/testkit/world.ts'

type Home = Awaited<ReturnType<typeof newHome>>

const PREVIEW = `query ($companyId: ID!, $assetId: ID!, $toolName: String!, $fields: [IdentityField!]!) {
  previewIdentityRule(companyId: $companyId, assetId: $assetId, toolName: $toolName, rule: { fields: $fields }) {
    fields observations isWhole merges splits unrecognised changedInPlace unexplained partlyKept
    examples { collection { change path line issues { id } } metadata { totalCount } } } }`

const SET = `mutation ($input: SetIdentityRuleInput!) { setIdentityRule(input: $input) {
  identityRule { toolName fields asset { id } setBy { id } } } }`

const preview = async ({ key, companyId, assetId }: Home, toolName: string, fields: string[]): Promise<Data> =>
  (await run(key, PREVIEW, { companyId, assetId, toolName, fields })).previewIdentityRule

const set = async ({ key, companyId, assetId }: Home, toolName: string, fields: string[] | null): Promise<Data> =>
  (
    await run(key, SET, {
      input: { companyId, assetId: String(assetId), toolName, rule: fields === null ? null : { fields } },
    })
  ).setIdentityRule.identityRule

const all = ['TOOL_ID', 'FINGERPRINT', 'PLACE', 'SNIPPET', 'CONTEXT', 'RULE']
const withoutId = all.filter((field) => field !== 'TOOL_ID')
const withinTitle = all.filter((field) => field !== 'RULE')

describe('a tool that numbers its findings anew', () => {
  const renumbered = (home: Home, fileName: string, codeSnippet: string, id: string) =>
    upsert(home.key, sast(home.assetId, { toolName: 'Numbers', fileName, codeSnippet, originalIssueIdFromTool: id }))

  test('is seen through by a preview, which changes nothing', async () => {
    const home = await newHome()
    const { issue } = await renumbered(home, 'a.ts', 'one()', '1')
    await renumbered(home, 'b.ts', 'two()', '1')

    const found = await preview(home, 'numbers', withoutId)

    expect(found).toMatchObject({ fields: withoutId, observations: 2, isWhole: true, merges: 0, splits: 1 })
    expect(found.examples).toMatchObject({
      collection: [{ change: 'SPLIT', path: 'b.ts', issues: [{ id: issue.id }] }],
      metadata: { totalCount: 1 },
    })
    expect(await preview(home, 'numbers', all)).toMatchObject({ merges: 0, splits: 0 })
    expect(await renumbered(home, 'a.ts', 'one()', '1')).toMatchObject({
      matchedBy: 'TOOL_ID',
      issue: { id: issue.id },
    })
  })

  test('is matched without its ids once they no longer count, and with them again after that', async () => {
    const home = await newHome()
    const rule = await set(home, 'Numbers', withoutId)
    const { issue } = await renumbered(home, 'a.ts', 'one()', '1')

    const other = await renumbered(home, 'b.ts', 'two()', '1')
    const same = await renumbered(home, 'a.ts', 'one()', '7')
    const removed = await set(home, 'Numbers', null)

    expect(rule).toMatchObject({ toolName: 'numbers', fields: withoutId, asset: { id: String(home.assetId) } })
    expect(other).toMatchObject({ outcome: 'CREATED' })
    expect(same).toMatchObject({ outcome: 'UPDATED', matchedBy: 'PLACE', issue: { id: issue.id } })
    expect(removed).toBeNull()
    expect(await renumbered(home, 'z.ts', 'three()', '7')).toMatchObject({
      matchedBy: 'TOOL_ID',
      issue: { id: issue.id },
    })
  })
})

describe('a tool that names its rules anew', () => {
  const named = (home: Home, ruleId: string) =>
    upsert(home.key, sast(home.assetId, { toolName: 'Names', ruleId, title: 'SQL built from input' }))

  test('has two issues where its titles would make one, which a preview says and a rule then does', async () => {
    const home = await newHome()
    const { issue } = await named(home, 'v1.sqli')
    await named(home, 'v2.sqli')

    const found = await preview(home, 'Names', withinTitle)
    await set(home, 'Names', withinTitle)
    const fresh = await newHome()
    await set(fresh, 'Names', withinTitle)
    const first = await named(fresh, 'v1.sqli')

    expect(found).toMatchObject({ merges: 1, splits: 0 })
    expect(found.examples.collection[0].issues).toHaveLength(2)
    expect(found.examples.collection[0].issues[0].id).toBe(issue.id)
    expect(await named(fresh, 'v2.sqli')).toMatchObject({ matchedBy: 'PLACE', issue: { id: first.issue.id } })
  })
})

describe('of whole reports a preview tells what the rule then does', () => {
  type Row = { number: number; file: string; line: number }
  const rows = (file: string, from: number): Row[] =>
    [1, 2, 3].map((number) => ({ number, file, line: number * 10 + from }))
  const reportOf = (found: readonly Row[]) =>
    sarif(found.map(({ number, file, line }) => result(number, { fingerprints: { id: `f${number}` } }, file, line)))
  const withoutFingerprint = all.filter((field) => field !== 'FINGERPRINT')

  test.each([
    ['one file was renamed', [rows('src/a.js', 0), rows('src/b.js', 0)], withoutFingerprint, 0],
    ['all lines moved', [rows('src/a.js', 0), rows('src/a.js', 4)], withoutFingerprint, 0],
    [
      'one of three moved',
      [rows('src/a.js', 0), rows('src/a.js', 0).with(0, { number: 1, file: 'c.js', line: 3 })],
      withoutFingerprint,
      0,
    ],
    ['one file was renamed and places alone count', [rows('src/a.js', 0), rows('src/b.js', 0)], ['PLACE', 'RULE'], 3],
  ])('where %s', async (_, reports, fields, splits) => {
    const [home, other] = [await newReportHome(), await newReportHome()]
    await set({ ...other, assetId: Number(other.assetId) } as Home, 'a-scanner', fields)
    const created = { before: 0, after: 0 }
    for (const report of reports) {
      created.before += (await imported(home, reportOf(report))).result.created
      created.after += (await imported(other, reportOf(report))).result.created
    }

    const told = await preview({ ...home, assetId: Number(home.assetId) } as Home, 'a-scanner', fields)

    expect(told).toMatchObject({ merges: 0, splits, changedInPlace: 0 })
    expect(created.after - created.before).toBe(splits)
  })

  const numbered = (prefix: string, words = 'Wrong') =>
    sarif(
      [1, 2, 3].map((number) =>
        result(
          number,
          { fingerprints: { id: `${prefix}${number}` }, message: { text: words } },
          'src/a.js',
          number * 10,
        ),
      ),
    )

  test.each([
    ['once', [numbered('a'), numbered('b'), numbered('b', 'In other words')], 3],
    ['twice', [numbered('a'), numbered('b'), numbered('c')], 6],
  ])('where fingerprints alone count and changed in place %s', async (_, reports, created) => {
    const [home, other] = [await newReportHome(), await newReportHome()]
    const fields = ['FINGERPRINT', 'RULE']
    await set({ ...other, assetId: Number(other.assetId) } as Home, 'a-scanner', fields)
    for (const report of reports) await imported(home, report)
    const made = []
    for (const report of reports) made.push((await imported(other, report)).result.created)

    const told = await preview({ ...home, assetId: Number(home.assetId) } as Home, 'a-scanner', fields)

    expect(told).toMatchObject({ merges: 0, splits: created, unrecognised: 0, changedInPlace: 0 })
    expect(made.reduce((sum, count) => sum + count, -3)).toBe(created)
  })
})

test('a single report that calls a finding otherwise where it was is seen through by a preview as well', async () => {
  const home = await newHome()
  const report = (id: string) =>
    upsert(home.key, sast(home.assetId, { toolName: 'Numbers', originalIssueIdFromTool: id }))
  const { issue } = await report('1')
  await report('2')

  const found = await preview(home, 'numbers', ['TOOL_ID', 'RULE'])

  expect(found).toMatchObject({ observations: 2, merges: 0, splits: 1, changedInPlace: 0 })
  expect(found.examples.collection).toMatchObject([{ change: 'SPLIT', issues: [{ id: issue.id }] }])
})

test('a rule that leaves too little to compare is told by what it would make anew with each report that has other words', async () => {
  const [home, other] = [await newReportHome(), await newReportHome()]
  const reportOf = (words: string) => {
    const more = { message: { text: words } }
    return sarif([result(1, more, 'src/a.js', 5), result(1, more, 'src/a.js', 9), result(2, more, 'src/b.js', 3)])
  }
  const asHome = (one: typeof home) => ({ ...one, assetId: Number(one.assetId) }) as Home
  await set(asHome(other), 'a-scanner', ['CONTEXT', 'RULE'])
  await imported(home, reportOf('Wrong'))
  await imported(other, reportOf('Wrong'))

  const told = await preview(asHome(home), 'a-scanner', ['CONTEXT', 'RULE'])
  const good = await preview(asHome(home), 'a-scanner', ['PLACE', 'RULE'])
  const again = await imported(other, reportOf('In other words'))

  expect(told).toMatchObject({ merges: 0, splits: 0, unrecognised: again.result.created })
  expect(good).toMatchObject({ merges: 0, splits: 0, unrecognised: 0 })
  expect(again.result.created).toBeGreaterThan(0)
})

test('what a preview cannot know is told as a number: two issues that a person merged', async () => {
  const home = await newHome()
  const { key, companyId } = home
  const report = (id: string, fileName: string) =>
    upsert(key, sast(home.assetId, { toolName: 'Numbers', fileName, originalIssueIdFromTool: id }))
  const [first, second] = [await report('1', 'a.ts'), await report('2', 'b.ts')]
  const MERGE = 'mutation ($input: MergeIssuesInput!) { mergeIssues(input: $input) { issue { id } } }'

  const before = await preview(home, 'numbers', all)
  const input = { companyId, issueId: first.issue.id, mergeIds: [second.issue.id], reason: 'One mistake' }
  await run(key, MERGE, { input })

  expect(before).toMatchObject({ merges: 0, splits: 0, unexplained: 0, partlyKept: 0 })
  expect(await preview(home, 'numbers', all)).toMatchObject({ merges: 0, splits: 0, unexplained: 1, partlyKept: 0 })
})

describe('a rule', () => {
  const RULES = `query ($id: ID!) { identityRules(companyId: $id) { collection { toolName fields asset { id } setBy { id } } } }`

  test('of an asset comes before its company’s, and both are listed with who set them', async () => {
    const home = await newHome()
    const { key, companyId, owner } = home
    await run(key, SET, { input: { companyId, toolName: 'Any', rule: { fields: ['TOOL_ID'] } } })
    await set(home, 'Any', all)

    const first = await upsert(key, sast(home.assetId, { toolName: 'Any' }))
    const again = await upsert(key, sast(home.assetId, { toolName: 'Any', severity: 'LOW' }))
    const { identityRules } = await run(key, RULES, { id: companyId })

    expect(again).toMatchObject({ matchedBy: 'PLACE', issue: { id: first.issue.id } })
    expect(identityRules.collection).toEqual([
      { toolName: 'any', fields: all, asset: { id: String(home.assetId) }, setBy: { id: owner.id } },
      { toolName: 'any', fields: ['TOOL_ID'], asset: null, setBy: { id: owner.id } },
    ])
  })

  test('counts something beside the rule, and takes the right to decide', async () => {
    const home = await newHome()
    const { companyId, assetId } = home
    const developer = await newPerson(companyId, 'DEVELOPER')
    const input = { companyId, assetId: String(assetId), toolName: 'Any', rule: { fields: ['RULE'] } }

    const empty = await refusal(home.key, SET, { input })
    const forbidden = await refusal(developer.key, SET, { input: { ...input, rule: { fields: all } } })

    expect(empty.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.rule.fields' })
    expect(forbidden.extensions.code).toBe('FORBIDDEN')
  })
})
