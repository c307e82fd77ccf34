// Pull requests from forks at HostA: judged by the diff that our own repository gives, on no branch of ours, and told there.

import { beforeAll, expect, test, vi } from 'vitest'
import { askAt } from '../../../test/testkit/asking.ts'
import { startBitbucket } from '../../../test/testkit/bitbucket-host.ts'
import { ASSOCIATE, deliverTo, deploysOf } from '../../../test/testkit/followed.ts'
import { HOST_A, saved } from '../../../test/testkit/integrations.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'
import { newCommit } from '../../../test/testkit/source-host.ts'
import { newAsset, newWorld } from '../../../test/testkit/world.ts'
import { FOLLOW_TASK, LOOK_TASK, REPORT_TASK } from './jobs-of.ts'

let service: Service

beforeAll(async () => {
  service = await startService({ MERLON_PUBLIC_URL: 'https://merlon.example.test' })
  await service.app.startWorker([FOLLOW_TASK, LOOK_TASK, REPORT_TASK, 'judge-deploy', 'review-deploy'])
  return () => service.app.stop()
})

/** An asset whose branch main is deployed as far as the host has it. */
const newFollowed = async () => {
  const { companyId, owner } = await newWorld()
  const host = await startBitbucket()
  const { id: assetId } = await newAsset(owner.key, companyId)
  const credential = { accessToken: `token-${host.commit}`, astScansEnabled: true, astBranchPattern: 'main' }
  const { id: integrationId } = await saved(owner.key, HOST_A, { companyId, ...credential })
  await askAt(service.url, owner.key, ASSOCIATE, {
    input: { assetId, integrationId, externalProjectId: host.projectId },
  })
  const { deploys, deployed } = deploysOf(owner.key, assetId)
  const deliver = (id: number, event: 'created' | 'updated') => deliverTo(service.url, host.forkDelivery(id, event))
  await deliverTo(service.url, host.delivery())
  await deployed(host.commit)
  return { ...host, deploys, deployed, deliver }
}

test('a pull request from a fork is judged from where its target stands, and gets a comment at our own repository', async () => {
  const { forks, commit: base, deployed, deliver } = await newFollowed()
  const commit = forks.push(8, { base })

  const status = await deliver(8, 'created')
  const deploy = await deployed(commit)
  await vi.waitFor(() => expect(forks.comments).toHaveLength(1), { timeout: 60_000 })

  expect(status).toBe(200)
  expect(deploy).toMatchObject({
    branchName: 'pull-request:8',
    previousCommit: base,
    lineage: 'BRANCHES',
    diffState: 'PARSED',
    files: 1,
  })
  expect(forks.asked).toContain('GET diff, topic false')
  expect(forks.comments).toEqual([
    { type: 'pullrequest_comment', content: { raw: expect.stringContaining('**Merlon: Passed**') } },
  ])
})

test('new commits of a fork are compared with the target again, and carry nothing through lines that nobody knows', async () => {
  const { forks, commit: base, deployed, deliver, deploys } = await newFollowed()
  const one = forks.push(8, { base })
  await deliver(8, 'created')
  await deployed(one)

  const other = forks.push(8, { base })
  await deliver(8, 'updated')
  const again = await deployed(other)
  const further = newCommit()
  const last = forks.push(8, { base: further })
  await deliver(8, 'updated')
  const moved = await deployed(last)

  expect(again).toMatchObject({ branchName: 'pull-request:8', previousCommit: base.slice(0, 12), lineage: 'FORKS' })
  expect(moved).toMatchObject({ branchName: 'pull-request:8', previousCommit: further.slice(0, 12), lineage: 'GAP' })
  expect((await deploys()).filter(({ branchName }) => branchName === 'main')).toHaveLength(1)
})

test('a pull request from a fork that is closed, or into a branch that is not followed, is left alone', async () => {
  const { forks, commit: base, deploys, deployed, deliver } = await newFollowed()
  forks.push(8, { base, state: 'DECLINED' })
  forks.push(9, { base, target: 'develop' })
  const real = forks.push(10, { base })

  await deliver(8, 'updated')
  await deliver(9, 'created')
  await deliver(10, 'created')
  await deployed(real)

  await expect.poll(() => forks.asked).toContain('GET pullrequests/8')
  expect(forks.asked.filter((asked) => asked.includes('/9'))).toEqual([])
  expect(await deploys()).toHaveLength(2)
})
