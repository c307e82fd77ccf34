// Threat-model artifacts and their versions, through the endpoint.

import { describe, expect, test } from 'vitest'
import { ask, refusal, run, unique } from '../../../test/testkit/client.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { newPerson, newProject, newWorld } from '../../../test/testkit/world.ts'

const CREATE = `mutation ($input: CreateThreatModelArtifactInput!) { createThreatModelArtifact(input: $input) {
  clientMutationId threatModelArtifact { id label description scopeText assignee { email } latestVersion { id } } } }`
const UPDATE = `mutation ($input: UpdateThreatModelArtifactInput!) { updateThreatModelArtifact(input: $input) {
  threatModelArtifact { id label description scopeText assignee { email } } } }`
const DELETE = `mutation ($input: DeleteThreatModelArtifactInput!) { deleteThreatModelArtifact(input: $input) {
  threatModelArtifact { id } } }`
const ADD = `mutation ($input: CreateThreatModelArtifactVersionInput!) { createThreatModelArtifactVersion(input: $input) {
  clientMutationId version { id version } } }`
const READ = `query ($id: ID!) { threatModelArtifact(id: $id) { id label updatedAt
  versions { id version scopeText notes diagramType diagramContent architectureItems requirements { id }
    sourceProject { id } author { email } }
  latestVersion { version } version(number: 1) { version } beyond: version(number: 99) { id } } }`
const LIST = `query ($companyId: ID!, $search: String, $assigneeEmail: String, $hasVersion: Boolean) {
  threatModelArtifacts(companyId: $companyId, search: $search, assigneeEmail: $assigneeEmail, hasVersion: $hasVersion) {
    collection { id latestVersion { version } } metadata { totalCount } } }`
const REQUIRE = `mutation ($input: CreateThreatModelingRequirementsInput!) {
  createThreatModelingRequirements(input: $input) { requirements { id } } }`

async function newArtifact(key: string, companyId: string, extra: Record<string, unknown> = {}): Promise<string> {
  const input = { companyId, label: unique('Model'), ...extra }
  return (await run(key, CREATE, { input })).createThreatModelArtifact.threatModelArtifact.id
}

async function newRequirement(key: string, companyId: string): Promise<string> {
  const input = { companyId, requirements: [{ label: 'Inputs are bound', capecIds: ['66'] }] }
  return (await run(key, REQUIRE, { input })).createThreatModelingRequirements.requirements[0].id
}

const add = async (key: string, artifactId: string, extra: Record<string, unknown> = {}) =>
  (await run(key, ADD, { input: { artifactId, architectureItems: [{ name: 'Web' }], ...extra } }))
    .createThreatModelArtifactVersion.version

