// `merlon deploy create` where files changed places: two that swapped names, and one that took the name of another.

import { expect, test } from 'vitest'
import { run } from '../testkit/client.ts'
import { sast, upsert } from '../testkit/findings.ts'
import { newAsset, newWorld } from '../testkit/world.ts'
import { merlonJson } from './command.ts'
import { newRepository } from './repository.ts'

const text = (name: string, count = 40) =>
  Array.from({ length: count }, (_, index) => `${name} does ${index * 7} of ${name}`).join('\n')

const [cart, order, session, next] = [text('cart'), text('order'), text('session'), text('next')]

/** A repository of these files whose first commit is deployed, with a finding in the fifth line of each. */
async function newDeployed(files: Record<string, string>) {
  const { owner, companyId } = await newWorld()
  const { id: assetId } = await newAsset(owner.key, companyId)
  const repository = newRepository()
  const here = { key: owner.key, cwd: repository.directory }
  repository.commit(files)
  await merlonJson(['deploy', 'create'], here)
  const ids: string[] = []
  for (const fileName of Object.keys(files)) {
    const place = { fileName, vulnerableLine: 5, firstLine: 5, codeSnippet: fileName, branchName: 'main' }
    ids.push((await upsert(owner.key, sast(Number(assetId), place))).issue.id)
  }
  return { key: owner.key, repository, here, ids }
}

const placesOf = (key: string, ids: readonly string[]) =>
  Promise.all(
    ids.map(async (id) => {
      const { issue } = await run(
        key,
        'query ($id: ID!) { issue(id: $id) { occurrences { path line disposition } } }',
        {
          id,
        },
      )
      return issue.occurrences[0]
    }),
  )

test('findings go with files that were swapped, and with one that gave its name to another', async () => {
  const { key, repository, here, ids } = await newDeployed({
    'cart.js': cart,
    'order.js': order,
    'session.js': session,
  })
  repository.commit({
    'cart.js': `// moved\n${order}`,
    'order.js': cart,
    'session.js': text('token', 30),
    'session-of-old.js': session,
  })

  const { id } = await merlonJson(['deploy', 'create'], here)

  const { deploy } = await run(
    key,
    'query ($id: ID!) { deploy(id: $id) { diffState findings { moved renamed touched removed } } }',
    { id },
  )
  expect(await placesOf(key, ids)).toEqual([
    { path: 'order.js', line: 5, disposition: 'RENAMED' },
    { path: 'cart.js', line: 6, disposition: 'RENAMED' },
    { path: 'session-of-old.js', line: 5, disposition: 'RENAMED' },
  ])
  expect(deploy).toEqual({ diffState: 'PARSED', findings: { moved: 0, renamed: 3, touched: 0, removed: 0 } })
})

test('a finding in a file that another one replaced is touched, and one at the name given up is removed', async () => {
  const { key, repository, here, ids } = await newDeployed({ 'now.js': text('now'), 'next.js': next })
  repository.git('rm', '--quiet', 'next.js')
  repository.commit({ 'now.js': next })

  await merlonJson(['deploy', 'create'], here)

  expect(await placesOf(key, ids)).toEqual([
    { path: 'now.js', line: 5, disposition: 'TOUCHED' },
    { path: 'next.js', line: 5, disposition: 'REMOVED' },
  ])
})
