// Dynamic scans from the endpoint through the real process to a small target: what they find, how they end, and who may scan what.

import { readFile } from 'node:fs/promises'
import { kill } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { administratorKey, type Data, refusal, run, runAt, upload } from '../../../test/testkit/client.ts'
import {
  echo,
  findings,
  type Home,
  listening,
  newTarget,
  SAVE,
  SCAN,
  scanned,
  started,
  work,
} from '../../../test/testkit/dynamic-scans.ts'
import { until } from '../../../test/testkit/events.ts'
import { inside, waitingStatements } from '../../../test/testkit/inside.ts'
import { startService } from '../../../test/testkit/service.ts'
import { transaction } from '../../core/db/open.ts'
import { openOutbound } from '../../core/outbound.ts'
import { nothingAllowed, readAllowed } from '../../core/outbound-address.ts'
import { holdAsset } from '../issues/findings/service.ts'
import { runDynamicScan } from './run.ts'
import { whyNotScanned } from './targets.ts'

/** A service in two documents of SOAP. */
const WSDL = `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:x="http://www.w3.org/2001/XMLSchema">
  <types><x:schema><x:import schemaLocation="find.xsd"/></x:schema></types>
  <message name="In"><part name="p" element="Find"/></message>
  <portType name="P"><operation name="Find"><input message="In"/></operation></portType>
  <binding name="B" type="P"><soap:binding style="document"/><operation name="Find"><soap:operation soapAction="Find"/></operation></binding>
  <service name="S"><port name="Q" binding="B"><soap:address location="/ws"/></port></service></definitions>`
const FIND = `<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t" elementFormDefault="qualified">
  <x:element name="Find"><x:complexType><x:sequence><x:element name="number" type="x:int"/></x:sequence></x:complexType></x:element></x:schema>`

async function soapService(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const documents: Record<string, string> = { '/ws.wsdl': WSDL, '/find.xsd': FIND }
  const url = await listening(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    asked.push(`${request.method} ${request.url} ${Buffer.concat(chunks)}`)
    response.setHeader('content-type', 'text/xml')
    response.end(documents[request.url ?? ''] ?? '<answer/>')
  })
  return { url, asked }
}

/** How many requests a second a scan of a slow target sends. */
const SLOW = 15

/** A target that is asked slowly; once it is fixed, it says nosniff and shows markup as text. */
async function newSlowTarget(isFixed = () => false): Promise<{ home: Home; asked: () => number }> {
  let asked = 0
  const url = await listening((request, response) => {
    asked += 1
    if (isFixed()) response.setHeader('x-content-type-options', 'nosniff')
    echo(isFixed)(request, response)
  })
  return { home: await newTarget(url, { requestsPerSecond: SLOW, scanProfile: 'BASIC' }), asked: () => asked }
}

/** The check that sees that X-Content-Type-Options is missing. */
const NOSNIFF = 'content-type-options-missing'

const cancel = ({ key }: Home, id: string): Promise<Data> =>
  run(key, 'mutation ($id: ID!) { cancelScan(input: { id: $id }) { success } }', { id })

const countOf = ({ dynamicScan }: Data): number =>
  dynamicScan.findings.reduce((sum: number, { count }: Data) => sum + count, 0)

const foundSoFar = async ({ key }: Home, id: string): Promise<number> =>
  countOf((await run(key, SCAN, { id })).controlSyncStatus)

/** Waits until nothing was asked for a second, or more was asked than may be. */
async function quiet(asked: () => number, most: number): Promise<void> {
  for (let before = -1; before < asked() && asked() < most; ) {
    before = asked()
    await sleep(1_000)
  }
}

/** The process of the scan that runs. */
async function scannerProcess(): Promise<number> {
  const children = (await readFile(`/proc/self/task/${process.pid}/children`, 'utf8')).split(' ').filter(Boolean)
  for (const child of children) {
    if ((await readFile(`/proc/${child}/cmdline`, 'utf8')).includes('scanner/process')) return Number(child)
  }
  throw new Error('No scan runs')
}

const scripts = (found: readonly Data[]) => found.filter(({ cweIds }) => cweIds.includes(79))