describe('artifacts', () => {
  test('one is made with its texts and the member it is assigned to, and changed where something is given', async () => {
    const { companyId, owner } = await newWorld()
    const input = {
      companyId,
      clientMutationId: 'mine',
      label: ' Shop ',
      description: 'All of it',
      scopeText: 'No payments',
      assigneeEmail: owner.email.toUpperCase(),
    }

    const { createThreatModelArtifact: made } = await run(owner.key, CREATE, { input })
    const { id } = made.threatModelArtifact
    const kept = await run(owner.key, UPDATE, { input: { id, label: 'Shop 2' } })
    const cleared = await run(owner.key, UPDATE, {
      input: { id, label: 'Shop 3', scopeText: null, assigneeEmail: null },
    })

    const texts = { id, description: 'All of it', scopeText: 'No payments', assignee: { email: owner.email } }
    expect(made.clientMutationId).toBe('mine')
    expect(made.threatModelArtifact).toEqual({ ...texts, label: 'Shop', latestVersion: null })
    expect(kept.updateThreatModelArtifact.threatModelArtifact).toEqual({ ...texts, label: 'Shop 2' })
    expect(cleared.updateThreatModelArtifact.threatModelArtifact).toEqual({
      id,
      label: 'Shop 3',
      description: 'All of it',
      scopeText: null,
      assignee: null,
    })
  })

  test('they are listed newest first, and found by text, assignee and whether they have a version', async () => {
    const { companyId, owner } = await newWorld()
    const bare = await newArtifact(owner.key, companyId, {
      label: 'Bare',
      description: 'The Shop',
      assigneeEmail: owner.email,
    })
    const versioned = await newArtifact(owner.key, companyId, { label: 'Versioned' })
    await add(owner.key, versioned)
    const idsOf = async (filter: Record<string, unknown>) =>
      (await run(owner.key, LIST, { companyId, ...filter })).threatModelArtifacts.collection.map(
        ({ id }: { id: string }) => id,
      )

    const found = [
      await idsOf({}),
      await idsOf({ search: 'shop' }),
      await idsOf({ search: '100%' }),
      await idsOf({ assigneeEmail: owner.email.toUpperCase() }),
      await idsOf({ hasVersion: true }),
      await idsOf({ hasVersion: false }),
    ]

    expect(found).toEqual([[versioned, bare], [bare], [], [bare], [versioned], [bare]])
  })

  test('a deleted one is gone with its versions, and its requirements stay', async () => {
    const { companyId, owner } = await newWorld()
    const id = await newArtifact(owner.key, companyId)
    const requirementId = await newRequirement(owner.key, companyId)
    await add(owner.key, id, { requirementIds: [requirementId] })

    const { deleteThreatModelArtifact } = await run(owner.key, DELETE, { input: { id } })

    const { extensions } = await refusal(owner.key, READ, { id })
    const stays = 'query ($companyId: ID!, $id: ID!) { requirement(companyId: $companyId, id: $id) { id } }'
    expect(deleteThreatModelArtifact.threatModelArtifact).toEqual({ id })
    expect(extensions.code).toBe('NOT_FOUND')
    expect((await run(owner.key, stays, { companyId, id: requirementId })).requirement.id).toBe(requirementId)
  })

  test('who is no member cannot be assigned, a reader changes nothing, and a foreign one is as one that is missing', async () => {
    const { companyId, owner } = await newWorld()
    const other = await newWorld()
    const id = await newArtifact(owner.key, companyId)
    const reader = await newPerson(companyId, 'READER')
    const input = { companyId, label: 'Mine', assigneeEmail: other.owner.email }

    const stranger = await refusal(owner.key, CREATE, { input })
    const asReader = await refusal(reader.key, UPDATE, { input: { id, label: 'Mine' } })
    const foreign = await refusal(other.owner.key, READ, { id })
    const missing = await refusal(other.owner.key, READ, { id: '999999999' })

    expect(stranger.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.assigneeEmail' })
    expect(asReader.extensions.code).toBe('FORBIDDEN')
    expect(foreign.extensions.code).toBe('NOT_FOUND')
    expect(foreign.message.replace(id, '#')).toBe(missing.message.replace('999999999', '#'))
  })
})

describe('versions', () => {
  test('a version keeps what it was given and the scope of that time, and changes the artifact', async () => {
    const { companyId, owner } = await newWorld()
    const id = await newArtifact(owner.key, companyId, { scopeText: 'Then' })
    const project = await newProject(owner.key, companyId)
    const requirementId = await newRequirement(owner.key, companyId)
    const { threatModelArtifact: before } = await run(owner.key, READ, { id })
    const architectureItems = { zones: [{ name: 'Inside', parts: ['Web', 1, null, true] }] }

    await add(owner.key, id, {
      architectureItems,
      requirementIds: [requirementId, requirementId],
      diagramType: 'mermaid',
      diagramContent: 'graph TD; A-->B',
      sourceProjectId: project.id,
      notes: 'First',
    })
    await run(owner.key, UPDATE, { input: { id, label: 'Later', scopeText: 'Now' } })
    await add(owner.key, id)
    const { threatModelArtifact: after } = await run(owner.key, READ, { id })

    expect(after.versions.map(({ version }: { version: number }) => version)).toEqual([2, 1])
    expect(after.versions[1]).toEqual({
      id: expect.any(String),
      version: 1,
      scopeText: 'Then',
      notes: 'First',
      diagramType: 'mermaid',
      diagramContent: 'graph TD; A-->B',
      architectureItems,
      requirements: [{ id: requirementId }],
      sourceProject: { id: project.id },
      author: { email: owner.email },
    })
    expect(after.versions[0]).toMatchObject({ scopeText: 'Now', requirements: [], sourceProject: null })
    expect(after).toMatchObject({ latestVersion: { version: 2 }, version: { version: 1 }, beyond: null })
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
  })

  test('thirty-two that are added at once are numbered from 1 to 32', async () => {
    const { companyId, owner } = await newWorld()
    const id = await newArtifact(owner.key, companyId)

    const added = await Promise.all(Array.from({ length: 32 }, () => add(owner.key, id)))

    const numbers = added.map(({ version }) => version).sort((left, right) => left - right)
    expect(numbers).toEqual(Array.from({ length: 32 }, (_, index) => index + 1))
  })

  test('requirements and projects of others and missing ones are not found, and no number is used up', async () => {
    const { companyId, owner } = await newWorld()
    const other = await newWorld()
    const id = await newArtifact(owner.key, companyId)
    const theirs = await newRequirement(other.owner.key, other.companyId)
    const project = await newProject(other.owner.key, other.companyId)
    const refused = (extra: Record<string, unknown>) =>
      refusal(owner.key, ADD, { input: { artifactId: id, architectureItems: [], ...extra } })

    const codes = [
      await refused({ requirementIds: [theirs] }),
      await refused({ requirementIds: ['999999999'] }),
      await refused({ sourceProjectId: project.id }),
    ].map(({ extensions }) => extensions.code)

    expect(codes).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'])
    expect((await add(owner.key, id)).version).toBe(1)
  })

  test('what is too large, too deep or no text is refused by its name', async () => {
    const { companyId, owner } = await newWorld()
    const id = await newArtifact(owner.key, companyId)
    let deep: unknown = 1
    for (let level = 0; level < 1000; level += 1) deep = [deep]
    const refused = async (extra: Record<string, unknown>) =>
      (await refusal(owner.key, ADD, { input: { artifactId: id, architectureItems: [], ...extra } })).extensions

    const answers = [
      await refused({ architectureItems: deep }),
      await refused({ architectureItems: 'x'.repeat(1024 * 1024) }),
      await refused({ diagramContent: 'é'.repeat(524_289) }),
      await refused({ diagramType: ' ' }),
      await refused({ notes: 'x'.repeat(10_001) }),
      await refused({ architectureItems: ['\u0000'] }),
    ]

    expect(answers.map(({ code }) => code)).toEqual(Array.from({ length: 6 }, () => 'BAD_USER_INPUT'))
    expect(answers.slice(0, 5).map(({ argument }) => argument)).toEqual([
      'input.architectureItems',
      'input.architectureItems',
      'input.diagramContent',
      'input.diagramType',
      'input.notes',
    ])
  })

  test('a request that asks for more than 16 MiB of diagrams is refused, and one for a part of them is answered', async () => {
    const { companyId, owner } = await newWorld()
    const id = await newArtifact(owner.key, companyId)
    const diagramContent = 'x'.repeat(1024 * 1024)
    for (let version = 0; version < 17; version += 1) await add(owner.key, id, { diagramContent })

    const failed = await ask(
      owner.key,
      'query ($id: ID!) { threatModelArtifact(id: $id) { versions { diagramContent } } }',
      { id },
    )
    const { threatModelArtifact } = await run(
      owner.key,
      'query ($id: ID!) { threatModelArtifact(id: $id) { latestVersion { diagramContent } } }',
      { id },
    )

    expect(new Set(failed.errors.map(({ extensions }) => extensions.code))).toEqual(new Set(['PAYLOAD_TOO_LARGE']))
    expect(threatModelArtifact.latestVersion.diagramContent).toHaveLength(diagramContent.length)
  })

  test('a page of ten artifacts takes as many statements as one', async () => {
    const { companyId, owner } = await newWorld()
    for (let number = 0; number < 10; number += 1) await add(owner.key, await newArtifact(owner.key, companyId))
    const page = (perPage: number) =>
      countStatements(async () => {
        const { errors } = await ask(
          owner.key,
          `query ($companyId: ID!, $perPage: Int!) {
            threatModelArtifacts(companyId: $companyId, pagination: { perPage: $perPage }) { collection { assignee { email }
              latestVersion { version architectureItems } versions { requirements { id } author { email } } }
              metadata { totalCount } } }`,
          { companyId, perPage },
        )
        expect(errors).toEqual([])
      })

    const one = await page(1)
    const ten = await page(10)

    expect(ten).toBe(one)
  })
})
