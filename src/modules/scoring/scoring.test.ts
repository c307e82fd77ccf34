// Findings are due and pressing as the rule says, in the database and as shown, and stay so as facts change.

import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, run } from '../../../test/testkit/client.ts'
import { decide, newHome, sast, upsert } from '../../../test/testkit/findings.ts'
import { services } from '../../../test/testkit/service.ts'
import { newAsset, newPerson, newWorld } from '../../../test/testkit/world.ts'
import type { Db } from '../../core/db/open.ts'
import { revalueCompany, revalueWhatIsDue } from './jobs.ts'
import { priorityOf } from './priority.ts'

let db: Db

beforeAll(async () => {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  db = service.app.db
})

const WORTH = `status severity createdAt closedAt sla { state dueAt daysRemaining } priority { score sentence inputs { isOpen
  severity { value points } exploitation { isKnownExploited epss points } exposure { value points }
  impact { value points } sla { value points } } }`

const worthOf = async (key: string, id: string) =>
  (await run(key, `query ($id: ID!) { issue(id: $id) { ${WORTH} } }`, { id })).issue

const stored = async (id: string) => {
  const { rows } = await sql<{ score: number; dueAt: string | null; revalueAt: string | null }>`
    select priority_score as score, sla_due_at as "dueAt", revalue_at as "revalueAt" from issue where id = ${id}`.execute(
    db,
  )
  return rows[0]
}

/** Moves the clock of a finding back. */
const age = (id: string, days: number) =>
  sql`
  update issue set created_at = created_at - make_interval(days => ${days}::int),
    sla_started_at = sla_started_at - make_interval(days => ${days}::int), revalue_at = now() where id = ${id}`.execute(
    db,
  )

const DAY = 86_400_000
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY

describe('a new finding', () => {
  test('is due by its severity and the impact of its asset, and has its priority at once', async () => {
    const { owner, companyId } = await newWorld()
    const asset = await newAsset(owner.key, companyId, { businessImpact: 'HIGH', exploitability: 'INTERNET_FACING' })
    const { issue } = await upsert(owner.key, sast(Number(asset.id), { severity: 'CRITICAL' }))

    const worth = await worthOf(owner.key, issue.id)

    expect(daysBetween(worth.createdAt, worth.sla.dueAt)).toBe(7)
    expect(worth.sla).toMatchObject({ state: 'ON_TRACK', daysRemaining: 6 })
    expect(worth.priority).toMatchObject({ score: 60, inputs: { impact: { value: 'HIGH', points: 1 } } })
    expect(await stored(issue.id)).toMatchObject({ score: 60, dueAt: worth.sla.dueAt })
  })

  test('that tells of nothing wrong is never due', async () => {
    const { key, assetId } = await newHome()
    const { issue } = await upsert(key, sast(assetId, { severity: 'NOTIFICATION' }))

    const { sla, priority } = await worthOf(key, issue.id)

    expect(sla).toBeNull()
    expect(priority).toMatchObject({ score: 0, inputs: { isOpen: true, sla: { value: null, points: 0 } } })
  })

  test('that is a draft is neither due nor pressing until it is reported', async () => {
    const { key, assetId } = await newHome()
    const { issue } = await upsert(key, sast(assetId, { severity: 'HIGH', status: 'DRAFT' }))
    const draft = await worthOf(key, issue.id)

    await decide(key, issue.id, 'CREATED')

    const reported = await worthOf(key, issue.id)
    expect([draft.sla, draft.priority.score]).toEqual([null, 0])
    expect([reported.sla.state, reported.priority.score]).toEqual(['ON_TRACK', 40])
  })
})

