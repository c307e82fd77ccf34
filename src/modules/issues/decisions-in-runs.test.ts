// Whose word a decision is that a call makes while it names a run of a scanner, through the endpoint.

import { expect, test } from 'vitest'
import { run, type Variables } from '../../../test/testkit/client.ts'
import { newAsset, newIssue, newWorld } from '../../../test/testkit/world.ts'

const CHANGE = 'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }'
const STATUS = 'query ($id: ID!) { issue(id: $id) { decidedBy { id } history { kind status } } }'
const NEW_RUN = `mutation ($input: CreateControlSyncStatusInput!) {
  createControlSyncStatus(input: $input) { controlSyncStatus { id } } }`

const change = (key: string, input: Variables) => run(key, CHANGE, { input })

test("a decision stays a person's word when a call names a run of a scanner, also when it is taken back", async () => {
  const { companyId, owner } = await newWorld()
  const { key } = owner
  const asset = await newAsset(key, companyId)
  const { id } = await newIssue(key, asset.id)
  const input = { assetId: asset.id, integration: 'PLATFORM_AST' }
  const made = await run(key, NEW_RUN, { input })
  const controlSyncStatusId = made.createControlSyncStatus.controlSyncStatus.id

  await change(key, { id, status: 'FALSE_POSITIVE', reason: 'A constant', controlSyncStatusId })
  await change(key, { id, status: 'IDENTIFIED', controlSyncStatusId })
  const { issue: taken } = await run(key, STATUS, { id })
  await change(key, { id, status: 'FIX_ACCEPTED', controlSyncStatusId })
  const { issue: fixed } = await run(key, STATUS, { id })

  const kinds = fixed.history.slice(0, 3).map(({ kind, status }: { kind: string; status: string }) => [kind, status])
  expect(kinds).toEqual([
    ['SCAN', 'FIX_ACCEPTED'],
    ['PERSON', 'IDENTIFIED'],
    ['PERSON', 'FALSE_POSITIVE'],
  ])
  expect([taken.decidedBy, fixed.decidedBy]).toEqual([{ id: owner.id }, null])
})
