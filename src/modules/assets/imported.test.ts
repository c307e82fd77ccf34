// Assets from another tool's list of projects, through the endpoint.

import { expect, test } from 'vitest'
import { refusal, run, unique } from '../../../test/testkit/client.ts'
import { newPerson, newWorld } from '../../../test/testkit/world.ts'

const IMPORT = `mutation ($input: ImportAssetToIntegrationInput!) { importAssetToIntegration(input: $input) {
  clientMutationId success importedCount errors } }`
const ASSETS = `query ($companyId: ID!) { assets(companyId: $companyId) { collection {
  name description url repoUrl assetType lifeCycle assetsTagList teamIds } } }`

test('projects of another tool become assets once, and what is wrong with one keeps no other away', async () => {
  const { companyId, owner } = await newWorld()
  const name = unique('Shop')
  const shop = {
    id: 'component:default/shop',
    name,
    description: 'Sells',
    url: '',
    repoUrl: 'https://git.example.test/shop',
    lifecycle: 'Production',
    tags: ['java'],
    owner: 'team-a',
    assetType: 'API',
  }
  const broken = { name: unique('Broken'), url: 'javascript:alert(1)' }
  const input = { companyId, integrationType: 'BACKSTAGE', projects: [shop, broken], clientMutationId: 'mine' }

  const first = await run(owner.key, IMPORT, { input })
  const second = await run(owner.key, IMPORT, { input })

  const { assets } = await run(owner.key, ASSETS, { companyId })
  expect(first.importAssetToIntegration).toEqual({
    clientMutationId: 'mine',
    success: false,
    importedCount: 1,
    errors: [expect.stringContaining(broken.name)],
  })
  expect(second.importAssetToIntegration.importedCount).toBe(0)
  expect(assets.collection).toEqual([
    {
      name,
      description: 'Sells',
      url: null,
      repoUrl: 'https://git.example.test/shop',
      assetType: 'api',
      lifeCycle: 'production',
      assetsTagList: ['java'],
      teamIds: ['team-a'],
    },
  ])
})

test('an error about a project without a name gives its position, and earlier errors are reported', async () => {
  const { companyId, owner } = await newWorld()
  const name = unique('Shop')
  const input = { companyId, projects: [{ name }, { name: ' ' }] }

  const { importAssetToIntegration: done } = await run(owner.key, IMPORT, { input })
  const failure = await refusal(owner.key, IMPORT, { input: { companyId, projects: [{ name: '' }] } })

  expect(done).toMatchObject({ success: false, importedCount: 1, errors: ['Project 1: name has 1 to 500 characters'] })
  expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.projects.0.name' })
})

test('a list of projects that all fail, of too many, or of a reader’s is refused', async () => {
  const { companyId, owner } = await newWorld()
  const reader = await newPerson(companyId, 'READER')
  const many = Array.from({ length: 201 }, (_, index) => ({ name: `Project ${index}` }))
  const input = (projects: unknown[]) => ({ input: { companyId, projects } })

  const failures = [
    await refusal(owner.key, IMPORT, input([{ name: 'Broken', url: 'javascript:alert(1)' }])),
    await refusal(owner.key, IMPORT, input(many)),
    await refusal(reader.key, IMPORT, input([{ name: 'Shop' }])),
  ]

  expect(failures.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT', 'BAD_USER_INPUT', 'FORBIDDEN'])
})
