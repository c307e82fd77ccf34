// What merging takes of a finding's own word, and what splitting gives back, through the endpoint.

import { describe, expect, test } from 'vitest'
import { inserted, newBranch, nothing, replaced } from '../../../../test/testkit/branch-home.ts'
import { type Data, run } from '../../../../test/testkit/client.ts'
import { newHome, sast, upsert } from '../../../../test/testkit/findings.ts'
import { countsOf, imported, newReportHome, type ReportHome, result, sarif } from '../../../../test/testkit/reports.ts'

type Home = { key: string; companyId: string }

const SHOWN = `id status occurrences { branchName path line isOpen lastSeenAt }
  ... on SastFinding { detail { fileName vulnerableLine codeSnippet } }
  identity { matchedBy evidence places { id witnessId line } }
  history { action kind status reason }`

const shown = async ({ key }: Home, id: string): Promise<Data> =>
  (await run(key, `query ($id: ID!) { issue(id: $id) { ${SHOWN} } }`, { id })).issue

const merge = ({ key, companyId }: Home, issueId: string, mergeId: string) =>
  run(key, 'mutation ($input: MergeIssuesInput!) { mergeIssues(input: $input) { issue { id } } }', {
    input: { companyId, issueId, mergeIds: [mergeId], reason: 'The same mistake' },
  })

const split = ({ key, companyId }: Home, issueId: string, part: Record<string, string>) =>
  run(key, 'mutation ($input: SplitIssueInput!) { splitIssue(input: $input) { splitIssue { id } } }', {
    input: { companyId, issueId, ...part, reason: 'Two mistakes' },
  })

const shell = result(1, { ruleId: 'B605' }, 'src/app.py', 4)
const query = result(2, { ruleId: 'B608' }, 'src/app.py', 7)
const bring = (home: ReportHome, ...found: unknown[]) => imported(home, sarif(found), { closeAbsent: true })

/** A fixed finding of line 4, and an open one of line 7 in the same file. */
async function newFixedAndOpen() {
  const home = await newReportHome()
  const first = await bring(home, shell, query)
  const [fixed, open] = first.rows.collection.map(({ issue }: Data) => issue.id) as [string, string]
  await bring(home, query)
  return { home, fixed, open }
}

describe('a fixed finding that was merged with an open one', () => {
  test('is where it was when the other is split off, and is known again there', async () => {
    const { home, fixed, open } = await newFixedAndOpen()
    const before = await shown(home, fixed)

    await merge(home, fixed, open)
    const merged = await shown(home, fixed)
    await split(home, fixed, { witnessId: open })
    const after = await shown(home, fixed)
    const again = await bring(home, shell, query)

    expect(merged).toMatchObject({ status: 'IDENTIFIED', occurrences: [{ line: 7, isOpen: true }] })
    expect(after).toMatchObject({ status: 'FIX_ACCEPTED', occurrences: before.occurrences, detail: before.detail })
    expect(countsOf(again)).toEqual({ read: 2, unchanged: 1, reopened: 1 })
    expect((await shown(home, fixed)).occurrences).toMatchObject([{ line: 4, isOpen: true }])
  })

  test('is known where it was while it stands by the word of the other', async () => {
    const { home, fixed, open } = await newFixedAndOpen()
    await merge(home, fixed, open)

    const again = await bring(home, shell, query, result(3, { ruleId: 'B605' }, 'src/app.py', 20))

    expect(again.result).toMatchObject({ created: 1 })
    expect((await shown(home, fixed)).occurrences).toMatchObject([{ line: 4, isOpen: true }])
  })

  test('is where it was when the other is fixed too', async () => {
    const { home, fixed, open } = await newFixedAndOpen()
    await merge(home, fixed, open)

    await bring(home)

    expect(await shown(home, fixed)).toMatchObject({
      status: 'FIX_ACCEPTED',
      occurrences: [{ line: 4, isOpen: false }],
    })
    expect((await shown(home, fixed)).identity.places.at(-1)).toMatchObject({ witnessId: null, line: 4 })
  })

  test('that is split at a place of its own leaves nothing open by the word of the other', async () => {
    const home = await newReportHome()
    const known = { ruleId: 'B605', guid: '5f0e7c3a-8a51-4b55-9a0b-4b8f6bd5f7a1' }
    const first = await bring(home, result(1, known, 'src/app.py', 4), query)
    const [moved, open] = first.rows.collection.map(({ issue }: Data) => issue.id)
    await bring(home, result(1, known, 'src/other.py', 9), query)
    await bring(home, query)
    await merge(home, moved, open)
    const { places } = (await shown(home, moved)).identity

    const { splitIssue: parts } = await split(home, moved, { placeId: places.find(({ line }: Data) => line === 9).id })

    expect(await shown(home, moved)).toMatchObject({ status: 'IDENTIFIED', occurrences: [{ line: 7, isOpen: true }] })
    expect(await shown(home, parts.splitIssue.id)).toMatchObject({
      status: 'FIX_ACCEPTED',
      occurrences: [{ path: 'src/other.py', line: 9, isOpen: false }],
    })
  })

  test('is open again by the word of the person who merged them', async () => {
    const { home, fixed, open } = await newFixedAndOpen()

    await merge(home, fixed, open)

    const { history } = await shown(home, fixed)
    expect(history.filter(({ status }: Data) => status === 'IDENTIFIED')).toMatchObject([
      { action: 'STATUS_CHANGED', kind: 'PERSON', reason: 'Merged with an open issue: The same mistake' },
    ])
  })
})

