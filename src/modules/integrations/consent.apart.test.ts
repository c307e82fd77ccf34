// OAuth through the endpoint: where a person is sent, what comes back, and what of it counts.

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { askAt, refusalAt } from '../../../test/testkit/asking.ts'
import { run } from '../../../test/testkit/client.ts'
import type { Seen } from '../../../test/testkit/exchanges.ts'
import { BOARDS, HOST_A, HOST_B, TASKS } from '../../../test/testkit/integrations.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'
import { vendorContract, vendorContracts } from '../../../test/testkit/vendor-contract.ts'
import { fakeVendor, get, json, post, type Step } from '../../../test/testkit/vendor-fake.ts'
import { newPerson, newWorld } from '../../../test/testkit/world.ts'

const START = `mutation ($input: StartAuthorizationInput!) { startAuthorization(input: $input) { url state expiresAt } }`
const HEALTH = 'query ($id: ID!) { integration(id: $id) { health { remainingRequests credentialExpiresAt } } }'

const CLIENTS = {
  MERLON_HOST_A_CLIENT_ID: 'consumer',
  MERLON_HOST_A_CLIENT_SECRET: 'consumer-secret',
  MERLON_BOARDS_TRACKER_CLIENT_ID: 'consumer',
  MERLON_BOARDS_TRACKER_CLIENT_SECRET: 'consumer-secret',
  MERLON_TASK_TRACKER_CLIENT_ID: 'consumer',
  MERLON_TASK_TRACKER_CLIENT_SECRET: 'consumer-secret',
  MERLON_HOST_B_CLIENT_ID: 'application',
  MERLON_HOST_B_CLIENT_SECRET: 'application-secret',
  MERLON_HOST_B_INSTANCE_URL: 'https://git.example.test/code',
  MERLON_OAUTH_REDIRECT_URL: 'https://merlon.example.test/back',
}
const ORIGIN = 'https://git.example.test'
const INSTANCE = `${ORIGIN}/code`

let service: Service

beforeAll(async () => {
  service = await startService(CLIENTS)
  return () => service.app.stop(0)
})

const start = async (key: string, companyId: string, more: object = { type: 'HOST_B', instanceUrl: INSTANCE }) =>
  (await askAt(service.url, key, START, { input: { companyId, ...more } })).startAuthorization
const bring = (companyId: string, state: string, more: object = { instanceUrl: INSTANCE }) => ({
  input: { companyId, code: 'the-code', state, ...more },
})

test('the types with a client of the operator are the types that consents are begun for', async () => {
  const { companyId, owner } = await newWorld()
  const TYPES = 'query ($companyId: ID!) { authorizationTypes(companyId: $companyId) }'

  const here = await askAt(service.url, owner.key, TYPES, { companyId })
  const without = await run(owner.key, TYPES, { companyId })

  expect(here.authorizationTypes).toEqual(['HOST_A', 'HOST_B', 'BOARDS_TRACKER', 'TASK_TRACKER'])
  expect(without.authorizationTypes).toEqual([])
})

const tokens = json({
  access_token: 'access-canary',
  token_type: 'Bearer',
  refresh_token: 'refresh-canary',
  expires_in: 7200,
})
const oauth = vendorContract('own/oauth')
/** Of the instance, which stands below a path. */
const contract = vendorContracts(['own/oauth', 'gitlab/gitlab'], '/code')
const exchange = (times = 1): Step => post('/code/oauth/token', tokens, { times })
const user = get('/code/api/v4/user', json({ id: 1 }), { headers: { authorization: 'Bearer access-canary' } })

type Consent = {
  mutation: string
  type: string
  settings: object
  /** origin and path of the token endpoint */
  exchange: [string, string]
  /** whether the code is bound to who asked for it */
  isBound: boolean
  check: [string, Step]
  contract: string
}

const UNKNOWN = 'The state was not issued for this, was used already, or is older than ten minutes'

