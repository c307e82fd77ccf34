// Audit records, through the endpoint: what they say, how they are searched, and who may read them.

import { describe, expect, test } from 'vitest'
import { administratorKey, refusal, run } from '../../../test/testkit/client.ts'
import { newHome, sast, upsert } from '../../../test/testkit/findings.ts'
import { everyScope, newPerson, newWorld } from '../../../test/testkit/world.ts'

const ACCESS = `mutation ($input: UpdatePortalUserAccessInput!) {
  updatePortalUserAccess(input: $input) { clientMutationId portalUserAccess { role company { id } portalUser { id email } } } }`
const AUDIT = `query ($companyId: ID!, $search: String, $pagination: PaginationInput) { auditRecords(companyId: $companyId, search: $search, pagination: $pagination) {
  collection { id at keyPublicId address requestId operation object before after portalUser { id } }
  metadata { totalCount endCursor } } }`

describe('audit records', () => {
  test('say who changed what, by which key and from where, newest first', async () => {
    const { companyId, owner } = await newWorld()
    const { apiKeys } = await run(owner.key, '{ apiKeys { publicId } }')
    const member = await newPerson(companyId, 'READER')
    await run(owner.key, ACCESS, { input: { companyId, id: member.id, role: 'ANALYST' } })

    const { auditRecords } = await run(owner.key, AUDIT, { companyId })

    expect(auditRecords.collection[0]).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/Z$/),
      keyPublicId: apiKeys[0].publicId,
      address: '127.0.0.1',
      requestId: expect.any(String),
      operation: 'updatePortalUserAccess',
      object: `PortalUser ${member.id}`,
      before: { role: 'READER' },
      after: { role: 'ANALYST' },
      portalUser: { id: owner.id },
    })
  })

  test('say what a statement changed that writes its own record', async () => {
    const { companyId, key, owner, assetId } = await newHome()
    const { issue } = await upsert(key, sast(assetId))

    const { auditRecords } = await run(key, AUDIT, { companyId })

    expect(auditRecords.collection[0]).toMatchObject({
      address: '127.0.0.1',
      operation: 'createOrUpdateSastFinding',
      object: expect.stringMatching(new RegExp(` ${issue.id}$`)),
      portalUser: { id: owner.id },
    })
  })

  test('name what was done, wherever it stands in its request', async () => {
    const { companyId, key, assetId } = await newHome()
    const asset = `updateAsset(input: { id: ${assetId}, companyId: ${companyId}, name: "Renamed" }) { clientMutationId }`
    const many = Array.from({ length: 6 }, (_, n) => `a${n}: ${asset}`).join(' ')
    const seal = `createSeal(input: { assetId: ${assetId} }) { clientMutationId }`

    await run(key, `mutation { ${many} ... on Mutation { ...More } } fragment More on Mutation { ${seal} }`)

    const { auditRecords } = await run(key, AUDIT, { companyId, search: 'createSeal' })
    expect(auditRecords.collection).toMatchObject([
      { operation: 'createSeal', object: expect.stringMatching(/^Seal /) },
    ])
  })

  test('are found by what was done, to what, by whom, with which key, from where and in which request', async () => {
    const { companyId, owner } = await newWorld()
    const member = await newPerson(companyId, 'READER')
    await run(owner.key, ACCESS, { input: { companyId, id: member.id, role: 'ANALYST' } })
    const [record] = (await run(owner.key, AUDIT, { companyId })).auditRecords.collection
    const found = async (search: string) =>
      (await run(owner.key, AUDIT, { companyId, search })).auditRecords.collection.map(({ id }: { id: string }) => id)

    for (const part of ['PORTALUSERACCESS', record.object, owner.email.toUpperCase(), `mrl_${record.keyPublicId}`]) {
      expect(await found(part), part).toContain(record.id)
    }
    expect(await found(record.requestId)).toEqual([record.id])
    expect(await found(record.address)).toContain(record.id)
    expect(await found('portal%access')).toEqual([])
  })

  test('of another company are not found by what they say', async () => {
    const { companyId, owner } = await newWorld()
    const stranger = (await newWorld()).owner

    const { auditRecords } = await run(owner.key, AUDIT, { companyId, search: stranger.email })

    expect(auditRecords.collection).toEqual([])
  })

  test('are for owners with the scope audit:read', async () => {
    const { companyId } = await newWorld()
    const analyst = await newPerson(companyId, 'ANALYST')
    const owner = await newPerson(companyId, 'OWNER', ['read', 'write'])

    const failures = [await refusal(analyst.key, AUDIT, { companyId }), await refusal(owner.key, AUDIT, { companyId })]

    expect(failures.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN'])
  })

  test('are walked after a cursor', async () => {
    const { companyId, owner } = await newWorld()
    for (const role of ['READER', 'ANALYST', 'READER']) {
      const member = await newPerson(companyId, role)
      expect(member.id).toBeDefined()
    }

    const first = await run(owner.key, AUDIT, { companyId, pagination: { perPage: 2 } })
    const after = first.auditRecords.metadata.endCursor
    const second = await run(owner.key, AUDIT, { companyId, pagination: { perPage: 2, after } })

    const ids = [...first.auditRecords.collection, ...second.auditRecords.collection].map(({ id }) => Number(id))
    expect(ids).toHaveLength(4)
    expect(ids).toEqual([...ids].sort((left, right) => right - left))
  })

  test('of no company, such as changes of keys, are shown to administrators alone', async () => {
    const { companyId, owner } = await newWorld()
    const member = await newPerson(companyId, 'READER')
    const document = '{ auditRecords(pagination: { perPage: 50 }) { collection { operation object after } } }'
    const held = await run(
      administratorKey(),
      'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key } }',
      { input: { name: 'Held', scopes: everyScope, companyIds: [companyId] } },
    )

    const { auditRecords } = await run(administratorKey(), document)
    const refused = [await refusal(owner.key, document), await refusal(held.createApiKey.key, document)]

    const ofMember = auditRecords.collection.filter(
      ({ after }: { after: { userId?: string } | null }) => after?.userId === member.id,
    )
    expect(ofMember).toMatchObject([{ operation: 'createApiKey', object: expect.stringMatching(/^ApiKey \d+$/) }])
    expect(JSON.stringify(auditRecords)).not.toContain(member.key)
    expect(refused.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN'])
  })
})
