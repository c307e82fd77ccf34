// Requirements of a company with the checks that people make, through the endpoint.

import { describe, expect, test } from 'vitest'
import { ask, refusal, run } from '../../../test/testkit/client.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { newPerson, newWorld } from '../../../test/testkit/world.ts'

const SAVE = `mutation ($input: RequirementInput!) {
  createOrUpdateRequirement(input: $input) { clientMutationId requirement { id label global type } } }`
const ONE = `query ($companyId: ID!, $id: ID!) { requirement(companyId: $companyId, id: $id) {
  id label check { id label description reference item category actionPlan sort typeId vulnerabilityTemplateId }
  description global projectType { id label } createdAt updatedAt } }`
const LIST = `query ($scopeId: Int!, $pagination: BasePaginationInput!, $filters: RequirementsFilterInput) {
  requirements(scopeId: $scopeId, pagination: $pagination, filters: $filters) {
    collection { id label global projectType { id label } updatedAt createdAt description }
    metadata { totalCount totalPages currentPage limitValue } } }`
const DELETE = 'mutation ($input: DeleteRequirementInput!) { deleteRequirement(input: $input) { requirement { id } } }'

const save = async (key: string, input: Record<string, unknown>): Promise<string> =>
  (await run(key, SAVE, { input: { description: 'Why', ...input } })).createOrUpdateRequirement.requirement.id

const labelsOf = (answer: { requirements: { collection: { label: string }[] } }) =>
  answer.requirements.collection.map(({ label }) => label)

const check = {
  label: 'The log names the person',
  description: 'Read it',
  reference: 'ASVS 16.2',
  item: '2',
  category: 'Logging',
  actionPlan: 'Add the name',
  typeId: '4',
  vulnerabilityTemplateId: '5',
}

