// Seals, through the endpoint and at their public addresses.

import { createPublicKey, verify } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Data, refusal, run } from '../../../test/testkit/client.ts'
import { inside, waitingStatements } from '../../../test/testkit/inside.ts'
import { badge, CREATE, DELETE, newSeal, verification } from '../../../test/testkit/seals.ts'
import { countSettled, services } from '../../../test/testkit/service.ts'
import { newAsset, newPerson, newWorld, type World } from '../../../test/testkit/world.ts'

const UPDATE = `mutation ($input: UpdateSealInput!) { updateSeal(input: $input) {
  clientMutationId seal { id assetId background domain enabled expiresAt } } }`
const SEAL = `query ($id: ID!) { seal(id: $id) { id assetId asset { id name } background domain enabled publicId svgUrl verifyUrl
  issuedAt expiresAt state grade posture statement signature } }`
const SEALS = `query ($companyId: ID!, $pagination: PaginationInput, $assetId: ID) {
  seals(companyId: $companyId, pagination: $pagination, assetId: $assetId) {
    collection { id assetId asset { name } background state grade posture statement signature }
    metadata { totalCount totalPages currentPage limitValue } } }`

const addFinding = async (companyId: string, assetId: string, severity: string, status = 'IDENTIFIED') => {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  await sql`
    insert into issue (company_id, asset_id, type, rule, title, severity, status, birth_key)
    values (${companyId}, ${assetId}, 'SAST_FINDING', 'rule', 'A finding', ${severity}::severity_category,
            ${status}::issue_status, sha256(gen_random_uuid()::text::bytea))`.execute(service.app.db)
}

