// Tokens that expire: exchanged once by however many ask, kept at once, and given up when the vendor refuses them.

import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { services } from '../../../test/testkit/service.ts'
import { vendorContract, vendorContracts } from '../../../test/testkit/vendor-contract.ts'
import { type Fake, fakeVendor, fakeVendors, get, json, post, type Step } from '../../../test/testkit/vendor-fake.ts'
import { newWorld } from '../../../test/testkit/world.ts'
import { boardsTracker } from '../../connectors/boards-tracker/index.ts'
import { hostA } from '../../connectors/host-a/index.ts'
import { hostB } from '../../connectors/host-b/index.ts'
import type { Connector, Settings } from '../../connectors/types.ts'
import { transaction } from '../../core/db/open.ts'
import { openConnection, placeOf } from './connections.ts'
import { blankSettings, type KeptCredential, writeCredential } from './kinds.ts'
import * as store from './store.ts'
import { openSession, type VendorParts } from './vendor-sessions.ts'

type Exchanging = {
  connector: Connector
  settings: Partial<Settings>
  /** where tokens are exchanged, and how the client proves itself there */
  tokens: { origin: string; path: string; sent: Pick<Step, 'headers' | 'body'> }
  /** what `check` asks */
  good: { origin: string; step: Step; contract: string }
}

const proved = { client_id: 'client', client_secret: 'client-secret' }
const vendors: [string, Exchanging][] = [
  [
    'HostA',
    {
      connector: hostA,
      settings: {},
      tokens: {
        origin: 'https://bitbucket.org',
        path: '/site/oauth2/access_token',
        sent: { headers: { authorization: `Basic ${Buffer.from('client:client-secret').toString('base64')}` } },
      },
      good: {
        origin: 'https://api.bitbucket.org',
        step: get('/2.0/user/workspaces', json({ pagelen: 1, values: [] })),
        contract: 'bitbucket/bitbucket',
      },
    },
  ],
  [
    'HostB',
    {
      connector: hostB,
      settings: {},
      tokens: { origin: 'https://gitlab.com', path: '/oauth/token', sent: { body: proved } },
      good: {
        origin: 'https://gitlab.com',
        step: get('/api/v4/user', json({ id: 1, username: 'merlon' })),
        contract: 'gitlab/gitlab',
      },
    },
  ],
  [
    'BoardsTracker',
    {
      connector: boardsTracker,
      settings: { organizationName: 'acme' },
      tokens: {
        origin: 'https://login.microsoftonline.com',
        path: '/organizations/oauth2/v2.0/token',
        sent: { body: proved },
      },
      good: {
        origin: 'https://dev.azure.com',
        step: get('/acme/_apis/projects', json({ count: 0, value: [] })),
        contract: 'azure-devops/azure-devops',
      },
    },
  ],
]

/** The parts of one process: with vendors of its own, as another node has. */
const node = async (): Promise<VendorParts> => {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { config, db, keyring, log } = service.app.parts
  const client = { clientId: 'client', clientSecret: 'client-secret', redirectUri: 'https://here.example.test/back' }
  const oauth = { ...config.oauth, HOST_A: client, HOST_B: client, BOARDS_TRACKER: client }
  return { config: { ...config, oauth }, db, keyring, log, vendors: fakeVendors() }
}

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()
const tokens = (expiresAt: string | null): KeptCredential => ({
  kind: 'OAUTH',
  accessToken: `old-${randomBytes(8).toString('hex')}`,
  refreshToken: `refresh-${randomBytes(8).toString('hex')}`,
  expiresAt,
})

const integrate = async (parts: VendorParts, { connector, settings }: Exchanging, credential: KeptCredential) => {
  const { companyId, owner } = await newWorld()
  return transaction(parts.db, async (trx) => {
    const id = await store.nextIntegrationId(trx)
    const sealed = await parts.keyring.seal(trx, placeOf(companyId, id), writeCredential(credential))
    const whole = { ...blankSettings, ...settings }
    const row = { companyId, id, type: connector.type, settings: whole, createdById: owner.id }
    return store.insertIntegration(trx, row, { sealed, accessKey: null })
  })
}

const found = async ({ db }: VendorParts, { companyId, id }: store.Integration) => {
  const integration = await store.findCompanyIntegration(db, companyId, id)
  if (!integration) throw new Error('The integration is gone')
  return integration
}

const session = async (parts: VendorParts, integration: store.Integration) =>
  openSession(parts, await openConnection(parts, await found(parts, integration)), 'JOB').session

