// A pipeline's runs, one after another: deploy, then report, on a branch and on the one that leaves it.

import { describe, expect, test } from 'vitest'
import { type Data, refusal, run } from '../../../test/testkit/client.ts'
import {
  type CodeHome,
  changed,
  deployed,
  lines,
  newCodeHome,
  placesOf,
  said,
} from '../../../test/testkit/code-home.ts'
import { emptyTree } from '../../../test/testkit/world.ts'

const REPORT = `mutation ($input: CreateOrUpdateSastFindingInput!) {
  createOrUpdateSastFinding(input: $input) { outcome matchedBy issue { id } } }`
const FINDINGS = `query ($id: ID!) { deploy(id: $id) { introduced { collection { id } metadata { totalCount } }
  touched { collection { id } } fixed { collection { id } } } }`

const reported = async (
  { key, assetId }: CodeHome,
  fileName: string,
  vulnerableLine: number,
  codeSnippet: string,
  deployId: string,
  ruleId = 'injection',
) => {
  const text = { title: 'Injection', description: 'd', solution: 's', ruleId }
  const input = {
    assetId: Number(assetId),
    ...text,
    fileName,
    vulnerableLine,
    firstLine: vulnerableLine,
    codeSnippet,
    deployId,
  }
  return (await run(key, REPORT, { input })).createOrUpdateSastFinding
}

const idsOf = (list: { collection: Data[] }) => list.collection.map(({ id }) => id)

describe('the runs of a pipeline', () => {
  test('a finding that a deploy moved is known again where the next report sees it', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const one = repository.commit({ 'a.ts': lines('a') })
    const two = repository.commit({ 'a.ts': null, 'b.ts': ['0', ...changed(lines('a'), 9)] })
    const first = await deployed(home, repository.diff(emptyTree, one), emptyTree, one, 'main')
    const kept = await reported(home, 'a.ts', 5, 'a 5', first.id)
    const edited = await reported(home, 'a.ts', 9, 'a 9', first.id)
    const ids = [kept.issue.id, edited.issue.id]

    const second = await deployed(home, repository.diff(one, two), one, two, 'main')
    const places = await placesOf(home, ids, 'main')
    const again = await reported(home, 'b.ts', 6, 'a 5', second.id)
    const fresh = await reported(home, 'b.ts', 12, 'a 11', second.id, 'another rule')

    const before = (await run(home.key, FINDINGS, { id: first.id })).deploy
    const after = (await run(home.key, FINDINGS, { id: second.id })).deploy
    expect(places).toEqual([
      ['b.ts', 6, 'RENAMED'],
      ['b.ts', 10, 'TOUCHED'],
    ])
    expect(again.issue.id).toBe(kept.issue.id)
    expect(idsOf(before.introduced).sort()).toEqual([...ids].sort())
    expect(idsOf(after.introduced)).toEqual([fresh.issue.id])
    expect(idsOf(after.touched)).toEqual([edited.issue.id])
    expect(idsOf(after.fixed)).toEqual([])
  })

  test('a branch takes the findings of the one it leaves, and a report on it names the same issue', async () => {
    const home = await newCodeHome()
    const { repository } = home
    const one = repository.commit({ 'a.ts': lines('a') })
    const two = repository.commit({ 'a.ts': ['0', ...lines('a')] })
    const first = await deployed(home, repository.diff(emptyTree, one), emptyTree, one, 'main')
    const { issue } = await reported(home, 'a.ts', 5, 'a 5', first.id)

    const branched = await deployed(home, repository.diff(one, two), one, two, 'feature')
    const again = await reported(home, 'a.ts', 6, 'a 5', branched.id)

    expect(again.issue.id).toBe(issue.id)
    expect(await placesOf(home, [issue.id], 'feature')).toEqual([['a.ts', 6, 'MOVED']])
    expect(await placesOf(home, [issue.id], 'main')).toEqual([['a.ts', 5, null]])
    expect(await said(home, branched.id, [issue.id])).toEqual(['MOVED'])
  })

  test('a deploy that brought a finding cannot be deleted', async () => {
    const home = await newCodeHome()
    const one = home.repository.commit({ 'a.ts': lines('a') })
    const { id } = await deployed(home, home.repository.diff(emptyTree, one), emptyTree, one, 'main')
    await reported(home, 'a.ts', 5, 'a 5', id)

    const failure = await refusal(home.key, 'mutation ($id: ID!) { deleteDeploy(input: { id: $id }) { id } }', { id })

    expect(failure.extensions.code).toBe('FAILED_PRECONDITION')
  })
})
