// Two tools on one issue, and people who correct what was made one, through the endpoint.

import { describe, expect, test } from 'vitest'
import { type Data, refusal, run } from '../../../../test/testkit/client.ts'
import { deployed, lines, newCodeHome, placesOf } from '../../../../test/testkit/code-home.ts'
import { decide, newHome, sast, upsert } from '../../../../test/testkit/findings.ts'
import { imported, rowsOf } from '../../../../test/testkit/reports.ts'
import { newPerson } from '../../../../test/testkit/world.ts'

type Home = Awaited<ReturnType<typeof newHome>>

const weakness = (assetId: number, toolName: string, more: Record<string, unknown> = {}) =>
  sast(assetId, { toolName, ruleId: `${toolName}/sqli`, title: `As ${toolName} says`, category: 'CWE-89', ...more })

const SHOWN = `id status severity title occurrences { branchName path line isOpen }
  witnesses { id isOwn toolName ruleId severity isOpen }
  identity { matchedBy evidence places { id witnessId branch path line matchedBy }
    mergedFrom { id because mergedBy { id } reason } }
  history { action reason }`

const shown = async ({ key }: Home, id: string): Promise<Data> =>
  (await run(key, `query ($id: ID!) { issue(id: $id) { ${SHOWN} } }`, { id })).issue

const listed = async ({ key, companyId }: Home): Promise<Data[]> =>
  (
    await run(key, 'query ($id: ID!) { issues(companyId: $id, pagination: { perPage: 100 }) { collection { id } } }', {
      id: companyId,
    })
  ).issues.collection

const MERGE = `mutation ($input: MergeIssuesInput!) { mergeIssues(input: $input) { issue { ${SHOWN} } } }`
const SPLIT = `mutation ($input: SplitIssueInput!) { splitIssue(input: $input) {
  issue { ${SHOWN} } splitIssue { ${SHOWN} } } }`

const merge = async ({ key, companyId }: Home, issueId: string, ...mergeIds: string[]): Promise<Data> =>
  (await run(key, MERGE, { input: { companyId, issueId, mergeIds, reason: 'The same mistake' } })).mergeIssues.issue

const split = async ({ key, companyId }: Home, issueId: string, part: Record<string, string>): Promise<Data> =>
  (await run(key, SPLIT, { input: { companyId, issueId, ...part, reason: 'Two mistakes' } })).splitIssue

const SCA = `mutation ($input: CreateOrUpdateScaFindingInput!) { createOrUpdateScaFinding(input: $input) {
  outcome issue { id } } }`
const component = async ({ key, assetId }: Home, input: Record<string, unknown>): Promise<Data> =>
  (await run(key, SCA, { input: { assetId, title: 'Old package', description: 'Old.', ...input } }))
    .createOrUpdateScaFinding

