// Tokens that expire: exchanged once by however many ask, kept at once, and given up when the vendor refuses them.

import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { services } from '../../../test/testkit/service.ts'
import { type Fake, fakeVendor, fakeVendors, get, json, post } from '../../../test/testkit/vendor-fake.ts'
import { newWorld } from '../../../test/testkit/world.ts'
import { at } from '../../connectors/paths.ts'
import { rateTable } from '../../connectors/rates.ts'
import type { Connector } from '../../connectors/types.ts'
import { transaction } from '../../core/db/open.ts'
import { openConnection, placeOf } from './connections.ts'
import { blankSettings, type KeptCredential, writeCredential } from './kinds.ts'
import * as store from './store.ts'
import { openSession, type VendorParts } from './vendor-sessions.ts'

const ORIGIN = 'https://api.tokens.example.test'

const connector: Connector = {
  type: 'HOST_B',
  name: 'HostB',
  base: () => ORIGIN,
  rates: { ...rateTable.HOST_B, concurrency: 20 },
  authorization: (given) => ({
    authorization: `Bearer ${given.kind === 'OAUTH' ? given.accessToken : given.kind === 'TOKEN' ? given.token : ''}`,
  }),
  oauth: {
    authorizeUrl: () => `${ORIGIN}/oauth/authorize`,
    pkce: true,
    tokenUrl: () => `${ORIGIN}/oauth/token`,
    client: 'body',
  },
  check: async ({ client }) => void (await client.get(at`/user`, z.object({ id: z.number() }))),
}

/** The parts of one process: with vendors of its own, as another node has. */
const node = async (): Promise<VendorParts> => {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { config, db, keyring, log } = service.app.parts
  const client = { clientId: 'client', clientSecret: 'client-secret', redirectUri: 'https://here.example.test/back' }
  return { config: { ...config, oauth: { ...config.oauth, HOST_B: client } }, db, keyring, log, vendors: fakeVendors() }
}

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()
const tokens = (expiresAt: string | null): KeptCredential => ({
  kind: 'OAUTH',
  accessToken: `old-${randomBytes(8).toString('hex')}`,
  refreshToken: `refresh-${randomBytes(8).toString('hex')}`,
  expiresAt,
})

const integrate = async (parts: VendorParts, credential: KeptCredential) => {
  const { companyId, owner } = await newWorld()
  return transaction(parts.db, async (trx) => {
    const id = await store.nextIntegrationId(trx)
    const sealed = await parts.keyring.seal(trx, placeOf(companyId, id), writeCredential(credential))
    const row = { companyId, id, type: 'HOST_B' as const, settings: blankSettings, createdById: owner.id }
    return store.insertIntegration(trx, row, { sealed, accessKey: null })
  })
}

const found = async ({ db }: VendorParts, { companyId, id }: store.Integration) => {
  const integration = await store.findCompanyIntegration(db, companyId, id)
  if (!integration) throw new Error('The integration is gone')
  return integration
}

const session = async (parts: VendorParts, integration: store.Integration) =>
  openSession(parts, await openConnection(parts, await found(parts, integration)), 'JOB', connector).session

const exchanged = (refresh: string) =>
  post('/oauth/token', json({ access_token: 'new-access', refresh_token: 'new-refresh', expires_in: 7200 }), {
    body: { grant_type: 'refresh_token', refresh_token: refresh, client_id: 'client', client_secret: 'client-secret' },
  })
const refused = post('/oauth/token', json({ error: 'invalid_grant' }, { status: 400 }))
const user = (token: string, times = 1) =>
  get('/user', json({ id: 1 }), { headers: { authorization: `Bearer ${token}` }, times })

const exchanges = ({ seen }: Fake) => seen.filter(({ path }) => path === '/oauth/token').length
const refreshOf = (credential: KeptCredential) => (credential.kind === 'OAUTH' ? (credential.refreshToken ?? '') : '')

