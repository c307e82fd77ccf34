// What a gate says of what merging a branch would bring, whichever of its deploys brought it.

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
    const { branches } = await run(
      key,
      'query ($assetId: ID!, $companyId: ID!) { branches(assetId: $assetId, companyId: $companyId) { collection { id name } } }',
      { assetId, companyId },
    )
    const branchId = branches.collection.find(({ name }: Data) => name === 'topic').id
    const { securityGateRun } = await run(key, RUN, { assetId, branchId })

    expect(gate.decision).toBe('BLOCK')
    expect(gate.reasons[0].sentence).toBe('1 unmerged finding of severity CRITICAL or HIGH, where none is allowed')
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

  test('counts what main has removed and the branch brings back', async () => {
    const { key, main, old, next, report } = await newBranches()
    const removed = await next('main', main.commit, { 'old.ts': null })
    const topic = await next('topic', removed.commit, { 'old.ts': lines('old.ts') })

    const again = await report('old.ts', 'topic', topic.id)
    const later = await next('topic', topic.commit, { 'readme.md': ['a word'] })

    expect(again).toBe(old)
    expect(issuesOf(await gateOf(key, later.id))).toEqual([old])
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
