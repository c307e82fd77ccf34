// What merging a branch would bring, whichever of its deploys brought it.

import { describe, expect, test } from 'vitest'
import { type Data, run } from '../../../test/testkit/client.ts'
import { deployed, lines, newCodeHome } from '../../../test/testkit/code-home.ts'
import { newHome, sast, upsert } from '../../../test/testkit/findings.ts'
import { gateOf, setPolicy } from '../../../test/testkit/gates.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { emptyTree, newDeploy } from '../../../test/testkit/world.ts'

const rules = [{ subject: 'UNMERGED', minimumSeverity: 'HIGH', limit: 0, decision: 'BLOCK' }]

const RUN = `query ($assetId: ID!, $branchId: ID) { securityGateRun(assetId: $assetId, branchId: $branchId) {
  status reason { high { limit count status } } failingVulnerabilities { collection { id } } } }`

const PAGED = `query ($assetId: ID!, $branchId: ID, $page: Int!) { securityGateRun(assetId: $assetId, branchId: $branchId) {
  failingVulnerabilities(pagination: { page: $page, perPage: 2 }) { collection { id } metadata { totalCount } } } }`

const BRANCHES = `query ($assetId: ID!, $companyId: ID!) {
  branches(assetId: $assetId, companyId: $companyId) { collection { id name } } }`

/** An asset with a file of main in which a finding is known, and deploys of a repository's next commits. */
async function newBranches() {
  const home = await newCodeHome()
  const { key, assetId, repository } = home
  await setPolicy(home, rules)
  const next = async (branch: string, from: string, files: Record<string, string[] | null>) => {
    const commit = repository.commit(files)
    const { id } = await deployed(home, repository.diff(from, commit), from, commit, branch)
    return { id, commit }
  }
  const report = async (fileName: string, branchName: string, deployId: string): Promise<string> => {
    const place = { fileName, codeSnippet: `${fileName} 5`, vulnerableLine: 5, firstLine: 5, branchName, deployId }
    return (await upsert(key, sast(Number(assetId), { severity: 'HIGH', ...place }))).issue.id
  }
  const main = await next('main', emptyTree, { 'old.ts': lines('old.ts') })
  const old = await report('old.ts', 'main', main.id)
  return { ...home, main, old, next, report }
}

const issuesOf = ({ reasons }: Data): string[] =>
  reasons.flatMap(({ issues }: Data) => issues.collection.map(({ id }: Data) => id))

