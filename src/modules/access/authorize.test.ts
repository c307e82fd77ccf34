// What allows and what stops each kind of viewer.

import { describe, expect, test } from 'vitest'
import { startBreakable } from '../../../test/http/broken-database.ts'
import { services } from '../../../test/testkit/service.ts'
import { newPerson, newWorld } from '../../../test/testkit/world.ts'
import { ApplicationError } from '../../core/errors.ts'
import type { Context, Viewer } from '../context.ts'
import {
  authorize,
  authorizeAdministrator,
  authorizeOwn,
  authorizeRecord,
  may,
  maySomewhere,
  seenBy,
} from './authorize.ts'
import { actions, covers, type Role, reaches, roles, type Scope, scopes, scopesOf } from './permissions.ts'

const viewerWith = (changes: Partial<Viewer>): Viewer => ({
  userId: '7',
  email: 'someone@example.test',
  name: 'Someone',
  keyId: '8',
  keyPublicId: 'public',
  isAdministrator: false,
  scopes,
  memberships: new Map(),
  heldTo: null,
  ...changes,
})

async function contextOf(changes: Partial<Viewer>): Promise<Context> {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { db } = service.app
  // what is asked of is the viewer and the database; the rest of a context is not read
  return { db, viewer: viewerWith(changes) } as unknown as Context
}

/** The code and sentence of the refusal, or `passed`. */
async function outcomeOf(work: () => unknown): Promise<string> {
  try {
    await work()
    return 'passed'
  } catch (error) {
    if (!(error instanceof ApplicationError)) throw error
    return `${error.code}: ${error.message}`
  }
}

const memberOf = (companyId: string, role: Role, held: readonly Scope[] = scopes): Partial<Viewer> => ({
  memberships: new Map([[companyId, role]]),
  scopes: held,
})

describe('a company', () => {
  test('is entered by those roles that the action takes or more', async () => {
    const outcomes: Record<string, string> = {}

    for (const role of roles)
      outcomes[role] = await outcomeOf(async () =>
        authorize(await contextOf(memberOf('5', role)), 'assets:delete', '5'),
      )

    expect(outcomes).toEqual({
      READER: 'FORBIDDEN: assets:delete requires the role ANALYST in this company; yours is READER',
      DEVELOPER: 'FORBIDDEN: assets:delete requires the role ANALYST in this company; yours is DEVELOPER',
      ANALYST: 'passed',
      OWNER: 'passed',
    })
  })

  test('may be entered or not; a database that does not answer is neither', async () => {
    const { service, cut, stop } = await startBreakable()
    const administrator = { db: service.app.db, viewer: viewerWith({ memberships: null }) } as unknown as Context
    const answers = [
      await may(await contextOf(memberOf('5', 'ANALYST')), 'assets:delete', '5'),
      await may(await contextOf(memberOf('5', 'READER')), 'assets:delete', '5'),
      await may(await contextOf(memberOf('5', 'OWNER')), 'assets:delete', '6'),
      await may(administrator, 'assets:delete', '999999999'),
    ]
    await cut()

    await expect(may(administrator, 'assets:delete', '5')).rejects.toThrow()
    expect(answers).toEqual([true, false, false, false])
    await stop()
  })

  test('is not entered without the scope, whatever the role, and whether it is seen or not', async () => {
    const context = await contextOf(memberOf('5', 'OWNER', ['read']))

    const outcomes = [
      await outcomeOf(() => authorize(context, 'assets:delete', '5')),
      await outcomeOf(() => authorize(context, 'assets:delete', '6')),
    ]

    expect(outcomes).toEqual([
      'FORBIDDEN: assets:delete requires a key with the scope write',
      'FORBIDDEN: assets:delete requires a key with the scope write',
    ])
  })

  test('is not entered from a session without the scope, which is said by the role that has it', async () => {
    const context = await contextOf({ ...memberOf('5', 'OWNER', ['read']), keyPublicId: null })

    const outcome = await outcomeOf(() => authorize(context, 'assets:delete', '5'))

    expect(outcome).toBe('FORBIDDEN: assets:delete requires the role ANALYST')
  })

  test('that is not seen is not found, as one that does not exist', async () => {
    const { companyId } = await newWorld()
    const context = await contextOf(memberOf('5', 'OWNER'))

    const outcome = await outcomeOf(() => authorize(context, 'assets:read', companyId))

    expect(outcome).toMatch(/^NOT_FOUND: The company/)
  })

  test('is found by who sees all of them when it exists, and then everything may be done in it', async () => {
    const { companyId } = await newWorld()
    const context = await contextOf({ memberships: null, isAdministrator: true })

    const outcomes = [
      await outcomeOf(() => authorize(context, 'integrations:write', companyId)),
      await outcomeOf(() => authorize(context, 'integrations:write', '999999999')),
    ]

    expect(outcomes).toEqual(['passed', expect.stringMatching(/^NOT_FOUND: The company/)])
  })
})

