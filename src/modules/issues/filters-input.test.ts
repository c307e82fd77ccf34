// Filters that nothing can pass, as the endpoint refuses them.

import { expect, test } from 'vitest'
import { refusal } from '../../../test/testkit/client.ts'
import { newWorld } from '../../../test/testkit/world.ts'

const ISSUES = `query ($companyId: ID!, $filters: IssuesFiltersInput) {
  issues(companyId: $companyId, pagination: {}, filters: $filters) { metadata { totalCount } } }`

test('numbers and ranges of times that nothing can be in are refused by their place', async () => {
  const { companyId, owner } = await newWorld()
  const backwards = { startDate: '2026-02-01T00:00:00Z', endDate: '2026-01-01T00:00:00Z' }
  const refused = {
    minimumEpss: 50,
    minimumPriority: -1,
    createdAtRange: backwards,
    updatedAtRange: backwards,
    slaDueAtRange: backwards,
    statusChange: { to: ['IDENTIFIED'], range: backwards },
  }

  for (const [name, value] of Object.entries(refused)) {
    const failure = await refusal(owner.key, ISSUES, { companyId, filters: { [name]: value } })
    const argument = name === 'statusChange' ? 'filters.statusChange.range' : `filters.${name}`
    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
  }
})

test('an empty id to be similar to is refused: it is no way of asking for all', async () => {
  const { companyId, owner } = await newWorld()

  const failure = await refusal(owner.key, ISSUES, { companyId, filters: { similarTo: '' } })

  expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'filters.similarTo' })
})
