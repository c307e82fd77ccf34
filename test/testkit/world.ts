// Data that tests make for themselves, through the endpoint: a company of their own with its people and keys.

import { administratorKey, run, unique } from './client.ts'

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

/** A new member of the company with a key of these scopes, every scope unless said. */
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

/** A new asset of the company; `extra` fills other fields of CreateAssetInput. */
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
