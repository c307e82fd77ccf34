// A pipeline run as existing clients make it, in order: from finding the company to closing findings that are gone and ending the run.

import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Data, run, type SentFile, upload, type Variables } from '../testkit/client.ts'
import { result, sarif } from '../testkit/reports.ts'
import { newPerson, newWorld } from '../testkit/world.ts'
import { documentOf } from './clients/documents.ts'
import { sbomFile } from './samples/imports.ts'

const commit = () => randomBytes(20).toString('hex')

const sent = (name: string): string => documentOf(`${name}_pipeline`) ?? ''

const diff = `diff --git a/src/server.js b/src/server.js
--- a/src/server.js
+++ b/src/server.js
@@ -10,2 +10,3 @@
 const input = request.body
+const checked = check(input)
 eval(input)
`

const scopes = ['read', 'write']

/** A pipeline's key, with functions to send its requests. */
async function newPipeline() {
  const { companyId } = await newWorld()
  const { key } = await newPerson(companyId, 'ANALYST', scopes)
  return {
    companyId,
    key,
    ask: (name: string, variables: Variables = {}): Promise<Data> => run(key, sent(name), variables),
    read: (query: string): Promise<Data> => run(key, query, { companyId }),
    send: async (name: string, variables: Variables, files: Record<string, SentFile>): Promise<Data> => {
      const { data, errors } = await upload(key, sent(name), variables, files)
      expect(errors).toEqual([])
      return data
    },
  }
}

const HISTORY = `query ($companyId: ID!) {
  scanHistories(companyId: $companyId, pagination: {}) { collection { id status failureReason } } }`

const sast = (assetId: number, title: string, more: Variables = {}) => ({
  input: {
    assetId,
    title,
    description: 'What the tool says',
    codeSnippet: 'eval(input)',
    vulnerableLine: 12,
    firstLine: 12,
    fileName: 'src/server.js',
    originalIssueIdFromTool: `tool-${title}`,
    toolName: 'a-scanner',
    ...more,
  },
})

