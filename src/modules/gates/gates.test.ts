// Gates of deploys, through the endpoint.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Data, run, unique } from '../../../test/testkit/client.ts'
import { lines, newCodeHome } from '../../../test/testkit/code-home.ts'
import { decide, newHome, sast, upsert } from '../../../test/testkit/findings.ts'
import { gateOf, newDeployed, setPolicy } from '../../../test/testkit/gates.ts'
import { countStatements, services } from '../../../test/testkit/service.ts'
import { emptyTree, newDeploy } from '../../../test/testkit/world.ts'

describe('the gate of a deploy', () => {
  test('passes where nothing was introduced, and says so', async () => {
    const { key, deployId } = await newDeployed()

    const gate = await gateOf(key, deployId)

    expect(gate).toMatchObject({ decision: 'PASS', reasons: [], policy: { scope: 'BUILT_IN' } })
    expect(gate.sentence).toBe(`Deploy ${deployId} on branch main passes the built-in policy.`)
  })

  test('blocks introduced critical and high findings and warns of medium ones, naming them worst first', async () => {
    const { key, deployId, report } = await newDeployed()
    const ids = [await report('HIGH'), await report('CRITICAL'), await report('MEDIUM'), await report('LOW')]

    const gate = await gateOf(key, deployId)

    expect(gate.decision).toBe('BLOCK')
    expect(gate.reasons).toEqual([
      {
        rule: 'any introduced finding of CRITICAL or HIGH severity',
        decision: 'BLOCK',
        limit: 0,
        count: 2,
        sentence: '2 introduced findings of CRITICAL or HIGH severity (none allowed)',
        issues: {
          collection: [
            { id: ids[1], severity: 'CRITICAL' },
            { id: ids[0], severity: 'HIGH' },
          ],
          metadata: { totalCount: 2 },
        },
      },
      expect.objectContaining({ decision: 'WARN', limit: 0, count: 1 }),
    ])
  })

  test('does not judge what was there before', async () => {
    const home = await newHome()
    const [one, two] = ['a'.repeat(40), 'b'.repeat(40)]
    const first = await newDeploy(home.key, String(home.assetId), '', {
      branchName: 'main',
      previousCommit: emptyTree,
      currentCommit: one,
    })
    await upsert(home.key, sast(home.assetId, { severity: 'CRITICAL', deployId: first.id }))
    const second = await newDeploy(home.key, String(home.assetId), '', {
      branchName: 'main',
      previousCommit: one,
      currentCommit: two,
    })

    const decisions = [(await gateOf(home.key, first.id)).decision, (await gateOf(home.key, second.id)).decision]
    await setPolicy(home, [{ subject: 'OPEN', limit: 0, decision: 'WARN' }])
    const ofOpen = await gateOf(home.key, second.id)

    expect(decisions).toEqual(['BLOCK', 'PASS'])
    expect(ofOpen).toMatchObject({ decision: 'WARN', reasons: [{ rule: 'any open finding', count: 1 }] })
  })

  test.each(['RISK_ACCEPTED', 'FALSE_POSITIVE', 'SUPPRESSED', 'FIX_ACCEPTED'])(
    'does not count what is %s',
    async (status) => {
      const { key, deployId, report } = await newDeployed()
      const id = await report('HIGH')
      await report('MEDIUM', { status: 'DRAFT' })
      const before = await gateOf(key, deployId)

      await decide(key, id, status)
      const after = await gateOf(key, deployId)

      expect([before.decision, after.decision]).toEqual(['BLOCK', 'PASS'])
    },
  )

  test('counts what the deploy touched, and no more once a later deploy has removed it', async () => {
    const home = await newCodeHome()
    const { key, assetId, repository } = home
    const all = lines('a')
    const one = repository.commit({ 'a.ts': all })
    const two = repository.commit({ 'a.ts': all.map((line, index) => (index === 4 ? 'other' : line)) })
    const three = repository.commit({ 'a.ts': null })
    const deployed = async (from: string, to: string) =>
      (
        await newDeploy(key, assetId, repository.diff(from, to), {
          branchName: 'main',
          previousCommit: from,
          currentCommit: to,
        })
      ).id
    const first = await deployed(emptyTree, one)
    const finding = sast(Number(assetId), {
      fileName: 'a.ts',
      vulnerableLine: 5,
      firstLine: 5,
      severity: 'LOW',
      deployId: first,
    })
    const { issue } = await upsert(key, finding)
    await setPolicy(home, [{ subject: 'TOUCHED', limit: 0, decision: 'BLOCK' }])

    const second = await deployed(one, two)
    const touched = await gateOf(key, second)
    await deployed(two, three)
    const removed = await gateOf(key, second)

    expect(touched).toMatchObject({
      decision: 'BLOCK',
      reasons: [{ rule: 'any touched finding', count: 1, issues: { collection: [{ id: issue.id, severity: 'LOW' }] } }],
    })
    expect(removed.decision).toBe('PASS')
  })

  test('says where it cannot know what was touched', async () => {
    const home = await newDeployed()
    await setPolicy(home, [{ subject: 'TOUCHED', limit: 0, decision: 'BLOCK' }])
    const gap = await newDeploy(home.key, String(home.assetId), '', { branchName: 'main' })

    const { sentence } = await gateOf(home.key, gap.id)

    expect(sentence).toMatch(/What it touched is unknown, because findings were not carried through it \(GAP\)\.$/)
  })

  test('counts types and ages as the rule asks', async () => {
    const { key, companyId, deployId, report } = await newDeployed()
    const [old, young] = [await report('HIGH'), await report('HIGH')]
    const [service] = await services()
    if (!service) throw new Error('No service was started')
    await sql`update issue set created_at = now() - interval '31 days' where company_id = ${companyId} and id = ${old}`.execute(
      service.app.db,
    )
    const open = (more: object) => ({ subject: 'OPEN', limit: 0, decision: 'WARN', ...more })
    await setPolicy({ key, companyId }, [
      open({ olderThanDays: 30 }),
      open({ olderThanDays: 60 }),
      open({ types: ['SECRET_FINDING'] }),
      open({ types: ['SAST_FINDING'], name: 'Any code' }),
    ])

    const { reasons } = await gateOf(key, deployId)

    expect(reasons.map(({ rule, count }: Data) => [rule, count])).toEqual([
      ['any open finding older than 30 days', 1],
      ['Any code', 2],
    ])
    expect(reasons.map(({ issues }: Data) => issues.collection.map(({ id }: Data) => id))).toEqual([
      [old],
      [young, old],
    ])
  })

  test('pages through the findings behind it, each once with the reasons that count it', async () => {
    const home = await newDeployed()
    const { key, deployId, report } = home
    const ids = [await report('LOW'), await report('CRITICAL'), await report('HIGH', { vulnerableLine: 44 })]
    await setPolicy(home, [
      { name: 'All', subject: 'INTRODUCED', limit: 0, decision: 'WARN' },
      { name: 'Open bad ones', subject: 'OPEN', minimumSeverity: 'HIGH', limit: 1, decision: 'BLOCK' },
    ])
    const page = async (pagination: object) => {
      const query = `query ($id: ID!, $pagination: PaginationInput) { deploy(id: $id) { gate { findings(pagination: $pagination) {
        collection { id issue { id title } title severity type toolRule file line decision reasons platformUrl } metadata { totalCount endCursor } } } } }`
      return (await run(key, query, { id: deployId, pagination })).deploy.gate.findings
    }

    const first = await page({ perPage: 2 })
    const second = await page({ perPage: 2, page: 2 })
    const after = await page({ perPage: 2, after: first.metadata.endCursor })
    const beyond = await page({ perPage: 2, page: 9 })

    expect(first.collection).toMatchObject([
      { id: ids[1], issue: { id: ids[1] }, severity: 'CRITICAL', decision: 'BLOCK', reasons: ['Open bad ones', 'All'] },
      { id: ids[2], file: 'src/users.ts', line: 44, decision: 'BLOCK', platformUrl: null },
    ])
    expect(second.collection).toMatchObject([{ id: ids[0], severity: 'LOW', decision: 'WARN', reasons: ['All'] }])
    expect(after).toEqual(second)
    expect([first.metadata.totalCount, beyond.metadata.totalCount, beyond.collection]).toEqual([3, 3, []])
  })

  test('takes as many statements for a page of twenty deploys and forty findings as for one of each', async () => {
    const ofSize = async (size: number) => {
      const { key, companyId, assetId } = await newHome()
      await setPolicy({ key, companyId }, [
        { subject: 'INTRODUCED', limit: 0, decision: 'WARN' },
        { subject: 'OPEN', limit: 0, decision: 'WARN' },
      ])
      for (let number = 0; number < size; number += 1) {
        const { id } = await newDeploy(key, String(assetId), '', { branchName: `branch ${number % 3}` })
        for (const rule of ['one', 'two']) {
          await upsert(key, sast(assetId, { ruleId: unique(rule), deployId: id }))
        }
      }
      const query =
        'query ($assetId: ID!) { deploysByAsset(assetId: $assetId, limit: 50) { collection { gate { decision reasons { count } } } } }'
      let answer: Data
      const statements = await countStatements(async () => {
        answer = await run(key, query, { assetId })
      })
      return { statements, decisions: answer.deploysByAsset.collection.map(({ gate }: Data) => gate.decision) }
    }

    const [one, twenty] = [await ofSize(1), await ofSize(20)]

    expect(twenty.decisions).toEqual(Array.from({ length: 20 }, () => 'WARN'))
    expect(twenty.statements).toBe(one.statements)
  })
})
