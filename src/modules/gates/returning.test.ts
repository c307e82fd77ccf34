// What a gate makes of findings that were gone from the branch and are back.

import { describe, expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { changed, deployed, lines, newCodeHome, without } from '../../../test/testkit/code-home.ts'
import { gateOf } from '../../../test/testkit/gates.ts'
import { imported, result, sarif } from '../../../test/testkit/reports.ts'
import { emptyTree } from '../../../test/testkit/world.ts'

const FIX = `mutation ($id: ID!) { changeIssueStatus(input: { id: $id, status: FIX_ACCEPTED }) { issue { status } } }`
const INTRODUCED = `query ($id: ID!) { deploy(id: $id) { introduced { collection { id } } } }`

const all = lines('a')
const found = sarif([result(1, { level: 'error' }, 'a.ts', 5)])
const clean = sarif([])

/** An asset whose commits are deployed to main one after the other, the first with a finding in line 5. */
async function newBranch() {
  const home = await newCodeHome()
  let head = emptyTree
  const deploy = async (content: string[]): Promise<string> => {
    const commit = home.repository.commit({ 'a.ts': content })
    const { id } = await deployed(home, home.repository.diff(head, commit), head, commit, 'main')
    head = commit
    return id
  }
  const report = (content: string) => imported(home, content, { branchName: 'main', closeAbsent: true })
  await deploy(all)
  const { rows } = await report(found)
  return { key: home.key, id: rows.collection[0].issue.id as string, deploy, report }
}

describe('a finding that was fixed', () => {
  test.each([
    ['removed', without(all, 5)],
    ['replaced', changed(all, 5)],
  ])('is introduced by the deploy that brings back its line, which had been %s', async (_, fixed) => {
    const { key, id, deploy, report } = await newBranch()
    await deploy(fixed)
    await report(clean)

    const back = await deploy(all)
    const { result: counts } = await report(found)
    const gate = await gateOf(key, back)
    const { deploy: shown } = await run(key, INTRODUCED, { id: back })

    expect(counts).toMatchObject({ reopened: 1, created: 0 })
    expect(gate).toMatchObject({ decision: 'BLOCK', reasons: [{ count: 1 }] })
    expect(shown.introduced.collection).toEqual([{ id }])
  })

  test('by the word of a pipeline is introduced by the deploy that brings it back as well', async () => {
    const { key, id, deploy, report } = await newBranch()
    await deploy(changed(all, 5))
    await run(key, FIX, { id })

    const back = await deploy(all)
    await report(found)

    expect(await gateOf(key, back)).toMatchObject({ decision: 'BLOCK', reasons: [{ count: 1 }] })
  })

  test('is introduced by the deploy that brings it back, though one that came late has reported it since', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const [one = '', two = '', three = '', four = ''] = [all, [...all, 'more'], without(all, 5), all].map((content) =>
      repository.commit({ 'a.ts': content }),
    )
    const deploy = (from: string, to: string, history?: string) =>
      deployed(home, repository.diff(from, to), from, to, 'main', history)
    await deploy(emptyTree, one)
    await imported(home, found, { branchName: 'main' })
    await deploy(one, three, JSON.stringify([{ sha: two, message: 'One of several' }]))
    await imported(home, clean, { branchName: 'main', closeAbsent: true })
    const back = await deploy(three, four)
    const late = await deploy(one, two)

    const { result: ofLate } = await imported(home, found, { branchName: 'main', deployId: late.id })
    await imported(home, found, { branchName: 'main' })

    expect(ofLate).toMatchObject({ unchanged: 1, created: 0, reopened: 0 })
    expect(await gateOf(home.key, back.id)).toMatchObject({ decision: 'BLOCK', reasons: [{ count: 1 }] })
  })

  test('is not introduced by a deploy that left its line alone, nor by the one that had changed it', async () => {
    const { key, id, deploy, report } = await newBranch()
    const edited = await deploy(changed(all, 5))
    await report(clean)
    await report(found)
    const ofEdited = await gateOf(key, edited)
    await run(key, FIX, { id })

    const beside = await deploy([...changed(all, 5), 'more'])
    await report(found)

    expect(ofEdited.decision).toBe('PASS')
    expect((await gateOf(key, beside)).decision).toBe('PASS')
  })
})
