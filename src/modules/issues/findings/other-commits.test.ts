// Findings that are reported of commits that no deploy leads to, through the endpoint.

import { describe, expect, test } from 'vitest'
import { commits, inserted, newBranch, nothing, replaced } from '../../../../test/testkit/branch-home.ts'

type Branch = Awaited<ReturnType<typeof newBranch>>

describe('what is reported of a commit that no deploy leads to', () => {
  const unknown = { commitRef: 'f'.repeat(40) }
  const standingOf = ({ issue }: { issue: { occurrences: { line: number; disposition: string | null }[] } }) =>
    issue.occurrences.map(({ line, disposition }) => [line, disposition])

  test('stays in its line, which a later diff says nothing of, until it is seen at a deploy', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    const reported = await branch.report(10, unknown)

    await branch.deploy(inserted(5))
    const other = await branch.report(15, { codeSnippet: 'other()' })
    const seen = await branch.report(12)
    await branch.deploy(inserted(3))

    expect(other).toMatchObject({ outcome: 'CREATED', matchedBy: 'NEW' })
    expect(seen).toMatchObject({ matchedBy: 'SNIPPET_IN_FILE', previousPlaces: [{ line: 10 }] })
    expect(seen.issue.id).toBe(reported.issue.id)
    expect(standingOf(await branch.report(15))).toEqual([[15, 'MOVED']])
  })

  test('takes nothing from where the deploys know it to be, when it is seen there', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    const { issue } = await branch.report(10)
    await branch.report(10, unknown)

    await branch.deploy(inserted(5))

    expect(await branch.report(15)).toMatchObject({ outcome: 'UNCHANGED', matchedBy: 'PLACE', issue: { id: issue.id } })
  })

  test('takes nothing from what is reported of the head at the same time', async () => {
    const branch = await newBranch()
    const files = Array.from({ length: 24 }, (_, index) => ({ fileName: `src/${index}.ts` }))
    await branch.deploy(nothing)
    for (const file of files) await branch.report(10, { ...file, ...unknown })

    await Promise.all(
      files.flatMap((file) => [branch.report(10, file), branch.report(10, { ...file, commitRef: 'e'.repeat(40) })]),
    )
    await branch.deploy(files.map(({ fileName }) => inserted(5, 1, fileName)).join(''))

    const seen = await Promise.all(files.map((file) => branch.report(15, file)))
    expect(seen.flatMap(standingOf)).toEqual(files.map(() => [15, 'MOVED']))
  })

  test('is carried from that commit on once a deploy comes from it, or leads to it', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    await branch.report(10, { commitRef: commits[2] })
    await branch.deploy(inserted(4))
    await branch.report(10, { commitRef: commits[3] })
    await branch.deploy(inserted(2))

    await branch.deploy(inserted(5))

    expect(standingOf(await branch.report(15))).toEqual([[15, 'MOVED']])
  })

  test('is not where a diff was lost, though it was seen since', async () => {
    const branch = await newBranch()
    const first = await branch.deploy(nothing)
    await branch.report(10)
    await branch.report(70, { codeSnippet: 'again()' })
    await branch.deploy('{"files": []}')
    await branch.report(10, unknown)
    await branch.report(40, { codeSnippet: 'older()', deployId: first.id })
    await branch.report(70, { codeSnippet: 'again()', deployId: first.id })

    await branch.deploy(inserted(5))

    const places = await branch.report(12, { codeSnippet: 'query(text)' })
    const older = await branch.report(42, { codeSnippet: 'older()' })
    const again = await branch.report(72, { codeSnippet: 'again()' })
    expect(again.previousPlaces).toEqual([{ path: 'src/a.ts', line: 70 }])
    expect(places.previousPlaces).toEqual([{ path: 'src/a.ts', line: 10 }])
    expect(older.previousPlaces).toEqual([{ path: 'src/a.ts', line: 40 }])
  })
})

