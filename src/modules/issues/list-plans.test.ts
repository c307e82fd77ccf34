// How lists are planned: a narrowed one for its values, since few rows are found by another way than most.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inside } from '../../../test/testkit/inside.ts'
import { statementName } from '../../core/db/driver.ts'
import type { Condition } from './store-filters.ts'
import { statementsOf } from './store-list-statements.ts'

/** Under which name the rows of a list are asked for; undefined for none, so that they are planned each time. */
async function nameOf(conditions: readonly Condition[], page: object = {}): Promise<string | undefined> {
  const { db } = await inside()
  const { rows } = statementsOf('1', conditions, { page: 1, limit: 50, after: null, ...page }, {})
  return statementName(rows({ isCounting: true, isWalked: false }).compile(db).sql)
}

test('a list of all findings is planned once for each connection', async () => {
  expect(await nameOf([])).toMatch(/^\S{20}$/)
  expect(await nameOf([])).toBe(await nameOf([]))
})

test('a list that is narrowed by what stands in its findings is planned for its values each time', async () => {
  expect(await nameOf([sql`issue.status = any(${['DRAFT']}::issue_status[])`])).toBeUndefined()
})
