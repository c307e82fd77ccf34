// A large report that comes into an installation of one finding: the planner's figures are made anew while it goes in.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runAt } from '../../../test/testkit/client.ts'
import { sast } from '../../../test/testkit/findings.ts'
import { newInstallation } from '../../../test/testkit/installation.ts'
import { result, results, sarif } from '../../../test/testkit/reports.ts'
import type { Db } from '../../core/db/open.ts'

const MANY = 150

/** An installation in which one finding is known, of the first of two assets, and was analysed. */
async function withOneFinding(work: (home: { url: string; key: string; db: Db }) => Promise<void>): Promise<void> {
  const { url, key, db, end } = await newInstallation()
  try {
    await runAt(url, key, 'mutation { createCompany(input: { label: "One" }) { company { id } } }')
    for (const name of ['first', 'second'])
      await runAt(url, key, `mutation { createAsset(input: { companyId: 1, name: "${name}" }) { asset { id } } }`)
    const create = `mutation ($input: CreateOrUpdateSastFindingInput!) { createOrUpdateSastFinding(input: $input) { issue { id } } }`
    await runAt(url, key, create, { input: sast(1) })
    await sql`analyze finding`.execute(db)
    await work({ url, key, db })
  } finally {
    await end()
  }
}

async function importInto(assetId: number, url: string, key: string, content: string): Promise<unknown> {
  const query =
    'mutation ($input: ImportFindingsInput!) { importFindings(input: $input) { import { result { created } } } }'
  const form = new FormData()
  form.append('operations', JSON.stringify({ query, variables: { input: { companyId: 1, assetId, file: null } } }))
  form.append('map', '{"0":["variables.input.file"]}')
  form.append('0', new Blob([content]), 'report.sarif')
  const answer = await fetch(`${url}/graphql`, { method: 'POST', headers: { 'x-api-key': key }, body: form })
  return answer.json()
}

/** How many companies the planner takes the findings to be of: -1 where each passes for one of a company of its own. */
async function companies(db: Db): Promise<unknown> {
  const { rows } = await sql<{ companies: number }>`
    select n_distinct as companies from pg_stats where tablename = 'finding' and attname = 'company_id'`.execute(db)
  return rows[0]?.companies
}

test.each([
  ['the first of its asset', 2, sarif(results(MANY))],
  ['compared with what its asset has', 1, sarif(results(MANY))],
  [
    'compared once it was found to be no first one',
    2,
    sarif([...results(MANY), result(MANY + 1, { suppressions: [{ kind: 'inSource' }] })]),
  ],
])('a report that is %s has them made', async (_, assetId, report) => {
  await withOneFinding(async ({ url, key, db }) => {
    const before = await companies(db)
    const answer = await importInto(assetId, url, key, report)

    expect(before).toBe(-1)
    expect(answer).toMatchObject({ data: { importFindings: { import: { result: { created: expect.any(Number) } } } } })
    expect(await companies(db)).toBe(1)
  })
})