describe('two tools at one place with the same CWE', () => {
  test('are one issue with two witnesses, as severe as the stronger says', async () => {
    const home = await newHome()
    const first = await upsert(home.key, weakness(home.assetId, 'Semgrep', { severity: 'MEDIUM' }))

    const second = await upsert(
      home.key,
      weakness(home.assetId, 'CodeQL', { severity: 'CRITICAL', codeSnippet: 'name' }),
    )

    expect(second).toMatchObject({ outcome: 'CREATED', issue: { id: first.issue.id, title: 'As Semgrep says' } })
    const issue = await shown(home, first.issue.id)
    expect(issue.severity).toBe('CRITICAL')
    expect(issue.witnesses).toMatchObject([
      { id: first.issue.id, isOwn: true, toolName: 'Semgrep', severity: 'MEDIUM', isOpen: true },
      { isOwn: false, toolName: 'CodeQL', ruleId: 'CodeQL/sqli', severity: 'CRITICAL', isOpen: true },
    ])
    expect(issue.identity.mergedFrom).toMatchObject([{ because: 'SAME_PLACE', mergedBy: null }])
    expect(await listed(home)).toHaveLength(1)
  })

  test('are found again by the reports of each, however often they come', async () => {
    const home = await newHome()
    const { issue } = await upsert(home.key, weakness(home.assetId, 'Semgrep'))
    await upsert(home.key, weakness(home.assetId, 'CodeQL'))

    const outcomes = []
    for (const tool of ['CodeQL', 'Semgrep', 'CodeQL', 'Semgrep', 'CodeQL']) {
      const { outcome, issue: found } = await upsert(home.key, weakness(home.assetId, tool))
      outcomes.push([outcome, found.id])
    }

    expect(outcomes).toEqual(Array.from({ length: 5 }, () => ['UNCHANGED', issue.id]))
  })

  test('stay two with another CWE, another line, or two findings of one tool to choose from', async () => {
    const home = await newHome()
    const of = (tool: string, more: Record<string, unknown>) => upsert(home.key, weakness(home.assetId, tool, more))
    await of('Semgrep', { fileName: 'a.ts' })
    await of('CodeQL', { fileName: 'a.ts', category: 'CWE-79' })
    await of('Semgrep', { fileName: 'b.ts' })
    await of('CodeQL', { fileName: 'b.ts', vulnerableLine: 11 })
    await of('Semgrep', { fileName: 'c.ts' })
    await of('Semgrep', { fileName: 'c.ts', ruleId: 'another' })

    await of('CodeQL', { fileName: 'c.ts' })

    expect(await listed(home)).toHaveLength(7)
  })

  test('are joined by a batch and by sixteen callers at once too', async () => {
    const home = await newHome()
    const BATCH = `mutation ($findings: [CreateOrUpdateFindingPolymorphicInput!]!) {
      batchCreateOrUpdateFindings(input: { findings: $findings }) { issues { id } } }`
    const tools = ['Semgrep', 'CodeQL', 'Bandit']
    const findings = tools.map((tool) => ({ sastFinding: weakness(home.assetId, tool, { fileName: 'batch.ts' }) }))

    const { batchCreateOrUpdateFindings: batch } = await run(home.key, BATCH, { findings })
    const atOnce = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        upsert(home.key, weakness(home.assetId, tools[n % 2] ?? '', { fileName: 'b.ts' })),
      ),
    )

    expect(new Set(batch.issues.map(({ id }: Data) => id)).size).toBe(1)
    expect(new Set((await listed(home)).map(({ id }) => id)).size).toBe(2)
    expect(new Set(atOnce.map(({ issue }) => issue.id)).size).toBe(1)
  })

  test('are covered by what a person decided of the issue, and open again when the second tool sees it after the fix', async () => {
    const home = await newHome()
    const { issue } = await upsert(home.key, weakness(home.assetId, 'Semgrep'))
    await upsert(home.key, weakness(home.assetId, 'CodeQL'))
    await decide(home.key, issue.id, 'FALSE_POSITIVE')
    const covered = await upsert(home.key, weakness(home.assetId, 'CodeQL'))
    await decide(home.key, issue.id, 'IDENTIFIED')
    await decide(home.key, issue.id, 'FIX_ACCEPTED').catch(() => decide(home.key, issue.id, 'IN_PROGRESS'))

    const again = await upsert(home.key, weakness(home.assetId, 'CodeQL'))

    expect(covered).toMatchObject({ outcome: 'UNCHANGED', issue: { id: issue.id, status: 'FALSE_POSITIVE' } })
    expect(again.issue.id).toBe(issue.id)
    expect(['IDENTIFIED', 'IN_PROGRESS']).toContain((await shown(home, issue.id)).status)
  })

  test('do not hide how the issue was known, when the other has just been joined', async () => {
    const home = await newHome()
    const { issue } = await upsert(home.key, weakness(home.assetId, 'Semgrep'))
    await upsert(home.key, weakness(home.assetId, 'Semgrep', { title: 'In other words' }))
    await upsert(home.key, weakness(home.assetId, 'CodeQL'))

    expect((await shown(home, issue.id)).identity.matchedBy).toBe('PLACE')
  })

  test('follow what each tool says of the severity by now', async () => {
    const home = await newHome()
    const { issue } = await upsert(home.key, weakness(home.assetId, 'Semgrep', { severity: 'LOW' }))
    await upsert(home.key, weakness(home.assetId, 'CodeQL', { severity: 'HIGH' }))
    await upsert(home.key, weakness(home.assetId, 'CodeQL', { severity: 'MEDIUM' }))

    const lowered = await shown(home, issue.id)
    await upsert(home.key, weakness(home.assetId, 'Semgrep', { severity: 'CRITICAL' }))

    expect(lowered.severity).toBe('MEDIUM')
    expect((await shown(home, issue.id)).severity).toBe('CRITICAL')
  })
})