describe('a finding', () => {
  test('approaches its end in the last fifth of its time, and is breached after it; each raises its priority', async () => {
    const { key, assetId } = await newHome()
    const { issue } = await upsert(key, sast(assetId, { severity: 'HIGH' }))
    const seen = []

    for (const days of [0, 24, 6]) {
      await age(issue.id, days)
      const { sla, priority } = await worthOf(key, issue.id)
      seen.push([sla.state, sla.daysRemaining, priority.score, (await stored(issue.id))?.score])
    }

    expect(seen).toEqual([
      ['ON_TRACK', 29, 40, 40],
      ['APPROACHING', 5, 44, 44],
      ['BREACHED', -1, 48, 48],
    ])
  })

  test('is valued anew once its time has come, without anybody doing anything', async () => {
    const { assetId, companyId } = await newHome()
    const { rows } = await sql<{ id: string }>`
      insert into issue (company_id, asset_id, type, rule, title, severity, status, birth_key, sla_started_at, revalue_at)
      values (${companyId}, ${assetId}, 'SAST_FINDING', 'a', 'a', 'HIGH', 'CREATED', sha256(${companyId}::text::bytea),
        now() - interval '31 days', now() - interval '1 day') returning id`.execute(db)
    const id = rows[0]?.id ?? ''
    const before = await stored(id)

    const valued = await revalueWhatIsDue(db)

    expect(before).toMatchObject({ score: 0 })
    expect(valued).toBeGreaterThan(0)
    expect(await stored(id)).toMatchObject({ score: 48, revalueAt: null })
  })

  test('is resolved when it is closed, and keeps its date', async () => {
    const { key, assetId } = await newHome()
    const { issue } = await upsert(key, sast(assetId, { severity: 'HIGH' }))
    const { sla } = await worthOf(key, issue.id)

    await decide(key, issue.id, 'FIX_ACCEPTED')

    const closed = await worthOf(key, issue.id)
    expect(closed.sla).toEqual({ state: 'RESOLVED', dueAt: sla.dueAt, daysRemaining: 29 })
    expect(closed.priority).toMatchObject({ score: 0, sentence: '0: not open.' })
    expect(await stored(issue.id)).toMatchObject({ score: 0, revalueAt: null })
  })

  test('that comes back after a fix has its whole time again, after an accepted risk what was left', async () => {
    const { key, assetId } = await newHome()
    const [{ issue: fixed }, { issue: accepted }] = [
      await upsert(key, sast(assetId, { severity: 'HIGH' })),
      await upsert(key, sast(assetId, { severity: 'HIGH', fileName: 'src/other.ts' })),
    ]
    for (const { id } of [fixed, accepted]) await age(id, 40)
    await decide(key, fixed.id, 'FIX_ACCEPTED')
    await decide(key, accepted.id, 'RISK_ACCEPTED')

    for (const { id } of [fixed, accepted]) await decide(key, id, 'IDENTIFIED')

    expect((await worthOf(key, fixed.id)).sla).toMatchObject({ state: 'ON_TRACK', daysRemaining: 29 })
    expect((await worthOf(key, accepted.id)).sla).toMatchObject({ state: 'BREACHED', daysRemaining: -11 })
  })
})

const POLICY = 'slaPolicy { rules { severity businessImpact days isDefault } }'
const setPolicy = (companyId: string, rules: unknown) =>
  [
    `mutation ($input: SetSlaPolicyInput!) { setSlaPolicy(input: $input) { ${POLICY} } }`,
    { input: { companyId, rules } },
  ] as const

describe('the policy of a company', () => {
  test('has the usual days for what it does not set, and null for never', async () => {
    const { owner, companyId } = await newWorld()
    const rules = [
      { severity: 'CRITICAL', businessImpact: 'HIGH', days: 2 },
      { severity: 'LOW', businessImpact: 'LOW', days: null },
    ]

    await run(owner.key, ...setPolicy(companyId, rules))

    const { slaPolicy } = await run(
      owner.key,
      `query ($companyId: ID!) { ${POLICY.replace('slaPolicy', 'slaPolicy(companyId: $companyId)')} }`,
      {
        companyId,
      },
    )
    expect(slaPolicy.rules).toHaveLength(20)
    expect(slaPolicy.rules[0]).toEqual({ severity: 'CRITICAL', businessImpact: 'HIGH', days: 2, isDefault: false })
    expect(slaPolicy.rules[1]).toEqual({ severity: 'CRITICAL', businessImpact: 'MEDIUM', days: 15, isDefault: true })
    expect(slaPolicy.rules).toContainEqual({ severity: 'LOW', businessImpact: 'LOW', days: null, isDefault: false })
  })

  test('gives open findings their new dates and leaves closed ones theirs', async () => {
    const { key, assetId, companyId } = await newHome()
    const { issue: open } = await upsert(key, sast(assetId, { severity: 'HIGH' }))
    const { issue: closed } = await upsert(key, sast(assetId, { severity: 'HIGH', fileName: 'src/other.ts' }))
    await decide(key, closed.id, 'FIX_ACCEPTED')

    await run(key, ...setPolicy(companyId, [{ severity: 'HIGH', businessImpact: 'NOT_DEFINED', days: 3 }]))
    await revalueCompany(db, companyId, null)

    const days = []
    for (const { id } of [open, closed]) {
      const { createdAt, sla } = await worthOf(key, id)
      days.push(daysBetween(createdAt, sla.dueAt))
    }
    expect(days).toEqual([3, 30])
  })

  test('is set by an owner, once for each severity and impact, and audited', async () => {
    const { owner, companyId } = await newWorld()
    const analyst = await newPerson(companyId, 'ANALYST')
    const rule = { severity: 'HIGH', businessImpact: 'LOW', days: 3 }

    const failures = [
      await refusal(analyst.key, ...setPolicy(companyId, [rule])),
      await refusal(owner.key, ...setPolicy(companyId, [rule, rule])),
      await refusal(owner.key, ...setPolicy(companyId, [{ ...rule, days: 0 }])),
    ]
    await run(owner.key, ...setPolicy(companyId, [rule]))

    expect(failures.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'BAD_USER_INPUT', 'BAD_USER_INPUT'])
    const { rows } = await sql<{ before: Record<string, number>; after: Record<string, number> }>`
      select before, after from audit_record where company_id = ${companyId} and object = 'SlaPolicy'`.execute(db)
    expect(rows).toHaveLength(1)
    expect([rows[0]?.before['HIGH LOW'], rows[0]?.after['HIGH LOW']]).toEqual([60, 3])
  })
})

