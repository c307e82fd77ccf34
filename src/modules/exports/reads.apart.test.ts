// What an export reads: the findings that it writes, and no others for each of its parts, whatever the figures of the database.

import { beforeEach, expect, test } from 'vitest'
import { keepFigures, renewFigures } from '../../../test/testkit/figures.ts'
import { countReads } from '../../../test/testkit/reads.ts'
import { imported, newReportHome, results, sarif } from '../../../test/testkit/reports.ts'
import { newAsset } from '../../../test/testkit/world.ts'
import { transaction } from '../../core/db/open.ts'
import { readFindings } from './store-findings.ts'

const OTHERS = 2000
const FEW = 120

beforeEach(keepFigures)

test('an export of the few findings of an asset goes through the others of its company once at most', async () => {
  const home = await newReportHome()
  const { id: elsewhere } = await newAsset(home.key, home.companyId)
  await imported(home, sarif(results(OTHERS)))
  await imported({ ...home, assetId: elsewhere }, sarif(results(FEW, OTHERS + 1)))
  await renewFigures()
  const wanted = { assetIds: [elsewhere], filters: {}, branchName: null }
  const selected = { companyId: home.companyId, wanted, ofComponentsOnly: false }

  const read = await countReads(['finding', 'occurrence'], (db) =>
    transaction(db, async (trx) => {
      const found = []
      for await (const one of readFindings(trx, selected, 'BY_ID')) found.push(one)
      expect(found).toHaveLength(FEW)
    }),
  )

  expect(read).toBeLessThan(OTHERS + FEW * 10)
})
