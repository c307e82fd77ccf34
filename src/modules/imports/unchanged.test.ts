// What a report says again word for word: taken in without being decided on only where the rules would say the same.

import { describe, expect, test } from 'vitest'
import { type Data, run } from '../../../test/testkit/client.ts'
import { deployed, lines, newCodeHome } from '../../../test/testkit/code-home.ts'
import { countsOf, imported, sarif } from '../../../test/testkit/reports.ts'
import { emptyTree } from '../../../test/testkit/world.ts'

const at = (line: number, more: Record<string, unknown> = {}) => ({
  ruleId: 'rule',
  message: { text: 'Wrong' },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: 'a.ts' },
        region: { startLine: line, snippet: { text: 'query(text)' } },
      },
    },
  ],
  ...more,
})

const idsOf = ({ rows }: Data): string[] => rows.collection.map(({ issue }: Data) => issue.id)

/** An asset with two equal lines reported at 5 and 15, `others` findings, and a way to deploy `shift` further lines before them. */
async function newHome(others: number) {
  const home = await newCodeHome()
  const { repository } = home
  const one = repository.commit({ 'a.ts': lines('a') })
  await deployed(home, repository.diff(emptyTree, one), emptyTree, one, 'main')
  const first = await imported(home, sarif([at(5), at(15)]), { branchName: 'main', commitRef: one })
  const besides = Array.from({ length: others }, (_, number) => at(number + 1, { ruleId: `other ${number}` }))
  if (others > 0) await imported(home, sarif(besides), { branchName: 'main', commitRef: one })
  const shifted = async (shift: number): Promise<string> => {
    const two = repository.commit({ 'a.ts': [...lines('new', shift), ...lines('a')], 'b.ts': ['b'] })
    await deployed(home, repository.diff(one, two), one, two, 'main')
    return two
  }
  return { home, ids: idsOf(first), shifted }
}

test('a finding that says the same on two branches is seen again on that of the report alone', async () => {
  const { home, ids } = await newHome(0)
  const report = sarif([at(5), at(15)])
  await imported(home, report, { branchName: 'next' })
  const query = 'query ($id: ID!) { issue(id: $id) { ... on SastFinding { occurrences { branchName lastSeenAt } } } }'
  const seen = async () => {
    const { issue } = await run(home.key, query, { id: ids[0] })
    return Object.fromEntries(issue.occurrences.map((one: Data) => [one.branchName, one.lastSeenAt]))
  }
  const before = await seen()

  const again = await imported(home, report, { branchName: 'next' })

  const after = await seen()
  expect([countsOf(again), idsOf(again)]).toEqual([{ read: 2, unchanged: 2 }, ids])
  expect([after.main, after.next > before.next]).toEqual([before.main, true])
})

describe.each([
  ['a report of nearly all of an asset', 0],
  ['a report of little of an asset', 40],
])('%s', (_, others) => {
  test('a finding that says after a deploy what another one said before is not that one', async () => {
    const { home, ids, shifted } = await newHome(others)
    const commitRef = await shifted(10)

    const after = await imported(home, sarif([at(15), at(25)]), { branchName: 'main', commitRef })

    expect(idsOf(after)).toEqual(ids)
  })

  test('findings that a deploy left where they were are UNCHANGED at its commit, and seen there', async () => {
    const { home, ids, shifted } = await newHome(others)
    const commitRef = await shifted(0)

    const after = await imported(home, sarif([at(5), at(15)]), { branchName: 'main', commitRef })

    expect([countsOf(after), idsOf(after)]).toEqual([{ read: 2, unchanged: 2 }, ids])
    const { issue } = await run(
      home.key,
      'query ($id: ID!) { issue(id: $id) { identity { matchedBy } ... on SastFinding { occurrences { commit line } } } }',
      { id: ids[0] },
    )
    expect(issue).toEqual({ identity: { matchedBy: 'PLACE' }, occurrences: [{ commit: commitRef, line: 5 }] })
  })

  test('the same row twice is one finding, and a new one beside those that are known is new', async () => {
    const { home, ids } = await newHome(others)

    const after = await imported(home, sarif([at(5), at(5), at(15), at(18)]), { branchName: 'main' })

    expect(countsOf(after)).toEqual({ read: 4, created: 1, unchanged: 2, merged: 1 })
    expect(idsOf(after).slice(0, 3)).toEqual([ids[0], ids[0], ids[1]])
  })

  test('what a person has changed in the meantime stays, and other words of the report are taken', async () => {
    const { home, ids } = await newHome(others)
    const input = { id: ids[0], status: 'FALSE_POSITIVE', reason: 'Checked' }
    await run(
      home.key,
      'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }',
      {
        input,
      },
    )

    const same = await imported(home, sarif([at(5), at(15)]), { branchName: 'main' })
    const other = await imported(home, sarif([at(5), at(15, { message: { text: 'Worse' } })]), { branchName: 'main' })

    expect([same, other].map(countsOf)).toEqual([
      { read: 2, unchanged: 2 },
      { read: 2, updated: 1, unchanged: 1 },
    ])
    const { issue } = await run(home.key, 'query ($id: ID!) { issue(id: $id) { status } }', { id: ids[0] })
    expect(issue.status).toBe('FALSE_POSITIVE')
  })
})
