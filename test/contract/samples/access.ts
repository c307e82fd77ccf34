// Samples of companies, users, keys, audit records and limits.

import { unique } from '../../testkit/client.ts'
import type { Samples } from './types.ts'

const company = 'company { id label }'
const user = 'id name email isAdministrator disabledAt createdAt'
const key = 'id publicId name scopes companyIds expiresAt lastUsedAt revokedAt createdAt portalUser { id }'

export const accessSamples = {
  viewer: { select: user },
  portalUsers: {
    select: `collection { ${user} } metadata { totalCount }`,
    variables: () => ({ search: '@example.test' }),
    ids: { companyId: 'company' },
  },
  portalUserProfile: { ids: { companyId: 'company' }, optional: { id: 'user' } },
  'portalUserProfile: in a company': {
    document: `query ($companyId: ID!, $id: ID!, $other: ID!) {
      portalUserProfile(companyId: $companyId, id: $id) { id profile(companyId: $other) { id role } } }`,
    ids: { companyId: 'company', id: 'user', other: 'company' },
    unfound: ['other'],
  },
  apiKeys: { select: key, optional: { userId: 'owner' } },
  auditRecords: {
    select:
      'collection { id at portalUser { id } keyPublicId address requestId operation object before after } metadata { totalCount }',
    ids: { companyId: 'company' },
    scope: 'audit:read',
  },
  'auditRecords: by what they say': {
    document:
      'query ($companyId: ID!) { auditRecords(companyId: $companyId, search: "create") { collection { id } metadata { totalCount } } }',
    ids: { companyId: 'company' },
    scope: 'audit:read',
  },
  'auditRecords: of the installation': {
    document: 'query { auditRecords { collection { id object } metadata { totalCount } } }',
    scope: 'audit:read',
    administrator: true,
  },
  companies: {},
  company: { ids: { id: 'company' } },
  limits: { select: 'pageSize documentBytes attachmentBytes' },
  createPortalUser: {
    select: 'portalUser { id email name }',
    variables: () => ({
      input: { email: `${unique('member').replace(' ', '-')}@example.test`, name: 'A member', role: 'READER' },
    }),
    ids: { 'input.companyId': 'company' },
  },
  updatePortalUserAccess: {
    variables: () => ({ input: { role: 'DEVELOPER' } }),
    ids: { 'input.companyId': 'company', 'input.id': 'user' },
  },
  disablePortalUser: {
    select: `portalUser { ${user} }`,
    ids: { 'input.id': 'user' },
    consumes: ['input.id'],
    administrator: true,
  },
  enablePortalUser: { select: `portalUser { ${user} }`, ids: { 'input.id': 'user' }, administrator: true },
  createApiKey: {
    select: `key apiKey { ${key} }`,
    variables: () => ({ input: { name: 'A key', scopes: ['read'] } }),
    optional: { 'input.companyIds.0': 'company', 'input.userId': 'owner' },
  },
  rotateApiKey: { select: `key apiKey { ${key} }`, ids: { 'input.id': 'key' }, consumes: ['input.id'] },
  revokeApiKey: {
    select: `apiKey { ${key} } alsoRevoked { ${key} }`,
    variables: () => ({ input: { withIssued: true } }),
    ids: { 'input.id': 'key' },
    consumes: ['input.id'],
  },
  createCompany: {
    select: company,
    variables: () => ({ input: { label: unique('Company') } }),
    administrator: true,
  },
  updateCompany: {
    select: company,
    variables: () => ({ input: { label: unique('Company') } }),
    ids: { 'input.id': 'company' },
  },
  deleteCompany: {
    select: 'id',
    variables: () => ({ input: { label: 'To be deleted' } }),
    ids: { 'input.id': 'emptyCompany' },
    consumes: ['input.id'],
    administrator: true,
  },
} satisfies Samples
