// Pages of deploys listed by verdict: how they are walked, and what a page costs.

import { expect, test } from 'vitest'
import { type Data, run } from '../../../test/testkit/client.ts'
import { pairOf } from '../../../test/testkit/deploys.ts'
import { startWorkingService, until } from '../../../test/testkit/events.ts'
import { newHome, sast, upsert } from '../../../test/testkit/findings.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { newDeploy } from '../../../test/testkit/world.ts'

const LIST = `query ($companyId: ID!, $decisions: [GateDecision!], $pagination: PaginationInput) {
  deploys(companyId: $companyId, decisions: $decisions, pagination: $pagination) {
    collection { id gate { decision } } metadata { totalCount totalCountIsExact endCursor } } }`

const idsOf = ({ deploys }: Data): string[] => deploys.collection.map(({ id }: { id: string }) => id)

/** Ten deploys, each of a branch of its own and judged; answers with those that are blocked, the newest first. */
async function newTen({ key, companyId, assetId }: { key: string; companyId: string; assetId: number }) {
  const blocked: string[] = []
  for (let number = 1; number <= 10; number++) {
    const branchName = `branch-${number}`
    const { id: deployId } = await newDeploy(key, String(assetId), '', { ...pairOf(number), branchName })
    const place = { fileName: `src/${number}.ts`, codeSnippet: `f${number}()`, branchName, deployId }
    await upsert(key, sast(assetId, { ...place, severity: number % 2 ? 'HIGH' : 'LOW' }))
    if (number % 2) blocked.unshift(deployId)
  }
  // it is stopped before anything is counted: a worker asks the database by itself
  const { app } = await startWorkingService()
  await until(async () => {
    const found = await run(key, LIST, { companyId, decisions: ['BLOCK'] })
    return JSON.stringify(idsOf(found)) === JSON.stringify(blocked)
  })
  await app.stop(0)
  return blocked
}

test('they are walked by page and by cursor, with as many statements for one as for ten', async () => {
  const home = await newHome()
  const { companyId, key } = home
  const made = await newTen(home)
  const page = (pagination: Data) => run(key, LIST, { companyId, decisions: ['BLOCK'], pagination })

  const first = await page({ perPage: 2 })
  const second = await page({ perPage: 2, page: 2 })
  const rest = await page({ perPage: 2, after: second.deploys.metadata.endCursor })
  const end = await page({ perPage: 2, after: rest.deploys.metadata.endCursor })
  const [few, many] = [
    await countStatements(() => page({ perPage: 2 })),
    await countStatements(() => page({ perPage: 4 })),
  ]

  expect([...idsOf(first), ...idsOf(second), ...idsOf(rest)]).toEqual(made)
  expect(end.deploys).toMatchObject({ collection: [], metadata: { totalCount: 5, endCursor: null } })
  expect(many).toBe(few)
})
