// Dynamic scans for tests: an asset with a small target on this machine, scanned through the worker's own job.

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, vi } from 'vitest'
import type { Config } from '../../src/core/config.ts'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { readScanTargets } from '../../src/core/scan-targets.ts'
import { runDynamicScan } from '../../src/modules/dynamic-scans/run.ts'
import { type Data, run } from './client.ts'
import { inside } from './inside.ts'
import { newAsset, newWorld, type World } from './world.ts'

export const SAVE = `mutation ($input: CreateOrUpdateScannerConfigurationInput!) { createOrUpdateScannerConfiguration(input: $input) {
  scannerConfiguration { id target { host token filePath dnsName isAllowed verifiedBy } } } }`
const START = `mutation ($input: StartPlatformDastInput!) { startPlatformDast(input: $input) { controlSyncStatus { id } } }`
export const SCAN = `query ($id: ID!) { controlSyncStatus(id: $id) { status failureReason successCount createdVulnerabilityCount
  importedVulnerabilityCount closedVulnerabilityCount dynamicScan { targetUrl ending requests operations notes findings { value count } } } }`
const FINDINGS = `query ($companyId: ID!) { issues(companyId: $companyId, pagination: {}) { collection { id title status type cweIds
  ... on DastFinding { toolName rule detail { url method request response proof { from to isInRequest } } } } } }`

export async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** A page that echoes its query parameter, as markup or, once fixed, as text. */
export const echo =
  (isFixed: () => boolean): RequestListener =>
  (request, response) => {
    const url = new URL(request.url ?? '/', 'http://target.test')
    const term = url.searchParams.get('q') ?? ''
    const shown = isFixed() ? term.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;') : term
    response.setHeader('content-type', 'text/html; charset=utf-8')
    // merlon:allow a target that is vulnerable on purpose
    response.end(
      url.pathname === '/'
        ? '<html><body><form action="/find"><input name="q" value="tea"></form></body></html>'
        : `<html><body><p>Results for ${shown}</p></body></html>`,
    )
  }

/** An asset with this target, in a new company by default. The test's scans open no browser, even if this machine has one. */
export async function newTarget(targetUrl: string, more: Record<string, unknown> = {}, world?: World) {
  vi.stubEnv('CHROMIUM', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { companyId, owner } = world ?? (await newWorld())
  const { id: assetId } = await newAsset(owner.key, companyId)
  const { createOrUpdateScannerConfiguration } = await run(owner.key, SAVE, {
    input: { assetId, targetUrl, maxMinutes: 5, requestsPerSecond: 1000, ...more },
  })
  return {
    companyId,
    key: owner.key,
    assetId,
    targetUrl,
    target: createOrUpdateScannerConfiguration.scannerConfiguration.target,
  }
}

export type Home = Awaited<ReturnType<typeof newTarget>>

export const started = async ({ key, assetId }: Home): Promise<string> =>
  (await run(key, START, { input: { assetId } })).startPlatformDast.controlSyncStatus.id

/** Runs the job like a worker whose operator lets everybody scan `allowed` and permits requests to this machine. */
export async function scanned(home: Home, allowed = '127.0.0.1:*', more: Partial<Config> = {}): Promise<Data> {
  const scanId = await started(home)
  await work(home, scanId, allowed, more)
  return { id: scanId, ...(await run(home.key, SCAN, { id: scanId })).controlSyncStatus }
}

export async function work(
  { companyId }: Home,
  scanId: string,
  allowed = '127.0.0.1:*',
  more: Partial<Config> = {},
): Promise<void> {
  const parts = await inside()
  const [outbound, scanTargets] = [readAllowed('http://127.0.0.1'), readScanTargets(allowed)]
  if (outbound === null || scanTargets === null) throw new Error('The test allows what cannot be read')
  await runDynamicScan({ ...parts, config: { ...parts.config, outbound, scanTargets, ...more } }, { companyId, scanId })
}

export const findings = async ({ key, companyId }: Home): Promise<Data[]> =>
  (await run(key, FINDINGS, { companyId })).issues.collection
