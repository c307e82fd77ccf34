// Scanner configurations and the start of dynamic scans, through the endpoint.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Data, refusal, run, upload } from '../../../test/testkit/client.ts'
import { inside } from '../../../test/testkit/inside.ts'
import { services } from '../../../test/testkit/service.ts'
import { newPerson, type World, withAsset } from '../../../test/testkit/world.ts'

const SAVE = `mutation ($input: CreateOrUpdateScannerConfigurationInput!) { createOrUpdateScannerConfiguration(input: $input) {
  scannerConfiguration { id asset { id } targetUrl apiFormat apiSchemaSourceFile scanProfile secretIds } } }`
const DELETE = `mutation ($input: DeleteScannerConfigurationInput!) { deleteScannerConfiguration(input: $input) { id } }`
const CONFIGURATION = `query ($assetId: ID!) { scannerConfiguration(assetId: $assetId) {
  id targetUrl apiFormat apiSchemaSourceFile scanProfile secretIds createdAt updatedAt } }`
const START = `mutation ($input: StartPlatformDastInput!) { startPlatformDast(input: $input) {
  clientMutationId controlSyncStatus { id status asset { id } } scannerConfiguration { id apiFormat apiSchemaSourceFile } } }`
const RUNS = `query ($companyId: ID!) { scanHistories(companyId: $companyId, pagination: {}) { metadata { totalCount } } }`

type Fields = Record<string, unknown>

const newSecret = async ({ companyId, owner }: World): Promise<string> => {
  const input = { companyId, name: 'Login', type: 'BEARER_TOKEN', values: { token: 'abc' } }
  const created = await run(
    owner.key,
    'mutation ($input: CreateSecretInput!) { createSecret(input: $input) { secret { id } } }',
    { input },
  )
  return created.createSecret.secret.id
}

const save = async (key: string, assetId: string, fields: Fields) =>
  (await run(key, SAVE, { input: { assetId, ...fields } })).createOrUpdateScannerConfiguration.scannerConfiguration

const shown = ({ message, extensions }: Data) => [message.replace(/\d+/, '#'), extensions.code]

