// Findings that tools report, through the endpoint.

import { describe, expect, test } from 'vitest'
import { ask, refusal, run } from '../../../test/testkit/client.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { newAsset, newPerson, newWorld } from '../../../test/testkit/world.ts'

const UPSERT = `mutation ($input: CreateOrUpdateSastFindingInput!) { createOrUpdateSastFinding(input: $input) {
  clientMutationId outcome matchedBy previousPlaces { path line }
  issue { id title status description severity
    ... on SastFinding { toolName rule cweIds detail { fileName vulnerableLine firstLine codeSnippet }
      occurrences { branchName path line commit } history { action kind previousStatus status } } } } }`
const BATCH = `mutation ($findings: [CreateOrUpdateFindingPolymorphicInput!]!) {
  batchCreateOrUpdateFindings(input: { findings: $findings }) {
    issues { id title } findingErrors { index code message } results { index outcome matchedBy issue { id } } } }`

const newHome = async () => {
  const world = await newWorld()
  const asset = await newAsset(world.owner.key, world.companyId)
  return { ...world, assetId: Number(asset.id), key: world.owner.key }
}

const sast = (assetId: number, more: Record<string, unknown> = {}) => ({
  assetId,
  title: 'SQL built from input',
  description: 'The query is put together from what the caller sends.',
  codeSnippet: 'db.query("select " + name)',
  vulnerableLine: 10,
  firstLine: 10,
  fileName: 'src/users.ts',
  ...more,
})

const upsert = async (key: string, input: Record<string, unknown>) =>
  (await run(key, UPSERT, { input })).createOrUpdateSastFinding

const decide = (key: string, id: string, status: string, reason: string) =>
  run(key, 'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }', {
    input: { id, status, reason },
  })

