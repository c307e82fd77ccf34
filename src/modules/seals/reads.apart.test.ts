// What the standing of a seal reads: a few counts of its asset, however many findings the others of its company have.

import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { figuresOf, keepFigures, renewFigures } from '../../../test/testkit/figures.ts'
import { fillWith } from '../../../test/testkit/inside.ts'
import { countReads } from '../../../test/testkit/reads.ts'
import { imported, newReportHome, results, sarif } from '../../../test/testkit/reports.ts'
import { newAsset } from '../../../test/testkit/world.ts'
import { findPublicStanding } from './store.ts'

const OTHERS = 2000

beforeEach(keepFigures)

test.each(figuresOf)(
  'an asset without a finding is not looked for among those of its company, with figures $figures',
  async ({ renew }) => {
    await imported(await newReportHome(), sarif(results(OTHERS)))
    await renewFigures()
    const home = await newReportHome()
    await imported(home, sarif(results(OTHERS)))
    const { id } = await newAsset(home.key, home.companyId)
    const publicId = id.padStart(22, '0')
    await fillWith(
      sql`insert into seal (company_id, asset_id, public_id) values (${home.companyId}, ${id}, ${publicId})`,
    )
    await renew()

    const read = await countReads(['finding', 'finding_tally'], async (db) => {
      expect(await findPublicStanding(db, publicId)).toMatchObject({ worst: null })
    })

    // the tally is small, and may be read whole
    expect(read).toBeLessThan(OTHERS / 2)
  },
)