describe('a dynamic scan', () => {
  test('finds what is wrong, writes it down as findings of the asset, and ends', async () => {
    const home = await newTarget(await listening(echo(() => false)))

    const scan = await scanned(home)

    expect(scan).toMatchObject({ status: 'SUCCEEDED', failureReason: null, dynamicScan: { ending: 'COMPLETED' } })
    expect(scan.dynamicScan.requests).toBeGreaterThan(10)
    const [found] = scripts(await findings(home))
    expect(found).toMatchObject({ type: 'DAST_FINDING', toolName: 'Merlon DAST', status: 'CREATED' })
    expect(found.detail.request).toContain('GET /find?q=')
    const { request, response, proof } = found.detail
    const marked = proof.map(({ from, to, isInRequest }: Data) => (isInRequest ? request : response).slice(from, to))
    expect(marked).toContainEqual(expect.stringMatching(/alert\(\d{9}\)/))
  })

  test('knows its findings again, and closes one that two scans in a row did not see', async () => {
    let isFixed = false
    const home = await newTarget(await listening(echo(() => isFixed)))
    await scanned(home)
    const before = await findings(home)

    const second = await scanned(home)
    isFixed = true
    await scanned(home)
    const once = scripts(await findings(home))
    const fourth = await scanned(home)

    expect(second.createdVulnerabilityCount).toBe(0)
    expect((await findings(home)).map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort())
    expect(once.map(({ status }) => status)).toEqual(['CREATED'])
    expect(scripts(await findings(home)).map(({ status }) => status)).toEqual(['FIX_ACCEPTED'])
    expect(fourth.closedVulnerabilityCount).toBeGreaterThan(0)
  })

  test('that is canceled ends within two seconds, and what it found stands', async () => {
    const { home, asked } = await newSlowTarget()
    const scanId = await started(home)
    const working = work(home, scanId)
    await until(() => foundSoFar(home, scanId))

    await cancel(home, scanId)
    const canceledAt = asked()
    await working

    const { controlSyncStatus } = await run(home.key, SCAN, { id: scanId })
    const found = await findings(home)
    expect(controlSyncStatus).toMatchObject({ status: 'CANCELED', dynamicScan: { ending: 'CANCELED' } })
    expect(asked() - canceledAt).toBeLessThan(2 * SLOW)
    expect(found.length).toBeGreaterThan(0)
    expect(found).toHaveLength(countOf(controlSyncStatus))
  })

  test('that is canceled says how many findings it reported, those that were known among them', async () => {
    const { home } = await newSlowTarget()
    const canceledEarly = async () => {
      const scanId = await started(home)
      const working = work(home, scanId)
      await until(() => foundSoFar(home, scanId))
      await cancel(home, scanId)
      await working
      return (await run(home.key, SCAN, { id: scanId })).controlSyncStatus
    }

    await canceledEarly()
    const again = await canceledEarly()

    expect(again).toMatchObject({ status: 'CANCELED', importedVulnerabilityCount: countOf(again) })
    expect(again.createdVulnerabilityCount).toBeLessThan(countOf(again))
  })

  test('that is canceled while another report of the asset goes in ends as soon, and what it found goes in afterwards', async () => {
    const { home, asked } = await newSlowTarget()
    const { db } = await inside()
    const scanId = await started(home)

    const working = await transaction(db, async (trx) => {
      await holdAsset(trx, home.companyId, home.assetId)
      const begun = { end: work(home, scanId) }
      await until(async () => (await waitingStatements('%pg_advisory_xact_lock%')) > 0)
      await cancel(home, scanId)
      const canceledAt = asked()
      await quiet(asked, canceledAt + 2 * SLOW)
      expect(asked() - canceledAt).toBeLessThan(2 * SLOW)
      expect(await findings(home)).toEqual([])
      return begun
    })
    await working.end

    const { controlSyncStatus } = await run(home.key, SCAN, { id: scanId })
    expect(controlSyncStatus).toMatchObject({ status: 'CANCELED', dynamicScan: { ending: 'CANCELED' } })
    expect((await findings(home)).length).toBeGreaterThan(0)
  })

  test('whose process is killed keeps what it found, which later scans close when it is gone', async () => {
    let isFixed = false
    const { home } = await newSlowTarget(() => isFixed)
    const scanId = await started(home)
    const working = work(home, scanId)
    await until(() => foundSoFar(home, scanId))

    kill(await scannerProcess(), 'SIGKILL')
    await working
    const { controlSyncStatus } = await run(home.key, SCAN, { id: scanId })
    const found = await findings(home)
    isFixed = true
    await run(home.key, SAVE, { input: { assetId: home.assetId, requestsPerSecond: 1000 } })
    await scanned(home)
    await scanned(home)
    const afterwards = await findings(home)

    expect(controlSyncStatus).toMatchObject({
      status: 'FAILED',
      failureReason: expect.stringContaining('SIGKILL'),
      dynamicScan: { ending: 'FAILED' },
    })
    expect(found.length).toBeGreaterThan(0)
    expect(found).toHaveLength(countOf(controlSyncStatus))
    expect(found).toContainEqual(expect.objectContaining({ rule: NOSNIFF, status: 'CREATED' }))
    expect(afterwards).toContainEqual(expect.objectContaining({ rule: NOSNIFF, status: 'FIX_ACCEPTED' }))
  })

  test('of a target that nobody answers at ends FAILED with the reason', async () => {
    const home = await newTarget('http://127.0.0.1:9/')

    const scan = await scanned(home)

    expect(scan).toMatchObject({ status: 'FAILED', failureReason: expect.stringContaining('never responded') })
  })

  test('whose description lies at a name of a private address is FAILED before anything is asked, and names the address', async () => {
    const asked: string[] = []
    const privately = await listening((request, response) => {
      asked.push(request.url ?? '')
      response.end('{}')
    })
    const apiSchemaUrl = privately.replace('http://127.0.0.1', 'https://localhost')
    const home = await newTarget(await listening(echo(() => false)), { apiFormat: 'OPENAPI', apiSchemaUrl })

    const scan = await scanned(home)

    expect(scan).toMatchObject({ status: 'FAILED', failureReason: expect.stringContaining(apiSchemaUrl) })
    expect(asked).toEqual([])
  })

  test('gets what a description at an address imports, and says what an uploaded one leaves out', async () => {
    const { url, asked } = await soapService()
    const home = await newTarget(url, {
      apiFormat: 'SOAP',
      apiSchemaUrl: `${url.replace('127.0.0.1', 'localhost')}ws.wsdl`,
      scanProfile: 'BASIC',
    })
    const parts = await inside()
    const allowed = readAllowed('http://127.0.0.1, http://localhost') ?? nothingAllowed
    const outbound = openOutbound({ allowed })
    const config = { ...parts.config, outbound: allowed, scanTargets: new Set(['127.0.0.1:*']) }
    const scanId = await started(home)

    await runDynamicScan({ ...parts, config, outbound }, { companyId: home.companyId, scanId })
    const fetched = (await run(home.key, SCAN, { id: scanId })).controlSyncStatus
    const askedByThen = asked.splice(0)
    const file = { content: WSDL, filename: 'ws.wsdl' }
    const input = { assetId: home.assetId, apiFormat: 'SOAP', apiSchemaUrl: null }
    await upload(home.key, SAVE, { input }, { 'input.apiSchemaSourceFile': file })
    const uploaded = await scanned(home)
    await outbound.close()

    expect(fetched).toMatchObject({ status: 'SUCCEEDED', dynamicScan: { operations: 1, notes: [] } })
    expect(askedByThen.filter((one) => one.startsWith('GET /find.xsd'))).toHaveLength(1)
    expect(askedByThen.some((one) => one.includes('<number>'))).toBe(true)
    expect(uploaded.dynamicScan.notes).toEqual([expect.stringContaining('nothing is fetched for an uploaded file')])
    expect(asked.some((one) => one.startsWith('GET /find.xsd'))).toBe(false)
  })

  test('that was begun too often is FAILED instead of being begun again', async () => {
    const home = await newTarget(await listening(echo(() => false)))
    const scanId = await started(home)
    const { db } = await inside()
    await sql`update dynamic_scan set attempts = 2 where scan_id = ${scanId}`.execute(db)

    await work(home, scanId)

    const { controlSyncStatus } = await run(home.key, SCAN, { id: scanId })
    expect(controlSyncStatus).toMatchObject({
      status: 'FAILED',
      failureReason: expect.stringContaining('started 2 times'),
    })
  })
})