describe('a finding that is reported', () => {
  test('is created from the fields of the contract, and answers with them', async () => {
    const { key, assetId } = await newHome()

    const { createOrUpdateSastFinding: answer } = await run(
      key,
      `mutation ($input: CreateOrUpdateSastFindingInput!) {
        createOrUpdateSastFinding(input: $input) { clientMutationId issue { id title status } } }`,
      { input: { ...sast(assetId), clientMutationId: 'mine' } },
    )

    expect(answer).toEqual({
      clientMutationId: 'mine',
      issue: { id: expect.stringMatching(/^\d+$/), title: 'SQL built from input', status: 'CREATED' },
    })
  })

  test('is unchanged when it comes again as it was, and updated when its words change', async () => {
    const { key, assetId } = await newHome()

    const first = await upsert(key, sast(assetId))
    const again = await upsert(key, sast(assetId))
    const reworded = await upsert(key, sast(assetId, { description: 'In other words.', severity: 'HIGH' }))

    expect([first, again, reworded].map(({ outcome, matchedBy }) => [outcome, matchedBy])).toEqual([
      ['CREATED', 'NEW'],
      ['UNCHANGED', 'PLACE'],
      ['UPDATED', 'PLACE'],
    ])
    expect(new Set([first, again, reworded].map(({ issue }) => issue.id)).size).toBe(1)
    expect(reworded.issue).toMatchObject({ description: 'In other words.', severity: 'HIGH' })
  })

  test('keeps what a person decided of it, and takes the new words of the scan', async () => {
    const { key, assetId } = await newHome()
    const { issue } = await upsert(key, sast(assetId, { severity: 'LOW', solution: 'Bind it.' }))
    await decide(key, issue.id, 'FALSE_POSITIVE', 'A constant.')

    const again = await upsert(key, sast(assetId, { severity: 'HIGH', solution: 'Bind every value.' }))

    expect(again).toMatchObject({
      outcome: 'UPDATED',
      issue: { id: issue.id, status: 'FALSE_POSITIVE', severity: 'HIGH' },
    })
  })

  test('that was closed as fixed opens again by itself, and its history says so', async () => {
    const { key, assetId } = await newHome()
    const { issue } = await upsert(key, sast(assetId))
    await decide(key, issue.id, 'FIX_ACCEPTED', 'Gone.')

    const again = await upsert(key, sast(assetId))

    expect(again).toMatchObject({ outcome: 'REOPENED', issue: { id: issue.id, status: 'IDENTIFIED' } })
    expect(again.issue.history[0]).toMatchObject({
      action: 'STATUS_CHANGED',
      kind: 'SCAN',
      previousStatus: 'FIX_ACCEPTED',
      status: 'IDENTIFIED',
    })
  })

  test('starts as DRAFT, CREATED or IDENTIFIED when it says so, and as nothing that people decide', async () => {
    const { key, assetId } = await newHome()

    const { issue } = await upsert(key, sast(assetId, { status: 'IDENTIFIED' }))
    const failure = await refusal(key, UPSERT, { input: sast(assetId, { status: 'FALSE_POSITIVE' }) })

    expect(issue.status).toBe('IDENTIFIED')
    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.status' })
  })

  test('gets its severity from a score, and its weaknesses from the category', async () => {
    const { key, assetId } = await newHome()

    const { issue } = await upsert(
      key,
      sast(assetId, { cvssScore: 9.1, severity: 'LOW', category: 'cwe79: scripting' }),
    )

    expect(issue).toMatchObject({ severity: 'CRITICAL', cweIds: [79] })
  })

  test('is on two branches one issue with two occurrences', async () => {
    const { key, assetId } = await newHome()

    const main = await upsert(key, sast(assetId, { branchName: 'main' }))
    const feature = await upsert(key, sast(assetId, { branchName: 'feature' }))

    expect(feature).toMatchObject({ outcome: 'UPDATED', matchedBy: 'PLACE', issue: { id: main.issue.id } })
    expect(feature.issue.occurrences.map(({ branchName }: { branchName: string }) => branchName).sort()).toEqual([
      'feature',
      'main',
    ])
  })

  test('is another one on another line at the same commit, and both stay two when they come again', async () => {
    const { key, assetId } = await newHome()
    const at = (line: number) => sast(assetId, { vulnerableLine: line, firstLine: line, commitRef: 'abcdef1' })

    const first = await upsert(key, at(10))
    const second = await upsert(key, at(50))
    const again = [await upsert(key, at(10)), await upsert(key, at(50))]

    expect([first.outcome, second.outcome]).toEqual(['CREATED', 'CREATED'])
    expect(again.map(({ outcome, issue }) => [outcome, issue.id])).toEqual([
      ['UNCHANGED', first.issue.id],
      ['UNCHANGED', second.issue.id],
    ])
  })

  test('is found by its code when its lines moved between two commits, and says where it was', async () => {
    const { key, assetId } = await newHome()
    const first = await upsert(key, sast(assetId, { commitRef: 'aaaaaaa1' }))

    const moved = await upsert(key, sast(assetId, { vulnerableLine: 14, firstLine: 14, commitRef: 'bbbbbbb2' }))

    expect(moved).toMatchObject({
      outcome: 'UPDATED',
      matchedBy: 'SNIPPET_IN_FILE',
      previousPlaces: [{ path: 'src/users.ts', line: 10 }],
      issue: { id: first.issue.id, detail: { vulnerableLine: 14 } },
    })
  })

  test('is found by the id or the fingerprint that its tool gives, wherever it went', async () => {
    const { key, assetId } = await newHome()
    const byId = await upsert(key, sast(assetId, { originalIssueIdFromTool: 'T-1', fingerprint: 'f1' }))

    const elsewhere = { fileName: 'lib/other.ts', vulnerableLine: 3, firstLine: 3, codeSnippet: 'run(text)' }
    const again = await upsert(key, sast(assetId, { ...elsewhere, originalIssueIdFromTool: 'T-1' }))
    const fingerprinted = await upsert(key, sast(assetId, { fingerprint: 'f1', fileName: 'c.ts', codeSnippet: 'x()' }))

    expect([again, fingerprinted].map(({ matchedBy, issue }) => [matchedBy, issue.id])).toEqual([
      ['TOOL_ID', byId.issue.id],
      ['FINGERPRINT', byId.issue.id],
    ])
  })

  test('of another asset, tool or rule is another one', async () => {
    const { key, assetId, companyId } = await newHome()
    const other = await newAsset(key, companyId)
    const inputs = [
      sast(assetId),
      sast(Number(other.id)),
      sast(assetId, { toolName: 'Lint' }),
      sast(assetId, { toolName: 'Lint', ruleId: 'sql-1' }),
    ]

    const ids = new Set<string>()
    for (const input of inputs) ids.add((await upsert(key, input)).issue.id)

    expect(ids.size).toBe(4)
  })

  test('sixty-four times at once is one issue', async () => {
    const { key, assetId } = await newHome()

    const answers = await Promise.all(Array.from({ length: 64 }, () => upsert(key, sast(assetId))))

    const outcomes = answers.map(({ outcome }) => outcome)
    expect(new Set(answers.map(({ issue }) => issue.id)).size).toBe(1)
    expect(outcomes.filter((outcome) => outcome === 'CREATED')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'UNCHANGED')).toHaveLength(63)
  })

  test('sixty-four different ones of a rule at once are sixty-four issues', async () => {
    const { key, assetId } = await newHome()
    const at = (line: number) => sast(assetId, { vulnerableLine: line, firstLine: line, codeSnippet: `run(${line})` })

    const answers = await Promise.all(Array.from({ length: 64 }, (_, line) => upsert(key, at(line + 1))))

    expect(new Set(answers.map(({ issue }) => issue.id)).size).toBe(64)
  })

  test('takes few statements: one when the last report comes again', async () => {
    const { key, assetId } = await newHome()
    const plain = `mutation ($input: CreateOrUpdateSastFindingInput!) {
      createOrUpdateSastFinding(input: $input) { issue { id title status } } }`
    await upsert(key, sast(assetId))

    const again = await countStatements(() => run(key, plain, { input: sast(assetId) }))
    const created = await countStatements(() => run(key, plain, { input: sast(assetId, { fileName: 'b.ts' }) }))

    expect(again).toBe(1)
    expect(created).toBe(6)
  })

  test('that comes again word for word is answered as it is by now, whatever happened to it in between', async () => {
    const { key, assetId, companyId } = await newHome()
    const reader = await newPerson(companyId, 'READER')
    const { issue } = await upsert(key, sast(assetId))
    await upsert(key, sast(assetId))

    await decide(key, issue.id, 'RISK_ACCEPTED', 'Known.')
    const accepted = [await upsert(key, sast(assetId)), await upsert(key, sast(assetId))]
    await upsert(key, sast(assetId, { solution: 'Bind it.', codeSnippet: 'other()' }))
    const back = await upsert(key, sast(assetId))
    const again = await upsert(key, sast(assetId))
    const missing = await refusal(key, UPSERT, { input: sast(assetId, { controlSyncStatusId: '999999999' }) })
    const forbidden = await refusal(reader.key, UPSERT, { input: sast(assetId) })

    expect(accepted.map(({ outcome, issue: { status } }) => [outcome, status])).toEqual([
      ['UNCHANGED', 'RISK_ACCEPTED'],
      ['UNCHANGED', 'RISK_ACCEPTED'],
    ])
    expect([back.outcome, again.outcome]).toEqual(['UPDATED', 'UNCHANGED'])
    expect(again.issue.id).toBe(issue.id)
    expect([missing.extensions.code, forbidden.extensions.code]).toEqual(['NOT_FOUND', 'FORBIDDEN'])
  })

  test('is refused for an asset, deploy, run or project that is missing or foreign, in the same words', async () => {
    const { key, assetId } = await newHome()
    const foreign = await newHome()
    const outcomes = []
    for (const [what, more] of [
      ['Asset', { assetId: foreign.assetId }],
      ['Asset', { assetId: 2_000_000_000 }],
      ['Deploy', { deployId: '999999999' }],
      ['ControlSyncStatus', { controlSyncStatusId: '999999999' }],
      ['Project', { projectId: 999999999 }],
    ] as const) {
      outcomes.push({ what, failure: await refusal(key, UPSERT, { input: sast(assetId, more) }) })
    }

    for (const { what, failure } of outcomes) {
      expect(failure.extensions.code).toBe('NOT_FOUND')
      expect(failure.message).toMatch(new RegExp(`^${what} \\d+ was not found$`))
    }
  })

  test('is refused by the name of what cannot be used', async () => {
    const { key, assetId } = await newHome()
    const bad = {
      title: ' ',
      vulnerableLine: -1,
      cvssScore: 11,
      codeSnippet: 'a\u0000b',
      description: 'x'.repeat(100_001),
    }
    const named = []
    for (const [name, value] of Object.entries(bad)) {
      named.push([name, (await refusal(key, UPSERT, { input: sast(assetId, { [name]: value }) })).extensions])
    }

    for (const [name, extensions] of named) {
      expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: `input.${name}` })
    }
  })

  test('is not for readers to report', async () => {
    const { assetId, companyId } = await newHome()
    const reader = await newPerson(companyId, 'READER')

    const failure = await refusal(reader.key, UPSERT, { input: sast(assetId) })

    expect(failure.extensions.code).toBe('FORBIDDEN')
  })

  test('leaves an audit record of what it created and changed, and none when nothing changed', async () => {
    const { key, assetId, companyId } = await newHome()
    const { issue } = await upsert(key, sast(assetId))
    await upsert(key, sast(assetId, { solution: 'Bind it.' }))
    await upsert(key, sast(assetId, { solution: 'Bind it.' }))

    const { auditRecords } = await run(
      key,
      'query ($companyId: ID!) { auditRecords(companyId: $companyId) { collection { operation object after } } }',
      { companyId },
    )

    const mine = auditRecords.collection.filter(({ object }: { object: string }) => object === `Issue ${issue.id}`)
    expect(mine).toHaveLength(2)
    expect(mine[0]).toMatchObject({ operation: 'createOrUpdateSastFinding', after: { solution: 'Bind it.' } })
  })
})

