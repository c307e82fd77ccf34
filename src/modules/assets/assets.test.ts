// Assets, through the endpoint.

import { describe, expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { newAsset, newWorld } from '../../../test/testkit/world.ts'

describe('assets', () => {
  test('an asset that was made is in the list of its company', async () => {
    const { companyId, owner } = await newWorld()
    const made = await newAsset(owner.key, companyId)

    const { assets } = await run(
      owner.key,
      'query ($companyId: ID!) { assets(companyId: $companyId) { collection { id name tags { name } company { id } } metadata { totalCount } } }',
      { companyId },
    )

    expect(assets.collection).toEqual([{ ...made, tags: [], company: { id: companyId } }])
  })
})