/** The vendor's two sides, both held to a description. */
const serve = async ({ tokens, good }: Exchanging, exchanges: Step[], calls: Step[]) => {
  const oauth = 'own/oauth'
  if (tokens.origin === good.origin) {
    return fakeVendor(good.origin, [...exchanges, ...calls], vendorContracts([oauth, good.contract]))
  }
  await fakeVendor(good.origin, calls, vendorContract(good.contract))
  return fakeVendor(tokens.origin, exchanges, vendorContract(oauth))
}

const exchanged = ({ tokens: { path, sent } }: Exchanging, refresh: string) =>
  post(
    path,
    json({ access_token: 'new-access', token_type: 'bearer', refresh_token: 'new-refresh', expires_in: 7200 }),
    { ...sent, body: { ...(sent.body as object), grant_type: 'refresh_token', refresh_token: refresh } },
  )
const refused = ({ tokens }: Exchanging) => post(tokens.path, json({ error: 'invalid_grant' }, { status: 400 }))
const answered = ({ good }: Exchanging, token: string, times = 1) => ({
  ...good.step,
  headers: { authorization: `Bearer ${token}` },
  times,
})
/** Written by hand: not every description has it. */
const answering = (status: number): Step['answer'] => ({ write: (response) => void response.writeHead(status).end() })
const unauthorized = ({ good }: Exchanging) => ({ ...good.step, answer: answering(401) })

const exchanges = ({ seen }: Fake, { tokens }: Exchanging) => seen.filter(({ path }) => path === tokens.path).length
const refreshOf = (credential: KeptCredential) => (credential.kind === 'OAUTH' ? (credential.refreshToken ?? '') : '')

describe.each(vendors)('a token of %s', (_, vendor) => {
  const { connector } = vendor

  test('that expired is exchanged once for ten calls at the same time in each of two processes', async () => {
    const [one, other] = [await node(), await node()]
    const before = tokens(hours(-1))
    const integration = await integrate(one, vendor, before)
    const fake = await serve(vendor, [exchanged(vendor, refreshOf(before))], [answered(vendor, 'new-access', 20)])
    const sessions = await Promise.all(
      Array.from({ length: 20 }, (_, index) => session(index % 2 === 0 ? one : other, integration)),
    )

    await Promise.all(sessions.map((opened) => connector.check(opened)))

    expect(exchanges(fake, vendor)).toBe(1)
  })

  test('leaves the new refresh token in its place, and when the new token ends', async () => {
    const parts = await node()
    const before = tokens(hours(-1))
    const integration = await integrate(parts, vendor, before)
    await serve(vendor, [exchanged(vendor, refreshOf(before))], [answered(vendor, 'new-access')])
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
    const integration = await integrate(parts, vendor, before)
    const calls = [unauthorized(vendor), answered(vendor, 'new-access')]
    await serve(vendor, [exchanged(vendor, refreshOf(before))], calls)

    await expect(connector.check(await session(parts, integration))).resolves.toBeUndefined()
  })

  test('whose refreshing is refused marks the integration broken once, and nothing is sent any more', async () => {
    const parts = await node()
    const integration = await integrate(parts, vendor, tokens(hours(-1)))
    const fake = await serve(vendor, [refused(vendor)], [])
    const sessions = await Promise.all(Array.from({ length: 10 }, () => session(parts, integration)))

    const ends = await Promise.allSettled(sessions.map((opened) => connector.check(opened)))
    const { brokenSince } = await found(parts, integration)

    expect(ends.map(({ status }) => status)).toEqual(Array(10).fill('rejected'))
    expect(brokenSince).not.toBeNull()
    expect(exchanges(fake, vendor)).toBe(1)
    await expect(session(parts, integration)).rejects.toThrow('is refused by its vendor')
  })

  test('stays what it is when the vendor does not know the client, or fails', async () => {
    const parts = await node()
    const integration = await integrate(parts, vendor, tokens(hours(-1)))
    const opened = await session(parts, integration)
    const { path } = vendor.tokens
    await serve(
      vendor,
      [post(path, json({ error: 'invalid_client' }, { status: 401 })), post(path, answering(503))],
      [],
    )

    const kinds = [
      await connector.check(opened).catch(({ kind }) => kind),
      await connector.check(opened).catch(({ kind }) => kind),
    ]
    const { brokenSince } = await found(parts, integration)

    expect(kinds).toEqual(['BROKEN_ANSWER', 'SERVER_ERROR'])
    expect(brokenSince).toBeNull()
  })
})
