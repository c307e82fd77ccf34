// Errors that clients report about themselves, through the endpoint.

import { describe, expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { newAsset, withAsset } from '../../../test/testkit/world.ts'

const LOG = 'mutation ($input: LogAstErrorInput!) { logAstError(input: $input) { success } }'
const LOGS = `query ($companyId: ID!, $assetId: ID, $pagination: PaginationInput) {
  astErrors(companyId: $companyId, assetId: $assetId, pagination: $pagination) {
    collection { id log asset { id } portalUser { email } createdAt } metadata { totalCount } } }`

describe('what a client logs when it fails', () => {
  test('is kept to its end, for members to read', async () => {
    const { companyId, owner, asset } = await withAsset()
    const log = `${'a'.repeat(100_000)}\0 the end`

    const { logAstError } = await run(owner.key, LOG, { input: { companyId, assetId: asset.id, log } })
    await run(owner.key, LOG, { input: { companyId, log: 'of no asset' } })

    const all = await run(owner.key, LOGS, { companyId })
    const own = await run(owner.key, LOGS, { companyId, assetId: asset.id })
    expect(logAstError).toEqual({ success: true })
    expect(all.astErrors.metadata.totalCount).toBe(2)
    expect(own.astErrors.collection).toMatchObject([{ asset: { id: asset.id }, portalUser: { email: owner.email } }])
    expect(own.astErrors.collection[0].log).toHaveLength(100_000)
    expect(own.astErrors.collection[0].log.endsWith('a the end')).toBe(true)
  })

  test('is kept a hundred times for each asset', async () => {
    const { companyId, owner, asset } = await withAsset()
    const other = await newAsset(owner.key, companyId)
    await run(owner.key, LOG, { input: { companyId, assetId: other.id, log: 'other' } })
    for (let made = 0; made < 103; made += 1) {
      await run(owner.key, LOG, { input: { companyId, assetId: asset.id, log: `log ${made}` } })
    }

    const own = await run(owner.key, LOGS, { companyId, assetId: asset.id, pagination: { perPage: 1000 } })
    const kept = await run(owner.key, LOGS, { companyId, assetId: other.id })

    expect(own.astErrors.collection.at(0).log).toBe('log 102')
    expect(own.astErrors.collection.at(-1).log).toBe('log 3')
    expect(kept.astErrors.metadata.totalCount).toBe(1)
  })
})
