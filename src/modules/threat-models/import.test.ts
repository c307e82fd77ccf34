// Imports of threat models, through the endpoint.

import { describe, expect, test } from 'vitest'
import { type Data, run, upload } from '../../../test/testkit/client.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { newAsset, newIssue, newPerson, newProject, newWorld } from '../../../test/testkit/world.ts'

const IMPORT = `mutation ($input: ImportThreatModelInput!) { importThreatModel(input: $input) {
  clientMutationId format title createdCount updatedCount unchangedCount leftOut { threat reason } absent { id }
  threats { key outcome basis requirement { id label description project { id } check { capecId state } } }
  version { id version diagramType diagramContent architectureItems requirements { id } notes } } }`
const CHANGE = `mutation ($input: RequirementInput!) { createOrUpdateRequirement(input: $input) { requirement { id } } }`
const COUNT = 'query ($scopeId: Int!) { requirements(scopeId: $scopeId, pagination: {}) { metadata { totalCount } } }'
const ARTIFACT = `mutation ($input: CreateThreatModelArtifactInput!) {
  createThreatModelArtifact(input: $input) { threatModelArtifact { id } } }`

type Threat = Record<string, unknown>

const injection: Threat = {
  id: 't1',
  title: 'Search takes SQL',
  type: 'Tampering',
  status: 'Open',
  severity: 'High',
  description: 'A term reaches the statement (CWE-89)',
  mitigation: 'Bind it',
}

const dragon = (threats: readonly Threat[], title = 'Shop') =>
  JSON.stringify({
    version: '2.3.0',
    summary: { title, id: 0 },
    detail: {
      contributors: [],
      diagrams: [
        {
          id: 0,
          title: 'Main',
          diagramType: 'STRIDE',
          cells: [{ id: 'c1', shape: 'store', data: { type: 'tm.Store', name: 'Orders', threats } }],
        },
      ],
    },
  })

const send = (key: string, content: string, input: Record<string, unknown>) =>
  upload(key, IMPORT, { input }, { 'input.file': { content, filename: 'shop.json' } })

async function importModel(key: string, content: string, input: Record<string, unknown>): Promise<Data> {
  const { data, errors } = await send(key, content, input)
  expect(errors).toEqual([])
  return data.importThreatModel
}

const count = async (key: string, companyId: string): Promise<number> =>
  (await run(key, COUNT, { scopeId: Number(companyId) })).requirements.metadata.totalCount

