// A verdict that a policy changes is told at the deploy where the branch stands, never at one that arrived late.

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run, unique } from '../../../test/testkit/client.ts'
import { startWorkingService, until } from '../../../test/testkit/events.ts'
import { newHome, sast, upsert } from '../../../test/testkit/findings.ts'
import { setPolicy } from '../../../test/testkit/gates.ts'
import type { Service } from '../../../test/testkit/service.ts'
import { newAsset, newDeploy } from '../../../test/testkit/world.ts'

let service: Service

beforeAll(async () => {
  service = await startWorkingService()
})
afterAll(() => service.app.stop(0))

const EVENTS = `query ($companyId: ID!) { events(companyId: $companyId, kinds: ["deploy.gate_blocked"]) { data } }`
const LINEAGES = 'query ($id: ID!) { deploysByAsset(assetId: $id) { collection { lineage } } }'

const verdicts = async (companyId: string) => {
  const { rows } = await sql<{ id: string; decision: string }>`
    select deploy_id as id, decision from deploy_verdict where company_id = ${companyId}`.execute(service.app.db)
  return rows
}

/** Two deploys of main, the second with a finding that it introduces; answers with it, and where the first came from. */
async function newBlockable(key: string, assetId: string) {
  const { previousCommit, currentCommit } = await newDeploy(key, assetId, '', { branchName: 'main' })
  const { id } = await newDeploy(key, assetId, '', { branchName: 'main', previousCommit: currentCommit })
  await upsert(key, sast(Number(assetId), { severity: 'HIGH', ruleId: unique('rule'), deployId: id }))
  return { id, previousCommit }
}

test('a deploy that came late takes no news from the one that its branch stands at', async () => {
  const { key, companyId, assetId } = await newHome()
  await setPolicy({ key, companyId }, [])
  const other = (await newAsset(key, companyId)).id
  const control = await newBlockable(key, String(assetId))
  const overtaken = await newBlockable(key, other)
  await newDeploy(key, other, '', { branchName: 'main', currentCommit: overtaken.previousCommit })
  await until(async () => (await verdicts(companyId)).length === 5)

  await setPolicy({ key, companyId }, [{ subject: 'INTRODUCED', minimumSeverity: 'HIGH', limit: 0, decision: 'BLOCK' }])
  const blocked = await until(async () => {
    const { events } = await run(key, EVENTS, { companyId })
    return events.length === 2 && events
  })

  const { deploysByAsset } = await run(key, LINEAGES, { id: other })
  expect(deploysByAsset.collection[0].lineage).toBe('LATE')
  expect(blocked.map(({ data }: { data: { id: string } }) => data.id).sort()).toEqual([control.id, overtaken.id].sort())
})

test('a deploy that came late is never where its branch stands itself', async () => {
  const { key, companyId, assetId } = await newHome()
  await setPolicy({ key, companyId }, [])
  const { id, previousCommit } = await newBlockable(key, String(assetId))
  const late = await newDeploy(key, String(assetId), '', { branchName: 'main', currentCommit: previousCommit })
  await upsert(key, sast(assetId, { severity: 'HIGH', ruleId: unique('rule'), branchName: 'main' }))
  await until(async () => (await verdicts(companyId)).length === 3)

  await setPolicy({ key, companyId }, [{ subject: 'OPEN', limit: 0, decision: 'BLOCK' }])
  await until(async () => (await verdicts(companyId)).every(({ decision }) => decision === 'BLOCK'))

  expect((await verdicts(companyId)).map((verdict) => verdict.id)).toContain(late.id)
  const events = await until(async () => {
    const found = (await run(key, EVENTS, { companyId })).events
    return found.length > 0 && found
  })
  expect(events.map(({ data }: { data: { id: string } }) => data.id)).toEqual([id])
})
