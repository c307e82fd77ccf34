// `merlon deploy create` on a branch that was rolled back, moved forward again, or merged without a commit.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../testkit/client.ts'
import { result, sarif } from '../testkit/reports.ts'
import { newAsset, newWorld } from '../testkit/world.ts'
import { merlon, merlonJson } from './command.ts'
import { newRepository } from './repository.ts'

/** A repository of which the first of two commits is deployed on main, and where to stand in it. */
async function newDeployed() {
  const { owner, companyId } = await newWorld()
  await newAsset(owner.key, companyId)
  const repository = newRepository()
  const here = { key: owner.key, cwd: repository.directory }
  const first = repository.commit({ 'a.ts': 'one\n' })
  await merlonJson(['deploy', 'create'], here)
  return { repository, here, first }
}

const short = (commit: string) => commit.slice(0, 10)

test('a branch that was reset is reported with the flag to use, and continues only with another commit', async () => {
  const { repository, here, first } = await newDeployed()
  const second = repository.commit({ 'a.ts': 'one\ntwo\n' })
  const forward = await merlonJson(['deploy', 'create'], here)
  repository.git('reset', '--quiet', '--hard', first)

  const again = await merlon(['deploy', 'create'], here)
  const back = await merlonJson(['deploy', 'create', '--from', second], here)
  const settled = await merlon(['deploy', 'create'], here)
  repository.git('reset', '--quiet', '--hard', second)
  const twice = await merlon(['deploy', 'create'], here)
  const next = repository.commit({ 'b.ts': 'three\n' })
  const last = await merlonJson(['deploy', 'create'], here)

  expect(again).toMatchObject({
    code: 0,
    out: '',
    err: `${short(first)} is already deployed, and main has moved on to ${short(second)}; nothing was changed. If you rolled the branch back, say --from ${second}\n`,
  })
  expect(back).toMatchObject({ previousCommit: second, currentCommit: first, lineage: 'FOLLOWS', removed: 1 })
  expect(settled.out).toBe(`${short(first)} is already deployed; there is nothing new\n`)
  expect(twice).toMatchObject({
    code: 1,
    err: `The step from ${short(first)} to ${short(second)} is deploy ${forward.id} on branch main already, and each step is recorded once: main stands elsewhere until another commit is deployed, such as one of git commit --allow-empty\n`,
  })
  expect(last).toMatchObject({ previousCommit: first, currentCommit: next, lineage: 'FOLLOWS' })
})

test('a step from a commit to itself is called that, and not a deploy that does not exist', async () => {
  const { repository, here } = await newDeployed()
  const second = repository.commit({ 'a.ts': 'one\ntwo\n' })

  const ended = await merlon(['deploy', 'create', '--from', 'HEAD'], here)
  const listed = await merlonJson(['deploy', 'list'], here)

  expect(ended).toMatchObject({
    code: 0,
    out: '',
    err: `--from and --to are both ${short(second)}; nothing was sent\n`,
  })
  expect(listed).toHaveLength(1)
})

test('two that deploy the same at once are both done', async () => {
  const { repository, here } = await newDeployed()
  const commit = repository.commit({ 'a.ts': 'one\ntwo\n' })

  const ended = await Promise.all(Array.from({ length: 3 }, () => merlon(['deploy', 'create'], here)))
  const listed = await merlonJson(['deploy', 'list'], here)

  expect(ended.map(({ code, err }) => [code, err])).toEqual([
    [0, ''],
    [0, ''],
    [0, ''],
  ])
  expect(listed.filter(({ currentCommit }: { currentCommit: string }) => currentCommit === commit)).toHaveLength(1)
})

