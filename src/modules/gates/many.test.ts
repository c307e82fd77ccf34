// Verdicts on branches with so many open findings that they are counted as a set.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Data } from '../../../test/testkit/client.ts'
import { gateOf, setPolicy } from '../../../test/testkit/gates.ts'
import { takenByJob } from '../../../test/testkit/large-reports.ts'
import { imported, newReportHome, result, sarif } from '../../../test/testkit/reports.ts'
import { services } from '../../../test/testkit/service.ts'
import { newDeploy } from '../../../test/testkit/world.ts'

const MANY = 2060
const SETTLED = 50
const OLD = 30

const numbered = (count: number) =>
  Array.from({ length: count }, (_, number) =>
    result(number + 1, number < SETTLED ? { suppressions: [{ kind: 'inSource' }] } : {}),
  )

test('thousands of findings are counted as few are: those that are open, of an age, or settled without a decision', async () => {
  const home = await newReportHome()
  const { key, companyId, assetId } = home
  await takenByJob(home, sarif(numbered(MANY)), { branchName: 'main' })
  await imported(home, sarif([result(9001, {}, 'src/elsewhere.js')]), { branchName: 'topic' })
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  await sql`
    update issue set created_at = now() - interval '31 days' where id = any(array(
      select id from issue where company_id = ${companyId} and status = 'CREATED' and title <> 'Eval of 9001' order by id limit ${OLD}))
      and company_id = ${companyId}`.execute(service.app.db)
  const open = (more: object) => ({ subject: 'OPEN', limit: 0, decision: 'WARN', ...more })
  await setPolicy({ key, companyId }, [
    open({ name: 'open' }),
    open({ name: 'old', olderThanDays: 30 }),
    open({ name: 'older', olderThanDays: 60 }),
    open({ name: 'settled too', despiteReports: true }),
  ])
  const [main, topic] = [
    await newDeploy(key, String(assetId), '', { branchName: 'main' }),
    await newDeploy(key, String(assetId), '', { branchName: 'topic' }),
  ]

  const countsOf = async (id: string) =>
    (await gateOf(key, id)).reasons.map(({ rule, count, issues }: Data) => [rule, count, issues.metadata.totalCount])

  const openCount = MANY - SETTLED
  expect(await countsOf(main.id)).toEqual([
    ['open', openCount, openCount],
    ['old', OLD, OLD],
    ['settled too', openCount + SETTLED, openCount + SETTLED],
  ])
  expect(await countsOf(topic.id)).toEqual([
    ['open', 1, 1],
    ['settled too', 1, 1],
  ])
})