describe('a person who consents', () => {
  test('brings the code back, which is bound to who asked, and the tokens are kept', async () => {
    const { companyId, owner } = await newWorld()
    let sent: Seen['body'] = null
    await fakeVendor(
      ORIGIN,
      [
        post('/code/oauth/token', ({ body }) => {
          sent = body
          return tokens
        }),
        user,
      ],
      contract,
    )

    const { url, state } = await start(owner.key, companyId)
    const saved = await askAt(service.url, owner.key, HOST_B, bring(companyId, state))

    const asked = new URL(url)
    const { code_challenge, ...fields } = Object.fromEntries(asked.searchParams)
    const { code_verifier, ...exchanged } = sent as unknown as Record<string, string>
    expect(asked.origin + asked.pathname).toBe(`${INSTANCE}/oauth/authorize`)
    expect(fields).toEqual({
      response_type: 'code',
      client_id: 'application',
      redirect_uri: 'https://merlon.example.test/back',
      scope: 'api',
      state,
      code_challenge_method: 'S256',
    })
    expect(
      createHash('sha256')
        .update(code_verifier ?? '')
        .digest('base64url'),
    ).toBe(code_challenge)
    expect(exchanged).toEqual({
      grant_type: 'authorization_code',
      code: 'the-code',
      redirect_uri: 'https://merlon.example.test/back',
      client_id: 'application',
      client_secret: 'application-secret',
    })
    expect(saved.createOrUpdateHostBIntegration.integration).toMatchObject({
      hasCredential: true,
      instanceUrl: INSTANCE,
    })
  })

  test('sees when the token ends, and a token that a person brings instead ends by nothing that is known', async () => {
    const { companyId, owner } = await newWorld()
    await fakeVendor(ORIGIN, [exchange(), user, get('/code/api/v4/user', json({ id: 1 }))], contract)
    const { state } = await start(owner.key, companyId)
    const now = () => service.app.parts.vendors.clock.now()

    const before = now()
    const saved = await askAt(service.url, owner.key, HOST_B, bring(companyId, state))
    const after = now()
    const { id } = saved.createOrUpdateHostBIntegration.integration
    const expiry = async () => (await run(owner.key, HEALTH, { id })).integration.health.credentialExpiresAt
    const ofToken = await expiry()
    const input = { companyId, personalToken: 'token', instanceUrl: INSTANCE }
    await askAt(service.url, owner.key, HOST_B, { input })

    expect(Date.parse(ofToken)).toBeGreaterThanOrEqual(before + 7_200_000)
    expect(Date.parse(ofToken)).toBeLessThanOrEqual(after + 7_200_000)
    expect(await expiry()).toBeNull()
  })

  const consents: [string, Consent][] = [
    [
      'HostA',
      {
        mutation: HOST_A,
        type: 'HOST_A',
        settings: {},
        exchange: ['https://bitbucket.org', '/site/oauth2/access_token'],
        isBound: false,
        check: ['https://api.bitbucket.org', get('/2.0/user/workspaces', json({ pagelen: 1, values: [] }))],
        contract: 'bitbucket/bitbucket',
      },
    ],
    [
      'BoardsTracker',
      {
        mutation: BOARDS,
        type: 'BOARDS_TRACKER',
        settings: { organizationName: 'acme' },
        exchange: ['https://login.microsoftonline.com', '/organizations/oauth2/v2.0/token'],
        isBound: true,
        check: ['https://dev.azure.com', get('/acme/_apis/projects', json({ count: 0, value: [] }))],
        contract: 'azure-devops/azure-devops',
      },
    ],
  ]
  test.each(consents)('of %s is sent to the vendor, whose token endpoint takes the code', async (_, consent) => {
    const { companyId, owner } = await newWorld()
    const [origin, path] = consent.exchange
    const [home, check] = consent.check
    await fakeVendor(origin, [post(path, tokens, { body: { code: 'the-code' } })], oauth)
    const bearer = { authorization: 'Bearer access-canary' }
    await fakeVendor(home, [{ ...check, headers: bearer }], vendorContract(consent.contract))

    const { url, state } = await start(owner.key, companyId, { type: consent.type })
    const answer = await askAt(service.url, owner.key, consent.mutation, bring(companyId, state, consent.settings))

    const asked = new URL(url).searchParams
    expect([asked.get('client_id'), asked.has('code_challenge')]).toEqual(['consumer', consent.isBound])
    expect(Object.values(answer)).toMatchObject([{ integration: { hasCredential: true } }])
  })

  test('of TaskTracker brings a code for a token that does not end', async () => {
    const { companyId, owner } = await newWorld()
    const team = { id: '108', name: 'Acme', color: '#000', avatar: '', members: [] }
    await fakeVendor(
      'https://api.clickup.com',
      [
        post('/api/v2/oauth/token', json({ access_token: 'access-canary' })),
        get('/api/v2/team', json({ teams: [team] })),
      ],
      vendorContracts(['clickup/clickup', 'own/oauth']),
    )

    const { state } = await start(owner.key, companyId, { type: 'TASK_TRACKER' })
    const saved = await askAt(service.url, owner.key, TASKS, bring(companyId, state, {}))

    const { id } = saved.createOrUpdateTaskTrackerIntegration.integration
    expect((await run(owner.key, HEALTH, { id })).integration.health.credentialExpiresAt).toBeNull()
  })
})

