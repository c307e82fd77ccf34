// Lists of issues that other modules ask for: by what a deploy did.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { sast, upsert } from '../../../test/testkit/findings.ts'
import { services } from '../../../test/testkit/service.ts'
import { newAsset, newIssue, newWorld } from '../../../test/testkit/world.ts'
import type { Context } from '../context.ts'
import { listDeployFindings } from './service.ts'

const firstPage = { page: 1, limit: 10, after: null }

/** A world with three issues, and the context of its owner as the endpoint would make it. */
async function newListWorld() {
  const { companyId, owner } = await newWorld()
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { db, parts } = service.app
  const asset = await newAsset(owner.key, companyId)
  const ids: string[] = []
  for (const category of ['CWE-79', 'CWE-89', 'CWE-79'])
    ids.push((await newIssue(owner.key, asset.id, { category })).id)
  const context: Context = {
    ...parts,
    db,
    viewer: {
      userId: owner.id,
      email: owner.email,
      name: 'A person',
      keyId: '0',
      keyPublicId: '',
      isAdministrator: false,
      scopes: ['read'],
      memberships: new Map([[companyId, 'OWNER']]),
      heldTo: null,
    },
    request: { id: '', address: '', operation: '' },
    loaders: new Map(),
  }
  return { companyId, owner, asset, context, db, ids }
}

const close = (key: string, id: string) =>
  run(key, 'mutation ($id: ID!) { changeIssueStatus(input: { id: $id, status: FIX_ACCEPTED }) { issue { id } } }', {
    id,
  })

test('whoever asks for first pages in the same words gets those of their company and size, as they are by then', async () => {
  const [mine, theirs] = [await newListWorld(), await newListWorld()]
  const query = `query ($companyId: ID!, $pagination: PaginationInput!, $sortOptions: [IssueSortOptionInput!]) {
    issues(companyId: $companyId, pagination: $pagination, sortOptions: $sortOptions) { collection { id } metadata { totalCount } } }`
  const listed = async ({ owner, companyId }: typeof mine, perPage: number, sortOptions?: unknown) => {
    const { issues } = await run(owner.key, query, { companyId, pagination: { perPage }, sortOptions })
    return [issues.collection.map(({ id }: { id: string }) => id), issues.metadata.totalCount]
  }
  const ask = async () => [
    await listed(mine, 10),
    await listed(theirs, 10),
    await listed(theirs, 2),
    await listed(mine, 10, [{ field: 'ID', order: 'ASC' }]),
  ]

  const before = await ask()
  const { id } = await newIssue(theirs.owner.key, theirs.asset.id, {})
  const after = await ask()

  const [newestOfMine, newestOfTheirs] = [mine.ids.toReversed(), theirs.ids.toReversed()]
  expect(before).toEqual([
    [newestOfMine, 3],
    [newestOfTheirs, 3],
    [newestOfTheirs.slice(0, 2), 3],
    [mine.ids, 3],
  ])
  expect(after).toEqual([
    [newestOfMine, 3],
    [[id, ...newestOfTheirs], 4],
    [[id, ...newestOfTheirs].slice(0, 2), 4],
    [mine.ids, 3],
  ])
})

test('a list by tool has what the tool reported, in no asset, in a few and in more than a hundred', async () => {
  const { companyId, owner } = await newWorld()
  const query = `query ($companyId: ID!, $filters: IssuesFiltersInput) {
    issues(companyId: $companyId, filters: $filters, pagination: { perPage: 200 }) { collection { id } metadata { totalCount } } }`
  const listed = async (filters: unknown) => {
    const { issues } = await run(owner.key, query, { companyId, filters })
    return [issues.collection.length, issues.metadata.totalCount]
  }
  const assetIds = await Promise.all(Array.from({ length: 101 }, async () => (await newAsset(owner.key, companyId)).id))
  for (const [index, assetId] of assetIds.entries()) {
    await upsert(owner.key, sast(Number(assetId), { toolName: 'Common' }))
    if (index < 2) await upsert(owner.key, sast(Number(assetId), { toolName: 'Rare', severity: 'LOW' }))
  }
  const assets = assetIds.slice(1, 3)

  expect(await listed({ toolNames: ['common'] })).toEqual([101, 101])
  expect(await listed({ toolNames: ['RARE'] })).toEqual([2, 2])
  expect(await listed({ toolNames: ['rare'], assetIds: assets })).toEqual([1, 1])
  expect(await listed({ toolNames: ['rare', 'common'], assetIds: assets })).toEqual([3, 3])
  expect(await listed({ toolNames: ['rare'], search: 'no such words' })).toEqual([0, 0])
  expect(await listed({ toolNames: ['none'] })).toEqual([0, 0])
})

test('a list answers the same however often it is asked, whether its fields are read along or loaded apart', async () => {
  const { companyId, owner } = await newListWorld()
  const asked = [
    'id title description status type severity category createdAt updatedAt asset { id name assetsTagList }',
    '__typename id asset { __typename company { id } }',
    'id asset { id name description } cweIds',
  ]
  for (const fields of asked) {
    const query = `query ($companyId: ID!) {
      issues(companyId: $companyId, pagination: { perPage: 2 }) { collection { ${fields} } metadata { totalCount } } }`

    const first = await run(owner.key, query, { companyId })
    const others = []
    for (let time = 2; time < 6; time += 1) others.push(await run(owner.key, query, { companyId }))

    expect(others).toEqual([first, first, first, first])
    expect(JSON.stringify(first)).toMatch(/"totalCount":3/)
  }
})

describe('issues for other modules', () => {
  test('are listed by what a deploy introduced, touched and fixed', async () => {
    const { companyId, owner, asset, context, db, ids } = await newListWorld()
    const [introduced = '', touched = '', fixed = ''] = ids
    const { rows } = await sql<{ id: string }>`
      insert into deploy (company_id, asset_id, branch, previous_commit, current_commit, diff_state, lineage)
      values (${companyId}, ${asset.id}, 'main', 'aaaaaaa', 'bbbbbbb', 'PARSED', 'FIRST') returning id`.execute(db)
    const deployId = rows[0]?.id ?? ''
    await sql`
      insert into deploy_finding (company_id, deploy_id, issue_id, disposition, is_introduced)
      values (${companyId}, ${deployId}, ${introduced}, null, true),
             (${companyId}, ${deployId}, ${touched}, 'TOUCHED', false),
             (${companyId}, ${deployId}, ${fixed}, 'REMOVED', false)`.execute(db)
    const of = async (kind: 'introduced' | 'touched' | 'fixed') => {
      const { collection } = await listDeployFindings(context, companyId, deployId, kind, firstPage)
      return collection.map(({ id }) => id)
    }

    const before = [await of('introduced'), await of('touched'), await of('fixed')]
    await close(owner.key, touched)
    const touchedAndClosed = await of('touched')
    await sql`
      insert into occurrence (company_id, issue_id, asset_id, branch, path) values (${companyId}, ${fixed}, ${asset.id}, 'main', 'a')
    `.execute(db)
    const seenAgain = await of('fixed')

    await sql`update deploy_finding set is_introduced = true where deploy_id = ${deployId}`.execute(db)
    await sql`update issue set severity = 'CRITICAL' where company_id = ${companyId} and id = ${introduced}`.execute(db)
    const worstFirst = await of('introduced')

    expect(before).toEqual([[introduced], [touched], [fixed]])
    expect(worstFirst).toEqual([introduced, fixed, touched])
    expect(touchedAndClosed).toEqual([])
    expect(seenAgain).toEqual([])
  })
})