describe('whose a target is', () => {
  test('is told in the reason of a run that may not call it', async () => {
    let asked = 0
    const home = await newTarget(
      await listening((_, response) => {
        asked += 1
        response.end('nothing')
      }),
    )

    const scan = await scanned(home, 'elsewhere.test')

    expect(scan.status).toBe('FAILED')
    expect(scan.failureReason).toContain(home.target.token)
    expect(scan.failureReason).toContain('/.well-known/merlon-scan.txt')
    expect(asked).toBeLessThanOrEqual(1)
  })

  test('is a host’s own word, by a file', async () => {
    let shown = 'nothing yet'
    const home = await newTarget(
      await listening((request, response) => {
        if (request.url === '/.well-known/merlon-scan.txt') response.end(`# ours\n${shown}\n`)
        else echo(() => true)(request, response)
      }),
    )
    const VERIFY = `mutation ($input: VerifyScanTargetInput!) { verifyScanTarget(input: $input) { target { verifiedBy } } }`
    const parts = await inside()
    const outbound = openOutbound({ allowed: readAllowed('http://127.0.0.1') ?? nothingAllowed })
    const at = { companyId: home.companyId, assetId: home.assetId, targetUrl: home.targetUrl }

    const without = await refusal(home.key, VERIFY, { input: { assetId: home.assetId } })
    const before = await whyNotScanned({ ...parts, outbound }, at)
    shown = home.target.token
    const after = await whyNotScanned({ ...parts, outbound }, at)
    await outbound.close()

    expect(without.extensions.code).toBe('FAILED_PRECONDITION')
    expect([before, after]).toEqual([expect.stringContaining(home.target.token), null])
    const { scannerConfiguration } = await run(
      home.key,
      'query ($assetId: ID!) { scannerConfiguration(assetId: $assetId) { target { isAllowed verifiedBy } } }',
      { assetId: home.assetId },
    )
    expect(scannerConfiguration.target).toEqual({ isAllowed: true, verifiedBy: 'FILE' })
  })

  test('is the operator’s word for the port that he named, and not that its host may be called', async () => {
    const { url, app } = await startService({
      MERLON_OUTBOUND_ALLOW: 'http://127.0.0.1, http://inside.test',
      MERLON_SCAN_ALLOW: '127.0.0.1:81, named.test',
    })
    onTestFinished(() => app.stop(0))
    const isAllowed = async (targetUrl: string): Promise<boolean> => {
      const { key, assetId } = await newTarget(targetUrl)
      const asked = 'query ($id: ID!) { scannerConfiguration(assetId: $id) { target { isAllowed } } }'
      return (await runAt(url, key, asked, { id: assetId })).scannerConfiguration.target.isAllowed
    }

    const named = [await isAllowed('http://127.0.0.1:81/'), await isAllowed('https://named.test/')]
    const others = [
      await isAllowed('http://127.0.0.1:82/'),
      await isAllowed('http://inside.test/'),
      await isAllowed('https://named.test:8443/'),
    ]

    expect(named).toEqual([true, true])
    expect(others).toEqual([false, false, false])
  })

  test('may be an administrator’s word, and nobody else’s', async () => {
    const home = await newTarget('https://shop.example.test/')
    const ALLOW = `mutation ($input: AllowScanTargetInput!) { allowScanTarget(input: $input) { target { isAllowed verifiedBy } } }`

    const refused = await refusal(home.key, ALLOW, { input: { assetId: home.assetId } })
    const allowed = await run(administratorKey(), ALLOW, { input: { assetId: home.assetId } })

    expect(home.target).toMatchObject({
      host: 'shop.example.test',
      isAllowed: false,
      dnsName: '_merlon-scan.shop.example.test',
    })
    expect(refused.extensions.code).toBe('FORBIDDEN')
    expect(allowed.allowScanTarget.target).toEqual({ isAllowed: true, verifiedBy: 'ADMINISTRATOR' })
  })
})