describe('a scanner configuration', () => {
  test('is made once for an asset, and keeps what is left out', async () => {
    const world = await withAsset()
    const { owner, asset } = world
    const secretId = await newSecret(world)

    const made = await save(owner.key, asset.id, { targetUrl: ' https://app.example.test/ ', secretIds: [secretId] })
    const changed = await save(owner.key, asset.id, { scanProfile: 'DEEP' })
    const cleared = await save(owner.key, asset.id, { targetUrl: null, secretIds: [] })

    expect(made).toEqual({
      id: made.id,
      asset: { id: asset.id },
      targetUrl: 'https://app.example.test/',
      apiFormat: null,
      apiSchemaSourceFile: null,
      scanProfile: 'BALANCED',
      secretIds: [secretId],
    })
    expect(changed).toEqual({ ...made, scanProfile: 'DEEP' })
    expect(cleared).toEqual({ ...changed, targetUrl: null, secretIds: [] })
  })

  test('keeps the file that describes the API, and lets go of the one before', async () => {
    const { companyId, owner, asset } = await withAsset()
    const send = (content: string, filename: string) =>
      upload(
        owner.key,
        SAVE,
        { input: { assetId: asset.id, apiFormat: 'OPENAPI' } },
        { 'input.apiSchemaSourceFile': { content, filename } },
      )
    const [service] = await services()
    const kept = async () =>
      (
        await service?.app.db
          .selectFrom('stored_object')
          .select('filename')
          .where('company_id', '=', companyId)
          .execute()
      )?.map(({ filename }) => filename)

    const { data } = await send('{}', 'first.json')
    await send('{ }', 'second.json')
    const after = await kept()
    await run(owner.key, DELETE, { input: { assetId: asset.id } })

    expect(data.createOrUpdateScannerConfiguration.scannerConfiguration.apiSchemaSourceFile).toBe('first.json')
    expect([after, await kept()]).toEqual([['second.json'], []])
  })

  test('is none before it is made and after it is deleted', async () => {
    const { owner, asset } = await withAsset()

    const before = await run(owner.key, CONFIGURATION, { assetId: asset.id })
    const made = await save(owner.key, asset.id, {})
    const read = await run(owner.key, CONFIGURATION, { assetId: asset.id })
    const { deleteScannerConfiguration } = await run(owner.key, DELETE, { input: { assetId: asset.id } })
    const after = await run(owner.key, CONFIGURATION, { assetId: asset.id })
    const again = await refusal(owner.key, DELETE, { input: { assetId: asset.id } })

    expect([before.scannerConfiguration, after.scannerConfiguration]).toEqual([null, null])
    expect([read.scannerConfiguration.id, deleteScannerConfiguration.id]).toEqual([made.id, made.id])
    expect(again.extensions.code).toBe('FAILED_PRECONDITION')
  })

  test.each([
    [{ targetUrl: 'ftp://example.test' }, 'input.targetUrl'],
    [{ targetUrl: 'https://me:secret@example.test' }, 'input.targetUrl'],
    [{ targetUrl: 'https://' }, 'input.targetUrl'],
    [{ targetUrl: 'javascript:alert(1)' }, 'input.targetUrl'],
    [{ targetUrl: `https://example.test/${'a'.repeat(2000)}` }, 'input.targetUrl'],
    [{ secretIds: Array.from({ length: 21 }, (_, index) => String(index + 1)) }, 'input.secretIds'],
    [{ apiSchemaSourceFile: { filename: 'a', contentType: 'text/plain', base64: '' } }, 'input.apiFormat'],
  ])('takes no %j', async (fields, argument) => {
    const { owner, asset } = await withAsset()

    const failure = await refusal(owner.key, SAVE, { input: { assetId: asset.id, ...fields } })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
    expect((await run(owner.key, CONFIGURATION, { assetId: asset.id })).scannerConfiguration).toBeNull()
  })

  test('is an analyst’s to change, because scans send secrets to the target', async () => {
    const { companyId, asset } = await withAsset()
    const developer = await newPerson(companyId, 'DEVELOPER')
    const analyst = await newPerson(companyId, 'ANALYST')
    const input = { assetId: asset.id, targetUrl: 'https://example.test' }

    const failures = await Promise.all([
      refusal(developer.key, SAVE, { input }),
      refusal(developer.key, DELETE, { input: { assetId: asset.id } }),
    ])
    const made = await save(analyst.key, asset.id, input)

    expect(failures.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN'])
    expect(made.targetUrl).toBe('https://example.test')
  })

  test('sends a secret to a new place only for who manages secrets', async () => {
    const world = await withAsset()
    const { asset, owner, companyId } = world
    const secretIds = [await newSecret(world)]
    const analyst = await newPerson(companyId, 'ANALYST', ['read', 'write'])
    const trusted = await newPerson(companyId, 'ANALYST', ['read', 'write', 'secrets:manage'])
    const refused = async (fields: Fields) =>
      (await refusal(analyst.key, SAVE, { input: { assetId: asset.id, ...fields } })).extensions.code

    const attached = await refused({ targetUrl: 'https://app.example.test', secretIds })
    await save(trusted.key, asset.id, { targetUrl: 'https://app.example.test', secretIds })
    const moved = await refused({ targetUrl: 'https://other.example.test' })
    const lowered = await refused({ targetUrl: 'http://app.example.test' })
    const seconded = await refused({ secondSecretIds: [await newSecret(world)] })
    await save(analyst.key, asset.id, { targetUrl: 'https://app.example.test/deeper', scanProfile: 'DEEP' })
    const taken = await save(analyst.key, asset.id, { targetUrl: 'https://other.example.test', secretIds: [] })
    const kept = (await run(owner.key, CONFIGURATION, { assetId: asset.id })).scannerConfiguration

    expect([attached, moved, lowered, seconded]).toEqual(Array(4).fill('FORBIDDEN'))
    expect(taken).toMatchObject({ targetUrl: 'https://other.example.test', secretIds: [] })
    expect(kept.scanProfile).toBe('DEEP')
  })

  test('of others’ assets, and with others’ secrets, answers as of missing ones', async () => {
    const [mine, theirs] = [await withAsset(), await withAsset()]
    const foreignSecret = await newSecret(theirs)
    const { key } = mine.owner
    const calls = (assetId: string, secretId: string) => [
      refusal(key, CONFIGURATION, { assetId }),
      refusal(key, SAVE, { input: { assetId } }),
      refusal(key, DELETE, { input: { assetId } }),
      refusal(key, START, { input: { assetId } }),
      refusal(key, SAVE, { input: { assetId: mine.asset.id, secretIds: [secretId] } }),
    ]

    const told = await Promise.all(calls(theirs.asset.id, foreignSecret))
    const missing = await Promise.all(calls('999999999', '999999999'))

    expect(told.map(shown)).toEqual(missing.map(shown))
    expect(new Set(told.map(({ extensions }) => extensions.code))).toEqual(new Set(['NOT_FOUND']))
  })
})

describe('startPlatformDast', () => {
  test('needs a target', async () => {
    const { owner, asset } = await withAsset()
    const without = await refusal(owner.key, START, { input: { assetId: asset.id } })
    await save(owner.key, asset.id, { scanProfile: 'BASIC' })

    const still = await refusal(owner.key, START, { input: { assetId: asset.id } })

    expect(without.extensions.code).toBe('FAILED_PRECONDITION')
    expect([still.extensions.code, still.message]).toEqual([
      'FAILED_PRECONDITION',
      expect.stringContaining('target URL'),
    ])
  })

  test('waits until the run before has ended', async () => {
    const { owner, asset } = await withAsset()
    await save(owner.key, asset.id, { targetUrl: 'https://example.test' })
    const { createControlSyncStatus } = await run(
      owner.key,
      'mutation ($input: CreateControlSyncStatusInput!) { createControlSyncStatus(input: $input) { controlSyncStatus { id } } }',
      { input: { assetId: asset.id, integration: 'PLATFORM_DAST' } },
    )

    const failure = await refusal(owner.key, START, { input: { assetId: asset.id } })

    expect(failure).toMatchObject({
      message: `Run ${createControlSyncStatus.controlSyncStatus.id} of this asset has not finished yet`,
      extensions: { code: 'FAILED_PRECONDITION' },
    })
  })

  test('records a run that waits for its worker, with its job in the same transaction', async () => {
    const { companyId, owner, asset } = await withAsset()
    await save(owner.key, asset.id, { targetUrl: 'https://example.test' })

    const { startPlatformDast } = await run(owner.key, START, { input: { assetId: asset.id } })

    const { scanHistories } = await run(owner.key, RUNS, { companyId })
    expect(startPlatformDast).toMatchObject({
      controlSyncStatus: { status: 'PENDING', asset: { id: asset.id } },
      scannerConfiguration: { apiFormat: null },
    })
    expect(scanHistories.metadata.totalCount).toBe(1)
    const { db } = await inside()
    const { rows } = await sql<{ jobs: number }>`
      select count(*)::int as jobs from graphile_worker._private_jobs
      where payload::jsonb = ${JSON.stringify({ companyId, scanId: startPlatformDast.controlSyncStatus.id })}::jsonb`.execute(
      db,
    )
    expect(rows).toEqual([{ jobs: 1 }])
  })

  test.each([
    'https://127.0.0.1/openapi.json',
    'https://10.1.2.3/',
    'https://[::ffff:192.168.0.1]/',
    'https://0x7f.1/',
    'http://169.254.169.254/latest/',
    'https://[fe80::1]/',
  ])('refuses the description at %s, which the service may not call', async (apiSchemaUrl) => {
    const { owner, asset } = await withAsset()
    const save = `mutation ($input: CreateOrUpdateScannerConfigurationInput!) { createOrUpdateScannerConfiguration(input: $input) {
      scannerConfiguration { apiSchemaUrl } } }`

    const { extensions } = await refusal(owner.key, save, { input: { assetId: asset.id, apiSchemaUrl } })

    expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.apiSchemaUrl' })
  })

  test('keeps bounds and a schedule, and says of each that is none what it should be', async () => {
    const { owner, asset } = await withAsset()
    const bounds = `mutation ($input: CreateOrUpdateScannerConfigurationInput!) { createOrUpdateScannerConfiguration(input: $input) {
      scannerConfiguration { includePaths excludePaths requestsPerSecond maxRequests maxMinutes schedule apiSchemaUrl } } }`
    const asked = {
      includePaths: ['/api/**'],
      excludePaths: ['/api/admin/**'],
      requestsPerSecond: 5,
      maxRequests: 1000,
      maxMinutes: 10,
      schedule: '0  3 * * 1',
      apiSchemaUrl: 'https://example.test/openapi.json',
    }

    const kept = await run(owner.key, bounds, { input: { assetId: asset.id, ...asked } })
    const wrong = await Promise.all(
      [{ includePaths: ['api'] }, { requestsPerSecond: 0 }, { maxMinutes: 100_000 }, { schedule: 'at noon' }].map(
        (one) => refusal(owner.key, bounds, { input: { assetId: asset.id, ...one } }),
      ),
    )

    expect(kept.createOrUpdateScannerConfiguration.scannerConfiguration).toEqual({ ...asked, schedule: '0 3 * * 1' })
    expect(wrong.map(({ extensions }) => [extensions.code, extensions.argument])).toEqual([
      ['BAD_USER_INPUT', 'input.includePaths'],
      ['BAD_USER_INPUT', 'input.requestsPerSecond'],
      ['BAD_USER_INPUT', 'input.maxMinutes'],
      ['BAD_USER_INPUT', 'input.schedule'],
    ])
  })
})
