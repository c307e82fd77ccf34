// Reads SPDX JSON, 2.2, 2.3 and 3.0: components, the advisories that their references name, and the VEX of 3.0.

import { type Given, jsonRows } from '../json-rows.ts'
import type { ReportReader, ReportSource, Row } from '../types.ts'
import { knownOf, rowsOfThree } from './three.ts'
import { ofTwo } from './two.ts'

export const spdx: ReportReader = {
  format: 'spdx',
  label: 'SPDX JSON',
  withdrawsStatements: true,
  recognises: ({ text: head }) =>
    /"spdxVersion"\s*:\s*"SPDX-2/.test(head) ||
    (/"@context"\s*:/.test(head) && /spdx\.org\/rdf\/3/.test(head)) ||
    (/"spdxId"\s*:/.test(head) && /"specVersion"\s*:\s*"3\./.test(head)),
  read,
}

/** Elements of 3.0 refer to each other by id, wherever they stand: a first pass learns what the second one needs. */
async function* read(source: ReportSource): AsyncGenerator<Row> {
  const known = await knownOf(source)
  yield* jsonRows(source, ['packages[]', '@graph[]'], (given: Given) =>
    given.path === 'packages[]' ? ofTwo(given) : rowsOfThree(given, known),
  )
}