describe('a record', () => {
  const found = { companyId: '5', name: 'it' }

  test('is answered with to those roles that the action takes or more', async () => {
    const analyst = await contextOf(memberOf('5', 'ANALYST'))
    const reader = await contextOf(memberOf('5', 'READER'))

    const record = await authorizeRecord(analyst, 'assets:delete', 'Asset', '9', async () => found)
    const refused = await outcomeOf(() => authorizeRecord(reader, 'assets:delete', 'Asset', '9', async () => found))

    expect(record).toBe(found)
    expect(refused).toMatch(/^FORBIDDEN: assets:delete requires the role ANALYST/)
  })

  test('of a company that the viewer is not in is forbidden even when the look-up found it', async () => {
    const context = await contextOf(memberOf('6', 'OWNER'))

    const outcome = await outcomeOf(() => authorizeRecord(context, 'assets:read', 'Asset', '9', async () => found))

    expect(outcome).toMatch(/^FORBIDDEN: assets:read requires the role READER/)
  })

  test('is answered with to who sees every company', async () => {
    const context = await contextOf({ memberships: null })

    expect(await authorizeRecord(context, 'integrations:write', 'Integration', '9', async () => found)).toBe(found)
  })

  test('that was not found is said in words and by its id, and nothing is looked up without the scope', async () => {
    let lookedUp = 0
    const find = async () => {
      lookedUp += 1
      return null
    }
    const writer = await contextOf(memberOf('5', 'OWNER'))
    const reader = await contextOf(memberOf('5', 'OWNER', ['read']))

    const missing = await outcomeOf(() => authorizeRecord(writer, 'assets:write', 'Asset', '9', find))
    const beforeScope = lookedUp
    const refused = await outcomeOf(() => authorizeRecord(reader, 'assets:write', 'Asset', '9', find))

    expect([missing, beforeScope]).toEqual([expect.stringMatching(/^NOT_FOUND: The asset 9 was not found$/), 1])
    expect([refused, lookedUp]).toEqual(['FORBIDDEN: assets:write requires a key with the scope write', 1])
  })
})

describe('what belongs to no company', () => {
  test('takes the scope alone', async () => {
    const nobody = await contextOf({ scopes: ['read'] })

    const outcomes = [
      await outcomeOf(() => authorizeOwn(nobody, 'keys:read')),
      await outcomeOf(() => authorizeOwn(nobody, 'keys:write')),
    ]

    expect(outcomes).toEqual(['passed', 'FORBIDDEN: keys:write requires a key with the scope write'])
  })

  test('of the installation is for administrators whose key sees all companies and has the scope', async () => {
    const only = 'FORBIDDEN: Only an administrator of this installation may do this'
    const outcomes = await Promise.all(
      [
        { isAdministrator: true, memberships: null },
        { isAdministrator: true, memberships: new Map([['5', 'OWNER' as const]]) },
        { isAdministrator: false, memberships: null },
        { isAdministrator: true, memberships: null, scopes: ['write'] as const },
      ].map(async (viewer) => outcomeOf(async () => authorizeAdministrator(await contextOf(viewer), 'members:manage'))),
    )

    expect(outcomes).toEqual([
      'passed',
      only,
      only,
      'FORBIDDEN: members:manage requires a key with the scope members:manage',
    ])
  })

  test('may be done somewhere by who has the scope and the role in one company at least', () => {
    const companies = new Map<string, Role>([
      ['5', 'READER'],
      ['6', 'ANALYST'],
    ])

    const outcomes = [
      maySomewhere(viewerWith({ memberships: companies }), 'assets:delete'),
      maySomewhere(viewerWith({ memberships: companies }), 'integrations:write'),
      maySomewhere(viewerWith({ memberships: companies, scopes: ['read'] }), 'assets:delete'),
      maySomewhere(viewerWith({ memberships: new Map() }), 'assets:read'),
      maySomewhere(viewerWith({ memberships: null }), 'integrations:write'),
      maySomewhere(viewerWith({ memberships: null, scopes: ['read'] }), 'assets:write'),
    ]

    expect(outcomes).toEqual([true, false, false, false, true, false])
  })
})

