// What people write down themselves, through the endpoint.

import { describe, expect, test } from 'vitest'
import { refusal, run, unique, type Variables } from '../../../test/testkit/client.ts'
import { sast, upsert } from '../../../test/testkit/findings.ts'
import { newAsset, newPerson, newWorld } from '../../../test/testkit/world.ts'

const create = (type: string) => `mutation ($input: Create${type}Input!) {
  create${type}(input: $input) { clientMutationId issue { id title } } }`
const update = (type: string) => `mutation ($input: Update${type}Input!) {
  update${type}(input: $input) { clientMutationId issue { id title } } }`

const SHOWN = `query ($id: ID!) { issue(id: $id) { id type title status severity category cweIds patterns impactLevel
  history { action status previousStatus } places { path line }
  ... on NetworkVulnerability { summary impactDescription stepsToReproduce
    detail { address protocol port attackVector } }
  ... on SourceCodeVulnerability { summary
    detail { fileName vulnerableLine firstLine codeSnippet(blob: true) source sink commitRef } }
  ... on WebVulnerability { summary method scheme url port parameters request response
    detail { method scheme url port parameters request response } } } }`

const common = (assetId: string) => ({
  assetId: Number(assetId),
  title: unique('Written'),
  description: 'What is wrong',
  reference: 'https://cwe.mitre.org/data/definitions/79.html',
  category: 'CWE-79',
  patterns: ['CWE-80', 'OWASP A03'],
  solution: 'What helps',
  impactLevel: 'HIGH',
  probabilityLevel: 'LOW',
  severity: 'MEDIUM',
  summary: 'In short',
  impactDescription: 'What may happen',
  stepsToReproduce: 'How it shows',
  compromisedEnvironment: true,
})

const network = { address: '10.1.2.3', protocol: 'tcp', port: 22, attackVector: 'A weak cipher' }
const code = {
  codeSnippet: 'eval(q)',
  vulnerableLine: 12,
  firstLine: 10,
  fileName: 'src/q.js',
  source: 'q',
  sink: 'eval',
  commitRef: 'abc1234',
}
const web = {
  request: 'GET / HTTP/1.1',
  response: 'HTTP/1.1 200 OK',
  method: 'GET',
  scheme: 'HTTPS',
  url: 'https://a.test/',
  port: 443,
  parameters: 'q=1',
}

const kinds = [
  ['NetworkVulnerability', network],
  ['SourceCodeVulnerability', code],
  ['WebVulnerability', web],
] as const

async function newAssetWorld() {
  const world = await newWorld()
  const asset = await newAsset(world.owner.key, world.companyId)
  return { ...world, asset, key: world.owner.key }
}

const named = async (key: string, id: string) => {
  const NAMED = 'query ($id: ID!) { issue(id: $id) { cweIds exploitation { vulnerabilityIds } } }'
  const { issue } = await run(key, NAMED, { id })
  return [issue.cweIds, issue.exploitation.vulnerabilityIds]
}

const idOf = (data: Variables, field: string): string =>
  (data as Record<string, { issue: { id: string } }>)[field]?.issue.id ?? ''