test('an issue whose own tool has it no more is where its witness is from then on', async () => {
  const home = await newReportHome()
  const report = (tool: string, ...found: unknown[]) => imported(home, sarif(found, { tool }), { closeAbsent: true })
  const idOf = ({ rows }: Data): string => rows.collection[0].issue.id
  const own = idOf(await report('Bandit', shell))
  await merge(home, own, idOf(await report('Semgrep', query)))

  await report('Bandit')
  const mirrored = await shown(home, own)
  await report('Bandit', shell)

  expect(mirrored).toMatchObject({ status: 'CREATED', occurrences: [{ line: 7, isOpen: true }] })
  expect(mirrored.identity.places.at(-1)).toMatchObject({ witnessId: null, line: 7 })
  expect((await shown(home, own)).occurrences).toMatchObject([{ line: 4, isOpen: true }])
})

test('a finding that is split behind a place to which a deploy carried it has the ids and the code again that were compared before', async () => {
  const branch = await newBranch()
  const home = { companyId: branch.companyId, key: branch.key }
  await branch.deploy(nothing)
  const { issue } = await branch.report(10, { originalIssueIdFromTool: 'one', fingerprint: 'both' })
  await branch.deploy(inserted(4))
  const other = { fileName: 'src/b.ts', codeSnippet: 'other(text)', originalIssueIdFromTool: 'two' }
  await branch.report(10, { ...other, fingerprint: 'both' })
  const { places } = (await shown(home, issue.id)).identity

  const { splitIssue: parts } = await split(home, issue.id, { placeId: places.at(-1).id })

  const second = await branch.report(10, other)
  await branch.deploy(replaced(14, 1, 1))
  const [byCode, byId] = [
    await branch.report(30),
    await branch.report(50, { originalIssueIdFromTool: 'one', codeSnippet: 'in other words' }),
  ]
  expect(places.map(({ line }: Data) => line)).toEqual([10, 14, 10])
  expect([byCode, byId].map(({ matchedBy, issue: { id } }) => [matchedBy, id])).toEqual([
    ['SNIPPET_IN_FILE', issue.id],
    ['TOOL_ID', issue.id],
  ])
  expect(second.issue.id).toBe(parts.splitIssue.id)
})

test('why it is one is told of the own finding, whatever a witness was known by', async () => {
  const home = await newHome()
  const of = (fileName: string, more: Record<string, unknown> = {}) =>
    upsert(home.key, sast(home.assetId, { toolName: 'Semgrep', ruleId: 'sqli', fileName, ...more }))
  const { issue } = await of('a.ts')
  const { issue: other } = await of('b.ts', { fingerprint: 'of b' })
  await of('b.ts', { fingerprint: 'of b', title: 'In other words' })

  await merge(home, issue.id, other.id)

  expect((await shown(home, issue.id)).identity).toMatchObject({
    matchedBy: 'NEW',
    evidence: 'Reported at a.ts:10. No known finding of sqli matched, so it is new.',
  })
})
