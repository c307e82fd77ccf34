// Branches, and securityGateRun, the gate of a branch in the form that pipelines use, through the endpoint.

import { describe, expect, test } from 'vitest'
import { type Data, refusal, run } from '../../../test/testkit/client.ts'
import { newHome, sast, upsert } from '../../../test/testkit/findings.ts'
import { setPolicy } from '../../../test/testkit/gates.ts'
import { countStatements, startService } from '../../../test/testkit/service.ts'
import { newAsset, newDeploy } from '../../../test/testkit/world.ts'

type Home = Awaited<ReturnType<typeof newHome>>

const BRANCHES = `query ($companyId: ID!, $assetId: ID!, $page: Int, $limit: Int, $after: String) {
  branches(companyId: $companyId, assetId: $assetId, page: $page, limit: $limit, after: $after) {
    collection { id name default } metadata { totalCount endCursor } } }`

const listed = async ({ key, companyId, assetId }: Home, more: object = {}) =>
  (await run(key, BRANCHES, { companyId, assetId, ...more })).branches

const namesOf = ({ collection }: Data) => collection.map(({ name }: Data) => name)

const RUN = `query ($assetId: ID!, $branchId: ID) { securityGateRun(assetId: $assetId, branchId: $branchId) {
  asset { id name } branch { name } deploy { id } executionDate issuesUrl
  reason { low { limit count status } medium { limit count status } high { limit count status } critical { limit count status } }
  status failingVulnerabilities(pagination: { page: 1, perPage: 10 }) {
    collection { id title description severity cvssScore file line platformUrl } metadata { totalCount } } } }`

const runOf = async ({ key, assetId }: Home, branchId?: string) =>
  (await run(key, RUN, { assetId, branchId })).securityGateRun

const deploy = async ({ key, assetId }: Home, branchName?: string) =>
  (await newDeploy(key, String(assetId), '', { branchName })).id

const report = async (home: Home, severity: string, more: Record<string, unknown>): Promise<string> =>
  (await upsert(home.key, sast(home.assetId, { severity, ruleId: severity, ...more }))).issue.id

describe('branches', () => {
  test('are those of deploys and of open findings, the default one first, then by name', async () => {
    const home = await newHome()
    const none = await listed(home)
    for (const name of ['topic/b', 'topic/a', 'topic/b', undefined]) await deploy(home, name)
    const deployed = await listed(home)
    await report(home, 'LOW', { branchName: 'main' })
    await report(home, 'LOW', { branchName: 'scanned' })
    const scanned = await listed(home)

    expect(none).toEqual({ collection: [], metadata: { totalCount: 0, endCursor: null } })
    expect(namesOf(deployed)).toEqual(['topic/b', '', 'topic/a'])
    expect(namesOf(scanned)).toEqual(['main', '', 'scanned', 'topic/a', 'topic/b'])
    expect(scanned.collection.map((branch: Data) => branch.default)).toEqual([true, false, false, false, false])
  })

  test('keep their ids, which no other asset has', async () => {
    const home = await newHome()
    const other = { ...home, assetId: Number((await newAsset(home.key, home.companyId)).id) }
    for (const each of [home, other]) await deploy(each, 'main')

    const [before] = (await listed(home)).collection
    await deploy(home, 'a')
    const [after] = (await listed(home)).collection
    const [elsewhere] = (await listed(other)).collection

    expect(after).toEqual(before)
    expect(before.id).toMatch(/^[1-9]\d{0,15}$/)
    expect(elsewhere.id).not.toBe(before.id)
  })

  test('are walked by page or cursor', async () => {
    const home = await newHome()
    for (const name of ['a', 'b', 'c', 'd', 'e']) await deploy(home, name)

    const first = await listed(home, { limit: 2 })
    const second = await listed(home, { limit: 2, page: 2 })
    const after = await listed(home, { limit: 2, after: first.metadata.endCursor })

    expect([namesOf(first), namesOf(second), namesOf(after)]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ])
    expect(first.metadata.totalCount).toBe(5)
  })

  test('take as many statements for one as for many', async () => {
    const home = await newHome()
    await deploy(home, 'main')
    const one = await countStatements(() => listed(home))
    for (let number = 0; number < 10; number += 1) await deploy(home, `branch ${number}`)

    const many = await countStatements(() => listed(home))

    expect(many).toBe(one)
  })
})

