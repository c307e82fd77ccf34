// The fake vendor reports what a test forgot or did wrong, and checks both sides against an API description.

import { expect, test } from 'vitest'
import { contractOf, vendorContract } from './vendor-contract.ts'
import { fakeVendor, get, json, standIn } from './vendor-fake.ts'
import { fakeVendors } from './vendor-session.ts'

const ORIGIN = 'https://fake.example.test'
const bounds = { largest: 10_000, timeout: 60_000 }

test('an answer that nobody asked for, and a request that nobody expected, fail the test', async () => {
  const unused = await fakeVendor(ORIGIN, [get('/a', json({}))])
  await expect(unused.end()).rejects.toThrow('nobody asked for GET /a')

  const surprised = await fakeVendor(ORIGIN, [])
  await fakeVendors().outbound.call(`${ORIGIN}/b`, bounds)
  await expect(surprised.end()).rejects.toThrow('nobody expected GET /b')
  expect(standIn(ORIGIN)).toBeNull()
})

test('a request with another header than expected fails the test', async () => {
  const fake = await fakeVendor(ORIGIN, [get('/a', json({}), { headers: { authorization: 'Bearer right' } })])
  await fakeVendors().outbound.call(`${ORIGIN}/a`, { ...bounds, headers: { authorization: 'Bearer wrong' } })

  await expect(fake.end()).rejects.toThrow('GET /a has the header authorization wrong')
})

test('a request or an answer that is not as described fails the test', async () => {
  const contract = contractOf(
    {
      servers: [{ url: `${ORIGIN}/v1` }],
      paths: {
        '/things/{id}': {
          get: {
            parameters: [{ name: 'version', in: 'query', required: true }],
            responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } },
          },
        },
      },
      components: {
        schemas: {
          Thing: { type: 'object', required: ['id'], properties: { id: { type: 'string', nullable: true } } },
        },
      },
    } as never,
    'OURS',
  )
  const seen = { method: 'GET', path: '/v1/things/7', query: { version: '1' }, headers: {}, body: '' }

  expect(contract.faults(seen, { json: { id: null } })).toEqual([])
  expect(contract.faults(seen, { json: { id: 7 } })).toEqual([expect.stringContaining('the answer/id must be string')])
  expect(contract.faults(seen, { status: 500 })).toEqual([expect.stringContaining('never answered with 500')])
  expect(contract.faults({ ...seen, query: {} }, { json: { id: 'a' } })).toEqual([
    expect.stringContaining('lacks version'),
  ])
  expect(contract.faults({ ...seen, path: '/v1/other' }, { json: {} })).toEqual([
    expect.stringContaining('no operation'),
  ])
})

test.each([
  ['bitbucket/bitbucket', '/2.0/user/workspaces', {}],
  ['gitlab/gitlab', '/api/v4/projects/group%2Fproject/repository/branches', {}],
  ['clickup/clickup', '/api/v2/team', {}],
  ['snyk/snyk', '/rest/self', { version: '2024-10-15' }],
  ['tenable/tenable-vm', '/vulns/export/status', {}],
  ['azure-devops/azure-devops', '/acme/_apis/projects', { 'api-version': '7.1' }],
])('the description of %s can be used, where it is there', (name, path, query) => {
  const contract = vendorContract(name)
  const asked = { method: 'GET', path, query, headers: {}, body: '' }

  const said = contract?.faults(asked, { json: 'no object' }) ?? ['the answer']

  expect(said.join()).toContain('the answer')
})