describe('two tools on one vulnerability of a component', () => {
  test('are one issue by an alias, however each writes the package', async () => {
    const home = await newHome()
    const first = await component(home, {
      toolName: 'Trivy',
      package: '@babel/traverse',
      affectedVersion: '7.22.0',
      cve: 'CVE-2023-45133',
      patterns: ['GHSA-67hx-6x53-jw92'],
      fileName: 'package-lock.json',
    })
    const second = await component(home, {
      toolName: 'OSV-Scanner',
      purl: 'pkg:npm/%40babel/traverse@7.22.0',
      ruleId: 'GHSA-67hx-6x53-jw92',
      fileName: 'web/package-lock.json',
    })

    const other = await component(home, {
      toolName: 'OSV-Scanner',
      purl: 'pkg:npm/%40babel/traverse@7.23.0',
      ruleId: 'GHSA-67hx-6x53-jw92',
    })

    expect(second.issue.id).toBe(first.issue.id)
    expect(other.issue.id).not.toBe(first.issue.id)
    expect((await shown(home, first.issue.id)).identity.mergedFrom).toMatchObject([{ because: 'SAME_VULNERABILITY' }])
  })
})

const result = (rule: string, line: number, file = 'src/users.ts') => ({
  ruleId: rule,
  message: { text: `Says ${rule}` },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: file },
        region: { startLine: line, snippet: { text: `code ${line}` } },
      },
    },
  ],
})

const report = (tool: string, lines: number[], rule = `${tool}-sqli`) =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: tool, rules: [{ id: rule, properties: { tags: ['external/cwe/cwe-089'] } }] } },
        results: lines.map((line) => result(rule, line)),
      },
    ],
  })

describe('whole reports of two tools', () => {
  const bring = (home: Home, content: string) =>
    imported({ ...home, assetId: String(home.assetId) } as never, content, { closeAbsent: true })

  test('tell of each row that it was merged, close when neither has it any more, and open when one has it again', async () => {
    const home = await newHome()
    await bring(home, report('Semgrep', [10, 20]))
    const second = await bring(home, report('CodeQL', [10, 30]))
    const [id] = rowsOf(second, 'MERGED').map((row: Data) => row.issue.id)

    await bring(home, report('Semgrep', [20]))
    const held = await shown(home, id)
    await bring(home, report('CodeQL', [30]))
    const closed = await shown(home, id)
    await bring(home, report('CodeQL', [10, 30]))

    expect(second.result).toMatchObject({ created: 1, merged: 1 })
    expect(held).toMatchObject({ status: 'CREATED', witnesses: [{ isOpen: false }, { isOpen: true }] })
    expect(closed).toMatchObject({ status: 'FIX_ACCEPTED', occurrences: [{ isOpen: false }] })
    expect(await shown(home, id)).toMatchObject({ status: 'IDENTIFIED', occurrences: [{ isOpen: true }] })
    expect(await listed(home)).toHaveLength(3)
  })
})

