// What the sweep of old deliveries reads: the deliveries until enough are found, and these not again among all.

import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { keepFigures, renewFigures } from '../../../test/testkit/figures.ts'
import { fillWith } from '../../../test/testkit/inside.ts'
import { countReads } from '../../../test/testkit/reads.ts'
import { newReportHome } from '../../../test/testkit/reports.ts'
import { sweepDeliveries } from './store-hooks.ts'

const DELIVERIES = 4000

beforeEach(keepFigures)

test('a quarter of the deliveries is deleted without reading the others', async () => {
  const { companyId } = await newReportHome()
  await fillWith(sql`
    with called as (
      insert into integration (company_id, type) values (${companyId}, 'HOST_A') returning id),
    hook as (
      insert into inbound_hook (company_id, integration_id, token_hash, sealed, key_version)
      select ${companyId}, id, 'token', 'sealed', 1 from called returning id)
    insert into inbound_delivery (company_id, hook_id, fingerprint, received_at)
    select ${companyId}, hook.id, sha256(n::text::bytea), now() - make_interval(days => 40 * (n % 2))
    from hook cross join generate_series(1, ${DELIVERIES}::int) as n`)
  await renewFigures()

  const read = await countReads(['inbound_delivery'], async (db) => {
    expect(await sweepDeliveries(db, 30, DELIVERIES / 4)).toBe(DELIVERIES / 4)
  })

  expect(read).toBeLessThan(DELIVERIES)
})