describe('findings of every type', () => {
  const about = { title: 'Found', description: 'A weakness.' }
  const component = {
    package: 'left-pad',
    affectedVersion: '1.0.0',
    cve: 'CVE-2026-0001',
    fileName: 'package-lock.json',
  }
  const exchange = {
    url: 'https://app.test/users?id=1',
    method: 'GET',
    parameters: 'id',
    request: 'GET /',
    response: '200',
  }
  const code = { fileName: 'main.tf', vulnerableLine: 4, firstLine: 4, codeSnippet: 'acl = "public"' }
  const types = [
    ['Sast', code, { ...code, codeSnippet: 'acl = "none"', vulnerableLine: 40, firstLine: 40 }],
    ['Iac', code, { ...code, fileName: 'other.tf' }],
    ['Secret', code, { ...code, fileName: 'other.tf' }],
    ['Mast', code, { ...code, fileName: 'other.tf' }],
    ['Sca', component, { ...component, affectedVersion: '2.0.0' }],
    ['Container', { ...component, image: 'app:1' }, { ...component, package: 'right-pad' }],
    ['Dast', exchange, { ...exchange, method: 'POST' }],
  ] as const

  test.each(types)('%s: the same again is one, another place is another', async (name, input, other) => {
    const { key, assetId } = await newHome()
    const mutation = `mutation ($input: CreateOrUpdate${name}FindingInput!) {
      createOrUpdate${name}Finding(input: $input) { outcome issue { id type title } } }`
    const report = async (fields: object) =>
      (await run(key, mutation, { input: { ...about, assetId, ...fields } }))[`createOrUpdate${name}Finding`]

    const first = await report(input)
    const again = await report(input)
    const another = await report(other)

    expect([first.outcome, again.outcome, another.outcome]).toEqual(['CREATED', 'UNCHANGED', 'CREATED'])
    expect(again.issue).toEqual(first.issue)
    expect(first.issue.type).toBe(`${name.toUpperCase()}_FINDING`)
  })

  test.each(types)('create%sFinding makes one of every call', async (name, input) => {
    const { key, assetId } = await newHome()
    const mutation = `mutation ($input: Create${name}FindingInput!) {
      create${name}Finding(input: $input) { issue { id title } } }`
    const variables = { input: { ...code, ...about, assetId, ...input } }
    const mine = name === 'Sast' || 'codeSnippet' in input ? variables : { input: { ...about, assetId, ...input } }

    const ids = [await run(key, mutation, mine), await run(key, mutation, mine)].map(
      (data) => data[`create${name}Finding`].issue.id,
    )

    expect(new Set(ids).size).toBe(2)
  })

  test('a URL is the same with other values in its query', async () => {
    const { key, assetId } = await newHome()
    const mutation = `mutation ($input: CreateOrUpdateDastFindingInput!) {
      createOrUpdateDastFinding(input: $input) { outcome issue { ... on DastFinding { detail { url method } } } } }`
    const report = (url: string) => run(key, mutation, { input: { ...about, assetId, ...exchange, url } })
    await report('https://app.test/users?id=1')

    const { createOrUpdateDastFinding: again } = await report('https://app.test/users?id=2')

    expect(again).toEqual({
      outcome: 'UPDATED',
      issue: { detail: { url: 'https://app.test/users?id=2', method: 'GET' } },
    })
  })
})

