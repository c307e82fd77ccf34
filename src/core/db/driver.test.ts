// The names under which statements are prepared.

import { expect, test } from 'vitest'
import { FOR_ITS_VALUES, statementName } from './driver.ts'

test('a statement that is planned for its values is prepared under no name', () => {
  expect(statementName(`${FOR_ITS_VALUES} select 1`)).toBeUndefined()
})