describe('createOrUpdateRequirement', () => {
  test('the activities of a new requirement become its checks, listed by their sort', async () => {
    const { companyId, owner } = await newWorld()
    const { projectTypes } = await run(owner.key, '{ projectTypes(limit: 1) { collection { id label } } }')
    const [type] = projectTypes.collection

    const id = await save(owner.key, {
      companyId,
      label: 'Logs tell who did what',
      type: 'Procedures',
      global: true,
      associatedProjectTypeId: [type.id],
      activities: [
        { ...check, sort: '2' },
        { label: 'First', description: '', sort: '1' },
      ],
    })

    const { requirement } = await run(owner.key, ONE, { companyId, id })
    expect(requirement).toMatchObject({
      id,
      label: 'Logs tell who did what',
      description: 'Why',
      global: true,
      projectType: [type],
    })
    expect(requirement.check).toMatchObject([
      { label: 'First', sort: 1, item: null },
      { ...check, sort: 2 },
    ])
  })

  test('an update changes the checks that it names, adds and removes others, and leaves the rest', async () => {
    const { companyId, owner } = await newWorld()
    const activities = ['Kept', 'Changed', 'Removed'].map((label) => ({ label, description: '' }))
    const id = await save(owner.key, { companyId, label: 'Before', type: 'Tests', global: true, activities })
    const before = (await run(owner.key, ONE, { companyId, id })).requirement

    await save(owner.key, {
      id,
      companyId,
      label: 'After',
      activities: [
        { id: before.check[1].id, label: 'Changed since', description: 'New' },
        { label: 'Added', description: '' },
      ],
      removeCheckIds: [before.check[2].id],
    })

    const after = (await run(owner.key, ONE, { companyId, id })).requirement
    expect(after).toMatchObject({ label: 'After', global: true })
    expect(after.check.map(({ label }: { label: string }) => label)).toEqual(['Kept', 'Changed since', 'Added'])
    expect(after.check[1].id).toBe(before.check[1].id)
  })

  test('two changes in one document each answer with what they left', async () => {
    const { companyId, owner } = await newWorld()
    const id = await save(owner.key, { companyId, label: 'Twice' })
    const input = (label: string) => ({
      id,
      companyId,
      label,
      description: '',
      activities: [{ label, description: '' }],
    })

    const answer = await run(
      owner.key,
      `mutation ($first: RequirementInput!, $second: RequirementInput!) {
        first: createOrUpdateRequirement(input: $first) { requirement { label check { label } } }
        second: createOrUpdateRequirement(input: $second) { requirement { label check { label } } } }`,
      { first: input('One'), second: input('Two') },
    )

    expect(answer.first.requirement).toEqual({ label: 'One', check: [{ label: 'One' }] })
    expect(answer.second.requirement).toEqual({ label: 'Two', check: [{ label: 'One' }, { label: 'Two' }] })
  })

  test("another requirement's check, a foreign requirement and an unknown project type are not found", async () => {
    const [mine, other] = [await newWorld(), await newWorld()]
    const { companyId, owner } = mine
    const activities = [{ label: 'Check', description: '' }]
    const [first, second] = [
      await save(owner.key, { companyId, label: 'First', activities }),
      await save(owner.key, { companyId, label: 'Second', activities }),
    ]
    const theirs = await save(other.owner.key, { companyId: other.companyId, label: 'Theirs' })
    const { requirement } = await run(owner.key, ONE, { companyId, id: second })
    const foreignCheck = { id: requirement.check[0].id, label: 'Taken', description: '' }
    const refuse = (input: Record<string, unknown>) =>
      refusal(owner.key, SAVE, { input: { companyId, label: 'New', description: '', ...input } })

    const failures = [
      await refuse({ id: first, activities: [foreignCheck] }),
      await refuse({ id: first, removeCheckIds: [foreignCheck.id] }),
      await refuse({ activities: [foreignCheck] }),
      await refuse({ id: theirs }),
      await refuse({ id: '999999999' }),
      await refuse({ associatedProjectTypeId: ['999999'] }),
    ]

    expect(failures.map(({ extensions }) => extensions.code)).toEqual(Array.from({ length: 6 }, () => 'NOT_FOUND'))
    expect(failures[3]?.message.replace(theirs, '#')).toBe(failures[4]?.message.replace('999999999', '#'))
    expect(labelsOf(await run(owner.key, LIST, { scopeId: Number(companyId), pagination: {} }))).toEqual([
      'Second',
      'First',
    ])
  })

  test('bad texts are refused by name', async () => {
    const { companyId, owner } = await newWorld()
    const argumentOf = async (input: Record<string, unknown>) => {
      const { extensions } = await refusal(owner.key, SAVE, {
        input: { companyId, label: 'Fine', description: '', ...input },
      })
      return [extensions.code, extensions.argument]
    }

    expect(await argumentOf({ label: '  ' })).toEqual(['BAD_USER_INPUT', 'input.label'])
    expect(await argumentOf({ description: 'x'.repeat(100_001) })).toEqual(['BAD_USER_INPUT', 'input.description'])
    expect(await argumentOf({ activities: [{ label: '', description: '' }] })).toEqual([
      'BAD_USER_INPUT',
      'input.activities.0.label',
    ])
    expect(await argumentOf({ activities: [{ label: 'A', description: '', sort: 'first' }] })).toEqual([
      'BAD_USER_INPUT',
      'input.activities.0.sort',
    ])
    expect(await argumentOf({ id: 'abc' })).toEqual(['BAD_USER_INPUT', 'input.id'])
  })

  test('a developer may not write requirements, and a key that only reads may not either', async () => {
    const { companyId } = await newWorld()
    const developer = await newPerson(companyId, 'DEVELOPER')
    const readOnly = await newPerson(companyId, 'OWNER', ['read'])
    const input = { companyId, label: 'Mine', description: '' }

    const failures = [await refusal(developer.key, SAVE, { input }), await refusal(readOnly.key, SAVE, { input })]

    expect(failures.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN'])
  })
})

describe('requirements', () => {
  test('they are listed newest first, in pages, and filtered', async () => {
    const { companyId, owner } = await newWorld()
    for (const input of [
      { label: 'Alpha', type: 'Tests' },
      { label: 'Beta', type: 'Procedures', global: true },
      { label: 'Gamma', description: 'as ALPHA is' },
    ]) {
      await save(owner.key, { companyId, ...input })
    }
    const list = (pagination: unknown, filters?: unknown) =>
      run(owner.key, LIST, { scopeId: Number(companyId), pagination, filters })

    const second = await list({ page: 2, perPage: 2 })

    expect(labelsOf(await list({ perPage: 2 }))).toEqual(['Gamma', 'Beta'])
    expect(labelsOf(second)).toEqual(['Alpha'])
    expect(second.requirements.metadata).toEqual({ totalCount: 3, totalPages: 2, currentPage: 2, limitValue: 2 })
    expect(labelsOf(await list({}, { search: 'alpha' }))).toEqual(['Gamma', 'Alpha'])
    expect(labelsOf(await list({}, { types: ['Tests', 'Requirements'] }))).toEqual(['Gamma', 'Alpha'])
    expect(labelsOf(await list({}, { global: true }))).toEqual(['Beta'])
    expect(labelsOf(await list({}, { capecIds: ['66'] }))).toEqual([])
  })

  test('a foreign requirement and a missing one get the same answer', async () => {
    const [mine, other] = [await newWorld(), await newWorld()]
    const id = await save(other.owner.key, { companyId: other.companyId, label: 'Theirs' })
    const { companyId, owner } = mine

    const foreign = await refusal(owner.key, ONE, { companyId, id })
    const missing = await refusal(owner.key, ONE, { companyId, id: '999999999' })
    const company = await refusal(owner.key, LIST, { scopeId: Number(other.companyId), pagination: {} })

    expect(foreign.message.replace(id, '#')).toBe(missing.message.replace('999999999', '#'))
    expect([foreign, missing, company].map(({ extensions }) => extensions.code)).toEqual(
      Array.from({ length: 3 }, () => 'NOT_FOUND'),
    )
  })

  test('a page of twenty takes as many statements as a page of one', async () => {
    const { companyId, owner } = await newWorld()
    const { projectTypes } = await run(owner.key, '{ projectTypes(limit: 7) { collection { id } } }')
    const types = projectTypes.collection.map(({ id }: { id: string }) => id)
    for (let number = 0; number < 21; number += 1) {
      await save(owner.key, {
        companyId,
        label: `R ${number}`,
        associatedProjectTypeId: [types[number % types.length]],
      })
    }
    const page = (perPage: number) =>
      countStatements(() => ask(owner.key, LIST, { scopeId: Number(companyId), pagination: { perPage } }))

    const one = await page(1)
    const twenty = await page(20)

    expect(twenty).toBe(one)
  })
})

describe('deleteRequirement', () => {
  test('it goes with its checks', async () => {
    const { companyId, owner } = await newWorld()
    const id = await save(owner.key, { companyId, label: 'Gone', activities: [{ label: 'Check', description: '' }] })

    const deleted = await run(owner.key, DELETE, { input: { id, companyId } })
    const again = await refusal(owner.key, DELETE, { input: { id } })

    expect(deleted.deleteRequirement.requirement).toEqual({ id })
    expect(again.extensions.code).toBe('NOT_FOUND')
  })

  test("a foreign one is not found, and neither is one's own under another company", async () => {
    const [mine, other] = [await newWorld(), await newWorld()]
    const theirs = await save(other.owner.key, { companyId: other.companyId, label: 'Theirs' })
    const own = await save(mine.owner.key, { companyId: mine.companyId, label: 'Mine' })

    const failures = [
      await refusal(mine.owner.key, DELETE, { input: { id: theirs } }),
      await refusal(mine.owner.key, DELETE, { input: { id: own, companyId: other.companyId } }),
    ]

    expect(failures.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND', 'NOT_FOUND'])
  })
})
