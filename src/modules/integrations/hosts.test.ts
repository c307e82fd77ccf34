// Lists of source hosts, through the endpoint, the connectors and HTTP.

import { expect, test } from 'vitest'
import { refusal, run } from '../../../test/testkit/client.ts'
import { HOST_A, HOST_B, saved } from '../../../test/testkit/integrations.ts'
import { vendorContract } from '../../../test/testkit/vendor-contract.ts'
import { fakeVendor, get, json, type Step } from '../../../test/testkit/vendor-fake.ts'
import { newWorld } from '../../../test/testkit/world.ts'

const PROJECTS = `query ($companyId: ID!, $type: ToolTypeCategory!, $name: String, $filters: ExternalProjectFiltersInput) {
  externalProjects(companyId: $companyId, integrationType: $type, filterName: $name, pagination: { page: 1, perPage: 2 },
      filters: $filters) {
    collection { id name branches } metadata { currentPage limitValue totalCount totalCountIsExact } } }`
const WORKSPACES = `query ($id: ID!, $search: String) {
  hostAWorkspaces(integrationId: $id, filters: { search: $search }) { id uuid name } }`
const GROUPS = `query ($id: ID!, $search: String) {
  hostBGroups(integrationId: $id, filters: { search: $search }, pagination: { page: 1, perPage: 5 }) { id name } }`

const bitbucket = (steps: Step[]) =>
  fakeVendor('https://api.bitbucket.org', steps, vendorContract('bitbucket/bitbucket'))
const gitlab = (steps: Step[]) => fakeVendor('https://gitlab.com', steps, vendorContract('gitlab/gitlab'))

const REPOSITORY = '{0a1b2c3d-0000-4000-8000-000000000002}'
const workspaces = {
  pagelen: 100,
  values: ['acme', 'zenith'].map((slug) => ({
    type: 'workspace_access',
    workspace: { type: 'workspace_base', uuid: `{${slug}}`, slug },
  })),
}
const branch = (name: string) => ({ type: 'branch', name, target: { type: 'commit', hash: '7f71b5acd4af' } })

test('HostA shows its workspaces and the repositories of one', async () => {
  const { companyId, owner } = await newWorld()
  const repository = { type: 'repository', uuid: REPOSITORY, full_name: 'acme/site', name: 'site' }
  await bitbucket([
    get('/2.0/user/workspaces', json(workspaces), { times: 2 }),
    get('/2.0/workspaces/acme', json({ type: 'workspace', uuid: '{acme}', slug: 'acme', name: 'Acme Inc.' })),
    get('/2.0/repositories/acme', json({ pagelen: 2, size: 7, values: [repository] }), {
      query: { q: 'name ~ "si"', pagelen: '2' },
      headers: { authorization: 'Bearer token' },
    }),
    get(`/2.0/repositories/acme/${encodeURIComponent(REPOSITORY)}/refs/branches`, json({ values: [branch('main')] })),
  ])
  const { id } = await saved(owner.key, HOST_A, { companyId, accessToken: 'token' })

  const shown = await run(owner.key, WORKSPACES, { id, search: 'AC' })
  const found = await run(owner.key, PROJECTS, {
    companyId,
    type: 'HOST_A',
    name: 'si',
    filters: { hostA: { workspaceId: 'acme' } },
  })

  expect(shown.hostAWorkspaces).toEqual([{ id: 'acme', uuid: '{acme}', name: 'Acme Inc.' }])
  expect(found.externalProjects).toEqual({
    collection: [{ id: `acme/${REPOSITORY}`, name: 'acme/site', branches: ['main'] }],
    metadata: { currentPage: 1, limitValue: 2, totalCount: 7, totalCountIsExact: true },
  })
})

test('HostB shows its groups and the projects of one, with no total that it did not tell', async () => {
  const { companyId, owner } = await newWorld()
  const project = (id: number) => ({ id, name: `p${id}`, path_with_namespace: `all/p${id}`, default_branch: 'main' })
  await gitlab([
    get('/api/v4/user', json({ id: 1 })),
    get('/api/v4/groups', json([{ id: 7, name: 'team', full_name: 'All / team' }]), { query: { search: 'te' } }),
    get('/api/v4/groups/7/projects', json([project(1), project(2)])),
    get('/api/v4/projects/1/repository/branches', json([{ name: 'main', commit: { id: 'a1' } }])),
    get('/api/v4/projects/2/repository/branches', json([])),
  ])
  const { id } = await saved(owner.key, HOST_B, { companyId, personalToken: 'token' })

  const shown = await run(owner.key, GROUPS, { id, search: 'te' })
  const found = await run(owner.key, PROJECTS, { companyId, type: 'HOST_B', filters: { hostB: { groupId: '7' } } })

  expect(shown.hostBGroups).toEqual([{ id: '7', name: 'All / team' }])
  expect(found.externalProjects).toEqual({
    collection: [
      { id: '1', name: 'all/p1', branches: ['main'] },
      { id: '2', name: 'all/p2', branches: [] },
    ],
    metadata: { currentPage: 1, limitValue: 2, totalCount: 3, totalCountIsExact: false },
  })
})

test('a host that does not answer as it should is said to be the one at fault', async () => {
  const { companyId, owner } = await newWorld()
  const failing = get('/api/v4/groups', { status: 502, text: 'no' }, { times: 3 })
  await fakeVendor('https://gitlab.com', [get('/api/v4/user', json({ id: 1 })), failing])
  const { id } = await saved(owner.key, HOST_B, { companyId, personalToken: 'token' })

  const failure = await refusal(owner.key, GROUPS, { id })

  expect([failure.extensions.code, failure.message]).toEqual([
    'UPSTREAM_FAILED',
    'HostB has an internal error at the moment',
  ])
})
