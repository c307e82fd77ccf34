// Merge requests from forks at HostB: judged at our own project, on no branch of ours, and told there.

import { beforeAll, expect, test, vi } from 'vitest'
import { deliverTo, hooked, newFollowed as newFollowedAt } from '../../../test/testkit/followed.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'
import { forkRequestOf } from '../../../test/testkit/source-host.ts'
import { json } from '../../../test/testkit/vendor-fake.ts'
import { FOLLOW_TASK, LOOK_TASK, REPORT_TASK } from './jobs-of.ts'

let service: Service

beforeAll(async () => {
  service = await startService({ MERLON_PUBLIC_URL: 'https://merlon.example.test' })
  await service.app.startWorker([FOLLOW_TASK, LOOK_TASK, REPORT_TASK, 'judge-deploy', 'review-deploy'])
  return () => service.app.stop()
})

/** An asset whose branch main is deployed. */
const newFollowed = async (settings: Record<string, unknown> = {}) => {
  const followed = await newFollowedAt(service.url, settings)
  const { fake, first, deploys, deployed } = followed
  await hooked(followed)
  const deliver = (told: object): Promise<number> => deliverTo(service.url, fake.delivery(told))
  if (settings.astBranchPattern === undefined) await deployed(first)
  return { fake, first, deploys, deployed, deliver }
}

test('a merge request from a fork is judged from where its target stands, and gets its status and note at our own project', async () => {
  const { fake, first, deployed, deliver } = await newFollowed()
  const commit = fake.pushFork(7)

  const status = await deliver(forkRequestOf(7, commit))
  const deploy = await deployed(commit)
  await vi.waitFor(() => expect(fake.notesOf(7)).toHaveLength(1), { timeout: 60_000 })

  expect(status).toBe(200)
  expect(deploy).toMatchObject({ branchName: 'merge-request:7', previousCommit: first, lineage: 'BRANCHES' })
  expect(fake.compared.at(-1)).toBe(`${first}..${commit}`)
  expect(fake.statuses.filter((told) => told.commit === commit)).toMatchObject([
    { state: 'success', ref: 'refs/merge-requests/7/head' },
  ])
  expect(fake.notesOf(7)).toEqual([expect.stringContaining('**Merlon: Passed**')])
  expect(fake.seen.filter(({ path }) => path.includes('/projects/2'))).toEqual([])
})

test('a fork whose branch is called main moves no branch of ours, and goes on from its own last deploy', async () => {
  const { fake, first, deploys, deployed, deliver } = await newFollowed()
  const one = fake.pushFork(7)
  await deliver(forkRequestOf(7, one))
  await deployed(one)

  const other = fake.pushFork(7)
  await deliver(forkRequestOf(7, other, { action: 'update', oldrev: one }))
  const next = await deployed(other)
  const main = (await deploys()).filter(({ branchName }) => branchName === 'main')

  expect(next).toMatchObject({ branchName: 'merge-request:7', previousCommit: one, lineage: 'FOLLOWS' })
  expect(main.map(({ currentCommit }) => currentCommit)).toEqual([first])
})

test('what a delivery says of a merge request is asked of our project, which decides', async () => {
  const { fake, deploys, deliver } = await newFollowed()
  const closed = fake.pushFork(8, { state: 'closed' })
  const own = fake.pushFork(9, { from: 1 })
  const real = fake.pushFork(10)
  const before = fake.seen.length

  await deliver(forkRequestOf(8, closed))
  await deliver(forkRequestOf(9, own))
  await deliver(forkRequestOf(404, closed))
  await deliver(forkRequestOf(10, closed))

  await vi.waitFor(async () => expect(await deploys()).toHaveLength(2), { timeout: 60_000 })
  await expect.poll(() => fake.seen.filter(({ path }) => path.endsWith('/404'))).toHaveLength(1)
  expect((await deploys())[0]).toMatchObject({ currentCommit: real })
  expect(fake.seen.slice(before).every(({ path }) => path.startsWith('/api/v4/projects/1'))).toBe(true)
})

test('merge requests into branches that are not followed are left alone', async () => {
  const { fake, deploys, deployed, deliver } = await newFollowed({ astBranchPattern: 'release/*' })
  const commit = fake.pushFork(7)
  const followed = fake.pushFork(8, { target: 'release/1' })

  await deliver(forkRequestOf(7, commit))
  await deliver(forkRequestOf(8, followed, { target_branch: 'release/1' }))

  await deployed(followed)
  expect(await deploys()).toHaveLength(1)
})

test('a host that takes no status for a fork’s commit gets the note alone', async () => {
  const { fake, deployed, deliver } = await newFollowed()
  const commit = fake.pushFork(7)
  fake.trouble = ({ path }) =>
    path.includes(`/statuses/${commit}`)
      ? json({ message: '404 References for commit Not Found' }, { status: 404 })
      : null

  await deliver(forkRequestOf(7, commit))
  await deployed(commit)

  await vi.waitFor(() => expect(fake.notesOf(7)).toHaveLength(1), { timeout: 60_000 })
})