describe('seals', () => {
  test('a seal comes back as it was made, under an address of its own', async () => {
    const world = await newWorld()
    const expiresAt = '2099-01-01T00:00:00Z'

    const made = await newSeal(world, { background: 'DARK', domain: 'Shop.Example.com', expiresAt })

    const { seal } = await run(world.owner.key, SEAL, { id: made.id })
    expect(made.publicId).toMatch(/^[0-9A-Za-z]{22}$/)
    expect(seal).toMatchObject({
      id: made.id,
      assetId: made.assetId,
      asset: { id: made.assetId },
      background: 'DARK',
      domain: 'shop.example.com',
      enabled: true,
      svgUrl: `/seals/${made.publicId}.svg`,
      verifyUrl: `/seals/${made.publicId}`,
      expiresAt,
      state: 'ACTIVE',
      grade: 'A',
      posture: 'No open findings',
    })
  })

  test('an update changes what it names, and takes away what is null', async () => {
    const world = await newWorld()
    const { id, assetId } = await newSeal(world, { domain: 'example.com', expiresAt: '2099-01-01' })

    const { updateSeal } = await run(world.owner.key, UPDATE, {
      input: { id, background: 'TRANSPARENT', domain: null, clientMutationId: 'mine' },
    })

    expect(updateSeal).toEqual({
      clientMutationId: 'mine',
      seal: {
        id,
        assetId,
        background: 'TRANSPARENT',
        domain: null,
        enabled: true,
        expiresAt: '2099-01-01T00:00:00Z',
      },
    })
  })

  test.each([
    [['NOTIFICATION'], 'A', 'No open findings'],
    [['LOW', 'NOTIFICATION'], 'B', 'No open findings above low'],
    [['MEDIUM', 'LOW'], 'C', 'No open critical or high findings'],
    [['HIGH', 'MEDIUM'], 'D', 'No open critical findings'],
    [['CRITICAL', 'LOW'], 'E', 'Open critical findings'],
  ])('an asset with open findings of %s is graded %s', async (severities, grade, posture) => {
    const world = await newWorld()
    const seal = await newSeal(world)
    for (const severity of severities) await addFinding(world.companyId, seal.assetId, severity)

    const said = await verification(seal)
    const svg = await badge(seal)

    expect(said).toMatchObject({ state: 'ACTIVE', grade, posture })
    expect(svg).toContain(`>${grade}</text>`)
  })

  test('findings that are drafts or dealt with do not count', async () => {
    const world = await newWorld()
    const seal = await newSeal(world)
    for (const status of ['DRAFT', 'FIX_ACCEPTED', 'RISK_ACCEPTED', 'FALSE_POSITIVE', 'SUPPRESSED']) {
      await addFinding(world.companyId, seal.assetId, 'CRITICAL', status)
    }

    const said = await verification(seal)

    expect(said.grade).toBe('A')
  })

  test('the signature of the endpoint is that of the published key', async () => {
    const world = await newWorld()
    const made = await newSeal(world)

    const { seal } = await run(world.owner.key, SEAL, { id: made.id })

    const { publicKey } = await verification(made)
    const signature = Buffer.from(seal.signature, 'hex')
    expect(verify(null, Buffer.from(seal.statement), createPublicKey(publicKey), signature)).toBe(true)
    expect(JSON.parse(seal.statement)).toMatchObject({ version: 1, seal: made.publicId, state: 'ACTIVE', grade: 'A' })
  })

  test('a disabled seal is grey, says nothing of the asset, and says so', async () => {
    const world = await newWorld()
    const seal = await newSeal(world)
    await addFinding(world.companyId, seal.assetId, 'CRITICAL')
    await run(world.owner.key, UPDATE, { input: { id: seal.id, enabled: false } })

    const said = await verification(seal)
    const svg = await badge(seal)

    expect(said).toMatchObject({ state: 'DISABLED', grade: null, posture: 'The seal is disabled' })
    expect(svg).toContain('fill="#6d777c"')
    expect(svg).not.toContain('critical')
  })

  test('a seal past its expiry is grey and expired', async () => {
    const seal = await newSeal(await newWorld(), { expiresAt: '2099-01-01T00:00:00Z' })
    const { db } = await inside()
    await sql`update seal set expires_at = now() where public_id = ${seal.publicId}`.execute(db)

    const said = await verification(seal)
    const svg = await badge(seal)

    expect(said).toMatchObject({ state: 'EXPIRED', grade: null })
    expect(svg).toContain('fill="#6d777c"')
  })

  test.each([
    ['an address for a domain', { domain: 'https://example.com' }, 'input.domain'],
    ['a wildcard for a domain', { domain: '*.example.com' }, 'input.domain'],
    ['an expiry that has passed', { expiresAt: '2001-01-01' }, 'input.expiresAt'],
  ])('%s is refused', async (_, fields, argument) => {
    const world = await newWorld()
    const { id, assetId } = await newSeal(world)

    const created = await refusal(world.owner.key, CREATE, { input: { assetId, ...fields } })
    const updated = await refusal(world.owner.key, UPDATE, { input: { id, ...fields } })

    expect(created.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
    expect(updated.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
  })

  test('seals, assets and companies of others answer as missing ones do', async () => {
    const [mine, theirs] = [await newWorld(), await newWorld()]
    const foreign = await newSeal(theirs)
    const { companyId, owner } = mine
    const calls = (id: string, assetId: string) => [
      refusal(owner.key, SEAL, { id }),
      refusal(owner.key, UPDATE, { input: { id, enabled: false } }),
      refusal(owner.key, DELETE, { input: { id } }),
      refusal(owner.key, CREATE, { input: { assetId } }),
      refusal(owner.key, SEALS, { companyId, assetId }),
    ]

    const told = await Promise.all(calls(foreign.id, foreign.assetId))
    const missing = await Promise.all(calls('999999999', '999999999'))
    const company = await refusal(owner.key, SEALS, { companyId: theirs.companyId })

    const shown = (failures: Data[]) =>
      failures.map(({ message, extensions }) => [message.replace(/\d+/, '#'), extensions.code])
    expect(shown(told)).toEqual(shown(missing))
    expect(company.extensions.code).toBe('NOT_FOUND')
  })

  test('a developer makes, changes and deletes no seal, and changes are audited', async () => {
    const world = await newWorld()
    const { companyId, owner } = world
    const { id, assetId } = await newSeal(world)
    const developer = await newPerson(companyId, 'DEVELOPER')
    await run(owner.key, DELETE, { input: { id: (await newSeal(world)).id } })

    const failures = await Promise.all([
      refusal(developer.key, CREATE, { input: { assetId } }),
      refusal(developer.key, UPDATE, { input: { id, enabled: false } }),
      refusal(developer.key, DELETE, { input: { id } }),
    ])

    const { auditRecords } = await run(
      owner.key,
      'query ($companyId: ID!) { auditRecords(companyId: $companyId) { collection { operation } } }',
      { companyId },
    )
    expect(failures.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'])
    expect(auditRecords.collection[0]).toEqual({ operation: 'deleteSeal' })
  })

  test('a seal of an asset that is deleted meanwhile is a conflict', async () => {
    const { companyId, owner } = await newWorld()
    const { id: assetId } = await newAsset(owner.key, companyId)
    const [service] = await services()

    const making = await service?.app.db.transaction().execute(async (trx) => {
      await sql`delete from asset where company_id = ${companyId} and id = ${assetId}`.execute(trx)
      const asked = refusal(owner.key, CREATE, { input: { assetId } })
      await expect.poll(() => waitingStatements('%seal%')).toBe(1)
      return { asked }
    })
    const failure = await making?.asked

    expect(failure?.extensions).toMatchObject({ code: 'CONFLICT', retryable: true })
  })

  test('a page takes as many statements with one seal as with twenty', async () => {
    const [small, large] = [await newWorld(), await newWorld()]
    await newSeal(small)
    for (let made = 0; made < 20; made += 1) await newSeal(large)
    const page = ({ companyId, owner }: World) => run(owner.key, SEALS, { companyId, pagination: { perPage: 50 } })
    const [one, twenty] = [await countSettled(() => page(small)), await countSettled(() => page(large))]

    expect(twenty).toBe(one)
  })
})
