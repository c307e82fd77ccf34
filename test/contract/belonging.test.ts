// Records of one company that do not belong together are refused as if they did not exist.

import { beforeAll, expect, test } from 'vitest'
import { ask, type Data, run } from '../testkit/client.ts'
import { newAsset, newDeploy } from '../testkit/world.ts'
import { calls, ownVariables, put } from './samples/index.ts'
import { newSubject } from './samples/subject.ts'
import type { Subject } from './samples/types.ts'

let subject: Subject
const others: Record<string, string> = {}

beforeAll(async () => {
  subject = await newSubject()
  const { companyId, owner } = subject
  const asset = await newAsset(owner.key, companyId)
  const started: Data = await run(
    owner.key,
    `mutation ($input: CreateControlSyncStatusInput!) {
      createControlSyncStatus(input: $input) { controlSyncStatus { id } } }`,
    { input: { assetId: asset.id, integration: 'PLATFORM_AST' } },
  )
  others.asset = asset.id
  others.deploy = (await newDeploy(owner.key, asset.id)).id
  others.scan = started.createControlSyncStatus.controlSyncStatus.id
})

const ofFinding = [
  'createOrUpdateSastFinding',
  'createScaFinding',
  'createSourceCodeVulnerability',
  'updateSourceCodeVulnerability',
]
const ofRunning = [
  'createNetworkVulnerability',
  'updateNetworkVulnerability',
  'createWebVulnerability',
  'updateWebVulnerability',
]

const cases = [
  ...ofFinding.map((name) => [name, 'input.deployId', 'deploy'] as const),
  ...[...ofFinding, ...ofRunning, 'changeIssueStatus'].map(
    (name) => [name, 'input.controlSyncStatusId', 'scan'] as const,
  ),
  ['increaseIssueScanCount', 'input.assetId', 'asset'] as const,
]

test.each(cases)('%s takes no %s of another asset', async (name, place, kind) => {
  const call = calls.find((known) => known.name === name)
  if (!call) throw new Error(`There is no sample of ${name}`)
  const own = await ownVariables(call, subject, { fresh: true })

  const { errors } = await ask(subject.owner.key, call.document, put(own, call, place, others[kind] ?? ''))

  expect(errors.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND'])
})
