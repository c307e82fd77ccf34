// Companies, through the endpoint.

import { describe, expect, test } from 'vitest'
import { administratorKey, ask, refusal, run, unique } from '../../../test/testkit/client.ts'
import { newPerson, newWorld } from '../../../test/testkit/world.ts'

const COMPANY = 'query ($id: ID!) { company(id: $id) { id label sid configured integrations } }'
const COMPANIES = `query ($params: CompanySearch, $order: OrderScopesParams, $orderType: OrderParams) {
  companies(params: $params, order: $order, orderType: $orderType, limit: 50) {
    collection { id label } metadata { currentPage limitValue totalCount totalPages } } }`
const UPDATE = `mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { clientMutationId company { id label sid } } }`

describe('companies', () => {
  test('a member sees their company and no other', async () => {
    const mine = await newWorld()
    const other = await newWorld()

    const { companies } = await run(mine.owner.key, COMPANIES)
    const foreign = await refusal(mine.owner.key, COMPANY, { id: other.companyId })
    const missing = await refusal(mine.owner.key, COMPANY, { id: '999999999' })

    expect(companies.collection.map(({ id }: { id: string }) => id)).toEqual([mine.companyId])
    expect(companies.metadata).toEqual({ currentPage: 1, limitValue: 50, totalCount: 1, totalPages: 1 })
    expect(foreign.extensions.code).toBe('NOT_FOUND')
    expect(foreign.message.replace(other.companyId, '#')).toBe(missing.message.replace('999999999', '#'))
  })

  test('an administrator finds companies by part of the label, in either order', async () => {
    const name = unique('Searched')
    for (const suffix of ['b', 'a', 'c']) {
      await run(
        administratorKey(),
        'mutation ($label: String!) { createCompany(input: { label: $label }) { company { id } } }',
        {
          label: `${name} ${suffix}`,
        },
      )
    }

    const params = { labelCont: name.toUpperCase() }
    const rising = await run(administratorKey(), COMPANIES, { params, order: 'LABEL' })
    const falling = await run(administratorKey(), COMPANIES, { params, order: 'LABEL', orderType: 'DESC' })
    const oldest = await run(administratorKey(), COMPANIES, { params, orderType: 'ASC' })
    const newest = await run(administratorKey(), COMPANIES, { params, orderType: 'DESC' })

    const labels = (answer: typeof rising) =>
      answer.companies.collection.map(({ label }: { label: string }) => label.at(-1))
    expect(labels(rising)).toEqual(['a', 'b', 'c'])
    expect(labels(falling)).toEqual(['c', 'b', 'a'])
    expect(labels(oldest)).toEqual(['b', 'a', 'c'])
    expect(labels(newest)).toEqual(['c', 'a', 'b'])
  })

  test.each([
    ['an id beyond all ids', ['9999999999999999999']],
    ['no id', ['x']],
    ['nothing', [null]],
    ['two values', ['1', '2']],
  ])('a cursor that holds %s is refused', async (_, values) => {
    const after = Buffer.from(JSON.stringify(values)).toString('base64url')

    const failure = await refusal(
      administratorKey(),
      'query ($after: String) { companies(after: $after) { metadata { totalCount } } }',
      { after },
    )

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'after' })
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', `https://example.test/${'a'.repeat(2000)}`])(
    'the brand cannot be at %.30s',
    async (brandUrl) => {
      const { companyId, owner } = await newWorld()

      const failure = await refusal(owner.key, UPDATE, { input: { id: companyId, brandUrl } })

      expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.brandUrl' })
    },
  )

  test('an owner changes the company, and the change is audited', async () => {
    const { companyId, owner } = await newWorld()
    const label = unique('Renamed')

    const { updateCompany } = await run(owner.key, UPDATE, {
      input: { id: companyId, label, clientMutationId: 'mine' },
    })

    const { auditRecords } = await run(
      owner.key,
      'query ($companyId: ID!) { auditRecords(companyId: $companyId) { collection { operation object before after portalUser { email } } } }',
      { companyId },
    )
    expect(updateCompany).toMatchObject({ clientMutationId: 'mine', company: { id: companyId, label } })
    expect(auditRecords.collection[0]).toMatchObject({
      operation: 'updateCompany',
      object: `Company ${companyId}`,
      after: { label },
      portalUser: { email: owner.email },
    })
  })

  test('a reader may not change the company', async () => {
    const { companyId } = await newWorld()
    const reader = await newPerson(companyId, 'READER')

    const failure = await refusal(reader.key, UPDATE, { input: { id: companyId, label: 'Mine now' } })

    expect(failure.extensions.code).toBe('FORBIDDEN')
  })

  test('a read-only key gets a refusal that names what was asked', async () => {
    const { companyId } = await newWorld()
    const reader = await newPerson(companyId, 'OWNER', ['read'])
    const create = 'mutation ($label: String!) { createCompany(input: { label: $label }) { company { id } } }'

    const failure = await refusal(reader.key, create, { label: 'Mine' })

    expect(failure.message).toBe('company:create requires a key with the scope write')
  })

  test('a sid is taken once in the installation', async () => {
    const [first, second] = [await newWorld(), await newWorld()]
    const sid = unique('sid').replace(' ', '-')
    await run(first.owner.key, UPDATE, { input: { id: first.companyId, sid } })

    const failure = await refusal(second.owner.key, UPDATE, { input: { id: second.companyId, sid } })

    expect(failure.extensions.code).toBe('CONFLICT')
  })

  test('only an administrator deletes a company, and only under its own label', async () => {
    const { companyId, owner } = await newWorld()
    const DELETE = 'mutation ($input: DeleteCompanyInput!) { deleteCompany(input: $input) { id } }'
    const { company } = await run(owner.key, COMPANY, { id: companyId })

    const byOwner = await refusal(owner.key, DELETE, { input: { id: companyId, label: company.label } })
    const misnamed = await refusal(administratorKey(), DELETE, { input: { id: companyId, label: 'Another' } })
    const deleted = await ask(administratorKey(), DELETE, { input: { id: companyId, label: company.label } })
    const gone = await refusal(administratorKey(), COMPANY, { id: companyId })

    expect([byOwner.extensions.code, misnamed.extensions.code]).toEqual(['FORBIDDEN', 'BAD_USER_INPUT'])
    expect(deleted.data.deleteCompany.id).toBe(companyId)
    expect(gone.extensions.code).toBe('NOT_FOUND')
  })

  test('audit records of a deleted company are shown to administrators, and to nobody else', async () => {
    const { companyId, owner } = await newWorld()
    const { company } = await run(owner.key, COMPANY, { id: companyId })
    const DELETE = 'mutation ($input: DeleteCompanyInput!) { deleteCompany(input: $input) { id } }'
    const AUDIT = 'query ($companyId: ID!) { auditRecords(companyId: $companyId) { collection { operation } } }'
    await run(administratorKey(), DELETE, { input: { id: companyId, label: company.label } })

    const { auditRecords } = await run(administratorKey(), AUDIT, { companyId })
    const byOther = await refusal((await newWorld()).owner.key, AUDIT, { companyId })
    const ofNone = await refusal(administratorKey(), AUDIT, { companyId: '999999999' })

    expect(auditRecords.collection[0]).toEqual({ operation: 'deleteCompany' })
    expect([byOther.extensions.code, ofNone.extensions.code]).toEqual(['NOT_FOUND', 'NOT_FOUND'])
  })

  test('an id that is no whole number is refused by name', async () => {
    const { owner } = await newWorld()

    const failure = await refusal(owner.key, COMPANY, { id: 'abc' })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'id' })
  })
})