describe('a batch of findings', () => {
  const entries = (assetId: number, count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => ({
      sastFinding: sast(assetId, { title: `Rule ${index % 7}`, fileName: `f${from + index}.ts` }),
    }))

  test('tells each outcome by its index, and why one was refused while the others went in', async () => {
    const { key, assetId } = await newHome()
    const foreign = await newHome()
    await upsert(key, sast(assetId))
    const findings = [
      { sastFinding: sast(assetId) },
      { sastFinding: sast(foreign.assetId) },
      { sastFinding: sast(assetId, { vulnerableLine: -1 }) },
      {},
      { scaFinding: { assetId, title: 'Old package', description: 'Old.', package: 'left-pad', cve: 'CVE-2026-0001' } },
      { sastFinding: sast(assetId) },
    ]

    const { batchCreateOrUpdateFindings: answer } = await run(key, BATCH, { findings })

    expect(answer.results.map(({ index, outcome }: { index: number; outcome: string }) => [index, outcome])).toEqual([
      [0, 'UNCHANGED'],
      [4, 'CREATED'],
      [5, 'UNCHANGED'],
    ])
    expect(answer.findingErrors).toMatchObject([
      { index: 1, code: 'NOT_FOUND' },
      { index: 2, code: 'BAD_USER_INPUT' },
      { index: 3, code: 'BAD_USER_INPUT' },
    ])
    expect(answer.issues).toHaveLength(3)
  })

  test('of equal new findings makes one', async () => {
    const { key, assetId } = await newHome()
    const findings = Array.from({ length: 3 }, () => ({ sastFinding: sast(assetId) }))

    const { batchCreateOrUpdateFindings: answer } = await run(key, BATCH, { findings })

    expect(answer.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'CREATED',
      'UNCHANGED',
      'UNCHANGED',
    ])
    expect(new Set(answer.issues.map(({ id }: { id: string }) => id)).size).toBe(1)
  })

  test('takes as many statements for 500 as for 50, new and again', async () => {
    const { key, assetId } = await newHome()
    const send = (count: number, from: number) =>
      countStatements(() => run(key, BATCH, { findings: entries(assetId, count, from) }))

    const counts = [await send(50, 0), await send(500, 1000), await send(50, 0), await send(500, 1000)]

    expect(counts).toEqual([5, 5, 4, 4])
  })

  test('of more than 500 is refused', async () => {
    const { key, assetId } = await newHome()

    const failure = await refusal(key, BATCH, { findings: entries(assetId, 501) })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.findings' })
  })

  test('beside others of the same findings neither blocks nor loses any', async () => {
    const { key, assetId } = await newHome()
    const all = entries(assetId, 60)

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => ask(key, BATCH, { findings: turn % 2 === 0 ? all : all.toReversed() })),
    )

    const ids = answers.flatMap(({ data }) =>
      data.batchCreateOrUpdateFindings.issues.map(({ id }: { id: string }) => id),
    )
    expect(answers.flatMap(({ errors }) => errors)).toEqual([])
    expect(ids).toHaveLength(8 * 60)
    expect(new Set(ids).size).toBe(60)
  })
})
