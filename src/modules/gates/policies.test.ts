// Gate policies: which one applies, what they may contain, and who may set them, through the endpoint.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Data, refusal, run } from '../../../test/testkit/client.ts'
import { newHome } from '../../../test/testkit/findings.ts'
import { DELETE_POLICY, gateOf, newDeployed, SET_POLICY, setPolicy } from '../../../test/testkit/gates.ts'
import { services } from '../../../test/testkit/service.ts'
import { newAsset, newPerson } from '../../../test/testkit/world.ts'

type Home = Awaited<ReturnType<typeof newHome>>

const policyFor = async ({ key, companyId }: Home, assetId?: number) =>
  (
    await run(
      key,
      'query ($companyId: ID!, $assetId: ID) { gatePolicy(companyId: $companyId, assetId: $assetId) { scope rules { limit } updatedAt } }',
      { companyId, assetId },
    )
  ).gatePolicy

const introducedAre = (severities: string[], limit: number, decision: string) => ({
  subject: 'INTRODUCED',
  severities,
  limit,
  decision,
})

describe('a policy', () => {
  test('of an asset wins over its company’s, which wins over the built-in one', async () => {
    const home = await newHome()
    const { key, companyId, assetId } = home
    const other = Number((await newAsset(key, companyId)).id)
    const ofAll = async () => [await policyFor(home), await policyFor(home, assetId), await policyFor(home, other)]
    const scopes = async () => (await ofAll()).map(({ scope }) => scope)

    const builtIn = await scopes()
    await setPolicy(home, [introducedAre(['HIGH'], 3, 'BLOCK')])
    const companys = await scopes()
    await setPolicy(home, [introducedAre(['HIGH'], 5, 'BLOCK')], assetId)
    const assets = await ofAll()
    const left = await run(key, DELETE_POLICY, { input: { companyId, assetId } })
    await run(key, DELETE_POLICY, { input: { companyId } })
    const none = await scopes()

    expect(builtIn).toEqual(['BUILT_IN', 'BUILT_IN', 'BUILT_IN'])
    expect(companys).toEqual(['COMPANY', 'COMPANY', 'COMPANY'])
    expect(assets.map(({ scope, rules }) => [scope, rules[0].limit])).toEqual([
      ['COMPANY', 3],
      ['ASSET', 5],
      ['COMPANY', 3],
    ])
    expect(left.deleteGatePolicy.gatePolicy).toMatchObject({ scope: 'COMPANY', rules: [{ limit: 3 }] })
    expect(none).toEqual(builtIn)
  })

  test('that was changed since it was read is kept, and who would replace it is told', async () => {
    const home = await newHome()
    const { key, companyId, assetId } = home
    const set = (limit: number, replaces?: string | null) => ({
      input: { companyId, assetId, replaces, rules: [introducedAre(['HIGH'], limit, 'BLOCK')] },
    })

    const first = await Promise.allSettled([1, 2, 3, 4].map((limit) => run(key, SET_POLICY, set(limit, null))))
    const read = await policyFor(home, assetId)
    await run(key, SET_POLICY, set(5, read.updatedAt))
    const late = await refusal(key, SET_POLICY, set(6, read.updatedAt))
    const overNone = await refusal(key, SET_POLICY, set(7, null))
    const another = await refusal(key, DELETE_POLICY, { input: { companyId, assetId, replaces: read.updatedAt } })
    const kept = await policyFor(home, assetId)
    await run(key, DELETE_POLICY, { input: { companyId, assetId, replaces: kept.updatedAt } })
    const overDeleted = await refusal(key, SET_POLICY, set(8, kept.updatedAt))

    expect(first.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect([late, overNone, another, overDeleted].map(({ extensions }) => extensions.code)).toEqual([
      'CONFLICT',
      'CONFLICT',
      'CONFLICT',
      'CONFLICT',
    ])
    expect(late.message).toBe('Somebody else has changed the policy in the meantime: read it again, then set it')
    expect(kept.rules).toEqual([{ limit: 5 }])
  })

  test('is kept as it was given, with a minimum severity told as severities, and says who set it', async () => {
    const { key, owner, companyId, assetId } = await newHome()
    const rules = [
      {
        name: ' Nothing bad ',
        subject: 'TOUCHED',
        minimumSeverity: 'HIGH',
        types: ['SAST_FINDING'],
        limit: 2,
        decision: 'WARN',
      },
      { subject: 'OPEN', severities: ['CRITICAL', 'LOW', 'LOW'], olderThanDays: 30, limit: 0, decision: 'BLOCK' },
      { subject: 'INTRODUCED', limit: 1, decision: 'BLOCK' },
    ]

    const { setGatePolicy } = await run(key, SET_POLICY, {
      input: { clientMutationId: 'mine', companyId, assetId, rules },
    })

    expect(setGatePolicy).toEqual({
      clientMutationId: 'mine',
      gatePolicy: {
        scope: 'ASSET',
        companyId,
        asset: { id: String(assetId) },
        updatedBy: { email: owner.email },
        rules: [
          {
            name: 'Nothing bad',
            subject: 'TOUCHED',
            severities: ['HIGH', 'CRITICAL'],
            types: ['SAST_FINDING'],
            olderThanDays: null,
            despiteReports: false,
            limit: 2,
            decision: 'WARN',
          },
          {
            name: null,
            subject: 'OPEN',
            severities: ['LOW', 'CRITICAL'],
            types: null,
            olderThanDays: 30,
            despiteReports: false,
            limit: 0,
            decision: 'BLOCK',
          },
          {
            name: null,
            subject: 'INTRODUCED',
            severities: ['NOTIFICATION', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'],
            types: null,
            olderThanDays: null,
            despiteReports: false,
            limit: 1,
            decision: 'BLOCK',
          },
        ],
      },
    })
  })

  test('without rules lets everything pass', async () => {
    const home = await newDeployed()
    await home.report('CRITICAL')

    await setPolicy(home, [], home.assetId)
    const gate = await gateOf(home.key, home.deployId)

    expect(gate).toMatchObject({ decision: 'PASS', policy: { scope: 'ASSET', rules: [] } })
  })

  test.each([
    ['a limit below zero', { limit: -1 }, 'input.rules.1.limit', 'limit is a whole number from 0 to 1000000'],
    ['a limit too high', { limit: 1_000_001 }, 'input.rules.1.limit', 'limit is a whole number from 0 to 1000000'],
    [
      'an age below zero',
      { olderThanDays: -1 },
      'input.rules.1.olderThanDays',
      'olderThanDays is a whole number from 0 to 36500',
    ],
    [
      'no severity',
      { severities: [] },
      'input.rules.1.severities',
      'severities takes one severity or more; leave it out for all',
    ],
    ['no type', { types: [] }, 'input.rules.1.types', 'types takes one type or more; leave it out for any'],
    ['an empty name', { name: ' ' }, 'input.rules.1.name', 'name has 1 to 200 characters'],
    [
      'two ways to name severities',
      { severities: ['LOW'], minimumSeverity: 'HIGH' },
      'input.rules.1.minimumSeverity',
      'A rule takes severities or minimumSeverity, not both',
    ],
  ])('is refused with %s, and says where', async (_, wrong, argument, message) => {
    const { key, companyId } = await newHome()
    const right = { subject: 'OPEN', limit: 0, decision: 'WARN' }

    const failure = await refusal(key, SET_POLICY, { input: { companyId, rules: [right, { ...right, ...wrong }] } })

    expect(failure).toMatchObject({ message, extensions: { code: 'BAD_USER_INPUT', argument } })
  })

  test('has at most fifty rules', async () => {
    const { key, companyId } = await newHome()
    const rules = Array.from({ length: 51 }, () => ({ subject: 'OPEN', limit: 0, decision: 'WARN' }))

    const failure = await refusal(key, SET_POLICY, { input: { companyId, rules } })

    expect(failure.message).toBe('rules takes at most 50 rules')
  })

  test('is set by an analyst with a key that may decide, not by a pipeline', async () => {
    const { companyId } = await newHome()
    const input = { companyId, rules: [] }
    const pipeline = await newPerson(companyId, 'OWNER', ['read', 'write'])
    const developer = await newPerson(companyId, 'DEVELOPER')
    const analyst = await newPerson(companyId, 'ANALYST')

    const refused = [
      await refusal(pipeline.key, SET_POLICY, { input }),
      await refusal(developer.key, SET_POLICY, { input }),
    ]
    const { setGatePolicy } = await run(analyst.key, SET_POLICY, { input })

    expect(refused.map(({ message }) => message)).toEqual([
      'gates:write requires a key with the scope issues:decide',
      'gates:write requires the role ANALYST in this company; yours is DEVELOPER',
    ])
    expect(setGatePolicy.gatePolicy.scope).toBe('COMPANY')
  })

  test('that is not there cannot be deleted', async () => {
    const { key, companyId, assetId } = await newHome()
    await setPolicy({ key, companyId }, [])

    const failure = await refusal(key, DELETE_POLICY, { input: { companyId, assetId } })

    expect(failure).toMatchObject({
      message: 'The asset has no policy of its own',
      extensions: { code: 'FAILED_PRECONDITION' },
    })
  })

  test('leaves an audit record of each change, with what it was', async () => {
    const { key, companyId, assetId } = await newHome()
    const rules = [introducedAre(['HIGH'], 3, 'BLOCK')]
    await setPolicy({ key, companyId }, rules, assetId)
    await setPolicy({ key, companyId }, [], assetId)
    await run(key, DELETE_POLICY, { input: { companyId, assetId } })
    const [service] = await services()
    if (!service) throw new Error('No service was started')

    const { rows } = await sql<{ operation: string; before: Data; after: Data }>`
      select operation, before, after from audit_record where company_id = ${companyId} and object like 'GatePolicy %'
      order by id`.execute(service.app.db)

    expect(rows).toMatchObject([
      { operation: 'setGatePolicy', before: null, after: { assetId: String(assetId), rules } },
      { operation: 'setGatePolicy', before: { rules }, after: { rules: [] } },
      { operation: 'deleteGatePolicy', before: { rules: [] }, after: null },
    ])
  })
})