describe('a look-up by id alone', () => {
  test('finds what is in a company of the viewer, and of all companies only for who sees all', async () => {
    const [mine, other] = [await newWorld(), await newWorld()]
    await newPerson(mine.companyId, 'READER')
    const { db } = await contextOf({})
    const seen = async (viewer: Viewer) =>
      (
        await db
          .selectFrom('membership')
          .select('company_id')
          .distinct()
          .where('company_id', 'in', [mine.companyId, other.companyId])
          .where(seenBy(viewer, 'company_id'))
          .execute()
      ).map((row) => row.company_id)

    const found = [
      await seen(viewerWith(memberOf(mine.companyId, 'READER'))),
      await seen(viewerWith({ memberships: new Map() })),
      (await seen(viewerWith({ memberships: null }))).toSorted(),
    ]

    expect(found).toEqual([[mine.companyId], [], [mine.companyId, other.companyId].toSorted()])
  })
})

describe('the table of actions', () => {
  test('is as it was decided: what reads takes a reader, and what decides takes its own scope', () => {
    const others = Object.entries(actions).filter(([, { scope }]) => scope !== 'read' && scope !== 'write')

    const reading = Object.entries(actions).filter(([, { scope }]) => scope === 'read')

    expect(reading.every(([name, { role }]) => role === 'READER' && name.endsWith(':read'))).toBe(true)
    expect(Object.entries(actions).filter(([name, { scope }]) => name.endsWith(':write') && scope === 'read')).toEqual(
      [],
    )
    expect(others.map(([name, { role, scope }]) => `${name} ${role} ${scope}`)).toMatchInlineSnapshot(`
      [
        "members:manage OWNER members:manage",
        "audit:read OWNER audit:read",
        "issues:decide ANALYST issues:decide",
        "issues:delete ANALYST issues:decide",
        "gates:write ANALYST issues:decide",
        "requirements:waive ANALYST issues:decide",
        "secrets:write ANALYST secrets:manage",
        "secrets:rotate OWNER secrets:manage",
        "certificates:grant OWNER certificates:grant",
        "integrations:write OWNER integrations:manage",
        "webhooks:read OWNER integrations:manage",
        "webhooks:write OWNER integrations:manage",
      ]
    `)
  })

  test('roles reach what is below them, and only that', () => {
    const table = roles.map((role) => roles.map((least) => (reaches(role, least) ? 1 : 0)).join(''))

    expect(table).toEqual(['1000', '1100', '1110', '1111'])
  })

  test('a session has the scopes of all that its strongest role may do, and a reader’s without a role', () => {
    const reader = ['read', 'write']
    const analyst = [...reader, 'issues:decide', 'secrets:manage']

    const held = [...roles.map((role) => scopesOf([role])), scopesOf([]), scopesOf(['OWNER', 'READER'])]

    expect(held).toEqual([reader, reader, analyst, scopes, reader, scopes])
  })

  test('write covers read, and no scope covers another otherwise', () => {
    const covered = scopes.flatMap((held) =>
      scopes.filter((needed) => covers([held], needed)).map((needed) => `${held} ${needed}`),
    )

    expect(covered).toEqual([
      ...scopes.map((scope) => `${scope} ${scope}`).slice(0, 1),
      'write read',
      ...scopes.slice(1).map((scope) => `${scope} ${scope}`),
    ])
    expect(covers([], 'read')).toBe(false)
  })
})
