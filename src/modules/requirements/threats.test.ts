// Requirements made of attack patterns, through the endpoint.

import { describe, expect, test } from 'vitest'
import { ask, refusal, run } from '../../../test/testkit/client.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { newPerson, newWorld } from '../../../test/testkit/world.ts'

const CREATE = `mutation ($input: CreateThreatModelingRequirementsInput!) {
  createThreatModelingRequirements(input: $input) {
    clientMutationId requirements { id label check { id label capecId cwes { id name } } } } }`
const LIST = `query ($scopeId: Int!) {
  requirements(scopeId: $scopeId, pagination: {}) { collection { id label } metadata { totalCount } } }`

const countRequirements = async (key: string, companyId: string): Promise<number> =>
  (await run(key, LIST, { scopeId: Number(companyId) })).requirements.metadata.totalCount

describe('createThreatModelingRequirements', () => {
  test('each requirement gets one check for each pattern, named by number or by CAPEC and number', async () => {
    const { companyId, owner } = await newWorld()
    const requirements = [
      { label: 'Inputs are bound', capecIds: ['66', 'CAPEC-63', 'CAPEC-66', 66] },
      { label: 'Sessions are kept', capecIds: [593] },
    ]

    const { createThreatModelingRequirements } = await run(owner.key, CREATE, {
      input: { clientMutationId: 'mine', companyId, requirements },
    })

    const [first, second] = createThreatModelingRequirements.requirements
    expect(createThreatModelingRequirements.clientMutationId).toBe('mine')
    expect(first.check.map(({ label }: { label: string }) => label)).toEqual([
      'CAPEC-66: SQL Injection',
      'CAPEC-63: Cross-Site Scripting (XSS)',
    ])
    expect(first.check[0].capecId).toBe('66')
    expect(first.check[0].cwes.map(({ id }: { id: string }) => id)).toEqual(['89', '112', '564', '1286'])
    expect(first.check[1].cwes).toContainEqual({
      id: '79',
      name: "Improper Neutralization of Input During Web Page Generation ('Cross-site Scripting')",
    })
    expect(second).toMatchObject({ label: 'Sessions are kept', check: [{ label: expect.stringContaining('593') }] })
  })

  test('an unknown pattern is named, and nothing is created', async () => {
    const { companyId, owner } = await newWorld()
    const requirements = [
      { label: 'Fine', capecIds: ['66'] },
      { label: 'Not fine', capecIds: ['66', 'CAPEC-99999'] },
    ]

    const failure = await refusal(owner.key, CREATE, { input: { companyId, requirements } })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.requirements.1.capecIds' })
    expect(failure.message).toContain('CAPEC-99999')
    expect(await countRequirements(owner.key, companyId)).toBe(0)
  })

  test('an existing requirement gets the label and the checks that it lacks', async () => {
    const { companyId, owner } = await newWorld()
    const create = (requirements: unknown[]) => run(owner.key, CREATE, { input: { companyId, requirements } })
    const [made] = (await create([{ label: 'Inputs', capecIds: ['66'] }])).createThreatModelingRequirements.requirements

    const again = await create([
      { label: 'New beside it', capecIds: ['7'] },
      { label: 'All inputs', capecIds: ['66', '63'], requirementId: made.id },
    ])

    const [, updated] = again.createThreatModelingRequirements.requirements
    expect(updated).toMatchObject({ id: made.id, label: 'All inputs' })
    expect(updated.check.map(({ capecId }: { capecId: string }) => capecId)).toEqual(['66', '63'])
    expect(updated.check[0].id).toBe(made.check[0].id)
    expect(await countRequirements(owner.key, companyId)).toBe(2)
  })

  test('sixteen calls at once that add the same pattern add one check', async () => {
    const { companyId, owner } = await newWorld()
    const create = (requirement: unknown) =>
      run(owner.key, CREATE, { input: { companyId, requirements: [requirement] } })
    const made = await create({ label: 'Inputs', capecIds: ['66'] })
    const requirementId = made.createThreatModelingRequirements.requirements[0].id

    const answers = await Promise.all(
      Array.from({ length: 16 }, () => create({ label: 'Inputs', capecIds: ['63'], requirementId })),
    )

    const checks = answers.map((answer) => answer.createThreatModelingRequirements.requirements[0].check)
    expect(checks.map((check) => check.length)).toEqual(Array.from({ length: 16 }, () => 2))
    expect(new Set(checks.map((check) => check[1].id)).size).toBe(1)
  })

  test("another company's requirement and a missing one get the same answer, and nothing is created", async () => {
    const [mine, other] = [await newWorld(), await newWorld()]
    const theirs = await run(other.owner.key, CREATE, {
      input: { companyId: other.companyId, requirements: [{ label: 'Theirs', capecIds: ['66'] }] },
    })
    const id: string = theirs.createThreatModelingRequirements.requirements[0].id
    const take = (requirementId: string) =>
      refusal(mine.owner.key, CREATE, {
        input: {
          companyId: mine.companyId,
          requirements: [
            { label: 'New', capecIds: ['66'] },
            { label: 'Taken', capecIds: ['66'], requirementId },
          ],
        },
      })

    const foreign = await take(id)
    const missing = await take('999999999')

    expect(foreign.extensions.code).toBe('NOT_FOUND')
    expect(foreign.message.replace(id, '#')).toBe(missing.message.replace('999999999', '#'))
    expect(await countRequirements(mine.owner.key, mine.companyId)).toBe(0)
  })

  test('empty lists, empty labels and repeated requirements are refused by name', async () => {
    const { companyId, owner } = await newWorld()
    const argumentOf = async (requirements: unknown[]) =>
      (await refusal(owner.key, CREATE, { input: { companyId, requirements } })).extensions

    const answers = [
      await argumentOf([]),
      await argumentOf([{ label: 'None', capecIds: [] }]),
      await argumentOf([{ label: ' ', capecIds: ['66'] }]),
      await argumentOf([{ label: 'x'.repeat(501), capecIds: ['66'] }]),
      await argumentOf([
        { label: 'A', capecIds: ['66'], requirementId: '1' },
        { label: 'B', capecIds: ['66'], requirementId: '1' },
      ]),
    ]

    expect(answers.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => 'BAD_USER_INPUT'))
    expect(answers.map(({ argument }) => argument)).toEqual([
      'input.requirements',
      'input.requirements.0.capecIds',
      'input.requirements.0.label',
      'input.requirements.0.label',
      'input.requirements',
    ])
  })

  test('a reader may not create any, and a foreign company is not found', async () => {
    const { companyId, owner } = await newWorld()
    const reader = await newPerson(companyId, 'READER')
    const other = await newWorld()
    const requirements = [{ label: 'Inputs', capecIds: ['66'] }]

    const asReader = await refusal(reader.key, CREATE, { input: { companyId, requirements } })
    const elsewhere = await refusal(owner.key, CREATE, { input: { companyId: other.companyId, requirements } })

    expect([asReader.extensions.code, elsewhere.extensions.code]).toEqual(['FORBIDDEN', 'NOT_FOUND'])
  })

  test('twenty take as many statements as one, and each is audited', async () => {
    const { companyId, owner } = await newWorld()
    const create = (count: number) => {
      const requirements = Array.from({ length: count }, (_, index) => ({
        label: `R ${index}`,
        capecIds: ['66', '63'],
      }))
      return ask(owner.key, CREATE, { input: { companyId, requirements } })
    }
    await create(1)

    const one = await countStatements(() => create(1))
    const twenty = await countStatements(() => create(20))

    const { auditRecords } = await run(
      owner.key,
      'query ($companyId: ID!) { auditRecords(companyId: $companyId) { collection { object } metadata { totalCount } } }',
      { companyId },
    )
    expect(twenty).toBe(one)
    expect(auditRecords.collection[0].object).toMatch(/^Requirement \d+$/)
    expect(auditRecords.metadata.totalCount).toBeGreaterThanOrEqual(22)
  })
})
