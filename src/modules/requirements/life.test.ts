// Checks follow decisions, scans, imports and links by themselves, and name what their state rests on, through the endpoint.

import { describe, expect, test } from 'vitest'
import { type Data, run } from '../../../test/testkit/client.ts'
import { imported, newReportHome, result, sarif } from '../../../test/testkit/reports.ts'
import { newAsset, newDeploy, newIssue, newProject, newWorld } from '../../../test/testkit/world.ts'

const REQUIRE = `mutation ($input: CreateThreatModelingRequirementsInput!) {
  createThreatModelingRequirements(input: $input) { requirements { id } } }`
const CHECK = `query ($companyId: ID!, $id: ID!) { requirement(companyId: $companyId, id: $id) { check {
  id state stateReason satisfiedAt importId openFindings scan { id status finishedAt }
  findings(pagination: { perPage: 10 }) { collection { id } } } } }`
const DECIDE = `mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { status } } }`
const SCAN = `mutation ($input: CreateControlSyncStatusInput!) {
  createControlSyncStatus(input: $input) { controlSyncStatus { id } } }`
const END = `mutation ($input: UpdateControlSyncStatusInput!) {
  updateControlSyncStatus(input: $input) { controlSyncStatus { status } } }`
const LINK = `mutation ($input: UpdateProjectInput!) { updateProject(input: $input) { project { id } } }`
const WAIVE = `mutation ($input: WaiveCheckInput!) { waiveCheck(input: $input) { check { state stateReason } } }`

async function newCheck(key: string, companyId: string, projectId?: string): Promise<() => Promise<Data>> {
  const input = { companyId, projectId, requirements: [{ label: 'Pages are encoded', capecIds: ['63'] }] }
  const made = await run(key, REQUIRE, { input })
  const id = made.createThreatModelingRequirements.requirements[0].id
  return async () => (await run(key, CHECK, { companyId, id })).requirement.check[0]
}

async function scan(key: string, assetId: string, during: (id: string) => Promise<unknown> = async () => {}) {
  const input = { assetId, integration: 'PLATFORM_AST', externalVulnerabilityCount: 1 }
  const id: string = (await run(key, SCAN, { input })).createControlSyncStatus.controlSyncStatus.id
  await during(id)
  await run(key, END, { input: { id, status: 'SUCCEEDED' } })
  return id
}

/** An issue of cross-site scripting that a scan has found, for people to decide about. */
async function newFound(key: string, assetId: string): Promise<string> {
  let id = ''
  await scan(key, assetId, async (controlSyncStatusId) => {
    id = (await newIssue(key, assetId, { category: 'CWE-79', controlSyncStatusId, status: 'IDENTIFIED' })).id
  })
  return id
}

