// Projects of ScannerA and ScannerB, through the endpoint: searched, page by page, with the stored credential.

import { describe, expect, test } from 'vitest'
import { refusal, run } from '../../../test/testkit/client.ts'
import { SCANNER_A, SCANNER_B, saved } from '../../../test/testkit/integrations.ts'
import { fakeVendor, get, json, post, type Step } from '../../../test/testkit/vendor-fake.ts'
import { newPerson, newWorld } from '../../../test/testkit/world.ts'

const PROJECTS = `query ($companyId: ID!, $integrationType: ToolTypeCategory!, $filterName: String, $pagination: PaginationInput!) {
  externalProjects(companyId: $companyId, integrationType: $integrationType, filterName: $filterName, pagination: $pagination) {
    collection { id name branches } metadata { currentPage limitValue totalCount totalCountIsExact } } }`

const HOST = '53ed0fa2-ccd5-4d2e-92ee-c072635889e3'
const CONFIG = 'f08a9605-231a-45b0-b0f8-5ab4f5510239'
const ORG = 'a3952187-0d8e-45d8-9aa2-036642857b5b'
const PROJECT = 'a3952187-0d8e-45d8-9aa2-036642857b5c'

const keys = { 'x-apikeys': 'accessKey=an-access-key;secretKey=a-secret-key' }
const token = { authorization: 'token a-secret-token' }

type Scanner = {
  origin: string
  mutation: string
  credential: Record<string, string>
  accepted: Step
  refusing: Step[]
  listing: Step[]
  first: object
  second: object
}

const scanners: Record<'SCANNER_A' | 'SCANNER_B', Scanner> = {
  SCANNER_A: {
    origin: 'https://cloud.tenable.com',
    mutation: SCANNER_A,
    credential: { accessKey: 'an-access-key', secretKey: 'a-secret-key' },
    accepted: get('/vulns/export/status', json({ exports: [] }), { headers: keys }),
    refusing: [post('/was/v2/configs/search', { status: 401, text: '' }, { headers: keys })],
    listing: [
      post('/was/v2/configs/search', json({ pagination: { total: 1 }, items: [{ config_id: CONFIG, name: 'Shop' }] }), {
        headers: keys,
        times: 2,
      }),
      get('/assets', json({ assets: [{ id: HOST, fqdn: ['shop.example.com'] }], total: 1 }), {
        headers: keys,
        times: 2,
      }),
    ],
    first: { id: `was:${CONFIG}`, name: 'Shop', branches: [] },
    second: { id: `vm:${HOST}`, name: 'shop.example.com', branches: [] },
  },
  SCANNER_B: {
    origin: 'https://api.eu.snyk.io',
    mutation: SCANNER_B,
    credential: { apiToken: 'a-secret-token', region: 'EU_1' },
    accepted: get('/rest/self', json({ data: { id: ORG } }), { headers: token }),
    refusing: [get('/rest/orgs', { status: 401, text: '' }, { headers: token })],
    listing: [
      get('/rest/orgs', json({ data: [{ id: ORG, attributes: { name: 'Acme' } }] }), { headers: token, times: 2 }),
      get(
        `/rest/orgs/${ORG}/projects`,
        json({
          data: [
            { id: PROJECT, attributes: { name: 'shop', target_reference: 'main' } },
            { id: HOST, attributes: { name: 'shop-api' } },
          ],
        }),
        { headers: token, times: 2 },
      ),
    ],
    first: { id: `${ORG}/${PROJECT}`, name: 'Acme / shop', branches: ['main'] },
    second: { id: `${ORG}/${HOST}`, name: 'Acme / shop-api', branches: [] },
  },
}

const types = ['SCANNER_A', 'SCANNER_B'] as const

describe.each(types)('the projects of %s', (integrationType) => {
  const { origin, mutation, credential, accepted, listing, refusing, first, second } = scanners[integrationType]

  const connected = async (steps: Step[]) => {
    const world = await newWorld()
    await fakeVendor(origin, [accepted, ...steps])
    await saved(world.owner.key, mutation, { companyId: world.companyId, ...credential })
    return world
  }

  test('are searched without regard to case and shown page by page, to a reader as well', async () => {
    const { companyId } = await connected(listing)
    const { key } = await newPerson(companyId, 'READER')
    const asked = { companyId, integrationType, filterName: 'SHOP' }

    const all = await run(key, PROJECTS, { ...asked, pagination: { perPage: 10 } })
    const page = await run(key, PROJECTS, { ...asked, pagination: { page: 2, perPage: 1 } })

    expect(all.externalProjects).toEqual({
      collection: [first, second],
      metadata: { currentPage: 1, limitValue: 10, totalCount: 2, totalCountIsExact: true },
    })
    expect(page.externalProjects).toMatchObject({ collection: [second], metadata: { currentPage: 2, limitValue: 1 } })
  })

  test('are not to be had once the credential is refused, which the integration says', async () => {
    const { companyId, owner } = await connected(refusing)

    const asked = { companyId, integrationType, pagination: {} }
    const refused = await refusal(owner.key, PROJECTS, asked)
    const again = await refusal(owner.key, PROJECTS, asked)

    const { integrations } = await run(
      owner.key,
      'query ($companyId: ID!) { integrations(companyId: $companyId) { collection { brokenSince } } }',
      { companyId },
    )
    expect([refused, again].map(({ extensions }) => extensions.code)).toEqual(Array(2).fill('FAILED_PRECONDITION'))
    expect(integrations.collection).toEqual([{ brokenSince: expect.any(String) }])
  })
})