test('a pipeline scans a new asset, reports what it found, and takes back what is gone', async () => {
  const { companyId, ask, send, read } = await newPipeline()

  const { companies } = await ask('companies')
  const { company } = await ask('company', { id: companyId })
  expect(companies.collection).toEqual([company])

  const before = await ask('assets', { companyId, page: 1, limit: 10, name: 'shop' })
  expect(before.assets.collection).toEqual([])
  const { createAsset } = await ask('createAsset', { companyId: Number(companyId), name: 'shop', scanType: 'SAST' })
  const assetId: string = createAsset.asset.id
  const found = await ask('assets', { companyId, page: 1, limit: 10, name: 'shop' })
  expect(found.assets.collection).toEqual([{ id: assetId, name: 'shop' }])

  const started = (await ask('createControlSyncStatus', { assetId })).createControlSyncStatus
  expect(started).toEqual({ controlSyncStatus: { id: expect.stringMatching(/^\d+$/) }, success: true })
  const controlSyncStatusId: string = started.controlSyncStatus.id
  const counted = await ask('updateControlSyncStatus', { id: controlSyncStatusId, externalVulnerabilityCount: 2 })
  expect(counted.updateControlSyncStatus).toEqual({ controlSyncStatus: { id: controlSyncStatusId }, success: true })

  expect((await ask('deploysByAsset', { assetId })).deploysByAsset.collection).toEqual([])
  const [previousCommit, currentCommit] = [commit(), commit()]
  const deployed = await send(
    'createDeploy',
    { assetId, previousCommit, currentCommit },
    {
      diffContent: { content: diff, filename: 'diff.txt', type: 'text/plain' },
      commitHistory: {
        content: JSON.stringify([{ id: currentCommit, message: 'Check it' }]),
        filename: 'commits.json',
      },
    },
  )
  const deployId: string = deployed.createDeploy.deploy.id
  const [baseline] = (await ask('deploysByAsset', { assetId })).deploysByAsset.collection
  expect(baseline).toEqual({ currentCommit, previousCommit })

  const reported = { deployId, controlSyncStatusId, commitRef: currentCommit }
  const kept = await ask('createSastFinding', sast(Number(assetId), 'Eval', reported))
  const gone = await ask('createSastFinding', sast(Number(assetId), 'Gone', { ...reported, vulnerableLine: 40 }))
  const component = { assetId: Number(assetId), title: 'left-pad', description: 'Old', package: 'left-pad' }
  const sca = await ask('createScaFinding', { input: { ...component, affectedVersion: '1.0', controlSyncStatusId } })
  const ids = [kept.createSastFinding, gone.createSastFinding, sca.createScaFinding].map(({ issue }) => issue.id)

  const open = { companyId, pagination: { page: 1, perPage: 50 }, assetIds: [assetId], statuses: ['CREATED'] }
  const all = await ask('issues', { ...open, types: ['SAST_FINDING', 'SCA_FINDING'] })
  expect(all.issues.metadata).toEqual({ totalCount: 3, totalPages: 1 })
  expect(new Set(all.issues.collection.map(({ id }: { id: string }) => id))).toEqual(new Set(ids))
  const ofCode = await ask('issues', { ...open, types: ['SAST_FINDING'] })
  expect(ofCode.issues.collection).toEqual([
    {
      id: ids[1],
      type: 'SAST_FINDING',
      originalIssueIdFromTool: 'tool-Gone',
      scanSource: 'PLATFORM_AST',
      status: 'CREATED',
    },
    {
      id: ids[0],
      type: 'SAST_FINDING',
      originalIssueIdFromTool: 'tool-Eval',
      scanSource: 'PLATFORM_AST',
      status: 'CREATED',
    },
  ])

  const closed = await ask('changeIssueStatus', {
    id: ids[1],
    status: 'FIX_ACCEPTED',
    reason: 'Gone',
    controlSyncStatusId,
  })
  expect(closed.changeIssueStatus.issue).toEqual({ id: ids[1] })
  const left = await ask('issues', { ...open, types: ['SAST_FINDING'] })
  expect(left.issues.collection.map(({ id }: { id: string }) => id)).toEqual([ids[0]])

  const run = { controlSyncStatusId, assetId, integration: 'PLATFORM_AST', successCount: 2, failureCount: 0 }
  const ended = await ask('increaseIssueScanCount', { ...run, failureReason: null })
  expect(ended.increaseIssueScanCount.controlSyncStatus).toEqual({ id: controlSyncStatusId })
  const { scanHistories } = await read(HISTORY)
  expect(scanHistories.collection).toEqual([{ id: controlSyncStatusId, status: 'SUCCEEDED', failureReason: null }])
  const logged = await ask('logAstError', { companyId, assetId, log: 'The gate could not be asked' })
  expect(logged.logAstError).toEqual({ success: true })
})

const inImage = result(3, {
  ruleId: 'CVE-2026-1',
  message: { text: 'Package: openssl\nInstalled Version: 3.0.1\nFixed Version: 3.0.2' },
})

