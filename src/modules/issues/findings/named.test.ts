// The weaknesses and vulnerabilities that an issue of several tools names, through the endpoint.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Data, run } from '../../../../test/testkit/client.ts'
import { imported, newReportHome, type ReportHome } from '../../../../test/testkit/reports.ts'
import { countStatements, services } from '../../../../test/testkit/service.ts'

const linesOf = (count: number) => Array.from({ length: count }, (_, at) => at + 3)

const report = (tool: string, cweIds: readonly number[], lines: readonly number[] = cweIds.length === 0 ? [] : [3]) =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: tool,
            rules: [{ id: tool, properties: { tags: cweIds.map((id) => `external/cwe/cwe-${id}`) } }],
          },
        },
        automationDetails: { id: `${tool}/` },
        results: lines.map((line) => found(tool, line)),
      },
    ],
  })

const found = (tool: string, startLine: number) => ({
  ruleId: tool,
  message: { text: `Says ${tool}` },
  locations: [{ physicalLocation: { artifactLocation: { uri: 'src/a.js' }, region: { startLine } } }],
})

const bring = async (home: ReportHome, tool: string, ...cweIds: number[]): Promise<string> =>
  (await imported(home, report(tool, cweIds), { closeAbsent: true })).rows.collection[0]?.issue.id

const ISSUE = `status witnesses { id toolName } exploitation { vulnerabilityIds isKnownExploited } priority { score }
  ... on SastFinding { cweIds }`
const shown = async ({ key }: ReportHome, id: string): Promise<Data> =>
  (await run(key, `query ($id: ID!) { issue(id: $id) { ${ISSUE} } }`, { id })).issue

const withWeakness = async ({ key, companyId }: ReportHome, cweId: number): Promise<string[]> => {
  const LIST = `query ($id: ID!, $cwe: [Int!]) {
    issues(companyId: $id, filters: { cweIds: $cwe }, pagination: { perPage: 10 }) { collection { id } } }`
  const { issues } = await run(key, LIST, { id: companyId, cwe: [cweId] })
  return issues.collection.map(({ id }: Data) => id)
}

const splitOff = ({ key, companyId }: ReportHome, issueId: string, witnessId: string) =>
  run(key, 'mutation ($input: SplitIssueInput!) { splitIssue(input: $input) { issue { id } } }', {
    input: { companyId, issueId, witnessId, reason: 'Two mistakes' },
  })

const REQUIRE = `mutation ($input: CreateThreatModelingRequirementsInput!) {
  createThreatModelingRequirements(input: $input) { requirements { id } } }`

async function stateOfInjection({ key, companyId }: ReportHome): Promise<string> {
  const input = { companyId, requirements: [{ label: 'Inputs are bound', capecIds: ['66'] }] }
  const { createThreatModelingRequirements: made } = await run(key, REQUIRE, { input })
  const { requirement } = await run(
    key,
    'query ($companyId: ID!, $id: ID!) { requirement(companyId: $companyId, id: $id) { check { state } } }',
    { companyId, id: made.requirements[0].id },
  )
  return requirement.check[0].state
}

