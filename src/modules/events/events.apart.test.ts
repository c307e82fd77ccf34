// Events as they are read: what is told of findings, deploys and gates; and docs/events.md lists every kind.

import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal, run } from '../../../test/testkit/client.ts'
import { startWorkingService, until } from '../../../test/testkit/events.ts'
import { sast, upsert } from '../../../test/testkit/findings.ts'
import type { Service } from '../../../test/testkit/service.ts'
import { newAsset, newDeploy, newIssue, newWorld } from '../../../test/testkit/world.ts'
import { tasks } from './jobs.ts'
import { kindsOf } from './kinds.ts'

let service: Service

beforeAll(async () => {
  service = await startWorkingService()
})

afterAll(() => service.app.stop(0))

type Told = { cursor: string; kind: string; objectId: string; data: Record<string, unknown> }

const read = async (key: string, variables: Record<string, unknown>): Promise<Told[]> =>
  (
    await run(
      key,
      `query ($companyId: ID!, $after: String, $kinds: [String!], $limit: Int) {
        events(companyId: $companyId, after: $after, kinds: $kinds, limit: $limit) { cursor kind objectId data } }`,
      variables,
    )
  ).events

test('events are read page by page after a cursor, and of the kinds asked for', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  const issues = [await newIssue(owner.key, asset.id), await newIssue(owner.key, asset.id)]
  await newDeploy(owner.key, asset.id)

  const all = await until(async () => {
    const found = await read(owner.key, { companyId })
    return found.length === 3 && found
  })
  const second = await read(owner.key, { companyId, after: all[0]?.cursor, limit: 1 })
  const deploys = await read(owner.key, { companyId, kinds: ['deploy.*'] })

  expect(all.map(({ kind }) => kind)).toEqual(['issue.created', 'issue.created', 'deploy.created'])
  expect(second.map(({ objectId }) => objectId)).toEqual([issues[1]?.id])
  expect(deploys).toMatchObject([{ kind: 'deploy.created', data: { assetId: asset.id, status: 'PENDING' } }])
})

test('the event of a deleted finding shows the finding as it was', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  const issue = await newIssue(owner.key, asset.id)

  await run(owner.key, 'mutation ($id: ID!) { deleteIssue(input: { id: $id }) { __typename } }', { id: issue.id })

  const told = await until(async () => {
    const found = await read(owner.key, { companyId, kinds: ['issue.deleted'] })
    return found.length > 0 && found
  })
  expect(told).toMatchObject([
    { objectId: issue.id, data: { title: issue.title, assetId: asset.id, severity: 'HIGH' } },
  ])
})

test('a deploy that becomes blocked makes one event', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  const deploy = await newDeploy(owner.key, asset.id, '', { branchName: 'main' })
  await upsert(
    owner.key,
    sast(Number(asset.id), {
      deployId: deploy.id,
      branchName: 'main',
      severity: 'CRITICAL',
      commitRef: deploy.currentCommit,
    }),
  )
  const { db } = service.app
  const judge = () =>
    sql`select graphile_worker.add_job('judge-deploy', json_build_object('companyId', ${companyId}::text, 'id', ${deploy.id}::text))`.execute(
      db,
    )
  await run(
    owner.key,
    'mutation ($input: SetGatePolicyInput!) { setGatePolicy(input: $input) { gatePolicy { scope } } }',
    {
      input: {
        companyId,
        rules: [{ subject: 'INTRODUCED', minimumSeverity: 'CRITICAL', limit: 0, decision: 'BLOCK' }],
      },
    },
  )

  await judge()
  await judge()

  const told = await until(async () => {
    const found = await read(owner.key, { companyId, kinds: ['deploy.gate_blocked'] })
    return found.length > 0 && found
  })
  expect(told).toMatchObject([
    { objectId: deploy.id, data: { assetId: asset.id, branchName: 'main', decision: 'BLOCK' } },
  ])
})