test('an asset that comes to matter more makes its findings more pressing', async () => {
  const { key, assetId, companyId } = await newHome()
  const { issue } = await upsert(key, sast(assetId, { severity: 'HIGH' }))

  await run(key, 'mutation ($input: UpdateAssetInput!) { updateAsset(input: $input) { asset { id } } }', {
    input: { id: assetId, companyId: Number(companyId), businessImpact: 'HIGH', audience: 'external' },
  })
  const shown = await worthOf(key, issue.id)
  await revalueCompany(db, companyId, String(assetId))

  const jobs = await sql<{ payload: unknown }>`
    select payload from graphile_worker._private_jobs where key = ${`revalue-asset ${assetId}`}`.execute(db)
  expect(jobs.rows).toEqual([{ payload: { companyId, assetId: String(assetId) } }])
  expect(shown.priority.score).toBe(48)
  expect(await stored(issue.id)).toMatchObject({ score: 48 })
})

test('the database and the rule come to the same number for every combination of facts', async () => {
  const { owner, companyId } = await newWorld()
  const assets = []
  for (const exploitability of ['INTERNET_FACING', 'INTERNAL', 'NOT_DEFINED']) {
    for (const businessImpact of ['LOW', 'MEDIUM', 'HIGH', 'NOT_DEFINED']) {
      const { id } = await newAsset(owner.key, companyId, { exploitability, businessImpact })
      assets.push({ id, exploitability, businessImpact })
    }
  }
  const scores = [null, 0, 0.00043, 0.0335, 0.5, 0.94358, 1]
  await sql`
    insert into issue (company_id, asset_id, type, rule, title, severity, status, birth_key, created_at)
    select ${companyId}::bigint, asset::bigint, 'SCA_FINDING', 'a', 'a', severity, 'CREATED',
           sha256(convert_to(asset || severity || age || ${companyId}::text, 'UTF8')), now() - make_interval(days => age)
    from unnest(${assets.map(({ id }) => id)}::text[]) as asset, unnest(enum_range(null::severity_category)) as severity,
         unnest(array[0, 4, 13, 400]) as age`.execute(db)

  const differing = []
  for (const epss of scores) {
    for (const isKnown of [false, true]) {
      await sql`update issue set epss = ${epss}::float8, is_known_exploited = ${isKnown}, revalue_at = now()
        where company_id = ${companyId}`.execute(db)
      const { rows } = await sql<{
        score: number
        severity: 'HIGH'
        exploitability: 'INTERNAL'
        businessImpact: 'LOW'
        state: 'ON_TRACK' | null
      }>`
        select priority_score as score, severity, exploitability, business_impact as "businessImpact",
          case when sla_due_at is null then null when now() >= sla_due_at then 'BREACHED'
               when now() >= sla_due_at - (sla_due_at - sla_started_at) / 5 then 'APPROACHING' else 'ON_TRACK' end as state
        from issue join asset on asset.company_id = issue.company_id and asset.id = asset_id
        where issue.company_id = ${companyId}`.execute(db)
      for (const { score, severity, exploitability: exposure, businessImpact: impact, state: sla } of rows) {
        const facts = { isOpen: true, severity, isKnownExploited: isKnown, epss, exposure, impact, sla }
        if (priorityOf(facts).score !== score) differing.push({ ...facts, score, ours: priorityOf(facts).score })
      }
    }
  }

  expect(differing).toEqual([])
})
