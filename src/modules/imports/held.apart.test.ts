// A small report whose asset is held for longer than a statement may take, as by the import of a large one.

import { expect, test } from 'vitest'
import { runAt } from '../../../test/testkit/client.ts'
import { found, parts } from '../../../test/testkit/large-reports.ts'
import { countsOf, imported, newReportHome, results, sarif } from '../../../test/testkit/reports.ts'
import { withService } from '../../../test/testkit/service.ts'
import { transaction } from '../../core/db/open.ts'
import { holdAsset } from '../issues/findings/service.ts'
import { runImport } from './jobs.ts'

const IMPORT = 'mutation ($input: ImportFindingsInput!) { importFindings(input: $input) { import { id status } } }'

test.each([
  ['the first of its asset', 0],
  ['one of an asset that has findings', 1],
])('a small report that is %s is handed to a job instead of refused', async (_, before) => {
  const home = await newReportHome()
  const { companyId, assetId, key } = home
  if (before > 0) await imported(home, sarif(results(before)))
  const base64 = Buffer.from(sarif(results(3))).toString('base64')
  const input = { companyId, assetId, file: { filename: 'report.sarif', contentType: 'application/json', base64 } }

  const { importFindings } = await withService({ MERLON_STATEMENT_TIMEOUT_MS: '1000' }, ({ url }) =>
    parts().then(({ db }) =>
      transaction(db, async (trx) => {
        await holdAsset(trx, companyId, assetId)
        return runAt(url, key, IMPORT, { input })
      }),
    ),
  )

  expect(importFindings.import.status).toBe('PENDING')
  await runImport(await parts(), { companyId, id: importFindings.import.id })
  expect(countsOf(await found(home, importFindings.import.id))).toMatchObject({ read: 3, created: 3 - before })
})
