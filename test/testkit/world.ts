// Test data created through the endpoint: a company with its people and keys.

import { randomBytes } from 'node:crypto'
import { administratorKey, run, unique, upload } from './client.ts'
import { manual } from './manual.ts'

export type Person = { id: string; email: string; key: string }

export type World = { companyId: string; owner: Person }

/** A new company with an owner whose key has every scope. */
export async function newWorld(): Promise<World> {
  const { createCompany } = await run(
    administratorKey(),
    'mutation ($label: String!) { createCompany(input: { label: $label }) { company { id } } }',
    { label: unique('Company') },
  )
  const companyId: string = createCompany.company.id
  return { companyId, owner: await newPerson(companyId, 'OWNER') }
}

export const everyScope = [
  'read',
  'write',
  'issues:decide',
  'integrations:manage',
  'secrets:manage',
  'members:manage',
  'audit:read',
  'certificates:grant',
]

/** A new member of the company with a key of these scopes, by default every scope. */
export async function newPerson(
  companyId: string,
  role: string,
  scopes: readonly string[] = everyScope,
): Promise<Person> {
  const email = `${unique('person').replace(' ', '-')}@example.test`
  const created = await run(
    administratorKey(),
    `mutation ($input: CreatePortalUserInput!) { createPortalUser(input: $input) { portalUser { id } } }`,
    { input: { companyId, email, name: 'A person', role } },
  )
  const id: string = created.createPortalUser.portalUser.id
  const issued = await run(
    administratorKey(),
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key } }',
    { input: { name: 'A key', userId: id, scopes } },
  )
  return { id, email, key: issued.createApiKey.key }
}

/** A new asset of the company; `extra` sets other fields of CreateAssetInput. */
export async function newAsset(
  key: string,
  companyId: string,
  extra: Record<string, unknown> = {},
): Promise<{ id: string; name: string }> {
  const { createAsset } = await run(
    key,
    'mutation ($input: CreateAssetInput!) { createAsset(input: $input) { asset { id name } } }',
    { input: { companyId: Number(companyId), name: unique('Asset'), ...extra } },
  )
  return createAsset.asset
}

/** A company of its own with one asset. */
export async function withAsset() {
  const world = await newWorld()
  return { ...world, asset: await newAsset(world.owner.key, world.companyId) }
}

/** A new issue of the asset, entered by a person; `extra` sets other fields of CreateSourceCodeVulnerabilityInput. */
export async function newIssue(
  key: string,
  assetId: string,
  extra: Record<string, unknown> = {},
): Promise<{ id: string; title: string }> {
  const { createSourceCodeVulnerability } = await run(
    key,
    `mutation ($input: CreateSourceCodeVulnerabilityInput!) {
      createSourceCodeVulnerability(input: $input) { issue { id title } } }`,
    {
      input: {
        assetId: Number(assetId),
        ...manual.code(),
        ...extra,
      },
    },
  )
  return createSourceCodeVulnerability.issue
}

/** A new project of the company, of the first type; `extra` sets other fields of CreateProjectInput. */
export async function newProject(
  key: string,
  companyId: string,
  extra: Record<string, unknown> = {},
): Promise<{ id: string; label: string }> {
  const { createProject } = await run(
    key,
    'mutation ($input: CreateProjectInput!) { createProject(input: $input) { project { id label } } }',
    {
      input: {
        companyId: Number(companyId),
        typeId: 1,
        label: unique('Project'),
        goal: 'To know what is wrong',
        scope: 'All that is reachable',
        startDate: '2026-03-01',
        ...extra,
      },
    },
  )
  return createProject.project
}

/** The id of git's empty tree, from which a first deploy starts. */
export const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** A new deploy of the asset; commits are random unless `extra` names them. */
export async function newDeploy(
  key: string,
  assetId: string,
  diff: string | Uint8Array = '',
  extra: Record<string, unknown> = {},
  history?: string,
): Promise<{ id: string; previousCommit: string; currentCommit: string }> {
  const [previousCommit, currentCommit] = [randomBytes(20).toString('hex'), randomBytes(20).toString('hex')]
  const { data, errors } = await upload(
    key,
    'mutation ($input: CreateDeployInput!) { createDeploy(input: $input) { deploy { id previousCommit currentCommit } } }',
    { input: { assetId, previousCommit, currentCommit, ...extra } },
    {
      'input.diffContent': { content: diff, filename: 'change.diff' },
      ...(history === undefined ? {} : { 'input.commitHistory': { content: history, filename: 'commits.json' } }),
    },
  )
  if (errors[0]) throw new Error(`${errors[0].extensions.code}: ${errors[0].message}`)
  return data.createDeploy.deploy
}
