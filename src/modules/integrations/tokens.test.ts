// Tokens that expire: exchanged once however many callers need them, stored at once, and given up when the vendor refuses them.

import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { keep, newTokens, node, openKept, reread } from '../../../test/testkit/kept-integrations.ts'
import { vendorContract, vendorContracts } from '../../../test/testkit/vendor-contract.ts'
import { type Fake, fakeVendor, get, json, post, type Step } from '../../../test/testkit/vendor-fake.ts'
import { boardsTracker } from '../../connectors/boards-tracker/index.ts'
import { hostA } from '../../connectors/host-a/index.ts'
import { hostB } from '../../connectors/host-b/index.ts'
import type { Settings } from '../../connectors/kinds.ts'
import type { Connector } from '../../connectors/types.ts'
import { openConnection } from './connections.ts'

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

/** The vendor's two sides, both held to a description. */
const serve = async ({ tokens, good }: Exchanging, exchanges: Step[], calls: Step[]) => {
  const oauth = 'own/oauth'
  if (tokens.origin === good.origin) {
    return fakeVendor(good.origin, [...exchanges, ...calls], vendorContracts([oauth, good.contract]))
  }
  await fakeVendor(good.origin, calls, vendorContract(good.contract))
  return fakeVendor(tokens.origin, exchanges, vendorContract(oauth))
}

const newOnes = { access_token: 'new-access', token_type: 'bearer', refresh_token: 'new-refresh', expires_in: 7200 }
const exchanged = ({ tokens: { path, sent } }: Exchanging, refresh: string) =>
  post(path, json(newOnes), {
    ...sent,
    body: { ...(sent.body as object), grant_type: 'refresh_token', refresh_token: refresh },
  })
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
const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()

describe.each(vendors)('a token of %s', (_, vendor) => {
  const { connector } = vendor

  test('that expired is exchanged once for ten calls at the same time in each of two processes', async () => {
    const [one, other] = [await node(), await node()]
    const before = newTokens(hours(-1))
    const integration = await keep(one, vendor, before)
    const fake = await serve(
      vendor,
      [exchanged(vendor, before.refreshToken ?? '')],
      [answered(vendor, 'new-access', 20)],
    )
    const sessions = await Promise.all(
      Array.from({ length: 20 }, (_, index) => openKept(index % 2 === 0 ? one : other, integration)),
    )

    await Promise.all(sessions.map((opened) => connector.check(opened)))

    expect(exchanges(fake, vendor)).toBe(1)
  })

  test('is exchanged in turn with those of other integrations, so that a slow vendor holds one connection', async () => {
    const parts = await node()
    const integrations = await Promise.all([1, 2, 3, 4].map(() => keep(parts, vendor, newTokens(hours(-1)))))
    let asked = 0
    let mostAsked = 0
    const { path, sent } = vendor.tokens
    const write = async (response: ServerResponse) => {
      asked += 1
      mostAsked = Math.max(mostAsked, asked)
      await delay(50)
      asked -= 1
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(newOnes))
    }
    const slow = post(path, { write: (response) => void write(response) }, { ...sent, times: 4 })
    await serve(vendor, [slow], [answered(vendor, 'new-access', 4)])
    const sessions = await Promise.all(integrations.map((integration) => openKept(parts, integration)))

    await Promise.all(sessions.map((opened) => connector.check(opened)))

    expect(mostAsked).toBe(1)
  })

  test('is not exchanged in turn at a vendor that failed while others waited, and is by who comes later', async () => {
    const parts = await node()
    const integrations = await Promise.all([1, 2, 3].map(() => keep(parts, vendor, newTokens(hours(-1)))))
    const sessions = await Promise.all(integrations.map((integration) => openKept(parts, integration)))
    const { path, sent } = vendor.tokens
    const good = post(path, json(newOnes), sent)
    const fake = await serve(vendor, [post(path, answering(503)), good], [answered(vendor, 'new-access')])

    const kinds = await Promise.all(sessions.map((opened) => connector.check(opened).catch(({ kind }) => kind)))
    const asked = exchanges(fake, vendor)
    await connector.check(await openKept(parts, integrations[0] as (typeof integrations)[number]))

    expect(kinds).toEqual(Array(3).fill('SERVER_ERROR'))
    expect(asked).toBe(1)
  })

  test('leaves the new refresh token in its place, and when the new token ends', async () => {
    const parts = await node()
    const before = newTokens(hours(-1))
    const integration = await keep(parts, vendor, before)
    await serve(vendor, [exchanged(vendor, before.refreshToken ?? '')], [answered(vendor, 'new-access')])
    const began = parts.vendors.clock.now()

    await connector.check(await openKept(parts, integration))
    const kept = await reread(parts, integration)
    const { credential } = await openConnection(parts, kept)

    const ends = Date.parse(kept.credentialExpiresAt ?? '')
    expect(ends).toBeGreaterThanOrEqual(began + 7_200_000)
    expect(ends).toBeLessThanOrEqual(parts.vendors.clock.now() + 7_200_000)
    expect(credential).toMatchObject({ kind: 'OAUTH', accessToken: 'new-access', refreshToken: 'new-refresh' })
  })

  test('that was not known to have expired is exchanged when the vendor says so', async () => {
    const parts = await node()
    const before = newTokens(null)
    const integration = await keep(parts, vendor, before)
    const calls = [unauthorized(vendor), answered(vendor, 'new-access')]
    await serve(vendor, [exchanged(vendor, before.refreshToken ?? '')], calls)

    await expect(connector.check(await openKept(parts, integration))).resolves.toBeUndefined()
  })

  test('whose refreshing is refused marks the integration broken once, and nothing is sent any more', async () => {
    const parts = await node()
    const integration = await keep(parts, vendor, newTokens(hours(-1)))
    const fake = await serve(vendor, [refused(vendor)], [])
    const sessions = await Promise.all(Array.from({ length: 10 }, () => openKept(parts, integration)))

    const ends = await Promise.allSettled(sessions.map((opened) => connector.check(opened)))
    const { brokenSince } = await reread(parts, integration)

    expect(ends.map(({ status }) => status)).toEqual(Array(10).fill('rejected'))
    expect(brokenSince).not.toBeNull()
    expect(exchanges(fake, vendor)).toBe(1)
    await expect(openKept(parts, integration)).rejects.toThrow('is refused by its vendor')
  })

  test('stays what it is when the vendor does not know the client, or fails', async () => {
    const parts = await node()
    const integration = await keep(parts, vendor, newTokens(hours(-1)))
    const opened = await openKept(parts, integration)
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
    const { brokenSince } = await reread(parts, integration)

    expect(kinds).toEqual(['BROKEN_ANSWER', 'SERVER_ERROR'])
    expect(brokenSince).toBeNull()
  })
})