describe('a correction', () => {
  test('merges issues, and what is reported again makes none anew', async () => {
    const home = await newHome()
    const one = await upsert(home.key, weakness(home.assetId, 'Semgrep', { fileName: 'a.ts', severity: 'LOW' }))
    const other = await upsert(home.key, weakness(home.assetId, 'Semgrep', { fileName: 'b.ts', severity: 'HIGH' }))

    const merged = await merge(home, one.issue.id, other.issue.id)

    expect(merged).toMatchObject({ id: one.issue.id, severity: 'HIGH' })
    expect(merged.identity.mergedFrom).toMatchObject([
      { id: other.issue.id, because: 'PERSON', mergedBy: { id: home.owner.id }, reason: 'The same mistake' },
    ])
    const again = await upsert(home.key, weakness(home.assetId, 'Semgrep', { fileName: 'b.ts', severity: 'HIGH' }))
    expect(again).toMatchObject({ outcome: 'UNCHANGED', issue: { id: one.issue.id } })
    expect((await shown(home, other.issue.id)).id).toBe(one.issue.id)
    expect(await listed(home)).toHaveLength(1)
  })

  test('splits a witness off for good', async () => {
    const home = await newHome()
    const { issue } = await upsert(home.key, weakness(home.assetId, 'Semgrep', { severity: 'LOW' }))
    await upsert(home.key, weakness(home.assetId, 'CodeQL', { severity: 'HIGH' }))
    const [, witness] = (await shown(home, issue.id)).witnesses

    const parts = await split(home, issue.id, { witnessId: witness.id })

    expect(parts.issue).toMatchObject({ id: issue.id, severity: 'LOW', witnesses: [{ toolName: 'Semgrep' }] })
    expect(parts.splitIssue).toMatchObject({ id: witness.id, severity: 'HIGH', status: 'CREATED' })
    await upsert(home.key, weakness(home.assetId, 'CodeQL', { severity: 'HIGH', vulnerableLine: 12 }))
    const back = await upsert(home.key, weakness(home.assetId, 'CodeQL', { severity: 'HIGH' }))
    expect(back.issue.id).not.toBe(issue.id)
    expect((await upsert(home.key, weakness(home.assetId, 'Semgrep', { severity: 'LOW' }))).issue.id).toBe(issue.id)
  })

  test('splits what one id of a tool had made one: both are found by the next reports', async () => {
    const home = await newHome()
    const of = (fileName: string, codeSnippet: string) =>
      upsert(home.key, weakness(home.assetId, 'Semgrep', { fileName, codeSnippet, originalIssueIdFromTool: '5' }))
    const { issue } = await of('a.ts', 'one()')
    await of('b.ts', 'two()')
    const { places } = (await shown(home, issue.id)).identity

    const parts = await split(home, issue.id, { placeId: places[1].id })

    expect(places).toMatchObject([
      { path: 'a.ts', matchedBy: 'NEW' },
      { path: 'b.ts', matchedBy: 'TOOL_ID' },
    ])
    expect((await of('a.ts', 'one()')).issue.id).toBe(issue.id)
    expect((await of('b.ts', 'two()')).issue.id).toBe(parts.splitIssue.id)
    expect(await listed(home)).toHaveLength(2)
  })

  test('splits one branch from the others', async () => {
    const home = await newHome()
    const on = (branchName: string) => upsert(home.key, weakness(home.assetId, 'Semgrep', { branchName }))
    const { issue } = await on('main')
    await on('next')
    const { places } = (await shown(home, issue.id)).identity

    const parts = await split(home, issue.id, { placeId: places[1].id })

    expect(parts.issue.occurrences).toMatchObject([{ branchName: 'main' }])
    expect(parts.splitIssue.occurrences).toMatchObject([{ branchName: 'next' }])
    expect((await on('main')).issue.id).toBe(issue.id)
    expect((await on('next')).issue.id).toBe(parts.splitIssue.id)
  })

  test('is refused of the only place, of another asset, and of what a person decided without leave to decide', async () => {
    const home = await newHome()
    const { issue } = await upsert(home.key, weakness(home.assetId, 'Semgrep'))
    const other = await upsert(home.key, weakness(home.assetId, 'Semgrep', { fileName: 'b.ts' }))
    const foreign = await newHome()
    const { issue: theirs } = await upsert(foreign.key, weakness(foreign.assetId, 'Semgrep'))
    const { places } = (await shown(home, issue.id)).identity
    await decide(home.key, other.issue.id, 'FALSE_POSITIVE')
    const developer = await newPerson(home.companyId, 'DEVELOPER')
    const input = { companyId: home.companyId, issueId: issue.id, reason: 'Why' }

    const only = await refusal(home.key, SPLIT, { input: { ...input, placeId: places[0].id } })
    const abroad = await refusal(home.key, MERGE, { input: { ...input, mergeIds: [theirs.id] } })
    const decided = await refusal(developer.key, MERGE, {
      input: { ...input, issueId: other.issue.id, mergeIds: [issue.id] },
    })

    expect(only.extensions.code).toBe('FAILED_PRECONDITION')
    expect(abroad.extensions.code).toBe('NOT_FOUND')
    expect(decided.extensions.code).toBe('FORBIDDEN')
  })

  test('says why: how the last report was known, in words', async () => {
    const home = await newHome()
    await upsert(home.key, weakness(home.assetId, 'Semgrep'))
    const { issue } = await upsert(home.key, weakness(home.assetId, 'Semgrep', { severity: 'LOW' }))

    const { identity } = await shown(home, issue.id)

    expect(identity).toMatchObject({ matchedBy: 'PLACE', mergedFrom: [] })
    expect(identity.evidence).toBe(
      'Reported at src/users.ts:10. A finding of Semgrep/sqli was already known at that place.',
    )
  })
})