describe('an issue of two tools of which one names more weaknesses', () => {
  test.each([
    ['the tool that came second', [79], [79, 89]],
    ['the tool that came first', [79, 89], [79]],
  ])('is found by all that %s names, and violates what they break', async (_, first, second) => {
    const home = await newReportHome()
    const id = await bring(home, 'ToolA', ...first)

    await bring(home, 'ToolB', ...second)

    expect((await shown(home, id)).cweIds).toEqual([79, 89])
    expect(await withWeakness(home, 89)).toEqual([id])
    expect(await stateOfInjection(home)).toBe('VIOLATED')
  })

  test('names what is left when the one is split off', async () => {
    const home = await newReportHome()
    const id = await bring(home, 'ToolA', 79)
    await bring(home, 'ToolB', 79, 89)
    const [, witness] = (await shown(home, id)).witnesses

    await splitOff(home, id, witness.id)

    expect([(await shown(home, id)).cweIds, (await shown(home, witness.id)).cweIds]).toEqual([[79], [79, 89]])
  })

  test('names what is left when the one does not see it any more, and all again when it does', async () => {
    const home = await newReportHome()
    const id = await bring(home, 'ToolA', 79)
    await bring(home, 'ToolB', 79, 89)

    await bring(home, 'ToolB')
    const alone = await shown(home, id)
    await bring(home, 'ToolB', 79, 89)

    expect(alone).toMatchObject({ status: 'CREATED', cweIds: [79] })
    expect((await shown(home, id)).cweIds).toEqual([79, 89])
  })

  test('takes as many statements for a hundred as for ten, of new ones, of the same again and of those that are gone', async () => {
    const counts: number[][] = []
    for (const count of [10, 100]) {
      const home = await newReportHome()
      await imported(home, report('ToolA', [79], linesOf(count)))
      const counted = []
      for (const lines of [linesOf(count), linesOf(count), []]) {
        const content = report('ToolB', [79, 89], lines)
        counted.push(await countStatements(() => imported(home, content, { closeAbsent: true, confirmClose: true })))
      }
      counts.push(counted)
    }

    expect(counts[1]).toEqual(counts[0])
  })

  test('keeps what its own tool says apart: its next reports change nothing, or that alone', async () => {
    const home = await newReportHome()
    const id = await bring(home, 'ToolA', 79)
    await bring(home, 'ToolB', 79, 89)

    const same = await imported(home, report('ToolA', [79]))
    await bring(home, 'ToolA', 79, 352)

    expect(same.result).toMatchObject({ unchanged: 1, updated: 0 })
    expect((await shown(home, id)).cweIds).toEqual([79, 352, 89])
  })
})

const component = async ({ key, assetId }: ReportHome, toolName: string, cve: string | null, ghsa: string) => {
  const COMPONENT = `mutation ($input: CreateOrUpdateScaFindingInput!) { createOrUpdateScaFinding(input: $input) { issue { id } } }`
  const input = {
    assetId: Number(assetId),
    toolName,
    title: 'Old package',
    description: 'Old.',
    severity: 'HIGH',
    package: 'left',
    affectedVersion: '1',
  }
  const more = cve === null ? { ruleId: ghsa } : { cve, patterns: [ghsa] }
  return (await run(key, COMPONENT, { input: { ...input, ...more } })).createOrUpdateScaFinding.issue.id as string
}

describe('an issue of two tools of which one names the vulnerability that is exploited', () => {
  const exploited = async (cve: string) => {
    const [service] = await services()
    await sql`insert into known_exploited (cve) values (${cve}) on conflict do nothing`.execute(
      service?.app.db as never,
    )
    return cve
  }
  const GHSA = 'GHSA-w1t2-w1t2-w1t2'

  test('is known as exploited, whichever came first', async () => {
    const cve = await exploited('CVE-2031-44001')
    const [one, other] = [await newReportHome(), await newReportHome()]

    const id = await component(one, 'ToolG', null, GHSA)
    await component(one, 'ToolD', cve, GHSA)
    const otherId = await component(other, 'ToolD', cve, GHSA)
    await component(other, 'ToolG', null, GHSA)

    const [first, second] = [await shown(one, id), await shown(other, otherId)]
    expect(first.witnesses).toHaveLength(2)
    expect(first).toMatchObject({ exploitation: { isKnownExploited: true } })
    expect(second.priority).toEqual(first.priority)
    expect([...first.exploitation.vulnerabilityIds].sort()).toEqual([...second.exploitation.vulnerabilityIds].sort())
  })

  test('is not, when the one that names it is split off', async () => {
    const cve = await exploited('CVE-2031-44002')
    const home = await newReportHome()
    const id = await component(home, 'ToolG', null, GHSA)
    await component(home, 'ToolD', cve, GHSA)
    const [, witness] = (await shown(home, id)).witnesses

    await splitOff(home, id, witness.id)

    expect((await shown(home, id)).exploitation).toEqual({ vulnerabilityIds: [GHSA], isKnownExploited: false })
    expect((await shown(home, witness.id)).exploitation.isKnownExploited).toBe(true)
  })
})