describe('an expired token', () => {
  test('is exchanged once for ten calls at the same time, in two processes', async () => {
    const [one, other] = [await node(), await node()]
    const before = tokens(hours(-1))
    const integration = await integrate(one, before)
    const fake = await fakeVendor(ORIGIN, [exchanged(refreshOf(before)), user('new-access', 20)])
    const sessions = await Promise.all(
      Array.from({ length: 20 }, (_, index) => session(index % 2 === 0 ? one : other, integration)),
    )

    await Promise.all(sessions.map((opened) => connector.check(opened)))

    expect(exchanges(fake)).toBe(1)
  })

  test('leaves the new refresh token in its place, and when the new token ends', async () => {
    const parts = await node()
    const before = tokens(hours(-1))
    const integration = await integrate(parts, before)
    await fakeVendor(ORIGIN, [exchanged(refreshOf(before)), user('new-access')])
    const began = parts.vendors.clock.now()

    await connector.check(await session(parts, integration))
    const kept = await found(parts, integration)
    const { credential } = await openConnection(parts, kept)

    const ends = Date.parse(kept.credentialExpiresAt ?? '')
    expect(ends).toBeGreaterThanOrEqual(began + 7_200_000)
    expect(ends).toBeLessThanOrEqual(parts.vendors.clock.now() + 7_200_000)
    expect(credential).toMatchObject({ kind: 'OAUTH', accessToken: 'new-access', refreshToken: 'new-refresh' })
  })

  test('that was not known to have expired is exchanged when the vendor says so', async () => {
    const parts = await node()
    const before = tokens(null)
    const integration = await integrate(parts, before)
    const unauthorized = get('/user', json({}, { status: 401 }))
    await fakeVendor(ORIGIN, [unauthorized, exchanged(refreshOf(before)), user('new-access')])

    await expect(connector.check(await session(parts, integration))).resolves.toBeUndefined()
  })
})

describe('a credential that the vendor revoked', () => {
  test('marks the integration broken once, and nothing is sent any more', async () => {
    const parts = await node()
    const integration = await integrate(parts, tokens(hours(-1)))
    const fake = await fakeVendor(ORIGIN, [refused])
    const sessions = await Promise.all(Array.from({ length: 10 }, () => session(parts, integration)))

    const ends = await Promise.allSettled(sessions.map((opened) => connector.check(opened)))
    const { brokenSince } = await found(parts, integration)

    expect(ends.map(({ status }) => status)).toEqual(Array(10).fill('rejected'))
    expect(brokenSince).not.toBeNull()
    expect(exchanges(fake)).toBe(1)
    await expect(session(parts, integration)).rejects.toThrow('is refused by its vendor')
  })

  test('that cannot be exchanged marks it broken at the first refusal', async () => {
    const parts = await node()
    const integration = await integrate(parts, { kind: 'TOKEN', token: 'revoked' })
    await fakeVendor(ORIGIN, [get('/user', json({}, { status: 401 }))])

    await expect(connector.check(await session(parts, integration))).rejects.toMatchObject({ kind: 'CREDENTIAL' })
    const { brokenSince } = await found(parts, integration)

    expect(brokenSince).not.toBeNull()
  })

  test('works again once it is replaced', async () => {
    const parts = await node()
    const integration = await integrate(parts, { kind: 'TOKEN', token: 'revoked' })
    const { companyId, id } = integration
    await transaction(parts.db, (trx) => store.markBroken(trx, companyId, id))

    await transaction(parts.db, async (trx) => {
      const next = writeCredential({ kind: 'TOKEN', token: 'another' })
      const sealed = await parts.keyring.seal(trx, placeOf(companyId, id), next)
      await store.updateIntegration(trx, integration, blankSettings, { sealed, accessKey: null })
    })

    await fakeVendor(ORIGIN, [user('another')])
    await expect(connector.check(await session(parts, integration))).resolves.toBeUndefined()
  })
})

test('a client that the vendor does not know, or a vendor that fails, breaks no integration', async () => {
  const parts = await node()
  const integration = await integrate(parts, tokens(hours(-1)))
  const opened = await session(parts, integration)
  await fakeVendor(ORIGIN, [
    post('/oauth/token', json({ error: 'invalid_client' }, { status: 401 })),
    post('/oauth/token', json({}, { status: 503 })),
  ])

  const kinds = [
    await connector.check(opened).catch(({ kind }) => kind),
    await connector.check(opened).catch(({ kind }) => kind),
  ]
  const { brokenSince } = await found(parts, integration)

  expect(kinds).toEqual(['BROKEN_ANSWER', 'SERVER_ERROR'])
  expect(brokenSince).toBeNull()
})