describe('a state', () => {
  test('counts once, also where the code was not accepted', async () => {
    const { companyId, owner } = await newWorld()
    const { state } = await start(owner.key, companyId)
    await fakeVendor(ORIGIN, [post('/code/oauth/token', json({ error: 'invalid_grant' }, { status: 400 }))], contract)

    const first = await refusalAt(service.url, owner.key, HOST_B, bring(companyId, state))
    const second = await refusalAt(service.url, owner.key, HOST_B, bring(companyId, state))

    expect(first.message).toBe('HostB does not accept the credential')
    expect([second.message, second.extensions]).toMatchObject([
      UNKNOWN,
      { code: 'BAD_USER_INPUT', argument: 'input.state' },
    ])
  })

  test('counts for the person, the company, the type and the address that it was given out for', async () => {
    const { companyId, owner } = await newWorld()
    const other = await newWorld()
    const colleague = await newPerson(companyId, 'OWNER')
    const { state } = await start(owner.key, companyId)
    const elsewhere = { instanceUrl: 'https://other.example.test' }

    const refused = [
      await refusalAt(service.url, colleague.key, HOST_B, bring(companyId, state)),
      await refusalAt(service.url, other.owner.key, HOST_B, bring(other.companyId, state)),
      await refusalAt(service.url, owner.key, HOST_A, bring(companyId, state, {})),
      await refusalAt(service.url, owner.key, HOST_B, bring(companyId, state, elsewhere)),
      await refusalAt(service.url, owner.key, HOST_B, bring(companyId, `${state}x`)),
    ]
    await fakeVendor(ORIGIN, [exchange(), user], contract)
    const saved = await askAt(service.url, owner.key, HOST_B, bring(companyId, state))

    expect(refused.map(({ message }) => message)).toEqual(Array(5).fill(UNKNOWN))
    expect(saved.createOrUpdateHostBIntegration.integration.hasCredential).toBe(true)
  })

  test('counts for ten minutes', async () => {
    const { companyId, owner } = await newWorld()
    const { state, expiresAt } = await start(owner.key, companyId)
    await sql`update oauth_request set expires_at = now() - interval '1 second' where company_id = ${companyId}`.execute(
      service.app.parts.db,
    )

    const late = await refusalAt(service.url, owner.key, HOST_B, bring(companyId, state))

    expect(late.message).toBe(UNKNOWN)
    expect(Math.round((Date.parse(expiresAt) - Date.now()) / 60_000)).toBe(10)
  })
})

test('the client’s secret goes to no instance but the one at which it is registered', async () => {
  const { companyId, owner } = await newWorld()

  const elsewhere = await refusalAt(service.url, owner.key, START, {
    input: { companyId, type: 'HOST_B', instanceUrl: 'https://thief.example.test' },
  })
  const own = await refusalAt(service.url, owner.key, START, { input: { companyId, type: 'HOST_B' } })
  const scanner = await refusalAt(service.url, owner.key, START, { input: { companyId, type: 'SCANNER_A' } })
  const platform = await refusalAt(service.url, owner.key, START, { input: { companyId, type: 'PLATFORM_AST' } })

  expect([elsewhere, own].map(({ message }) => message)).toEqual(
    Array(2).fill('The OAuth client of HostB is registered at another address; give a token'),
  )
  expect([scanner.extensions.code, platform.extensions.code]).toEqual(['FAILED_PRECONDITION', 'BAD_USER_INPUT'])
})