describe('what is reported of a commit that a deploy has gone through', () => {
  test('finds its issue, and neither moves it, words it nor opens it again', async () => {
    const branch = await newBranch()
    const through = '9'.repeat(40)
    await branch.deploy(nothing)
    await branch.deploy(inserted(4), JSON.stringify([{ sha: through, message: 'One of several' }]))
    const { issue } = await branch.report(14, { ruleId: 'sql' })
    await branch.ask(
      'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }',
      { input: { id: issue.id, status: 'FIX_ACCEPTED' } },
    )

    const late = await branch.report(12, { ruleId: 'sql', title: 'Old words', commitRef: through })

    expect(late).toMatchObject({
      outcome: 'UNCHANGED',
      issue: { id: issue.id, status: 'FIX_ACCEPTED', detail: { vulnerableLine: 14 } },
    })
  })
  test('is not older any more once the branch has gone back to where that deploy came from', async () => {
    const branch = await newBranch()
    const through = '9'.repeat(40)
    await branch.deploy(nothing)
    await branch.deploy(inserted(4), JSON.stringify([{ sha: through, message: 'One of several' }]))
    const { issue } = await branch.report(14)
    await branch.rollBack(replaced(1, 4, 0))
    await branch.ask(
      'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }',
      { input: { id: issue.id, status: 'FIX_ACCEPTED' } },
    )

    const again = await branch.report(10, { commitRef: through })

    expect(again).toMatchObject({ issue: { id: issue.id, status: 'IDENTIFIED', detail: { vulnerableLine: 10 } } })
  })

  const through = (digit: string) => JSON.stringify([{ sha: digit.repeat(40), message: 'One of several' }])

  /** What a report of a commit comes to that opens a finding which was fixed, unless it is known to be older. */
  const reportedOf = async (branch: Branch, digit: string): Promise<'REOPENED' | 'UNCHANGED'> => {
    const own = { ruleId: `fixed ${digit}`, fileName: `src/${digit}.ts` }
    const { issue } = await branch.report(10, own)
    await branch.ask(
      'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }',
      { input: { id: issue.id, status: 'FIX_ACCEPTED' } },
    )
    return (await branch.report(10, { ...own, commitRef: digit.repeat(40) })).outcome
  }

  test('is not older any more once the branch has gone back to before it, by one deploy or over several', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing, through('6'))
    await branch.deploy(inserted(4), through('7'))
    await branch.deploy(inserted(4), through('8'))
    await branch.deploy(inserted(4), through('9'))
    const before = await reportedOf(branch, '9')

    await branch.rollBack(replaced(1, 4, 0))
    const last = [await reportedOf(branch, '9'), await reportedOf(branch, '8')]
    await branch.rollBack(replaced(1, 8, 0), 2)

    expect([before, last]).toEqual(['UNCHANGED', ['REOPENED', 'UNCHANGED']])
    expect([await reportedOf(branch, '8'), await reportedOf(branch, '7'), await reportedOf(branch, '6')]).toEqual([
      'REOPENED',
      'REOPENED',
      'UNCHANGED',
    ])
  })

  test('is older again once the branch goes on from behind it', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    await branch.deploy(inserted(4), through('7'))
    await branch.rollBack(replaced(1, 4, 0))
    const back = await reportedOf(branch, '7')

    await branch.deployFrom(2, 3, inserted(4))

    expect([back, await reportedOf(branch, '7')]).toEqual(['REOPENED', 'UNCHANGED'])
  })

  test('stays older where the branch goes on from a commit that nobody has told of', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    await branch.deploy(inserted(4), through('7'))

    await branch.deployFrom(3, 4, inserted(4))

    expect(await reportedOf(branch, '7')).toBe('UNCHANGED')
  })

  test('is older by the word of a deploy that came late, until the branch goes back to before that one', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    await branch.deployFrom(2, 3, inserted(4))
    await branch.deployFrom(1, 2, inserted(4), through('7'))
    const late = await reportedOf(branch, '7')

    await branch.deployFrom(3, 1, replaced(1, 8, 0))

    expect([late, await reportedOf(branch, '7')]).toEqual(['UNCHANGED', 'REOPENED'])
  })
})