describe('importThreatModel', () => {
  test('a threat becomes a requirement that says what the model says, and whose check follows findings', async () => {
    const { companyId, owner } = await newWorld()
    const { id: assetId } = await newAsset(owner.key, companyId)
    await newIssue(owner.key, assetId, { category: 'CWE-89' })

    const imported = await importModel(owner.key, dragon([injection]), { companyId, clientMutationId: 'mine' })

    const [threat] = imported.threats
    expect(imported).toMatchObject({
      clientMutationId: 'mine',
      format: 'THREAT_DRAGON',
      title: 'Shop',
      createdCount: 1,
      updatedCount: 0,
      unchangedCount: 0,
      leftOut: [],
      absent: [],
      version: null,
    })
    expect(threat).toMatchObject({
      key: 't1',
      outcome: 'CREATED',
      basis: 'The file names CWE-89, which CAPEC-66 (SQL Injection) uses.',
      requirement: { label: 'Search takes SQL', project: null, check: [{ capecId: '66', state: 'VIOLATED' }] },
    })
    expect(threat.requirement.description.split('\n')).toEqual([
      'A term reaches the statement (CWE-89)',
      '',
      'Mitigations in the model:',
      '- Bind it',
      '',
      'Where: Store “Orders” in the diagram “Main”',
      'Kind: STRIDE: Tampering',
      'Severity: High',
      'Status in the model: Open',
      'Checks: The file names CWE-89, which CAPEC-66 (SQL Injection) uses.',
      'From the OWASP Threat Dragon “Shop”, threat t1.',
    ])
  })

  test('the same file again changes nothing, and a changed one updates what it made', async () => {
    const { companyId, owner } = await newWorld()
    const first = await importModel(owner.key, dragon([injection]), { companyId })
    const id = first.threats[0].requirement.id

    const again = await importModel(owner.key, dragon([injection]), { companyId })
    const changed = await importModel(
      owner.key,
      dragon([{ ...injection, title: 'Every form takes SQL', description: 'CWE-89 and CWE-79' }]),
      { companyId },
    )

    expect(again).toMatchObject({ createdCount: 0, updatedCount: 0, unchangedCount: 1 })
    expect(again.threats[0]).toMatchObject({ outcome: 'UNCHANGED', requirement: { id } })
    expect(changed.threats[0]).toMatchObject({
      outcome: 'UPDATED',
      requirement: {
        id,
        label: 'Every form takes SQL',
        check: [{ capecId: '66' }, { capecId: '63' }, { capecId: '85' }],
      },
    })
    expect(await count(owner.key, companyId)).toBe(1)
  })

  test('what a person wrote stays, and the rest follows the file', async () => {
    const { companyId, owner } = await newWorld()
    const { threats } = await importModel(owner.key, dragon([injection]), { companyId })
    const { id, description } = threats[0].requirement
    await run(owner.key, CHANGE, { input: { id, companyId, label: 'Our words', description } })

    const changed = await importModel(owner.key, dragon([{ ...injection, title: 'Other', severity: 'Low' }]), {
      companyId,
    })

    expect(changed.threats[0].requirement.label).toBe('Our words')
    expect(changed.threats[0].requirement.description).toContain('Severity: Low')
  })

  test('threats that left the file are told, and stay; a deleted requirement is made again', async () => {
    const { companyId, owner } = await newWorld()
    const second = { ...injection, id: 't2', title: 'Second' }
    const { threats } = await importModel(owner.key, dragon([injection, second]), { companyId })
    const [kept, gone] = threats.map(({ requirement }: Data) => requirement.id)

    const fewer = await importModel(owner.key, dragon([injection]), { companyId })
    await run(owner.key, 'mutation ($id: ID!) { deleteRequirement(input: { id: $id }) { clientMutationId } }', {
      id: kept,
    })
    const made = await importModel(owner.key, dragon([injection]), { companyId })

    expect(fewer.absent).toEqual([{ id: gone }])
    expect(made).toMatchObject({ createdCount: 1, absent: [{ id: gone }] })
    expect(await count(owner.key, companyId)).toBe(2)
  })

  test('a kind of STRIDE gives the patterns that stand for it, and a threat without any says that it has no check', async () => {
    const { companyId, owner } = await newWorld()
    const plain = { title: 'T', description: '', mitigation: '', severity: 'Low', status: 'Open' }
    const given = [
      { ...plain, id: 'a', type: 'Spoofing' },
      { ...plain, id: 'b', type: 'Repudiation' },
      { ...plain, id: 'c', type: 'Linkability', modelType: 'LINDDUN' },
      { ...plain, id: 'd', type: 'Spoofing', description: 'CAPEC-63, CAPEC-99999 and CWE-79' },
      { ...plain, id: 'e', type: 'None', description: 'CWE-476' },
    ]

    const { threats } = await importModel(owner.key, dragon(given), { companyId })

    const capecIds = threats.map(({ requirement }: Data) => requirement.check.map(({ capecId }: Data) => capecId))
    expect(capecIds).toEqual([['151', '21'], ['268'], [], ['63'], []])
    expect(threats.map(({ basis }: Data) => basis)).toEqual([
      'The file names neither an attack pattern nor a weakness. For spoofing stand CAPEC-151 (Identity Spoofing) and CAPEC-21 (Exploitation of Trusted Identifiers).',
      'The file names neither an attack pattern nor a weakness. For repudiation stands CAPEC-268 (Audit Log Manipulation).',
      'The file names neither an attack pattern nor a weakness. It has no check, because the file also says no kind of STRIDE (LINDDUN: Linkability): people assess it.',
      'CAPEC-63 (Cross-Site Scripting (XSS)) is named in the file. CAPEC-99999, which the file names, is not in the catalogue. CWE-79, which the file names, is used by CAPEC-63.',
      'CWE-476, which the file names, is used by no attack pattern. It has no check, because the file also says no kind of STRIDE (STRIDE: None): people assess it.',
    ])
    expect(threats[2].requirement.description).toContain('It has no check')
  })

  test('into a project the requirements are its own, and apart from those of the company', async () => {
    const { companyId, owner } = await newWorld()
    const project = await newProject(owner.key, companyId)

    const own = await importModel(owner.key, dragon([injection]), { companyId })
    const its = await importModel(owner.key, dragon([injection]), { companyId, projectId: project.id })

    expect([own.createdCount, its.createdCount]).toEqual([1, 1])
    expect(its.threats[0].requirement.project).toEqual({ id: project.id })
  })

  test('with an artifact the model becomes a version, once for the same file', async () => {
    const { companyId, owner } = await newWorld()
    const made = await run(owner.key, ARTIFACT, { input: { companyId, label: 'Shop' } })
    const artifactId = made.createThreatModelArtifact.threatModelArtifact.id
    const file = dragon([injection])

    const first = await importModel(owner.key, file, { companyId, artifactId })
    const again = await importModel(owner.key, file, { companyId, artifactId })
    const other = await importModel(owner.key, dragon([]), { companyId, artifactId })

    expect(first.version).toEqual({
      id: expect.any(String),
      version: 1,
      diagramType: 'THREAT_DRAGON',
      diagramContent: file,
      architectureItems: [{ id: 'c1', kind: 'Store', name: 'Orders', within: 'Main' }],
      requirements: [{ id: first.threats[0].requirement.id }],
      notes: 'Imported from shop.json',
    })
    expect(again.version.id).toBe(first.version.id)
    expect(other.version.version).toBe(2)
  })

  test('an Open Threat Model in YAML is imported, with what is left out and why', async () => {
    const { companyId, owner } = await newWorld()
    const file = `otmVersion: 0.2.0
project: { name: Shop, id: shop }
threats:
  - { id: t1, name: Pages take scripts, categories: [Tampering], cwes: [CWE-79], risk: { likelihood: 1, impact: 9 } }
  - { id: t2, risk: { impact: 1 } }
`

    const imported = await importModel(owner.key, file, { companyId })

    expect(imported).toMatchObject({
      format: 'OPEN_THREAT_MODEL',
      createdCount: 1,
      leftOut: [{ threat: 't2', reason: 'It has no name' }],
    })
    expect(imported.threats[0].requirement.check[0]).toEqual({ capecId: '63', state: 'UNKNOWN' })
  })

  test('eight imports of one file at once make its requirements once', async () => {
    const { companyId, owner } = await newWorld()
    const file = dragon([injection, { ...injection, id: 't2' }])

    const all = await Promise.all(Array.from({ length: 8 }, () => importModel(owner.key, file, { companyId })))

    const ids = new Set(all.flatMap(({ threats }) => threats.map(({ requirement }: Data) => requirement.id)))
    expect(ids.size).toBe(2)
    expect(await count(owner.key, companyId)).toBe(2)
  })

  test('a file that is no model, a project of others and a key that may not write leave nothing behind', async () => {
    const { companyId, owner } = await newWorld()
    const other = await newWorld()
    const theirs = await newProject(other.owner.key, other.companyId)
    const reader = await newPerson(companyId, 'READER')

    const answers = [
      await send(owner.key, '{"a": 1}', { companyId }),
      await send(owner.key, `{"a": "${'x'.repeat(5 * 1024 * 1024)}"}`, { companyId }),
      await send(owner.key, dragon([injection]), { companyId, projectId: theirs.id }),
      await send(owner.key, dragon([injection]), { companyId: other.companyId }),
      await send(reader.key, dragon([injection]), { companyId }),
    ]

    const codes = answers.map(({ errors }) => errors[0]?.extensions.code)
    expect(codes).toEqual(['BAD_USER_INPUT', 'PAYLOAD_TOO_LARGE', 'NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN'])
    expect(answers[0]?.errors[0]).toMatchObject({
      message: 'shop.json: The file is neither an OWASP Threat Dragon model nor an Open Threat Model',
      extensions: { argument: 'input.file' },
    })
    expect(await count(owner.key, companyId)).toBe(0)
  })

  test('a hundred threats take as many statements as one', async () => {
    const { companyId, owner } = await newWorld()
    const model = (size: number) =>
      dragon(
        Array.from({ length: size }, (_, id) => ({ ...injection, id: `t${id}` })),
        `M${size}`,
      )
    const counted = (size: number) =>
      countStatements(async () => {
        const { errors } = await send(owner.key, model(size), { companyId })
        expect(errors).toEqual([])
      })
    await counted(2)

    const one = await counted(1)
    const hundred = await counted(100)

    expect(hundred).toBe(one)
  })
})
