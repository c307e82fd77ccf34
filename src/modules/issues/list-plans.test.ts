// How lists are planned: a narrowed one for its values, since few rows are found by another way than most.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inside } from '../../../test/testkit/inside.ts'
import { FOR_ITS_VALUES } from '../../core/db/driver.ts'
import type { Condition } from './store-filters.ts'
import { statementsOf } from './store-list-statements.ts'
import { narrowingsOf } from './store-narrowing-filters.ts'
import type { Narrowing } from './store-narrowings.ts'

/** Whether the rows of a list are asked for with a plan for their values each time. */
async function isPlannedEachTime(
  conditions: readonly Condition[],
  narrowings: readonly Narrowing[] = [],
): Promise<boolean> {
  const { db } = await inside()
  const { rows } = statementsOf('1', conditions, { page: 1, limit: 50, after: null }, { narrowings })
  return rows({ isCounting: true, isWalked: false }).compile(db).sql.startsWith(FOR_ITS_VALUES)
}

test('a list of all findings is planned once for each connection', async () => {
  expect(await isPlannedEachTime([])).toBe(false)
})

test('a list that is narrowed by what stands in its findings is planned for its values each time', async () => {
  expect(await isPlannedEachTime([sql`issue.status = any(${['DRAFT']}::issue_status[])`])).toBe(true)
})

test('a list that is narrowed by a weakness alone is planned once, since what few have is looked for by itself', async () => {
  expect(await isPlannedEachTime([], narrowingsOf('1', { cweIds: [79] }))).toBe(false)
})