describe('an issue with two witnesses', () => {
  const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

  test('is carried by a deploy, judged by its gate, counted and exported once', async () => {
    const home = await newCodeHome()
    const { repository, key, companyId } = home
    const one = repository.commit({ 'a.ts': lines('a') })
    const two = repository.commit({ 'a.ts': ['new', ...lines('a')] })
    const report = (tool: string, line: number) =>
      upsert(key, weakness(Number(home.assetId), tool, { fileName: 'a.ts', vulnerableLine: line, codeSnippet: 'a 5' }))
    const first = await deployed(home, repository.diff(emptyTree, one), emptyTree, one)
    const { issue } = await report('Semgrep', 5)
    await report('CodeQL', 5)

    const second = await deployed(home, repository.diff(one, two), one, two)

    const { deploy: introduced } = await run(
      key,
      `query ($id: ID!) { deploy(id: $id) { gate { findings { metadata { totalCount } } }
        introduced { metadata { totalCount } } } }`,
      { id: first.id },
    )
    const { deploy: moved } = await run(key, 'query ($id: ID!) { deploy(id: $id) { findings { moved } } }', {
      id: second.id,
    })
    const { issuesStats } = await run(key, 'query ($id: ID!) { issuesStats(companyId: $id) { total } }', {
      id: companyId,
    })
    expect(introduced).toMatchObject({ introduced: { metadata: { totalCount: 1 } } })
    expect(moved.findings.moved).toBe(1)
    expect(issuesStats.total).toBe(1)
    expect(await placesOf(home, [issue.id])).toEqual([['a.ts', 6, 'MOVED']])
    expect((await report('CodeQL', 6)).issue.id).toBe(issue.id)
    expect((await report('Semgrep', 6)).issue.id).toBe(issue.id)
  })

  test('stands on a branch where one of its tools sees it, where the other then finds it', async () => {
    const home = await newHome()
    const { issue } = await upsert(home.key, weakness(home.assetId, 'Semgrep', { branchName: 'main' }))
    await upsert(home.key, weakness(home.assetId, 'CodeQL', { branchName: 'main' }))

    await upsert(home.key, weakness(home.assetId, 'CodeQL', { branchName: 'next' }))

    const { occurrences, witnesses } = await shown(home, issue.id)
    expect(witnesses).toHaveLength(2)
    expect(occurrences).toEqual(
      expect.arrayContaining([
        { branchName: 'main', path: 'src/users.ts', line: 10, isOpen: true },
        { branchName: 'next', path: 'src/users.ts', line: 10, isOpen: true },
      ]),
    )
    await upsert(home.key, weakness(home.assetId, 'CodeQL', { branchName: 'next' }))
    expect((await upsert(home.key, weakness(home.assetId, 'Semgrep', { branchName: 'next' }))).issue.id).toBe(issue.id)
  })
})
