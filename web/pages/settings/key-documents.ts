// The queries and mutations of API keys, and whether a key still grants access.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const Keys = graphql(`
  query Keys {
    apiKeys { id name publicId scopes companyIds createdAt expiresAt lastUsedAt revokedAt }
  }
`)

export const CreateKey = graphql(`
  mutation CreateKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) { key apiKey { id name } }
  }
`)

export const RotateKey = graphql(`
  mutation RotateKey($input: RotateApiKeyInput!) {
    rotateApiKey(input: $input) { key apiKey { id name } }
  }
`)

export type Key = ResultOf<typeof Keys>['apiKeys'][number]

export const standingOf = ({ revokedAt, expiresAt }: Key): 'revoked' | 'expired' | 'valid' => {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid'
}
