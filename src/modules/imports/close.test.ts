// What a report no longer has: when it is closed, and what speaks against it.

import { describe, expect, test } from 'vitest'
import { type Data, run, type Variables } from '../../../test/testkit/client.ts'
import { deployed, lines, newCodeHome } from '../../../test/testkit/code-home.ts'
import {
  countsOf,
  imported,
  newReportHome,
  type ReportHome,
  result,
  results,
  rowsOf,
  sarif,
  sendReport,
} from '../../../test/testkit/reports.ts'
import { emptyTree, newAsset, newDeploy } from '../../../test/testkit/world.ts'

const closing = { closeAbsent: true }

const shown = async ({ key }: ReportHome, id: string): Promise<Data> =>
  (
    await run(
      key,
      `query ($id: ID!) { issue(id: $id) { status history { kind status previousStatus reason }
        ... on SastFinding { occurrences { branchName isOpen } } } }`,
      { id },
    )
  ).issue

const change = (key: string, input: Variables) =>
  run(key, 'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }', {
    input,
  })

const idsOf = ({ rows }: Data): string[] => rows.collection.map(({ issue }: Data) => issue.id)

describe('what a report no longer has', () => {
  test('is closed with its reason where that is asked, and stays open otherwise', async () => {
    const home = await newReportHome()
    const ids = idsOf(await imported(home, sarif(results(3))))

    const left = await imported(home, sarif(results(2)))
    const closed = await imported(home, sarif(results(2)), closing)

    expect(countsOf(left)).toEqual({ read: 2, unchanged: 2 })
    expect(countsOf(closed)).toEqual({ read: 2, unchanged: 2, closed: 1 })
    expect(rowsOf(closed, 'CLOSED')).toMatchObject([
      { at: null, reason: 'Absent from the report', issue: { id: ids[2] } },
    ])
    const { status, history, occurrences } = await shown(home, ids[2] ?? '')
    expect([status, occurrences]).toEqual(['FIX_ACCEPTED', [{ branchName: null, isOpen: false }]])
    expect(history).toContainEqual({
      kind: 'SCAN',
      status: 'FIX_ACCEPTED',
      previousStatus: 'CREATED',
      reason: `Absent from the report of import ${closed.id}`,
    })
  })

  test('is open again when it is back', async () => {
    const home = await newReportHome()
    const ids = idsOf(await imported(home, sarif(results(2))))
    await imported(home, sarif(results(1)), closing)

    const back = await imported(home, sarif(results(2)), closing)

    expect(countsOf(back)).toEqual({ read: 2, unchanged: 1, reopened: 1 })
    expect(await shown(home, ids[1] ?? '')).toMatchObject({ status: 'IDENTIFIED', occurrences: [{ isOpen: true }] })
  })

  test('stays as a person decided', async () => {
    const home = await newReportHome()
    const [accepted = '', working = ''] = idsOf(await imported(home, sarif(results(2))))
    await change(home.key, { id: accepted, status: 'RISK_ACCEPTED', reason: 'Behind a wall' })
    await change(home.key, { id: working, status: 'IN_PROGRESS' })

    const after = await imported(home, sarif([]), closing)

    expect(countsOf(after)).toEqual({ closed: 1 })
    expect((await shown(home, accepted)).status).toBe('RISK_ACCEPTED')
    expect((await shown(home, working)).status).toBe('FIX_ACCEPTED')
  })

  test('is closed by a report without any finding too', async () => {
    const home = await newReportHome()
    await imported(home, sarif(results(3)))

    const empty = await imported(home, sarif([]), closing)

    expect(countsOf(empty)).toEqual({ closed: 3 })
  })

  test('stays open when a report of another tool is clean, whatever the format, and the tool’s own clean run closes it', async () => {
    const home = await newReportHome()
    const gitlab = (name: string, vulnerabilities: object[]) =>
      JSON.stringify({ version: '15.0.0', scan: { type: 'sast', scanner: { id: name, name } }, vulnerabilities })
    const found = { name: 'Weak hash', identifiers: [{ type: 'r', name: 'r', value: 'r' }], location: { file: 'a.c' } }
    await imported(home, sarif(results(3), { tool: 'one' }))
    await imported(home, gitlab('three', [found]))

    const others = [
      await imported(home, sarif([], { tool: 'another' }), closing),
      await imported(home, gitlab('four', []), closing),
    ]
    const own = [
      await imported(home, sarif([], { tool: 'One' }), closing),
      await imported(home, gitlab('three', []), closing),
    ]

    expect(others.map(countsOf)).toEqual([{}, {}])
    expect(others.map(({ unclosedReason }) => unclosedReason)).toEqual([null, null])
    expect(own.map(countsOf)).toEqual([{ closed: 3 }, { closed: 1 }])
  })

  test('is closed by a run without a finding beside another tool’s run', async () => {
    const home = await newReportHome()
    const merged = (...runs: string[]) =>
      JSON.stringify({ version: '2.1.0', runs: runs.flatMap((run) => JSON.parse(run).runs) })
    const one = sarif([result(1)], { tool: 'one' })
    await imported(home, merged(one, sarif([result(2)], { tool: 'another' })))

    const after = await imported(home, merged(one, sarif([], { tool: 'another' })), closing)

    expect(countsOf(after)).toEqual({ read: 1, unchanged: 1, closed: 1 })
  })

  test('is closed by a report that names no tool where one alone reported so, and where several did the answer says why not', async () => {
    const home = await newReportHome()
    const nothing = JSON.stringify({ version: '2.1.0', runs: [] })
    await imported(home, sarif([result(1)], { tool: 'one' }))
    const ofOne = await imported(home, nothing, closing)
    await imported(home, sarif([result(2)], { tool: 'one' }))
    await imported(home, sarif([result(3)], { tool: 'another' }))

    const ofTwo = await imported(home, nothing, closing)

    expect(countsOf(ofOne)).toEqual({ closed: 1 })
    expect(countsOf(ofTwo)).toEqual({})
    expect(ofTwo.unclosedReason).toBe(
      'The report has no findings and names no tool, and one, another reported in its format: name a scope for each of them',
    )
  })

  test('is of no scope in a run that names none, although the run before it does', async () => {
    const home = await newReportHome()
    const runs = [
      ...JSON.parse(sarif([result(1)], { scope: 'backend/1' })).runs,
      ...JSON.parse(sarif([result(2)])).runs,
    ]
    await imported(home, JSON.stringify({ version: '2.1.0', runs }))

    const ofScope = await imported(home, sarif([result(1)], { scope: 'backend/2' }), closing)
    const ofNone = await imported(home, sarif([]), closing)

    expect(countsOf(ofScope)).toEqual({ read: 1, unchanged: 1 })
    expect(rowsOf(ofNone, 'CLOSED')).toMatchObject([{ issue: { title: 'Eval of 2' } }])
  })

  test('stays open when a report tells of rules alone', async () => {
    const home = await newReportHome()
    const rules = (id: string) =>
      JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'another' } }, automationDetails: { id } }] })
    await imported(home, sarif(results(2)))
    await imported(home, sarif(results(2), { scope: 'nightly/1' }))

    const after = [await imported(home, rules(''), closing), await imported(home, rules('nightly/1'), closing)]

    expect(after.map(countsOf)).toEqual([{}, {}])
    for (const { unclosedReason } of after) expect(unclosedReason).toContain('list rules, but none has')
  })

  test('stays open when another tool, another scope, another asset or a person reported it', async () => {
    const home = await newReportHome()
    const other = { ...home, assetId: (await newAsset(home.key, home.companyId)).id }
    await imported(home, sarif(results(2), { tool: 'another' }))
    await imported(home, sarif(results(2), { scope: 'backend/' }))
    await imported(home, sarif([result(8)]), { scope: 'by hand' })
    await imported(other, sarif(results(2)))

    const mine = await imported(home, sarif([result(9)]), closing)

    expect(countsOf(mine)).toEqual({ read: 1, created: 1 })
  })

  test('is closed by the last scope that had it', async () => {
    const home = await newReportHome()
    await imported(home, sarif(results(1)), { scope: 'one' })
    await imported(home, sarif(results(1)), { scope: 'two' })

    const first = await imported(home, sarif([]), { ...closing, scope: 'one' })
    const last = await imported(home, sarif([]), { ...closing, scope: 'two' })

    expect([countsOf(first), countsOf(last)]).toEqual([{}, { closed: 1 }])
  })

  test('on one branch leaves the issue open while it is on another', async () => {
    const home = await newReportHome()
    const [id = ''] = idsOf(await imported(home, sarif(results(1)), { branchName: 'main' }))
    await imported(home, sarif(results(1)), { branchName: 'feature' })

    const onMain = await imported(home, sarif([]), { ...closing, branchName: 'main' })
    const open = await shown(home, id)
    await imported(home, sarif([]), { ...closing, branchName: 'feature' })
    const closed = await shown(home, id)

    expect(rowsOf(onMain, 'CLOSED')).toMatchObject([{ reason: 'Absent from the report; still open on another branch' }])
    expect([open.status, closed.status]).toEqual(['CREATED', 'FIX_ACCEPTED'])
    expect(open.occurrences).toEqual(
      expect.arrayContaining([
        { branchName: 'main', isOpen: false },
        { branchName: 'feature', isOpen: true },
      ]),
    )
  })

  test('leaves its issue open while another finding of it is still reported, and is told so', async () => {
    const home = await newReportHome()
    const [kept = '', gone = ''] = idsOf(await imported(home, sarif(results(2)), closing))
    await run(home.key, 'mutation ($input: MergeIssuesInput!) { mergeIssues(input: $input) { issue { id } } }', {
      input: { companyId: home.companyId, issueId: kept, mergeIds: [gone], reason: 'The same mistake' },
    })

    const after = await imported(home, sarif(results(1)), closing)

    expect(rowsOf(after, 'CLOSED')).toMatchObject([
      { reason: 'Absent from the report; another finding of its issue is still reported', issue: { id: kept } },
    ])
    expect((await shown(home, kept)).status).toBe('CREATED')
  })

  test('on a new branch is what the branch that it left had', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const at = (line: number) => result(1, {}, 'a.ts', line)
    const one = repository.commit({ 'a.ts': lines('a') })
    const two = repository.commit({ 'a.ts': ['0', ...lines('a')] })
    await deployed(home, repository.diff(emptyTree, one), emptyTree, one, 'main')
    await imported(home, sarif([at(5)]), { branchName: 'main' })
    const three = repository.commit({ 'a.ts': ['0', '0', ...lines('a')] })
    await deployed(home, repository.diff(one, two), one, two, 'feature')
    await deployed(home, repository.diff(one, three), one, three, 'another')

    const another = await imported(home, sarif([], { tool: 'another' }), { ...closing, branchName: 'feature' })
    const clean = await imported(home, sarif([]), { ...closing, branchName: 'feature' })
    const full = await imported(home, sarif([result(7, {}, 'b.ts')]), { ...closing, branchName: 'another' })

    expect([another, clean, full].map(countsOf)).toEqual([{}, { closed: 1 }, { read: 1, created: 1, closed: 1 }])
  })

  test('on a new branch is what the branch that it left had, though another one came late to that commit', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const [one, two] = [repository.commit({ 'a.ts': lines('a') }), repository.commit({ 'a.ts': ['0', ...lines('a')] })]
    await deployed(home, repository.diff(emptyTree, one), emptyTree, one, 'main')
    await imported(home, sarif([result(1, {}, 'a.ts', 5)]), { branchName: 'main' })
    const through = JSON.stringify([{ sha: one, message: 'One of several' }])
    await deployed(home, repository.diff(emptyTree, two), emptyTree, two, 'release', through)
    await newDeploy(home.key, home.assetId, '', { currentCommit: one, branchName: 'release' })
    await deployed(home, repository.diff(one, two), one, two, 'feature')

    const clean = await imported(home, sarif([]), { ...closing, branchName: 'feature' })

    expect(countsOf(clean)).toEqual({ closed: 1 })
  })
})

