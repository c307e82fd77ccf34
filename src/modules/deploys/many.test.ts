// An asset with thousands of deploys: what a new one and a finding ask of them is found by an index.

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { fillWith } from '../../../test/testkit/inside.ts'
import { services } from '../../../test/testkit/service.ts'
import { withAsset } from '../../../test/testkit/world.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Viewer } from '../context.ts'
import { findPassed } from '../issues/findings/store-passed.ts'
import { findScans } from '../issues/findings/store-scan.ts'
import { findStanding } from './store-standing.ts'

const THOUSANDS = 3_000

/** Rows that the statements of a transaction look at, of the few branches that each of them asks for. */
const FEW = 30

let db: Db
let home: { companyId: string; assetId: string }
let viewer: Viewer

beforeAll(async () => {
  const [service] = await services()
  if (!service) throw new Error('No service runs')
  db = service.app.db
  const { companyId, owner, asset } = await withAsset()
  home = { companyId, assetId: asset.id }
  viewer = {
    userId: owner.id,
    email: owner.email,
    name: '',
    keyId: '0',
    keyPublicId: null,
    isAdministrator: false,
    scopes: ['read'],
    memberships: new Map([[companyId, 'OWNER']]),
    heldTo: null,
  }
  await fillWith(sql`
    insert into deploy (company_id, asset_id, branch, previous_commit, current_commit, diff_state, lineage, is_carried)
    select ${companyId}, ${asset.id}, case when n % 10 = 0 then 'feature-' || n % 7 else 'main' end,
      ${commit(sql`n - 1`)}, ${commit(sql`n`)}, 'PARSED', 'FOLLOWS', true
    from generate_series(1, ${THOUSANDS}) n`)
  await fillWith(sql`
    insert into deploy_commit (company_id, deploy_id, commit, asset_id, branch)
    select company_id, id, md5(current_commit), asset_id, branch from deploy
    where company_id = ${companyId}`)
  await sql`analyze deploy, deploy_commit`.execute(db)
})

const commit = (n: ReturnType<typeof sql>) => sql`encode(sha256((${n})::text::bytea), 'hex')`

const commitOf = async (n: number): Promise<string> => {
  const { rows } = await sql<{ id: string }>`select ${commit(sql`${n}::int`)} as id`.execute(db)
  return rows[0]?.id ?? ''
}

/** How many deploys this connection has read and not yet reported. */
async function counted(trx: Trx): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'deploy'`.execute(
    trx,
  )
  return rows[0]?.read ?? 0
}

/** How many the work reads where its statements are planned for their values. */
const readBy = (work: (trx: Trx) => Promise<unknown>): Promise<number> =>
  db.transaction().execute(async (trx) => {
    await sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(trx)
    const before = await counted(trx)
    await work(trx)
    return (await counted(trx)) - before
  })

test.each([
  ['follows the newest of its branch', 'main', THOUSANDS - 1],
  ['comes from an old one', 'main', 41],
  ['begins a branch', 'another', THOUSANDS - 1],
  ['follows nothing', 'main', THOUSANDS + 7],
])('a deploy that %s asks a few of thousands', async (_, branch, previous) => {
  const commits = { previousCommit: await commitOf(previous), currentCommit: await commitOf(THOUSANDS + 1) }

  const read = await readBy((trx) => findStanding(trx, { ...home, branch }, commits))

  expect(read).toBeLessThan(FEW)
})

test.each([
  ['on a branch', { branchName: 'main', commitRef: null }],
  ['on a branch without deploys', { branchName: 'another', commitRef: null }],
  ['at a commit', { branchName: null, commitRef: 17 }],
  ['without either', { branchName: null, commitRef: null }],
])('a finding %s asks a few of thousands', async (_, { branchName, commitRef }) => {
  const given = commitRef === null ? null : await commitOf(commitRef)
  const ask = { assetId: home.assetId, deployId: null, commitRef: given, branchName, scanId: null, projectId: null }

  const read = await readBy((trx) => findScans(trx, viewer, [ask]))

  expect(read).toBeLessThan(FEW)
})

test.each([
  ['lately asks a few of thousands', THOUSANDS - 4, FEW],
  ['long ago asks no more than the last thousand', 17, 5000],
])('a finding at a commit that a deploy went through %s', async (_, number, most) => {
  const [headCommit, through] = [await commitOf(THOUSANDS - 1), await commitOf(number)]
  const { rows } = await sql<{ id: string; current_commit: string }>`
    select id, current_commit from deploy where company_id = ${home.companyId}`.execute(db)
  const idOf = (commit: string) => rows.find(({ current_commit }) => current_commit === commit)?.id ?? ''
  const asked = { headId: idOf(headCommit), headCommit, commit: createHash('md5').update(through).digest('hex') }
  let passedId: string | null = null

  const read = await readBy(async (trx) => {
    passedId = await findPassed(trx, { ...home, branch: 'main' }, asked)
  })

  expect(passedId).toBe(idOf(through))
  expect(read).toBeLessThan(most)
})