test('kinds that there are not, and those of deliveries, are not read', async () => {
  const { companyId, owner } = await newWorld()
  const ask = 'query ($companyId: ID!, $kinds: [String!]) { events(companyId: $companyId, kinds: $kinds) { kind } }'

  const failures = []
  for (const kind of ['issue.nothing', 'delivery.failed', '*.created']) {
    failures.push((await refusal(owner.key, ask, { companyId, kinds: [kind] })).extensions)
  }

  expect(failures.map(({ code, argument }) => [code, argument])).toEqual(Array(3).fill(['BAD_USER_INPUT', 'kinds']))
})

test('what is no longer kept is known by its cursor', async () => {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  await newIssue(owner.key, asset.id)
  const [first] = await until(async () => {
    const found = await read(owner.key, { companyId })
    return found.length > 0 && found
  })
  await newIssue(owner.key, asset.id)
  await until(async () => (await read(owner.key, { companyId })).length > 1)
  const { db } = service.app
  await sql`update event set relayed_at = now() - interval '8 days' where company_id = ${companyId}`.execute(db)

  await tasks.find(({ name }) => name === 'forget-events')?.run(service.app.parts, null)

  const failure = await refusal(
    owner.key,
    'query ($companyId: ID!, $after: String) { events(companyId: $companyId, after: $after) { kind } }',
    { companyId, after: first?.cursor },
  )
  expect(failure.extensions.code).toBe('FAILED_PRECONDITION')
  expect(await read(owner.key, { companyId })).toEqual([])
})

test('every kind of event stands in the page on events', () => {
  const page = readFileSync('docs/events.md', 'utf8')
  const kinds = Object.entries(kindsOf).flatMap(([thing, happened]) => happened.map((what) => `${thing}.${what}`))

  expect(kinds.filter((kind) => !page.includes(`\`${kind}\``))).toEqual([])
})

test('what was blocked and what was refused is read weeks later, newest first, and by nobody who reads on from a cursor', async () => {
  const { companyId, owner } = await newWorld()
  const { db } = service.app
  const happened = (kind: string, days: number) =>
    sql`insert into event (company_id, at, kind, object_id, data, relayed_at)
      values (${companyId}, now() - make_interval(days => ${days}), ${kind}, 1, '{}', now() - make_interval(days => ${days}))`.execute(
      db,
    )
  for (const [kind, days] of [
    ['deploy.gate_blocked', 100],
    ['deploy.gate_blocked', 40],
    ['issue.created', 39],
    ['integration.broken', 20],
    ['deploy.gate_passed', 1],
  ] as const) {
    await happened(kind, days)
  }
  const ask = `query ($companyId: ID!, $kinds: [String!], $since: ISO8601DateTime, $after: String) {
    events(companyId: $companyId, kinds: $kinds, since: $since, after: $after) { kind } }`
  const since = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const kindsSince = async (days: number, more: object = {}) =>
    (await run(owner.key, ask, { companyId, since: since(days), ...more })).events.map(({ kind }: Told) => kind)

  await tasks.find(({ name }) => name === 'forget-events')?.run(service.app.parts, null)

  expect(await kindsSince(365)).toEqual(['deploy.gate_passed', 'integration.broken', 'deploy.gate_blocked'])
  expect(await kindsSince(30)).toEqual(['deploy.gate_passed', 'integration.broken'])
  expect(await kindsSince(365, { kinds: ['deploy.gate_blocked'] })).toEqual(['deploy.gate_blocked'])
  expect((await read(owner.key, { companyId })).map(({ kind }) => kind)).toEqual(['deploy.gate_passed'])
  const [{ cursor } = { cursor: '' }] = await read(owner.key, { companyId })
  for (const [more, argument] of [
    [{ kinds: ['issue.created'] }, 'kinds'],
    [{ after: cursor }, 'since'],
  ] as const) {
    const { extensions } = await refusal(owner.key, ask, { companyId, since: since(9), ...more })
    expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument })
  }
})
