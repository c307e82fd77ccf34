// Assets linked to projects of outside scanners, and the answers of the fakes of those scanners.

import { runPull } from '../../src/modules/pulls/pull.ts'
import { type Data, run } from './client.ts'
import type { Answer } from './exchanges.ts'
import { canary, inside } from './inside.ts'
import { SCANNER_A, SCANNER_B, saved } from './integrations.ts'
import { fakeVendor, get, json, post, type Step } from './vendor-fake.ts'
import { newAsset, newWorld, type World } from './world.ts'

export const SNYK = 'https://api.snyk.io'
export const TENABLE = 'https://cloud.tenable.com'

const ORG = 'a3952187-0d8e-45d8-9aa2-036642857b5b'
const PROJECT = 'a3952187-0d8e-45d8-9aa2-036642857b5c'
const HOST = '53ed0fa2-ccd5-4d2e-92ee-c072635889e3'

export type ScannerHome = World & { key: string; assetId: string; integrationId: string; associationId: string }

/** An asset linked to a project of ScannerB, in a new company by default. */
export async function newSnykHome(company?: World): Promise<ScannerHome> {
  const accepted = await fakeVendor(SNYK, [get('/rest/self', json({ data: { id: ORG } }))])
  const world = company ?? (await newWorld())
  const integration = await saved(world.owner.key, SCANNER_B, {
    companyId: world.companyId,
    apiToken: canary(),
  })
  await accepted.end()
  return associated(world, integration.id, `${ORG}/${PROJECT}`)
}

/** An asset linked to a host of ScannerA. */
export async function newTenableHome(): Promise<ScannerHome> {
  const accepted = await fakeVendor(TENABLE, [get('/vulns/export/status', json({ exports: [] }))])
  const world = await newWorld()
  const given = { companyId: world.companyId, accessKey: 'an-access-key', secretKey: canary() }
  const integration = await saved(world.owner.key, SCANNER_A, given)
  await accepted.end()
  return associated(world, integration.id, `vm:${HOST}`)
}

const ASSOCIATE = `mutation ($input: AssociateProjectInput!) {
  associateProject(input: $input) { associatedProject { id } } }`

async function associated(world: World, integrationId: string, externalProjectId: string): Promise<ScannerHome> {
  const { key } = world.owner
  const { id: assetId } = await newAsset(key, world.companyId)
  const input = { assetId, integrationId, externalProjectId, name: 'Shop' }
  const { associateProject } = await run(key, ASSOCIATE, { input })
  return { ...world, key, assetId, integrationId, associationId: associateProject.associatedProject.id }
}

export const SYNC = `mutation ($input: SyncAssetInput!) { syncAsset(input: $input) { clientMutationId
  controlSyncStatuses { id status integration externalVulnerabilityCount successCount failureCount failureReason
    asset { id } createdVulnerabilityCount closedVulnerabilityCount importedVulnerabilityCount } } }`
const SCAN = `query ($id: ID!) { controlSyncStatus(id: $id) { id status externalVulnerabilityCount successCount failureCount
  failureReason startedAt finishedAt createdVulnerabilityCount closedVulnerabilityCount importedVulnerabilityCount } }`

export const sync = async ({ key, assetId }: ScannerHome, input: Record<string, unknown> = {}): Promise<Data[]> =>
  (await run(key, SYNC, { input: { assetId, ...input } })).syncAsset.controlSyncStatuses

export const scanOf = async ({ key }: ScannerHome, id: string): Promise<Data> =>
  (await run(key, SCAN, { id })).controlSyncStatus

/** Runs once what the worker would. */
export const work = async ({ companyId, associationId }: ScannerHome, scanId = '0'): Promise<void> =>
  runPull(await inside(), { companyId, id: associationId, scanId })

/** Requests a pull and runs it; resolves to the run. */
export async function pulled(home: ScannerHome, input: Record<string, unknown> = {}): Promise<Data> {
  const [scan] = await sync(home, input)
  await work(home)
  return scanOf(home, scan.id)
}

/** An issue of ScannerB in the form of its API. */
export const issue = (name: string, more: Record<string, unknown> = {}) => ({
  id: '73832c6c-19ff-4a92-850c-2e1ff2800c16',
  type: 'issue',
  attributes: {
    key: `${name}:qs:6.5.2`,
    title: `Flaw ${name}`,
    type: 'package_vulnerability',
    effective_severity_level: 'high',
    status: 'open',
    ignored: false,
    problems: [{ id: name, source: 'SNYK', type: 'vulnerability' }],
    coordinates: [{ representations: [{ dependency: { package_name: `package-${name}`, package_version: '6.5.2' } }] }],
    ...more,
  },
})

const project = (): Step =>
  get(
    `/rest/orgs/${ORG}/projects/${PROJECT}`,
    json({ data: { id: PROJECT, attributes: { name: 'shop', type: 'npm' } } }),
  )

/** The steps of a pull for which ScannerB has these issues. */
export const snykHas = (issues: readonly unknown[], query: Record<string, string | undefined> = {}): Step[] =>
  snykAnswers(json({ data: issues, links: {} }), query)

export const snykAnswers = (answer: Answer, query: Record<string, string | undefined> = {}): Step[] => [
  project(),
  get(`/rest/orgs/${ORG}/issues`, answer, { query }),
]

export const codePaths = { issues: `/rest/orgs/${ORG}/issues`, policies: `/rest/orgs/${ORG}/policies` }
export const ignorePath = (name: string) => `/v1/org/${ORG}/project/${PROJECT}/ignore/${name}`
export const ignoresPath = `/v1/org/${ORG}/project/${PROJECT}/ignores`

/** A finding of ScannerA in the form of its exports. */
export const hostFinding = (id: string, more: Record<string, unknown> = {}) => ({
  asset: { uuid: HOST, fqdn: 'files.example.com' },
  plugin: { id: 1000 + Number(id), name: `Plugin ${id}` },
  port: { port: 443, protocol: 'TCP' },
  severity_id: 3,
  state: 'OPEN',
  finding_id: `finding-${id}`,
  ...more,
})

/** The steps of a pull whose export has these chunks. */
export const tenableHas = (parts: readonly (readonly unknown[])[], status: Record<string, unknown> = {}): Step[] => [
  get(`/assets/${HOST}`, json({ id: HOST, ipv4: [] })),
  post('/vulns/export', json({ export_uuid: 'an-export' })),
  get(
    '/vulns/export/an-export/status',
    json({ status: 'FINISHED', chunks_available: parts.map((_, index) => index + 1), ...status }),
  ),
  ...parts.map((part, index) => get(`/vulns/export/an-export/chunks/${index + 1}`, json(part))),
]