test('the next deploy starts where the branch stands, also after one of an older commit that came late', async () => {
  const { repository, here, first } = await newDeployed()
  const second = repository.commit({ 'a.ts': 'one\ntwo\n' })
  const third = repository.commit({ 'a.ts': 'one\ntwo\nthree\n' })
  await merlonJson(['deploy', 'create'], here)
  const late = await merlonJson(['deploy', 'create', '--to', second], here)
  const fourth = repository.commit({ 'b.ts': 'four\n' })

  const next = await merlonJson(['deploy', 'create'], here)
  const again = await merlon(['deploy', 'create', '--to', second], here)

  expect(late).toMatchObject({ previousCommit: first, lineage: 'LATE' })
  expect(next).toMatchObject({ previousCommit: third, currentCommit: fourth, lineage: 'FOLLOWS' })
  expect(again).toMatchObject({ code: 0, err: expect.stringContaining(`${short(second)} is already deployed`) })
})

test('a branch that is merged without a commit says where its verdict is, and continues with its next commit', async () => {
  const { repository, here, first } = await newDeployed()
  repository.git('switch', '--quiet', '--create', 'feature')
  const second = repository.commit({ 'a.ts': 'one\ntwo\n' })
  const feature = await merlonJson(['deploy', 'create'], here)
  repository.git('switch', '--quiet', 'main')
  repository.git('merge', '--quiet', '--ff-only', 'feature')

  const merged = await merlon(['deploy', 'create', '--branch', 'main'], here)
  const judged = await merlon(['gate', '--branch', 'main'], here)
  const named = await merlon(['gate', '--deploy', feature.id], here)
  const next = repository.commit({ 'b.ts': 'three\n' })
  const last = await merlonJson(['deploy', 'create'], here)

  expect(merged).toMatchObject({
    code: 1,
    err: `The step from ${short(first)} to ${short(second)} is deploy ${feature.id} on branch feature already, and each step is recorded once: main goes on with its next commit; until then merlon gate --deploy ${feature.id} is the verdict on this one\n`,
  })
  expect(judged).toMatchObject({
    code: 2,
    err: `${short(second)} is not deployed on the branch main, but on the branch feature: merlon gate --deploy ${feature.id} is the verdict there\n`,
  })
  expect(named.code).toBe(0)
  expect(last).toMatchObject({ branchName: 'main', previousCommit: first, currentCommit: next, lineage: 'FOLLOWS' })
})

const QUERY = `query ($companyId: ID!) { issues(companyId: $companyId, pagination: { perPage: 10 }) { collection { id
  ... on SastFinding { occurrences { line } } } } }`

test('a commit that was amended is gone on from, so that equal findings whose lines moved are each the one that it was', async () => {
  const { owner, companyId } = await newWorld()
  await newAsset(owner.key, companyId)
  const repository = newRepository()
  const here = { key: owner.key, cwd: repository.directory }
  const lines = Array.from({ length: 20 }, (_, index) => (index % 10 === 9 ? 'eval(input1)' : `line ${index}`))
  const scan = async (...found: number[]) => {
    const input = sarif(found.map((line) => result(1, {}, 'a.js', line)))
    await merlonJson(['import', '-'], { ...here, input })
    const { issues } = await run(owner.key, QUERY, { companyId })
    return Object.fromEntries(
      issues.collection.map((issue: { id: string; occurrences: { line: number }[] }) => [
        issue.occurrences[0]?.line,
        issue.id,
      ]),
    )
  }
  repository.commit({ 'b.js': 'one\n' })
  await merlonJson(['deploy', 'create'], here)
  const first = repository.commit({ 'a.js': `${lines.join('\n')}\n` })
  await merlonJson(['deploy', 'create'], here)
  const before = await scan(10, 20)
  const above = Array.from({ length: 10 }, (_, index) => `above ${index}`)
  writeFileSync(join(repository.directory, 'a.js'), `${[...above, ...lines].join('\n')}\n`)
  repository.git('commit', '--quiet', '--all', '--amend', '--message', 'Another change')

  const deployed = await merlonJson(['deploy', 'create'], here)
  const after = await scan(20, 30)
  repository.git('checkout', '--quiet', '-B', 'main', first)
  const again = await merlon(['deploy', 'create'], here)

  expect(deployed).toMatchObject({ previousCommit: first, lineage: 'FOLLOWS', added: 10, removed: 0 })
  expect(after).toEqual({ 20: before[10], 30: before[20] })
  expect(again.err).toContain('is already deployed, and main has moved on to')
})
