// Findings that are reported before and after deploys, through the endpoint: their identity follows the diffs.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { commits, inserted, newBranch, nothing, replaced } from '../../../../test/testkit/branch-home.ts'

describe('after a deploy', () => {
  test('two findings with equal code stay the two that they were, though one is now where the other was', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    const before = [await branch.report(10), await branch.report(50)]

    await branch.deploy(inserted(40))
    const after = [await branch.report(50), await branch.report(90)]

    expect(after.map(({ outcome, matchedBy }) => [outcome, matchedBy])).toEqual([
      ['UNCHANGED', 'PLACE'],
      ['UNCHANGED', 'PLACE'],
    ])
    expect(after.map(({ issue }) => issue.id)).toEqual(before.map(({ issue }) => issue.id))
    expect(after[0].previousPlaces).toEqual([{ path: 'src/a.ts', line: 10 }])
  })

  test('a finding is the same in a renamed file', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    const before = await branch.report(10)

    await branch.deploy(
      'diff --git a/src/a.ts b/lib/a.ts\nsimilarity index 100%\nrename from src/a.ts\nrename to lib/a.ts\n',
    )
    const after = await branch.report(10, { fileName: 'lib/a.ts' })

    expect(after).toMatchObject({ outcome: 'UNCHANGED', matchedBy: 'PLACE', issue: { id: before.issue.id } })
    expect(after.issue.occurrences[0]).toMatchObject({ path: 'lib/a.ts', disposition: 'RENAMED' })
  })

  test('a finding goes with its file to a path that is longer than what is kept of it', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    const before = await branch.report(10)
    const long = Array.from({ length: 60 }, (_, n) => createHash('sha256').update(`${n}`).digest('hex')).join('/')

    await branch.deploy(
      `diff --git a/src/a.ts b/${long}\nsimilarity index 100%\nrename from src/a.ts\nrename to ${long}\n`,
    )
    await branch.deploy(
      `diff --git a/${long} b/src/b.ts\nsimilarity index 100%\nrename from ${long}\nrename to src/b.ts\n`,
    )
    const after = await branch.report(10, { fileName: 'src/b.ts' })

    expect(after).toMatchObject({ outcome: 'UNCHANGED', matchedBy: 'PLACE', issue: { id: before.issue.id } })
  })

  test('a finding has the longest branch and path that are taken, of any letters', async () => {
    const branch = await newBranch()
    const random = (bytes: number) =>
      Array.from({ length: 40 }, (_, n) => createHash('sha256').update(`${n}`).digest('hex'))
        .join('')
        .slice(0, bytes)

    const widest = { branchName: `${random(150)}${'\u{1F600}'.repeat(125)}${random(100)}`, fileName: random(1500) }

    expect(await branch.report(10, widest)).toMatchObject({ outcome: 'CREATED' })
    await expect(branch.report(10, { ...widest, branchName: '字'.repeat(400) })).rejects.toThrow(
      'branchName has at most 1,000 bytes',
    )
  })

  test('a finding whose line was rewritten is found near by, and not far away', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    const before = await branch.report(10)

    await branch.deploy(replaced(10, 1, 3))
    const far = await branch.report(80, { codeSnippet: 'query(other)' })
    const near = await branch.report(12, { codeSnippet: 'query(\n  clean(text),\n)' })

    expect(far).toMatchObject({ outcome: 'CREATED', matchedBy: 'NEW' })
    expect(near).toMatchObject({ outcome: 'UPDATED', matchedBy: 'NEAREST_LINE', issue: { id: before.issue.id } })
  })

  test('a finding whose code went to another file is found there', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    const before = await branch.report(10)

    await branch.deploy(replaced(10, 1, 0))
    const after = await branch.report(3, { fileName: 'src/b.ts' })

    expect(after).toMatchObject({ matchedBy: 'SNIPPET_ELSEWHERE', issue: { id: before.issue.id } })
  })

  test('a finding is not split at a place to which a deploy alone carried it', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    const { issue } = await branch.report(10)
    await branch.deploy(inserted(3))
    const { issue: found } = await branch.ask(
      'query ($id: ID!) { issue(id: $id) { identity { places { id matchedBy } } } }',
      {
        id: issue.id,
      },
    )
    const [, carried] = found.identity.places

    const split = branch.ask('mutation ($input: SplitIssueInput!) { splitIssue(input: $input) { issue { id } } }', {
      input: { companyId: branch.companyId, issueId: issue.id, placeId: carried.id, reason: 'Two mistakes' },
    })

    expect(carried.matchedBy).toBeNull()
    await expect(split).rejects.toThrow('FAILED_PRECONDITION: No report put the finding there')
  })

  test('equal code that is new beside a finding that is still there is another finding', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    const before = await branch.report(10)

    await branch.deploy(inserted(1, 30))
    const added = await branch.report(30)
    const again = await branch.report(10)

    expect(added.outcome).toBe('CREATED')
    expect(again).toMatchObject({ outcome: 'UNCHANGED', issue: { id: before.issue.id } })
  })

  test('a finding that the diff had removed and a scan reports is there after all', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    const before = await branch.report(10)

    const deploy = await branch.deploy(replaced(10, 1, 0))
    const after = await branch.report(10)
    const { deploy: judged } = await branch.ask(
      'query ($id: ID!) { deploy(id: $id) { findings { touched removed } } }',
      { id: deploy.id },
    )

    expect(after.issue).toMatchObject({ id: before.issue.id, occurrences: [{ disposition: 'TOUCHED' }] })
    expect(judged.findings).toEqual({ touched: 1, removed: 0 })
  })

  test('a report of an older commit finds the issue and does not move it back', async () => {
    const branch = await newBranch()
    const first = await branch.deploy(nothing)
    const before = await branch.report(10)
    await branch.deploy(inserted(4))

    const late = await branch.report(10, { deployId: first.id })
    const lateByCommit = await branch.report(10, { commitRef: first.currentCommit.slice(0, 10) })
    const created = await branch.report(20, { deployId: first.id, codeSnippet: 'query(more)' })

    expect(late).toMatchObject({ outcome: 'UNCHANGED', matchedBy: 'PLACE', issue: { id: before.issue.id } })
    expect(lateByCommit).toMatchObject({
      outcome: 'UNCHANGED',
      issue: { detail: { vulnerableLine: 14, firstLine: 14 } },
    })
    expect(created).toMatchObject({ outcome: 'CREATED', issue: { detail: { vulnerableLine: 24, firstLine: 24 } } })
  })

  test('a report of an older commit is carried from the deploy that led there, and not from one that came late', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    const before = await branch.report(10)
    await branch.deploy(inserted(4))
    await branch.deployFrom(4, 1, nothing)

    const again = await branch.report(10, { commitRef: commits[1] })

    expect(again).toMatchObject({ outcome: 'UNCHANGED', issue: { id: before.issue.id } })
  })

  test('the words of an older commit do not take the place of newer ones, and those of a newer commit do', async () => {
    const branch = await newBranch()
    const first = await branch.deploy(nothing)
    const wordsOf = async (more: Record<string, unknown>) => {
      const { issue } = await branch.report(10, more)
      const shown = await branch.ask('query ($id: ID!) { issue(id: $id) { title severity } }', { id: issue.id })
      return [shown.issue.title, shown.issue.severity]
    }
    const said = { ruleId: 'sql', deployId: first.id }
    const early = await wordsOf({ ...said, title: 'Early', severity: 'LOW' })
    await branch.deploy(nothing)

    const corrected = await wordsOf({ ...said, title: 'Corrected', severity: 'MEDIUM' })
    const newer = await wordsOf({ ruleId: 'sql', title: 'Newer', severity: 'HIGH' })
    const late = await wordsOf({ ...said, title: 'Late', severity: 'LOW' })

    expect([early, corrected]).toEqual([
      ['Early', 'LOW'],
      ['Corrected', 'MEDIUM'],
    ])
    expect([newer, late]).toEqual([
      ['Newer', 'HIGH'],
      ['Newer', 'HIGH'],
    ])
  })

  test('nor do those of a commit whose deploy came late, whatever was deployed since', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    await branch.deploy(nothing)
    const before = await branch.report(10, { ruleId: 'sql', title: 'Newer' })
    const late = await branch.deployFrom(4, 1, nothing)
    const titles: string[] = []
    const reportLate = async () => {
      await branch.report(10, { ruleId: 'sql', title: 'Late', deployId: late.id })
      const { issue } = await branch.ask('query ($id: ID!) { issue(id: $id) { title } }', { id: before.issue.id })
      titles.push(issue.title)
    }

    await reportLate()
    await branch.deploy(nothing)
    await reportLate()

    expect(titles).toEqual(['Newer', 'Newer'])
  })

  test('a report of an older commit does not open again what was fixed since', async () => {
    const branch = await newBranch()
    const first = await branch.deploy(nothing)
    const { issue } = await branch.report(10)
    await branch.deploy(replaced(10, 1, 0))
    await branch.ask(
      'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }',
      {
        input: { id: issue.id, status: 'FIX_ACCEPTED' },
      },
    )

    const late = await branch.report(10, { deployId: first.id })

    expect(late).toMatchObject({ outcome: 'UNCHANGED', issue: { id: issue.id, status: 'FIX_ACCEPTED' } })
  })

  test('the findings first seen at a deploy are those that it introduced', async () => {
    const branch = await newBranch()
    const first = await branch.deploy(nothing)
    const old = await branch.report(10)
    const second = await branch.deploy(inserted(4))

    await branch.report(14)
    const added = await branch.report(2, { codeSnippet: 'query(fresh)' })

    const introduced = async (id: string) => {
      const { deploy } = await branch.ask('query ($id: ID!) { deploy(id: $id) { introduced { collection { id } } } }', {
        id,
      })
      return deploy.introduced.collection.map((issue: { id: string }) => issue.id)
    }
    expect(await introduced(first.id)).toEqual([old.issue.id])
    expect(await introduced(second.id)).toEqual([added.issue.id])
  })

  test('what was reported of its commit before it is introduced by a deploy, unless an earlier commit had it', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    const known = await branch.report(50, { commitRef: commits[1], codeSnippet: 'known()' })
    await branch.report(53, { commitRef: commits[2], codeSnippet: 'known()' })
    const fresh = await branch.report(2, { commitRef: commits[2], codeSnippet: 'fresh()' })

    const { id } = await branch.deploy(inserted(3))

    const INTRODUCED = 'query ($id: ID!) { deploy(id: $id) { introduced { collection { id } } gate { decision } } }'
    const { deploy } = await branch.ask(INTRODUCED, { id })
    expect(deploy.introduced.collection).toEqual([{ id: fresh.issue.id }])
    expect(known.issue.id).not.toBe(fresh.issue.id)
  })

  test('without a diff that can be read, a line says nothing alone, and long code speaks for itself', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    const code = (name: string) => `function ${name}(text) {\n  log(text)\n  query(text)\n}`
    const first = await branch.report(10, { codeSnippet: code('one') })
    const second = await branch.report(20, { codeSnippet: code('two') })

    await branch.deploy('{"files": []}')
    const moved = await branch.report(20, { codeSnippet: code('one') })
    const other = await branch.report(30, { codeSnippet: code('two') })

    expect(moved).toMatchObject({ matchedBy: 'SNIPPET_IN_FILE', issue: { id: first.issue.id } })
    expect(other).toMatchObject({ matchedBy: 'SNIPPET_IN_FILE', issue: { id: second.issue.id } })
  })

  test('a branch that starts from another has its findings, each one issue with two occurrences', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    const before = await branch.report(10)
    await branch.fork(inserted(2))

    const after = await branch.report(12, { branchName: 'feature' })
    const main = await branch.report(10)

    expect(after).toMatchObject({ outcome: 'UNCHANGED', matchedBy: 'PLACE', issue: { id: before.issue.id } })
    expect(main).toMatchObject({ outcome: 'UNCHANGED', issue: { id: before.issue.id } })
    expect(main.issue.occurrences).toHaveLength(2)
  })
})

