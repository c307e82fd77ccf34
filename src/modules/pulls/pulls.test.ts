// Pulls from scanners, through the endpoint and the real job, with only the scanner faked.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Data, refusal, run } from '../../../test/testkit/client.ts'
import { inside } from '../../../test/testkit/inside.ts'
import {
  hostFinding,
  issue,
  newSnykHome,
  newTenableHome,
  pulled,
  type ScannerHome,
  SNYK,
  SYNC,
  scanOf,
  snykAnswers,
  snykHas,
  sync,
  TENABLE,
  tenableHas,
  work,
} from '../../../test/testkit/scanners.ts'
import { cutInTheMiddle, gigabyte, webPage } from '../../../test/testkit/vendor-answers.ts'
import { fakeVendor } from '../../../test/testkit/vendor-fake.ts'
import { newAsset, newPerson } from '../../../test/testkit/world.ts'
import { pullDue } from './service.ts'

const ISSUES = `query ($companyId: ID!, $assetIds: [ID!]) { issues(companyId: $companyId, pagination: { perPage: 100 },
  filters: { assetIds: $assetIds }) { collection { title status severity } } }`
const IMPORTS = `query ($companyId: ID!) { imports(companyId: $companyId) { collection { status format fileName
  failure { message } result { read closed leftOut } } } }`

const statuses = async ({ key, companyId, assetId }: ScannerHome): Promise<Record<string, string>> => {
  const { issues } = await run(key, ISSUES, { companyId, assetIds: [assetId] })
  return Object.fromEntries(issues.collection.map(({ title, status }: Data) => [title, status]))
}