describe('a rule of what is unmerged', () => {
  test('counts what an earlier deploy of the branch brought, and not what the branch has from main', async () => {
    const { key, companyId, assetId, main, next, report } = await newBranches()
    const first = await next('topic', main.commit, { 'new.ts': lines('new.ts') })
    const brought = await report('new.ts', 'topic', first.id)

    const second = await next('topic', first.commit, { 'readme.md': ['a word'] })
    const gate = await gateOf(key, second.id)
    const { branches } = await run(key, BRANCHES, { assetId, companyId })
    const branchId = branches.collection.find(({ name }: Data) => name === 'topic').id
    const { securityGateRun } = await run(key, RUN, { assetId, branchId })

    expect(gate.decision).toBe('BLOCK')
    expect(gate.reasons[0].sentence).toBe('1 unmerged finding of CRITICAL or HIGH severity (none allowed)')
    expect(issuesOf(gate)).toEqual([brought])
    expect(securityGateRun).toEqual({
      status: 'FAILED',
      reason: { high: { limit: 0, count: 1, status: 'FAILED' } },
      failingVulnerabilities: { collection: [{ id: brought }] },
    })
  })

  test('passes once the branch has removed it', async () => {
    const { key, main, next, report } = await newBranches()
    const first = await next('topic', main.commit, { 'new.ts': lines('new.ts') })
    await report('new.ts', 'topic', first.id)

    const second = await next('topic', first.commit, { 'new.ts': null })

    expect((await gateOf(key, second.id)).decision).toBe('PASS')
  })

  test('does not count what main has removed since the branch left it', async () => {
    const { key, main, next } = await newBranches()
    const topic = await next('topic', main.commit, { 'readme.md': ['a word'] })
    await next('main', main.commit, { 'old.ts': null })

    expect((await gateOf(key, topic.id)).decision).toBe('PASS')
  })

  test('does not count what came to main with the branch, though main has removed it since', async () => {
    const { key, main, next, report } = await newBranches()
    const topic = await next('topic', main.commit, { 'new.ts': lines('new.ts') })
    await report('new.ts', 'topic', topic.id)
    const merged = await next('main', main.commit, { 'new.ts': lines('new.ts'), 'merge.md': ['a word'] })
    await report('new.ts', 'main', merged.id)

    await next('main', merged.commit, { 'new.ts': null })

    expect((await gateOf(key, topic.id)).decision).toBe('PASS')
  })

  test('does not count what main has removed before the branch was told of', async () => {
    const { key, main, old, next, report } = await newBranches()
    await next('main', main.commit, { 'old.ts': null })
    const topic = await next('topic', main.commit, { 'readme.md': ['a word'] })

    const again = await report('old.ts', 'topic', topic.id)

    expect(again).toBe(old)
    expect((await gateOf(key, topic.id)).decision).toBe('PASS')
  })

  test('says where nothing was ever reported of main', async () => {
    const { key, companyId, assetId } = await newHome()
    await setPolicy({ key, companyId }, rules)
    await newDeploy(key, String(assetId), '', { branchName: 'main' })
    const { id } = await newDeploy(key, String(assetId), '', { branchName: 'topic' })

    const before = await gateOf(key, id)
    await upsert(key, sast(assetId, { branchName: 'main' }))
    const after = await gateOf(key, id)

    expect(before.sentence).toMatch(
      / Nothing was ever reported on main, so everything on this branch counts as unmerged\.$/,
    )
    expect(after.sentence).not.toMatch(/Nothing was ever reported/)
  })

  test('pages through what it counts, of a branch without a deploy too, and with what reports have settled where it says so', async () => {
    const { key, companyId, assetId } = await newHome()
    await setPolicy({ key, companyId }, [{ ...rules[0], despiteReports: true }])
    await upsert(key, sast(assetId, { branchName: 'main', fileName: 'm.ts' }))
    const ids: string[] = []
    for (const [fileName, status] of [['a.ts'], ['b.ts'], ['c.ts', 'DRAFT']] as const) {
      const finding = sast(assetId, { branchName: 'topic', severity: 'HIGH', fileName, codeSnippet: fileName, status })
      ids.unshift((await upsert(key, finding)).issue.id)
    }
    const { branches } = await run(key, BRANCHES, { assetId, companyId })
    const branchId = branches.collection.find(({ name }: Data) => name === 'topic').id

    const pages = await Promise.all([1, 2].map((page) => run(key, PAGED, { assetId, branchId, page })))

    const listed = pages.map(({ securityGateRun }) => securityGateRun.failingVulnerabilities)
    expect(listed.map(({ collection }) => collection.map(({ id }: Data) => id))).toEqual([
      ids.slice(0, 2),
      ids.slice(2),
    ])
    expect(listed.map(({ metadata }) => metadata.totalCount)).toEqual([3, 3])
  })

  test('counts on main itself what the deploy introduced', async () => {
    const { key, main, old, next, report } = await newBranches()
    const second = await next('main', main.commit, { 'new.ts': lines('new.ts') })
    const brought = await report('new.ts', 'main', second.id)
    const third = await next('main', second.commit, { 'readme.md': ['a word'] })

    const gates = await Promise.all([main, second, third].map(({ id }) => gateOf(key, id)))

    expect(gates.map(issuesOf)).toEqual([[old], [brought], []])
  })

  test('takes as many statements for twenty deploys of ten branches as for one', async () => {
    const ofSize = async (size: number) => {
      const { key, companyId, assetId } = await newHome()
      await setPolicy({ key, companyId }, rules)
      await newDeploy(key, String(assetId), '', { branchName: 'main' })
      for (let number = 0; number < size; number += 1) {
        const branchName = `topic ${number % 10}`
        const { id } = await newDeploy(key, String(assetId), '', { branchName })
        const place = { branchName, deployId: id, fileName: `${number}.ts`, codeSnippet: `f${number}()` }
        await upsert(key, sast(assetId, { severity: 'HIGH', ...place }))
      }
      const query =
        'query ($assetId: ID!) { deploysByAsset(assetId: $assetId, limit: 50) { collection { gate { decision } } } }'
      let answer: Data
      const statements = await countStatements(async () => {
        answer = await run(key, query, { assetId })
      })
      return { statements, decisions: answer.deploysByAsset.collection.map(({ gate }: Data) => gate.decision) }
    }

    const [one, twenty] = [await ofSize(1), await ofSize(20)]

    expect(twenty.decisions.filter((decision: string) => decision === 'BLOCK')).toHaveLength(20)
    expect(twenty.statements).toBe(one.statements)
  })
})