test('a pipeline that sends the reports of its tools as files comes from the asset to the gate', async () => {
  const { companyId, key, ask, send } = await newPipeline()
  const { createAsset } = await ask('createAsset', { companyId: Number(companyId), name: 'files', scanType: 'SAST' })
  const assetId: string = createAsset.asset.id
  const started = (await ask('createControlSyncStatus', { assetId })).createControlSyncStatus
  const controlSyncStatusId: string = started.controlSyncStatus.id
  await ask('updateControlSyncStatus', { id: controlSyncStatusId, externalVulnerabilityCount: 2 })
  const [previousCommit, currentCommit] = [commit(), commit()]
  const { createDeploy } = await send(
    'createDeploy',
    { assetId, previousCommit, currentCommit },
    {
      diffContent: { content: diff, filename: 'diff.txt' },
      commitHistory: { content: '[]', filename: 'commits.json' },
    },
  )
  const deployId: string = createDeploy.deploy.id
  const about = { assetId, companyId, deployId, commitRef: currentCommit, controlSyncStatusId }
  const report = (results: unknown[]) => ({ file: { content: sarif(results), filename: 'report.sarif' } })
  const types = { vulnerabilityTypes: ['SAST_FINDING'] }

  const ast = await send('importAstFindingsFile', { ...about, ...types }, report([result(1), result(2)]))
  const containers = await send('importContainerFindingsFile', { assetId, companyId }, report([inImage]))
  const bom = await upload(
    key,
    documentOf('importSbom') ?? '',
    { input: { assetId, companyId } },
    { 'input.file': { content: Buffer.from(sbomFile.base64, 'base64'), filename: sbomFile.filename } },
  )

  const nothing = { file: { content: '[]', filename: 'report.json' } }
  const clean = await send('importAstFindingsFile', { ...about, ...types }, nothing)
  const empty = await send('importContainerFindingsFile', { assetId, companyId }, nothing)

  expect([clean.importAstFindingsFile, empty.importContainerFindingsFile]).toEqual([
    { success: true },
    { success: true },
  ])
  expect(ast.importAstFindingsFile).toEqual({ success: true })
  expect(containers.importContainerFindingsFile).toEqual({ success: true })
  expect([bom.errors, bom.data.importSbom.success]).toEqual([[], true])
  const { sbomComponents } = await run(key, documentOf('sbomComponents') ?? '', { companyId, page: 1, limit: 10 })
  expect(sbomComponents.collection).toMatchObject([{ name: 'left-pad', version: '1.3.0', asset: { id: assetId } }])
  const open = { companyId, pagination: { page: 1, perPage: 50 }, assetIds: [assetId] }
  const found = await ask('issues', { ...open, types: ['SAST_FINDING', 'CONTAINER_FINDING'] })
  expect(found.issues.collection.map(({ type }: Data) => type).sort()).toEqual([
    'CONTAINER_FINDING',
    'SAST_FINDING',
    'SAST_FINDING',
  ])

  const gone = found.issues.collection.find(({ type }: Data) => type === 'SAST_FINDING').id
  const closing = { id: gone, status: 'FIX_ACCEPTED', reason: 'Gone', controlSyncStatusId }
  expect((await ask('changeIssueStatus', closing)).changeIssueStatus.issue).toEqual({ id: gone })
  const ended = await ask('increaseIssueScanCount', {
    controlSyncStatusId,
    assetId,
    integration: 'PLATFORM_AST',
    successCount: 2,
    failureCount: 0,
    failureReason: null,
  })
  expect(ended.increaseIssueScanCount.controlSyncStatus).toEqual({ id: controlSyncStatusId })
  const { branches } = await run(key, documentOf('branches') ?? '', { companyId, assetId })
  expect(branches.collection).toMatchObject([{ default: true }])
  const { securityGateRun } = await run(key, documentOf('securityGateRun') ?? '', { assetId })
  expect(securityGateRun).toMatchObject({ asset: { id: assetId }, status: expect.any(String) })
})

test('a baseline that is JSON rather than a diff makes a deploy all the same', async () => {
  const { companyId, ask, send } = await newPipeline()
  const { createAsset } = await ask('createAsset', { companyId: Number(companyId), name: 'json', scanType: 'SAST' })
  const [previousCommit, currentCommit] = [commit(), commit()]

  const { createDeploy } = await send(
    'createDeploy',
    { assetId: createAsset.asset.id, previousCommit, currentCommit },
    {
      diffContent: { content: '{"files":[]}', filename: 'diff.json', type: 'application/json' },
      commitHistory: { content: '[]', filename: 'commits.json', type: 'application/json' },
    },
  )

  expect(createDeploy.deploy.id).toMatch(/^\d+$/)
})

test('a run that fails says so with its first reason', async () => {
  const { companyId, ask, read } = await newPipeline()
  const { createAsset } = await ask('createAsset', { companyId: Number(companyId), name: 'failing', scanType: 'SAST' })
  const assetId: string = createAsset.asset.id
  const { createControlSyncStatus } = await ask('createControlSyncStatus', { assetId })
  const controlSyncStatusId: string = createControlSyncStatus.controlSyncStatus.id

  await ask('updateControlSyncStatus', { id: controlSyncStatusId, externalVulnerabilityCount: 2 })
  const failed = { controlSyncStatusId, assetId, integration: 'PLATFORM_AST', successCount: 0, failureCount: 1 }
  await ask('increaseIssueScanCount', { ...failed, failureReason: 'The tool crashed' })

  const { scanHistories } = await read(HISTORY)
  expect(scanHistories.collection).toEqual([
    { id: controlSyncStatusId, status: 'FAILED', failureReason: 'The tool crashed' },
  ])
})