describe('a pull', () => {
  test('brings what the scanner has into the asset, and the run says how much that was', async () => {
    const home = await newSnykHome()
    await fakeVendor(SNYK, snykHas([issue('A'), issue('B'), issue('L', { type: 'license' })]))

    const [waiting] = await sync(home)
    await work(home)

    expect(waiting).toMatchObject({ status: 'PENDING', integration: 'SCANNER_B', asset: { id: home.assetId } })
    expect(await scanOf(home, waiting.id)).toMatchObject({
      status: 'SUCCEEDED',
      externalVulnerabilityCount: 2,
      successCount: 2,
      failureCount: 0,
      failureReason: null,
      createdVulnerabilityCount: 2,
      importedVulnerabilityCount: 2,
    })
    expect(await statuses(home)).toEqual({ 'Flaw A in package-A': 'CREATED', 'Flaw B in package-B': 'CREATED' })
    const { imports } = await run(home.key, IMPORTS, home)
    expect(imports.collection).toMatchObject([
      { status: 'SUCCEEDED', format: 'scanner-b', fileName: 'ScannerB: Shop', result: { read: 3, leftOut: 1 } },
    ])
  })

  test('of everything closes what the scanner no longer has, and finds the rest again', async () => {
    const home = await newTenableHome()
    await fakeVendor(TENABLE, [
      ...tenableHas([[hostFinding('1'), hostFinding('2')], [hostFinding('3')]]),
      ...tenableHas([[hostFinding('1')], [hostFinding('3', { severity_id: 4 })]]),
    ])

    const first = await pulled(home)
    const second = await pulled(home)

    expect([first.createdVulnerabilityCount, second.createdVulnerabilityCount]).toEqual([3, 0])
    expect(second).toMatchObject({ status: 'SUCCEEDED', closedVulnerabilityCount: 1, successCount: 2 })
    expect(await statuses(home)).toMatchObject({ 'Plugin 1': 'CREATED', 'Plugin 2': 'FIX_ACCEPTED' })
  })

  test('of what changed asks from the last one on, closes what was fixed there and nothing else', async () => {
    const home = await newSnykHome()
    await fakeVendor(SNYK, snykHas([issue('A'), issue('B')]))
    await pulled(home)
    const fake = await fakeVendor(SNYK, snykHas([issue('B', { status: 'resolved' }), issue('C')]))

    const scan = await pulled(home, { isWhole: false })

    expect(fake.seen.at(-1)?.query).toMatchObject({
      status: 'open,resolved',
      updated_after: expect.stringMatching(/Z$/),
    })
    expect(scan).toMatchObject({ status: 'SUCCEEDED', closedVulnerabilityCount: 1 })
    expect(await statuses(home)).toEqual({
      'Flaw A in package-A': 'CREATED',
      'Flaw B in package-B': 'FIX_ACCEPTED',
      'Flaw C in package-C': 'CREATED',
    })
  })

  test('that is not all takes in what there is, closes nothing, and says why it failed', async () => {
    const home = await newTenableHome()
    await fakeVendor(TENABLE, [
      ...tenableHas([[hostFinding('1'), hostFinding('2')]]),
      ...tenableHas([[hostFinding('1'), hostFinding('4')]], { chunks_failed: [2] }),
    ])
    await pulled(home)

    const scan = await pulled(home)

    expect(scan).toMatchObject({ status: 'FAILED', failureReason: 'ScannerA could not make 1 parts of its export' })
    expect(await statuses(home)).toEqual({ 'Plugin 1': 'CREATED', 'Plugin 2': 'CREATED', 'Plugin 4': 'CREATED' })
  })

  test('that has findings which cannot be read takes the others in, closes nothing, and says why', async () => {
    const home = await newTenableHome()
    const nameless = hostFinding('3', { plugin: {} })
    await fakeVendor(TENABLE, [
      ...tenableHas([[hostFinding('1'), hostFinding('2')]]),
      ...tenableHas([[hostFinding('1'), nameless]]),
    ])
    await pulled(home)

    const scan = await pulled(home)

    expect(scan).toMatchObject({
      status: 'SUCCEEDED',
      externalVulnerabilityCount: 2,
      successCount: 1,
      failureCount: 1,
      failureReason: 'chunk 1, record 2: It names no plugin',
    })
    expect(await statuses(home)).toEqual({ 'Plugin 1': 'CREATED', 'Plugin 2': 'CREATED' })
  })

  test('that would close a large share is refused until that is confirmed', async () => {
    const home = await newTenableHome()
    const many = Array.from({ length: 12 }, (_, index) => hostFinding(String(index)))
    await fakeVendor(TENABLE, [...tenableHas([many]), ...tenableHas([[]]), ...tenableHas([[]])])
    await pulled(home)

    const refused = await pulled(home)
    const confirmed = await pulled(home, { confirmClose: true })

    expect([refused.status, refused.closedVulnerabilityCount]).toEqual(['FAILED', 0])
    expect(refused.failureReason).toContain('would close 12 of 12 open findings')
    expect([confirmed.status, confirmed.closedVulnerabilityCount]).toEqual(['SUCCEEDED', 12])
  })

  test.each([
    ['a page', webPage(), 1, /it is a web page, not data/],
    ['1 GB', gigabyte(), 1, /returned a response that is too large/],
    ['a refusal of the credential', { status: 401, json: {} }, 1, /does not accept the credential/],
    ['half an answer', cutInTheMiddle(), 5, /cannot be reached/],
  ])('that meets %s ends as FAILED with a sentence, and nothing goes in', async (_, answer, times, sentence) => {
    const home = await newSnykHome()
    const steps = snykAnswers(answer)
    await fakeVendor(
      SNYK,
      steps.map((step, index) => (index === 1 ? { ...step, times } : step)),
    )
    const [scan] = await sync(home)
    const { db } = await inside()
    await sql`update scanner_pull set attempts = 4 where company_id = ${home.companyId}`.execute(db)

    await work(home)

    expect(await scanOf(home, scan.id)).toMatchObject({
      status: 'FAILED',
      failureReason: expect.stringMatching(sentence),
    })
    expect(await statuses(home)).toEqual({})
    const { imports } = await run(home.key, IMPORTS, home)
    expect(imports.collection).toMatchObject([
      { status: 'FAILED', failure: { message: expect.stringMatching(sentence) } },
    ])
  })

  test('that fails for the moment is begun anew under the same run', async () => {
    const home = await newTenableHome()
    await fakeVendor(TENABLE, [
      ...tenableHas([[hostFinding('1')]], { status: 'ERROR', chunks_available: [] }).slice(0, 3),
      ...tenableHas([[hostFinding('1')]]),
    ])
    const [scan] = await sync(home)

    await expect(work(home)).rejects.toThrow('its export ended as ERROR')
    const between = await scanOf(home, scan.id)
    await work(home)

    expect([between.status, between.failureReason]).toEqual(['RUNNING', null])
    expect((await scanOf(home, scan.id)).status).toBe('SUCCEEDED')
  })

  test('that was canceled meanwhile asks nothing', async () => {
    const home = await newSnykHome()
    await fakeVendor(SNYK, [])
    const [scan] = await sync(home)
    await run(home.key, 'mutation ($id: ID!) { cancelScan(input: { id: $id }) { success } }', scan)

    await work(home)

    expect((await scanOf(home, scan.id)).status).toBe('CANCELED')
    expect((await sync(home))[0].id).not.toBe(scan.id)
  })

  test('of what is no longer associated ends as FAILED', async () => {
    const home = await newSnykHome()
    await fakeVendor(SNYK, [])
    const [scan] = await sync(home)
    const { db } = await inside()
    await sql`delete from external_project where company_id = ${home.companyId}`.execute(db)

    await work(home, scan.id)

    expect(await scanOf(home, scan.id)).toMatchObject({
      status: 'FAILED',
      failureReason: 'The asset is no longer linked to this project of the scanner',
    })
  })

  test('that was begun too often ends as FAILED without asking', async () => {
    const home = await newSnykHome()
    await fakeVendor(SNYK, [])
    const [scan] = await sync(home)
    const { db } = await inside()
    await sql`update scanner_pull set attempts = 5 where company_id = ${home.companyId}`.execute(db)

    await work(home)

    expect(await scanOf(home, scan.id)).toMatchObject({
      status: 'FAILED',
      failureReason: 'The pull was started 5 times and did not finish',
    })
  })

  test('that waits or is under way is the one that is asked for again', async () => {
    const home = await newSnykHome()

    const [first] = await sync(home)
    const [again] = await sync(home)

    expect(again.id).toBe(first.id)
  })

  test('that waits pulls everything if that is asked for meanwhile', async () => {
    const home = await newSnykHome()
    await fakeVendor(SNYK, snykHas([issue('A'), issue('B')]))
    await pulled(home)
    await fakeVendor(SNYK, snykHas([issue('A')]))

    const [ofChanges] = await sync(home, { isWhole: false })
    const scan = await pulled(home, { isWhole: true })

    expect(scan).toMatchObject({ id: ofChanges.id, status: 'SUCCEEDED', closedVulnerabilityCount: 1 })
    expect(await statuses(home)).toEqual({ 'Flaw A in package-A': 'CREATED', 'Flaw B in package-B': 'FIX_ACCEPTED' })
  })

  test('asks nothing of a project whose id cannot be one', async () => {
    const { key, assetId, integrationId } = await newSnykHome()

    const failure = await refusal(
      key,
      `mutation ($input: AssociateProjectInput!) { associateProject(input: $input) { associatedProject { id } } }`,
      { input: { assetId, integrationId, externalProjectId: '../self' } },
    )

    expect([failure.extensions.code, failure.message]).toEqual([
      'BAD_USER_INPUT',
      'An id of ScannerB is the id of the organisation, a slash and the id of the project',
    ])
  })

  test('is refused by syncAsset for an asset that is no project of a scanner, and to a reader', async () => {
    const home = await newSnykHome()
    const other = await newAsset(home.key, home.companyId)
    const reader = await newPerson(home.companyId, 'READER')

    const none = await refusal(home.key, SYNC, { input: { assetId: other.id } })
    const forbidden = await refusal(reader.key, SYNC, { input: { assetId: home.assetId } })

    expect([none.extensions.code, forbidden.extensions.code]).toEqual(['FAILED_PRECONDITION', 'FORBIDDEN'])
  })
})

test('regular pulls ask for everything first and then for what changed, and not while one is under way', async () => {
  const home = await newSnykHome()
  const { db } = await inside()
  const wanted = async () => {
    const { rows } = await sql<{ scanId: string | null; isWhole: boolean }>`
      select scan_id as "scanId", is_whole as "isWhole" from scanner_pull where company_id = ${home.companyId}`.execute(
      db,
    )
    return rows[0]
  }

  await pullDue(db, home.companyId)
  const first = await wanted()
  await pullDue(db, home.companyId)
  const again = await wanted()
  await fakeVendor(SNYK, [...snykHas([issue('A')])])
  await work(home)
  await pullDue(db, home.companyId)
  const next = await wanted()

  expect([first?.isWhole, again?.scanId, next?.isWhole]).toEqual([true, first?.scanId, false])
  expect(next?.scanId).not.toBe(first?.scanId)
})
