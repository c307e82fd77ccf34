// All SQL of the modules is in their stores, one function for each question.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sources } from './files.ts'

/** Files other than stores that contain SQL, each with the reason. */
const known = {
  'src/modules/access/authorize.ts': 'the condition that holds a statement of any store to the companies of a viewer',
  'src/modules/issues/list-order.ts': 'the orders and cursors that the statements of lists are put together with',
}

const SQL = /\bsql(?:<[^`]*>)?`|\.(?:selectFrom|selectNoFrom|insertInto|updateTable|deleteFrom|mergeInto)\(/

test('the SQL of a module stands in its stores', () => {
  const outside = sources()
    .filter((path) => path.startsWith('src/modules/') && !/\.test\.ts$|\/store(-[a-z-]+)?\.ts$/.test(path))
    .filter((path) => SQL.test(readFileSync(path, 'utf8')))

  expect(outside.toSorted()).toEqual(Object.keys(known).toSorted())
})
