// Checks through the life of an asset: scans, findings, fixes and deploys, through the endpoint.

import { describe, expect, test } from 'vitest'
import { type Data, run } from '../../../test/testkit/client.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { newAsset, newDeploy, newWorld } from '../../../test/testkit/world.ts'

const REQUIRE = `mutation ($input: CreateThreatModelingRequirementsInput!) {
  createThreatModelingRequirements(input: $input) { requirements { id } } }`
const STATES = `query ($companyId: ID!, $id: ID!) { requirement(companyId: $companyId, id: $id) {
  check { state stateReason satisfiedAt } } }`
const SCAN = `mutation ($input: CreateControlSyncStatusInput!) {
  createControlSyncStatus(input: $input) { controlSyncStatus { id } } }`
const END = `mutation ($input: UpdateControlSyncStatusInput!) {
  updateControlSyncStatus(input: $input) { controlSyncStatus { status } } }`
const REPORT = `mutation ($input: CreateOrUpdateSastFindingInput!) {
  createOrUpdateSastFinding(input: $input) { issue { id title status } } }`
const CLOSE = `mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { status } } }`

async function newRequirement(key: string, companyId: string) {
  const input = { companyId, requirements: [{ label: 'Inputs are bound', capecIds: ['66', '63'] }] }
  const made = await run(key, REQUIRE, { input })
  const id: string = made.createThreatModelingRequirements.requirements[0].id
  return async (): Promise<Data[]> => (await run(key, STATES, { companyId, id })).requirement.check
}

/** A scan of the asset that ends in `status` after `during`. */
async function scan(
  key: string,
  assetId: string,
  status = 'SUCCEEDED',
  during: (scanId: string) => Promise<unknown> = async () => {},
): Promise<string> {
  const input = { assetId, integration: 'PLATFORM_AST', externalVulnerabilityCount: 1 }
  const id: string = (await run(key, SCAN, { input })).createControlSyncStatus.controlSyncStatus.id
  await during(id)
  await run(key, END, { input: { id, status } })
  return id
}

const report = async (key: string, assetId: string, controlSyncStatusId: string): Promise<Data> => {
  const finding = {
    assetId: Number(assetId),
    title: 'SQL from a parameter',
    description: 'The query is put together from text',
    codeSnippet: 'query("select " + name)',
    vulnerableLine: 3,
    firstLine: 1,
    fileName: 'src/people.ts',
    category: 'CWE-564',
    controlSyncStatusId,
  }
  return (await run(key, REPORT, { input: finding })).createOrUpdateSastFinding.issue
}

describe('a check through the life of an asset', () => {
  test('a report violates it, the fix is a claim, a scan proves it, and a deploy asks for the next scan', async () => {
    const { companyId, owner } = await newWorld()
    const { id: assetId } = await newAsset(owner.key, companyId)
    const read = await newRequirement(owner.key, companyId)
    let issue: Data

    await scan(owner.key, assetId, 'SUCCEEDED', async (scanId) => {
      issue = await report(owner.key, assetId, scanId)
    })
    const [reported, otherPattern] = await read()
    await run(owner.key, CLOSE, { input: { id: issue.id, status: 'FIX_ACCEPTED' } })
    const [claimed] = await read()
    const proof = await scan(owner.key, assetId)
    const [proved] = await read()
    await newDeploy(owner.key, assetId)
    const [deployed] = await read()
    await scan(owner.key, assetId, 'FAILED')
    const [failed] = await read()
    await scan(owner.key, assetId)
    const [provedAgain] = await read()

    expect(reported.state).toBe('VIOLATED')
    expect(reported.stateReason).toContain(`Issue ${issue.id}, “SQL from a parameter”`)
    expect(reported.stateReason).toContain('CWE-564')
    expect(otherPattern.stateReason).toBe(
      'No finding is open, and no scan has yet reported a weakness that CAPEC-63 uses.',
    )
    expect(claimed.state).toBe('UNKNOWN')
    expect(claimed.stateReason).toContain('0 of 1 assets were scanned by PLATFORM_AST after their last change')
    expect(proved).toMatchObject({ state: 'SATISFIED', satisfiedAt: expect.stringMatching(/^20.*Z$/) })
    expect(proved.stateReason).toContain(`PLATFORM_AST scan ${proof} of Asset ${assetId} ended on`)
    expect([deployed.state, failed.state, provedAgain.state]).toEqual(['UNKNOWN', 'UNKNOWN', 'SATISFIED'])
  })

  test('a company is satisfied only once every asset was scanned', async () => {
    const { companyId, owner } = await newWorld()
    const [first, second] = [await newAsset(owner.key, companyId), await newAsset(owner.key, companyId)]
    const read = await newRequirement(owner.key, companyId)
    await scan(owner.key, first.id, 'SUCCEEDED', async (scanId) => {
      const { id } = await report(owner.key, first.id, scanId)
      await run(owner.key, CLOSE, { input: { id, status: 'FALSE_POSITIVE', reason: 'It is bound' } })
    })

    const [partly] = await read()
    await scan(owner.key, second.id)
    const [wholly] = await read()

    expect(partly.state).toBe('UNKNOWN')
    expect(partly.stateReason).toContain('1 of 2 assets were scanned')
    expect(partly.stateReason).toContain(`Asset ${second.id}`)
    expect(wholly.state).toBe('SATISFIED')
    expect(wholly.stateReason).toContain('All 2 assets were scanned after their last change')
  })

  test('twenty requirements that scans answer take as many statements as one', async () => {
    const { companyId, owner } = await newWorld()
    const { id: assetId } = await newAsset(owner.key, companyId)
    for (let number = 0; number < 20; number += 1) await newRequirement(owner.key, companyId)
    await scan(owner.key, assetId, 'SUCCEEDED', async (scanId) => {
      const { id } = await report(owner.key, assetId, scanId)
      await run(owner.key, CLOSE, { input: { id, status: 'FIX_ACCEPTED' } })
    })
    const states = async (perPage: number): Promise<string[]> => {
      const { requirements } = await run(
        owner.key,
        `query ($scopeId: Int!, $perPage: Int!) { requirements(scopeId: $scopeId, pagination: { perPage: $perPage }) {
          collection { check { state stateReason satisfiedAt openFindings } } } }`,
        { scopeId: Number(companyId), perPage },
      )
      return requirements.collection.map(({ check }: Data) => check[0].state)
    }
    const shown: string[][] = []

    const one = await countStatements(async () => shown.push(await states(1)))
    const twenty = await countStatements(async () => shown.push(await states(20)))

    expect(twenty).toBe(one)
    expect(shown).toEqual([['SATISFIED'], Array.from({ length: 20 }, () => 'SATISFIED')])
  })
})