test('what is said of the last report names the place that was reported, wherever deploys have moved it since', async () => {
  const branch = await newBranch()
  const evidenceOf = async (id: string): Promise<string> =>
    (await branch.ask('query ($id: ID!) { issue(id: $id) { ... on SastFinding { identity { evidence } } } }', { id }))
      .issue.identity.evidence
  await branch.deploy('')
  const { issue } = await branch.report(4, { commitRef: commits[1] })
  const reported = await evidenceOf(issue.id)

  await branch.deploy(inserted(2))
  const moved = await evidenceOf(issue.id)
  await branch.deploy(inserted(3))
  const again = await branch.report(9, { commitRef: commits[3] })
  await branch.deploy(inserted(1))

  expect(reported).toMatch(/^Reported at src\/a\.ts:4 on main\. /)
  expect(moved).toBe(reported)
  expect(again.issue.id).toBe(issue.id)
  expect(await evidenceOf(issue.id)).toMatch(/^Reported at src\/a\.ts:9 on main\. /)
})

test('what a branch took over from another is said to be reported where it was', async () => {
  const branch = await newBranch()
  await branch.deploy('')
  const { issue } = await branch.report(4, { commitRef: commits[1] })
  await branch.fork(inserted(2))

  const { identity } = (
    await branch.ask(
      'query ($id: ID!) { issue(id: $id) { ... on SastFinding { identity { evidence } occurrences { line branchName } } } }',
      { id: issue.id },
    )
  ).issue

  expect(identity.evidence).toMatch(/^Reported at src\/a\.ts:4 on main\. /)
})