describe('what a person writes down', () => {
  test.each(kinds)('as a %s is kept whole, made CREATED, and changed whole', async (type, own) => {
    const { asset, key } = await newAssetWorld()
    const input = { ...common(asset.id), ...own }

    const made = await run(key, create(type), { input: { ...input, clientMutationId: 'mine' } })
    const id = idOf(made, `create${type}`)
    const { issue: first } = await run(key, SHOWN, { id })
    const changed = { ...input, id, title: 'Another title', summary: 'Shorter', status: 'IN_PROGRESS' }
    await run(key, update(type), { input: changed })
    const { issue: second } = await run(key, SHOWN, { id })

    expect(made[`create${type}`]).toMatchObject({ clientMutationId: 'mine', issue: { title: input.title } })
    expect(first).toMatchObject({
      status: 'CREATED',
      severity: 'MEDIUM',
      category: 'CWE-79',
      cweIds: [79, 80],
      patterns: ['CWE-80', 'OWASP A03'],
      summary: 'In short',
      detail: own,
      history: [{ action: 'CREATED', status: 'CREATED' }],
    })
    expect(second).toMatchObject({
      title: 'Another title',
      summary: 'Shorter',
      status: 'IN_PROGRESS',
      detail: own,
      history: [
        { action: 'STATUS_CHANGED', previousStatus: 'CREATED', status: 'IN_PROGRESS' },
        { action: 'UPDATED' },
        { action: 'CREATED' },
      ],
    })
  })

  test.each(kinds)('as a %s names what its witnesses name after it was changed too', async (type, own) => {
    const { asset, companyId, key } = await newAssetWorld()
    const input = { ...common(asset.id), ...own }
    const id = idOf(await run(key, create(type), { input }), `create${type}`)
    const said = { category: 'CWE-89', ruleId: 'GHSA-w3w3-w3w3-w3w3', toolName: 'A tool' }
    const { issue: witness } = await upsert(key, sast(Number(asset.id), said))
    await run(key, 'mutation ($input: MergeIssuesInput!) { mergeIssues(input: $input) { issue { id } } }', {
      input: { companyId, issueId: id, mergeIds: [witness.id], reason: 'The same' },
    })

    const before = await named(key, id)
    await run(key, update(type), { input: { ...input, id, category: 'CWE-352', patterns: [] } })
    const changed = await named(key, id)
    await run(key, update(type), { input: { ...input, id, category: 'CWE-89', patterns: ['CWE-352'] } })

    expect(before).toEqual([[79, 80, 89], ['GHSA-w3w3-w3w3-w3w3']])
    expect(changed).toEqual([[352, 89], ['GHSA-w3w3-w3w3-w3w3']])
    expect(await named(key, id)).toEqual([[89, 352], ['GHSA-w3w3-w3w3-w3w3']])
  })

  test('keeps the places where it has been', async () => {
    const { asset, key } = await newAssetWorld()
    const input = { ...common(asset.id), ...code }
    const id = idOf(await run(key, create('SourceCodeVulnerability'), { input }), 'createSourceCodeVulnerability')

    await run(key, update('SourceCodeVulnerability'), { input: { ...input, id } })
    await run(key, update('SourceCodeVulnerability'), { input: { ...input, id, vulnerableLine: 20 } })

    const { issue } = await run(key, SHOWN, { id })
    expect(issue.places).toEqual([
      { path: 'src/q.js', line: 12 },
      { path: 'src/q.js', line: 20 },
    ])
  })

  test('is audited', async () => {
    const { companyId, asset, key } = await newAssetWorld()
    const made = await run(key, create('WebVulnerability'), { input: { ...common(asset.id), ...web } })

    const { auditRecords } = await run(
      key,
      'query ($id: ID!) { auditRecords(companyId: $id) { collection { operation object } } }',
      { id: companyId },
    )

    expect(auditRecords.collection[0]).toEqual({
      operation: 'createWebVulnerability',
      object: `Issue ${idOf(made, 'createWebVulnerability')}`,
    })
  })

  test('is refused by name where it cannot be used', async () => {
    const { asset, key } = await newAssetWorld()
    const bad = [
      [{ title: ' ' }, 'input.title'],
      [{ description: 'a'.repeat(100_001) }, 'input.description'],
      [{ port: 70_000 }, 'input.port'],
      [{ status: 'RISK_ACCEPTED' }, 'input.status'],
      [{ assetId: 0 }, 'input.assetId'],
      [{ patterns: Array.from({ length: 101 }, () => 'x') }, 'input.patterns'],
      [{ address: '' }, 'input.address'],
    ] as const

    for (const [change, argument] of bad) {
      const input = { ...common(asset.id), ...network, ...change }
      const failure = await refusal(key, create('NetworkVulnerability'), { input })
      expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
    }
  })

  test('refers to nothing of another company', async () => {
    const [mine, other] = [await newAssetWorld(), await newAssetWorld()]
    const input = { ...common(mine.asset.id), ...code }
    const made = await run(mine.key, create('SourceCodeVulnerability'), { input })
    const id = idOf(made, 'createSourceCodeVulnerability')
    const foreign = Number(other.asset.id)

    const failures = [
      await refusal(mine.key, create('SourceCodeVulnerability'), { input: { ...input, assetId: foreign } }),
      await refusal(mine.key, update('SourceCodeVulnerability'), { input: { ...input, id, assetId: foreign } }),
      await refusal(mine.key, create('SourceCodeVulnerability'), { input: { ...input, projectId: 2147483646 } }),
      await refusal(mine.key, create('SourceCodeVulnerability'), { input: { ...input, deployId: '999999999' } }),
      await refusal(mine.key, update('SourceCodeVulnerability'), { input: { ...input, id, controlSyncStatusId: '9' } }),
      await refusal(other.key, update('SourceCodeVulnerability'), { input: { ...input, id, assetId: foreign } }),
    ]

    expect(failures.map(({ message }) => message)).toEqual([
      `The asset ${foreign} was not found`,
      `The asset ${foreign} was not found`,
      'The project 2147483646 was not found',
      'The deploy 999999999 was not found',
      'The scan 9 was not found',
      `The issue ${id} was not found`,
    ])
  })

  test('is not changed as something that it is not', async () => {
    const { asset, key } = await newAssetWorld()
    const made = await run(key, create('WebVulnerability'), { input: { ...common(asset.id), ...web } })
    const id = idOf(made, 'createWebVulnerability')

    const failure = await refusal(key, update('NetworkVulnerability'), {
      input: { ...common(asset.id), ...network, id },
    })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.id' })
  })

  test('is written by no reader', async () => {
    const { companyId, asset } = await newAssetWorld()
    const reader = await newPerson(companyId, 'READER')

    const failure = await refusal(reader.key, create('WebVulnerability'), { input: { ...common(asset.id), ...web } })

    expect(failure.extensions.code).toBe('FORBIDDEN')
  })
})
