// Shared by the tests of secrets: their operations, values of every type, and what a sealed secret opens to.

import { openSecret } from '../../src/modules/secrets/service.ts'
import { run } from './client.ts'
import { canary, inside } from './inside.ts'
import type { World } from './world.ts'

export const CREATE = `mutation ($input: CreateSecretInput!) { createSecret(input: $input) {
  clientMutationId secret { id name description type createdBy { email } createdAt updatedAt } } }`
export const UPDATE =
  'mutation ($input: UpdateSecretInput!) { updateSecret(input: $input) { secret { id name type description } } }'
export const ROTATE =
  'mutation ($input: RotateDataKeyInput!) { rotateDataKey(input: $input) { keyVersion reencrypted } }'
export const SECRET = 'query ($id: ID!) { secret(id: $id) { id name description type createdBy { email } } }'
export const SECRETS = `query ($companyId: ID!, $pagination: PaginationInput, $types: [SecretType!], $ids: [ID!], $search: String) {
  secrets(companyId: $companyId, pagination: $pagination, types: $types, ids: $ids, search: $search) {
    collection { id name type createdBy { email } } metadata { totalCount totalPages currentPage limitValue } } }`
export const AUDIT =
  'query ($companyId: ID!) { auditRecords(companyId: $companyId) { collection { operation object before after } } }'

export const samples = {
  BASIC_AUTH: () => ({ username: canary(), password: canary() }),
  BEARER_TOKEN: () => ({ token: canary() }),
  HEADER: () => ({ name: 'X-Api-Key', value: canary() }),
  COOKIE: () => ({ name: 'session', value: canary() }),
  QUERY_PARAMETER: () => ({ name: 'api_key', value: canary() }),
  FORM_LOGIN: () => ({
    loginUrl: `https://example.test/${canary()}`,
    username: canary(),
    password: canary(),
    usernameSelector: '#user',
    passwordSelector: '#password',
  }),
}

export const types = ['BASIC_AUTH', 'BEARER_TOKEN', 'HEADER', 'COOKIE', 'QUERY_PARAMETER', 'FORM_LOGIN'] as const

export const newSecret = async ({ companyId, owner }: World, fields: Record<string, unknown> = {}): Promise<string> => {
  const input = { companyId, name: 'A secret', type: 'BEARER_TOKEN', values: { token: 'abc' }, ...fields }
  return (await run(owner.key, CREATE, { input })).createSecret.secret.id
}

export const opened = async (companyId: string, id: string) => {
  const { db, keyring } = await inside()
  return openSecret(db, keyring, companyId, id)
}
