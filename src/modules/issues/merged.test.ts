// What is said of an id that was merged into another issue, by operations that change one.

import { expect, test } from 'vitest'
import { refusal, run } from '../../../test/testkit/client.ts'
import { newIssue, newWorld, withAsset } from '../../../test/testkit/world.ts'

const MERGE = 'mutation ($input: MergeIssuesInput!) { mergeIssues(input: $input) { issue { id } } }'
const CHANGE = 'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }'

test('an id that was merged is refused with the one that stays, and to who does not see it as one that is missing', async () => {
  const { owner, asset, companyId } = await withAsset()
  const stranger = await newWorld()
  const { id: stays } = await newIssue(owner.key, asset.id)
  const { id: merged } = await newIssue(owner.key, asset.id)
  await run(owner.key, MERGE, { input: { companyId, issueId: stays, mergeIds: [merged], reason: 'The same' } })
  const input = { id: merged, status: 'IN_PROGRESS' }

  const own = await refusal(owner.key, CHANGE, { input })
  const foreign = await refusal(stranger.owner.key, CHANGE, { input })

  expect([own.extensions.code, own.message]).toEqual([
    'NOT_FOUND',
    `The issue ${merged} was merged into issue ${stays}`,
  ])
  expect([foreign.extensions.code, foreign.message]).toEqual(['NOT_FOUND', `The issue ${merged} was not found`])
})
