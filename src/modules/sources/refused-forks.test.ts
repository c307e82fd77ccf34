// Pull requests from forks at a host that describes no way to compare them: refused with the reason, and judged by no guess.

import { beforeAll, expect, test } from 'vitest'
import { askAt } from '../../../test/testkit/asking.ts'
import { startBitbucket } from '../../../test/testkit/bitbucket-host.ts'
import { run } from '../../../test/testkit/client.ts'
import { deliverTo } from '../../../test/testkit/followed.ts'
import { HOST_A, saved } from '../../../test/testkit/integrations.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'
import { newAsset, newWorld } from '../../../test/testkit/world.ts'

const ASSOCIATE =
  'mutation ($input: AssociateProjectInput!) { associateProject(input: $input) { associatedProject { id } } }'
const LOOK = `query ($companyId: ID!, $assetId: ID!) {
  associatedProjects(companyId: $companyId, assetId: $assetId) { collection { failure } }
  deploysByAsset(assetId: $assetId) { metadata { totalCount } } }`

let service: Service

beforeAll(async () => {
  service = await startService({ MERLON_PUBLIC_URL: 'https://merlon.example.test' })
  return () => service.app.stop(0)
})

test('a pull request from a fork of HostA is not judged, and why can be read where its branch is followed', async () => {
  const { companyId, owner } = await newWorld()
  const host = await startBitbucket()
  const { id: assetId } = await newAsset(owner.key, companyId)
  const credential = { accessToken: `token-${host.commit}`, astScansEnabled: true, astBranchPattern: 'main' }
  const { id: integrationId } = await saved(owner.key, HOST_A, { companyId, ...credential })
  const input = { assetId, integrationId, externalProjectId: host.projectId }
  await askAt(service.url, owner.key, ASSOCIATE, { input })
  const look = () => run(owner.key, LOOK, { companyId, assetId })

  const elsewhere = await deliverTo(service.url, host.forkDelivery('develop'))
  const before = await look()
  const status = await deliverTo(service.url, host.forkDelivery('main'))
  const after = await look()

  expect([elsewhere, status]).toEqual([200, 200])
  expect(before.associatedProjects.collection).toEqual([{ failure: null }])
  expect(after.associatedProjects.collection).toEqual([
    { failure: expect.stringContaining('Pull request 8 comes from a fork and is not judged') },
  ])
  expect(after.deploysByAsset.metadata.totalCount).toBe(0)
})