describe('nothing is closed', () => {
  test('by a report that breaks off', async () => {
    const home = await newReportHome()
    await imported(home, sarif(results(2)))

    const cut = await imported(home, sarif(results(2)).slice(0, -150), closing)

    expect(countsOf(cut).closed).toBeUndefined()
    expect(cut.unclosedReason).toContain('not complete')
  })

  test('in a file that the tool did not see, and the rest is', async () => {
    const home = await newReportHome()
    const { rows } = await imported(home, sarif([result(1), result(2, {}, 'src/b.js'), result(3, {}, 'src/c.js')]))
    const [, inUnseen, inSeen] = rows.collection.map(({ issue }: Data) => issue.id)
    const location = { physicalLocation: { artifactLocation: { uri: 'src/b.js' } } }
    const notice = { level: 'error', message: { text: 'It cannot be parsed' }, locations: [location] }
    const report = JSON.parse(sarif([result(1)]))
    report.runs[0].invocations = [{ executionSuccessful: true, toolExecutionNotifications: [notice] }]

    const after = await imported(home, JSON.stringify(report), closing)
    const seen = await imported(home, sarif([result(1)]), closing)

    expect(countsOf(after)).toEqual({ read: 2, unchanged: 1, leftOut: 1, closed: 1 })
    expect(after.unclosedReason).toBe('The tool did not scan all of src/b.js: earlier findings there stay open')
    expect(rowsOf(after, 'LEFT_OUT')).toMatchObject([{ reason: expect.stringContaining('did not read src/b.js') }])
    expect(rowsOf(after, 'CLOSED').map(({ issue }) => issue.id)).toEqual([inSeen])
    expect(rowsOf(seen, 'CLOSED').map(({ issue }) => issue.id)).toEqual([inUnseen])
  })

  test('by a report of which a row could not be read', async () => {
    const home = await newReportHome()
    await imported(home, sarif(results(2)))

    const after = await imported(home, sarif([result(1), 'nonsense']), closing)

    expect(countsOf(after)).toEqual({ read: 2, unchanged: 1, leftOut: 1 })
    expect(after.unclosedReason).toContain('could not be read')
  })

  test('by a report of a commit that no deploy of the branch leads to', async () => {
    const home = await newCodeHome()
    const one = home.repository.commit({ 'a.ts': lines('a') })
    await deployed(home, home.repository.diff(emptyTree, one), emptyTree, one, 'main')
    await imported(home, sarif(results(2)), { branchName: 'main' })

    const unknown = await imported(home, sarif(results(1)), {
      ...closing,
      branchName: 'main',
      commitRef: 'f'.repeat(40),
    })

    expect(countsOf(unknown).closed).toBeUndefined()
    expect(unknown.unclosedReason).toContain('No deploy leads to the commit')
  })

  test('by a report of a commit that a deploy of the branch has gone through', async () => {
    const home = await newCodeHome()
    const one = home.repository.commit({ 'a.ts': lines('a') })
    const two = home.repository.commit({ 'a.ts': ['0', ...lines('a')] })
    const through = JSON.stringify([{ sha: one, message: 'One of two' }])
    await deployed(home, home.repository.diff(emptyTree, two), emptyTree, two, 'main', through)
    await imported(home, sarif(results(2)), { branchName: 'main' })

    const late = await imported(home, sarif(results(1)), { ...closing, branchName: 'main', commitRef: one })

    expect(countsOf(late)).toEqual({ read: 1, unchanged: 1 })
    expect(late.unclosedReason).toBe('The report is of an older commit than the last deploy of the branch')
  })

  test('by a report of a commit that another branch alone was deployed to, and what to do is said', async () => {
    const home = await newCodeHome()
    const [one, two] = [home.repository.commit({ 'a.js': lines('a') }), home.repository.commit({ 'b.js': lines('b') })]
    await deployed(home, home.repository.diff(emptyTree, one), emptyTree, one, 'main')
    await imported(home, sarif(results(2)), { branchName: 'main', commitRef: one })
    await deployed(home, home.repository.diff(one, two), one, two, 'feature')

    const merged = await imported(home, sarif(results(1)), { ...closing, branchName: 'main', commitRef: two })

    expect(countsOf(merged)).toEqual({ read: 1, unchanged: 1 })
    expect(merged.unclosedReason).toBe(
      'The deploy of the commit that was scanned is one of another branch, so that it may be older than the last deploy of this one: deploy the branch to it or to a later commit, and scan that',
    )
  })

  test('without confirmation, and nothing goes in, where it would be most of many', async () => {
    const home = await newReportHome()
    await imported(home, sarif(results(20)))

    const { errors } = await sendReport(home, sarif([...results(9), result(99)]), closing)
    const half = await imported(home, sarif(results(10)), closing)
    const confirmed = await imported(home, sarif([]), { ...closing, confirmClose: true })

    expect(errors[0]?.extensions.code).toBe('FAILED_PRECONDITION')
    expect(errors[0]?.message).toContain('would close 11 of 20 open findings')
    expect(countsOf(half)).toEqual({ read: 10, unchanged: 10, closed: 10 })
    expect(countsOf(confirmed)).toEqual({ closed: 10 })
  })
})