describe('a run of the security gate', () => {
  test('judges the last deploy of the branch, and says what each severity came to', async () => {
    const home = await newHome()
    const first = await deploy(home, 'main')
    await report(home, 'CRITICAL', { deployId: first })
    const last = await deploy(home, 'main')
    const high = await report(home, 'HIGH', { deployId: last, vulnerableLine: 20 })
    const medium = await report(home, 'MEDIUM', { deployId: last })
    await report(home, 'LOW', { deployId: last })

    const result = await runOf(home)

    expect(result).toMatchObject({
      asset: { id: String(home.assetId) },
      branch: { name: 'main' },
      deploy: { id: last },
      issuesUrl: null,
      status: 'FAILED',
      reason: {
        low: { limit: null, count: 1, status: 'PASSED' },
        medium: { limit: 0, count: 1, status: 'WARNED' },
        high: { limit: 0, count: 1, status: 'FAILED' },
        critical: { limit: 0, count: 0, status: 'PASSED' },
      },
    })
    expect(Math.abs(Date.parse(result.executionDate) - Date.now())).toBeLessThan(60_000)
    expect(result.failingVulnerabilities).toEqual({
      collection: [
        {
          id: high,
          title: 'SQL built from input',
          description: 'The query is put together from what the caller sends.',
          severity: 'HIGH',
          cvssScore: null,
          file: 'src/users.ts',
          line: 20,
          platformUrl: null,
        },
        expect.objectContaining({ id: medium, severity: 'MEDIUM' }),
      ],
      metadata: { totalCount: 2 },
    })
  })

  test('of a branch without a deploy judges all that is open on it', async () => {
    const home = await newHome()
    const ids = [await report(home, 'HIGH', { branchName: 'old' }), await report(home, 'MEDIUM', { branchName: 'old' })]
    await report(home, 'CRITICAL', { branchName: 'new' })
    const { collection } = await listed(home)
    const old = collection.find(({ name }: Data) => name === 'old')

    const result = await runOf(home, old.id)

    expect(result).toMatchObject({ branch: { name: 'old' }, deploy: null, status: 'FAILED' })
    expect(result.failingVulnerabilities.collection.map(({ id }: Data) => id)).toEqual(ids)
  })

  test('stays at the deploy that the branch stands at when another one comes late, and says what is not known', async () => {
    const home = await newHome()
    await setPolicy(home, [{ subject: 'TOUCHED', limit: 0, decision: 'BLOCK' }])
    const { previousCommit } = await newDeploy(home.key, String(home.assetId), '', { branchName: 'main' })
    const last = await deploy(home, 'main')
    await newDeploy(home.key, String(home.assetId), '', { branchName: 'main', currentCommit: previousCommit })

    const { securityGateRun } = await run(
      home.key,
      'query ($assetId: ID!) { securityGateRun(assetId: $assetId) { deploy { id } gate { sentence } } }',
      { assetId: home.assetId },
    )

    expect(securityGateRun.deploy.id).toBe(last)
    expect(securityGateRun.gate.sentence).toMatch(/were not carried through it \(GAP\)\.$/)
  })

  test('passes where there is nothing at all', async () => {
    const home = await newHome()

    const result = await runOf(home)

    expect(result).toMatchObject({ branch: null, deploy: null, status: 'PASSED' })
    expect(result.failingVulnerabilities.collection).toEqual([])
  })

  test('finds no branch of another asset', async () => {
    const home = await newHome()
    const other = { ...home, assetId: Number((await newAsset(home.key, home.companyId)).id) }
    await deploy(home, 'main')
    const [{ id }] = (await listed(home)).collection

    const failure = await refusal(home.key, RUN, { assetId: other.assetId, branchId: id })

    expect(failure).toMatchObject({ message: `The branch ${id} was not found`, extensions: { code: 'NOT_FOUND' } })
  })

  test('takes as many statements for forty findings as for two', async () => {
    const home = await newHome()
    const id = await deploy(home, 'main')
    const reported = async (from: number, to: number) => {
      for (let number = from; number < to; number += 1) {
        await report(home, 'HIGH', { deployId: id, ruleId: `rule ${number}` })
      }
    }
    await reported(0, 2)
    const two = await countStatements(() => runOf(home))
    await reported(2, 40)

    const forty = await countStatements(() => runOf(home))

    expect(forty).toBe(two)
  })

  test('leads to the console where the installation has a public address', async () => {
    const home = await newHome()
    const id = await report(home, 'HIGH', { branchName: 'a&b' })
    const { url, app } = await startService({ MERLON_PUBLIC_URL: 'https://merlon.example.test/' })

    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': home.key },
      body: JSON.stringify({ query: RUN, variables: { assetId: home.assetId } }),
    })
    const { securityGateRun } = ((await response.json()) as { data: Data }).data
    await app.stop(0)

    const console = `https://merlon.example.test/companies/${home.companyId}`
    expect(securityGateRun.issuesUrl).toBe(`${console}/findings?asset=${home.assetId}&branch=a%26b`)
    expect(securityGateRun.failingVulnerabilities.collection[0].platformUrl).toBe(`${console}/findings/${id}`)
  })
})
