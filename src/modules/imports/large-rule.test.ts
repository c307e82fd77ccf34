// A small report about a rule of which very many findings are known.

import { expect, test } from 'vitest'
import { imported, newReportHome, result, sarif } from '../../../test/testkit/reports.ts'
import { countStatements } from '../../../test/testkit/service.ts'

const known = (number: number) => result(number, {}, `src/f${number % 50}.js`, number * 10)
const range = (length: number, from: number) => Array.from({ length }, (_, at) => known(from + at))

/** One moved within its file, one to another file, one in other words where it was, and a new one. */
const few = sarif([
  result(5, {}, 'src/f5.js', 53),
  result(7, {}, 'src/other.js', 7),
  result(9, { message: { text: 'In other words' } }, 'src/f9.js', 90),
  result(9_000, {}, 'src/new.js', 1),
])

test('it matches what it matches if few are known, with as many statements', async () => {
  const [large, small] = [await newReportHome(), await newReportHome()]
  await imported(large, sarif(range(1500, 1)))
  await imported(small, sarif(range(20, 1)))
  const rows: unknown[] = []
  const told = async (home: typeof large) => {
    const { rows: found } = await imported(home, few)
    for (const { matchedBy, disposition } of found.collection) rows.push([matchedBy, disposition])
  }

  const [ofLarge, ofSmall] = [await countStatements(() => told(large)), await countStatements(() => told(small))]

  const matched = [
    ['SNIPPET_IN_FILE', 'UPDATED'],
    ['SNIPPET_ELSEWHERE', 'UPDATED'],
    ['PLACE', 'UPDATED'],
    ['NEW', 'CREATED'],
  ]
  expect(rows).toEqual([...matched, ...matched])
  expect(ofLarge).toBe(ofSmall)
})