describe('what is reported of a commit whose place among those of the branch is not known', () => {
  const FIX = 'mutation ($id: ID!) { changeIssueStatus(input: { id: $id, status: FIX_ACCEPTED }) { issue { id } } }'
  const INTRODUCED = 'query ($id: ID!) { deploy(id: $id) { introduced { collection { id } } } }'
  const introducedBy = async (branch: Branch, id: string) =>
    (await branch.ask(INTRODUCED, { id })).deploy.introduced.collection

  /** Three deploys, of which the second went through a commit whose own deploy comes last, and a finding seen at the first. */
  const newOvertaken = async (second: string, third: string) => {
    const branch = await newBranch()
    const through = JSON.stringify([{ sha: commits[2], message: 'One of several' }])
    await branch.deploy(nothing)
    const { issue } = await branch.report(10, { ruleId: 'sql' })
    const middle = await branch.deployFrom(1, 3, second, through)
    const last = await branch.deployFrom(3, 4, third)
    const late = await branch.deployFrom(1, 2, nothing)
    return { branch, id: issue.id, middle, last, late }
  }

  test('hides no deploy that has removed the line, when it was late', async () => {
    const { branch, id, last, late } = await newOvertaken(replaced(10, 1, 0), inserted(1, 10))
    const reported = await branch.report(10, { ruleId: 'sql', deployId: late.id })
    await branch.ask(FIX, { id })

    const back = await branch.report(10, { ruleId: 'sql' })

    expect(reported).toMatchObject({ outcome: 'UNCHANGED', issue: { id } })
    expect(back).toMatchObject({ outcome: 'REOPENED', issue: { id } })
    expect(await introducedBy(branch, last.id)).toEqual([{ id }])
  })

  test('hides no deploy that has removed the line, when it was deployed to another branch', async () => {
    const branch = await newBranch()
    await branch.deploy(nothing)
    const { id } = (await branch.report(10, { ruleId: 'sql' })).issue
    await branch.deploy(replaced(10, 1, 0))
    const fork = await branch.fork(nothing)
    const reported = await branch.report(10, { ruleId: 'sql', deployId: fork.id })
    await branch.ask(FIX, { id })

    const last = await branch.deploy(inserted(1, 10))
    await branch.report(10, { ruleId: 'sql' })

    expect(reported.issue.id).toBe(id)
    expect(await introducedBy(branch, last.id)).toEqual([{ id }])
  })

  test('hides no later deploy that removes the line, though it was never seen at another commit', async () => {
    const branch = await newBranch()
    await branch.deployFrom(1, 2, nothing)
    const late = await branch.deployFrom(0, 1, nothing)
    const { id } = (await branch.report(10, { ruleId: 'sql', deployId: late.id })).issue
    await branch.deployFrom(2, 3, replaced(10, 1, 0))
    await branch.report(10, { ruleId: 'sql', deployId: late.id })
    await branch.ask(FIX, { id })

    const last = await branch.deployFrom(3, 4, inserted(1, 10))
    await branch.report(10, { ruleId: 'sql' })

    expect(await introducedBy(branch, last.id)).toEqual([{ id }])
  })

  test('keeps no newer report from saying how the finding is called', async () => {
    const { branch, id, middle, late } = await newOvertaken(nothing, nothing)
    const other = { ruleId: 'other', fileName: 'src/b.ts' }
    const outdated = await branch.report(10, { ruleId: 'sql', title: 'Late words', deployId: late.id })
    await branch.report(10, { ...other, deployId: late.id })

    const known = await branch.report(10, { ruleId: 'sql', title: 'Newer words', deployId: middle.id })
    const made = await branch.report(10, { ...other, title: 'Newer words', deployId: middle.id })

    expect(outdated).toMatchObject({ outcome: 'UNCHANGED', issue: { id } })
    expect([known, made].map(({ outcome }) => outcome)).toEqual(['UPDATED', 'UPDATED'])
  })
})
