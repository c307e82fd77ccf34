// What is judged again without any request: as time passes, and when a finding is back on its branch.

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorkingService, until } from '../../../test/testkit/events.ts'
import { newHome, sast, upsert } from '../../../test/testkit/findings.ts'
import { setPolicy } from '../../../test/testkit/gates.ts'
import { imported, result, sarif } from '../../../test/testkit/reports.ts'
import type { Service } from '../../../test/testkit/service.ts'
import { newAsset, newDeploy } from '../../../test/testkit/world.ts'
import { tasks } from './jobs.ts'

let service: Service

beforeAll(async () => {
  service = await startWorkingService()
})
afterAll(() => service.app.stop(0))

const decisionOf = async (id: string): Promise<string | null> => {
  const { rows } = await sql<{ decision: string }>`select decision from deploy_verdict where deploy_id = ${id}`.execute(
    service.app.db,
  )
  return rows[0]?.decision ?? null
}

/** Whether nothing of these companies waits to be judged or told. */
async function isQuiet(homes: readonly { companyId: string }[]): Promise<boolean> {
  const companies = homes.map(({ companyId }) => companyId)
  const { rows } = await sql<{ isQuiet: boolean }>`
    select not exists (select from outbox where company_id = any(${companies}::bigint[])) and not exists (
      select from graphile_worker._private_jobs where payload ->> 'companyId' = any(${companies}::text[])) as "isQuiet"`.execute(
    service.app.db,
  )
  return rows[0]?.isQuiet ?? false
}

const comesTo = (id: string, decision: string) => until(async () => (await decisionOf(id)) === decision)

const LIMIT = { subject: 'OPEN', limit: 0, decision: 'BLOCK' }
const OF_AGE = { ...LIMIT, olderThanDays: 30 }

/** A deploy with a finding, judged under this policy of its asset or of the whole company. */
async function newJudged(rules: object[], isAssets: boolean) {
  const home = await newHome()
  const { key, assetId } = home
  await setPolicy(home, rules, isAssets ? assetId : undefined)
  const { id } = await newDeploy(key, String(assetId), '', { branchName: 'main' })
  await upsert(key, sast(assetId, { severity: 'LOW', deployId: id }))
  return { ...home, id }
}

test('once an hour those are judged whose policies have rules of age, and no others', async () => {
  const [ofCompany, ofAsset, others] = [
    await newJudged([OF_AGE], false),
    await newJudged([OF_AGE], true),
    await newJudged([{ ...LIMIT, limit: 9 }], false),
  ]
  const beside = await newDeploy(ofAsset.key, (await newAsset(ofAsset.key, ofAsset.companyId)).id, '')
  for (const { id } of [ofCompany, ofAsset, others, beside]) await comesTo(id, 'PASS')
  await until(() => isQuiet([ofCompany, ofAsset, others]))
  const untimed = [others.id, beside.id]
  await sql`update issue set created_at = now() - interval '31 days'
    where company_id in (${ofCompany.companyId}, ${ofAsset.companyId})`.execute(service.app.db)
  await sql`update deploy_verdict set decision = 'WARN' where deploy_id = any(${untimed}::bigint[])`.execute(
    service.app.db,
  )

  await tasks.find(({ name }) => name === 'judge-by-time')?.run(service.app.parts, {})
  await comesTo(ofCompany.id, 'BLOCK')
  await comesTo(ofAsset.id, 'BLOCK')

  expect(await Promise.all(untimed.map(decisionOf))).toEqual(['WARN', 'WARN'])
})

test('a finding that one call brings back to a branch, without its deploy, is judged again at once', async () => {
  const { key, companyId, assetId } = await newHome()
  const home = { key, companyId, assetId: String(assetId) }
  const { id } = await newDeploy(key, home.assetId, '', { branchName: 'main' })
  const found = sarif([result(1, { level: 'error' })])
  await imported(home, found, { branchName: 'topic' })
  const { rows } = await imported(home, found, { branchName: 'main', deployId: id })
  await comesTo(id, 'BLOCK')
  await imported(home, sarif([]), { branchName: 'main', closeAbsent: true })
  await comesTo(id, 'PASS')

  const { issue } = await upsert(key, {
    assetId,
    branchName: 'main',
    commitRef: 'e'.repeat(40),
    toolName: 'a-scanner',
    ruleId: 'eval',
    title: 'Eval of 1',
    description: 'Eval of 1',
    fileName: 'src/a.js',
    vulnerableLine: 10,
    firstLine: 10,
    codeSnippet: 'eval(input1)',
  })

  expect(issue.id).toBe(rows.collection[0].issue.id)
  await comesTo(id, 'BLOCK')
})