describe('a check', () => {
  test('follows what is decided about a finding, and closing and opening it again', async () => {
    const { companyId, owner } = await newWorld()
    const { id: assetId } = await newAsset(owner.key, companyId)
    const read = await newCheck(owner.key, companyId)
    const id = await newFound(owner.key, assetId)
    const decided = async (status: string) => {
      await run(owner.key, DECIDE, { input: { id, status, reason: 'So it is' } })
      return (await read()).state
    }

    const states = [
      (await read()).state,
      await decided('RISK_ACCEPTED'),
      await decided('IDENTIFIED'),
      await decided('FALSE_POSITIVE'),
      await decided('IDENTIFIED'),
      await decided('FIX_ACCEPTED'),
      await decided('IDENTIFIED'),
    ]
    const reopened = await read()

    expect(states).toEqual(['VIOLATED', 'UNKNOWN', 'VIOLATED', 'SATISFIED', 'VIOLATED', 'UNKNOWN', 'VIOLATED'])
    expect(reopened).toMatchObject({ openFindings: 1, scan: null, findings: { collection: [{ id }] } })
  })

  test('names the scan that it rests on, in words and as a record, and none once something has changed', async () => {
    const { companyId, owner } = await newWorld()
    const { id: assetId } = await newAsset(owner.key, companyId)
    const read = await newCheck(owner.key, companyId)
    const id = await newFound(owner.key, assetId)
    await run(owner.key, DECIDE, { input: { id, status: 'FIX_ACCEPTED' } })

    const proof = await scan(owner.key, assetId)
    const proved = await read()
    await newDeploy(owner.key, assetId)
    const deployed = await read()

    expect(proved).toMatchObject({ state: 'SATISFIED', scan: { id: proof, status: 'SUCCEEDED' }, importId: null })
    expect(proved.stateReason).toContain(`PLATFORM_AST scan ${proof} of Asset ${assetId}`)
    expect(Date.parse(proved.satisfiedAt)).toBe(Date.parse(proved.scan.finishedAt))
    expect(deployed).toMatchObject({ state: 'UNKNOWN', scan: null, satisfiedAt: null })
  })

  test('of a project follows the assets that are linked to it', async () => {
    const { companyId, owner } = await newWorld()
    const [first, second] = [await newAsset(owner.key, companyId), await newAsset(owner.key, companyId)]
    const project = await newProject(owner.key, companyId, { assetsIds: [Number(first.id)] })
    const read = await newCheck(owner.key, companyId, project.id)
    const id = await newFound(owner.key, first.id)
    await run(owner.key, DECIDE, { input: { id, status: 'FALSE_POSITIVE', reason: 'Encoded' } })

    const alone = await read()
    const assetsIds = [Number(first.id), Number(second.id)]
    await run(owner.key, LINK, { input: { id: project.id, assetsIds } })
    const linked = await read()
    await scan(owner.key, second.id)
    const scanned = await read()
    await run(owner.key, LINK, { input: { id: project.id, assetsIds: [Number(second.id)] } })
    const left = await read()

    expect([alone.state, linked.state, scanned.state, left.state]).toEqual([
      'SATISFIED',
      'UNKNOWN',
      'SATISFIED',
      'SATISFIED',
    ])
    expect(linked.stateReason).toContain(`Asset ${second.id}`)
    expect(left.stateReason).toContain(`of Asset ${second.id}`)
  })

  test('that is waived says so whatever comes, and what it hides', async () => {
    const { companyId, owner } = await newWorld()
    const { id: assetId } = await newAsset(owner.key, companyId)
    const read = await newCheck(owner.key, companyId)
    const until = new Date(Date.now() + 86_400_000).toISOString()
    const { id: checkId } = await read()

    const { waiveCheck } = await run(owner.key, WAIVE, { input: { checkId, reason: 'Inside only', until } })
    const id = await newFound(owner.key, assetId)
    const hiding = await read()

    expect(waiveCheck.check.state).toBe('WAIVED')
    expect(hiding).toMatchObject({ state: 'WAIVED', openFindings: 1 })
    expect(hiding.stateReason).toContain(
      `Without the waiver: 1 open finding has a weakness that CAPEC-63 uses: Issue ${id}`,
    )
  })
})

describe('a check and imported reports', () => {
  const scripting = result(1, { properties: { tags: ['external/cwe/cwe-079'] } })
  const other = result(2, { ruleId: 'other' })
  const whole = { closeAbsent: true }

  test('a report violates it, a whole one without the finding satisfies it, and it names the import', async () => {
    const home = await newReportHome()
    const read = await newCheck(home.key, home.companyId)

    await imported(home, sarif([scripting]), whole)
    const reported = await read()
    const partial = await imported(home, sarif([other]))
    const stillOpen = await read()
    const { id } = await imported(home, sarif([other]), whole)
    const gone = await read()
    await imported(home, sarif([scripting]), whole)
    const back = await read()

    expect(reported.state).toBe('VIOLATED')
    expect(partial.status).toBe('SUCCEEDED')
    expect(stillOpen.state).toBe('VIOLATED')
    expect(gone).toMatchObject({ state: 'SATISFIED', importId: id, scan: null })
    expect(gone.stateReason).toContain(`The a-scanner report of import ${id} of Asset ${home.assetId} ended on`)
    expect(back).toMatchObject({ state: 'VIOLATED', importId: null })
  })

  test('a tool is known by its name in whatever letters, and the reason writes it as the tool does', async () => {
    const home = await newReportHome()
    const read = await newCheck(home.key, home.companyId)

    await imported(home, sarif([scripting], { tool: 'Semgrep OSS' }), whole)
    const { id } = await imported(home, sarif([], { tool: 'semgrep OSS' }), whole)
    const gone = await read()

    expect(gone).toMatchObject({ state: 'SATISFIED', importId: id })
    expect(gone.stateReason).toContain(`The Semgrep OSS report of import ${id}`)
  })

  test('a deploy makes it unknown, a report of another tool does not help, and one of the deploy does', async () => {
    const home = await newReportHome()
    const read = await newCheck(home.key, home.companyId)
    await imported(home, sarif([scripting]), whole)
    await imported(home, sarif([]), whole)
    const clean = await read()

    const { id: deployId } = await newDeploy(home.key, home.assetId)
    const deployed = await read()
    await imported(home, sarif([result(3)], { tool: 'other' }), { ...whole, deployId })
    const byAnother = await read()
    const { id } = await imported(home, sarif([]), { ...whole, deployId })
    const byTheTool = await read()

    expect([clean.state, deployed.state, byAnother.state]).toEqual(['SATISFIED', 'UNKNOWN', 'UNKNOWN'])
    expect(byTheTool).toMatchObject({ state: 'SATISFIED', importId: id })
  })
})
