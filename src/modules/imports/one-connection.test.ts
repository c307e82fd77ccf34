// Large reports where no connection to the database is to spare, because whoever has one waits for them.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { home as database } from '../../../test/testkit/home.ts'
import { found, large, parts } from '../../../test/testkit/large-reports.ts'
import { newReportHome, type ReportHome, result, taken } from '../../../test/testkit/reports.ts'
import { type Db, openDatabase } from '../../core/db/open.ts'
import { runImport } from './jobs.ts'

let db: Db
beforeAll(() => {
  db = openDatabase({ connection: database().connection, connections: 1, statementTimeout: 10_000 }).db
})
afterAll(() => db.destroy())

async function takenThroughOne(home: ReportHome, results: readonly unknown[]) {
  const { id } = await taken(home, large(results))
  await runImport({ ...(await parts()), db }, { companyId: home.companyId, id })
  return found(home, id)
}

test('the first and a later report of an asset go in, and wait for nobody to note their progress', async () => {
  const home = await newReportHome()

  const first = await takenThroughOne(home, [result(1)])
  const later = await takenThroughOne(home, [result(1), result(2)])

  expect(first).toMatchObject({ status: 'SUCCEEDED', result: { created: 1 } })
  expect(later).toMatchObject({ status: 'SUCCEEDED', result: { created: 1, unchanged: 1 } })
})
