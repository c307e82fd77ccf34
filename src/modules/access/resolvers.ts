// Users, keys and audit records as the API shows them.

import { parseId, parseIds, parseOptionalId } from '../../core/ids.ts'
import type {
  MutationCreateApiKeyArgs,
  MutationCreatePortalUserArgs,
  MutationDisablePortalUserArgs,
  MutationEnablePortalUserArgs,
  MutationRevokeApiKeyArgs,
  MutationRotateApiKeyArgs,
  MutationUpdatePortalUserAccessArgs,
  PortalUserProfileArgs,
  QueryApiKeysArgs,
  QueryAuditRecordsArgs,
  QueryPortalUserProfileArgs,
  QueryPortalUsersArgs,
} from '../api.generated.ts'
import { askedPage, type Context, load } from '../context.ts'
import type { Resolvers } from '../types.ts'
import { disablePortalUser, enablePortalUser } from './accounts.ts'
import * as service from './service.ts'

export const resolvers = {
  Query: {
    viewer: (_: unknown, __: unknown, context: Context) => service.getViewer(context),
    portalUsers: (_: unknown, { companyId, search, pagination }: QueryPortalUsersArgs, context: Context) =>
      service.listPortalUsers(context, parseId(companyId, 'companyId'), search || null, askedPage(context, pagination)),
    portalUserProfile: (_: unknown, { companyId, id }: QueryPortalUserProfileArgs, context: Context) =>
      service.getPortalUserProfile(context, parseId(companyId, 'companyId'), parseOptionalId(id, 'id')),
    apiKeys: (_: unknown, { userId }: QueryApiKeysArgs, context: Context) =>
      service.listApiKeys(context, parseOptionalId(userId, 'userId')),
    auditRecords: (_: unknown, { companyId, search, pagination }: QueryAuditRecordsArgs, context: Context) =>
      service.listAuditRecords(
        context,
        parseOptionalId(companyId, 'companyId'),
        search || null,
        askedPage(context, pagination),
      ),
  },
  Mutation: {
    createPortalUser: async (_: unknown, { input }: MutationCreatePortalUserArgs, context: Context) => ({
      portalUser: await service.createPortalUser(context, {
        companyId: parseId(input.companyId, 'input.companyId'),
        email: input.email,
        name: input.name,
        role: input.role,
      }),
    }),
    updatePortalUserAccess: async (_: unknown, { input }: MutationUpdatePortalUserAccessArgs, context: Context) => ({
      portalUserAccess: await service.updatePortalUserAccess(
        context,
        parseId(input.companyId, 'input.companyId'),
        parseId(input.id, 'input.id'),
        input.role ?? null,
      ),
    }),
    disablePortalUser: async (_: unknown, { input }: MutationDisablePortalUserArgs, context: Context) => ({
      portalUser: await disablePortalUser(context, parseId(input.id, 'input.id')),
    }),
    enablePortalUser: async (_: unknown, { input }: MutationEnablePortalUserArgs, context: Context) => ({
      portalUser: await enablePortalUser(context, parseId(input.id, 'input.id')),
    }),
    createApiKey: (_: unknown, { input }: MutationCreateApiKeyArgs, context: Context) =>
      service.createApiKey(context, {
        name: input.name,
        userId: parseOptionalId(input.userId, 'input.userId'),
        scopes: input.scopes ?? null,
        companyIds: input.companyIds ? parseIds(input.companyIds, 'input.companyIds') : null,
        expiresAt: input.expiresAt ?? null,
      }),
    rotateApiKey: (_: unknown, { input }: MutationRotateApiKeyArgs, context: Context) =>
      service.rotateApiKey(context, parseId(input.id, 'input.id')),
    revokeApiKey: (_: unknown, { input }: MutationRevokeApiKeyArgs, context: Context) =>
      service.revokeApiKey(context, parseId(input.id, 'input.id'), input.withIssued ?? false),
  },
  PortalUser: {
    profile: async (user: service.User, { companyId }: PortalUserProfileArgs, context: Context) => {
      const role = await service.getRole(context, parseId(companyId, 'companyId'), user.id)
      return role === null ? null : { id: user.id, role }
    },
  },
  ApiKey: {
    portalUser: (key: service.KeyRecord, _: unknown, context: Context) => load(context, service.loadUsers, key.userId),
  },
  AuditRecord: {
    portalUser: (record: service.AuditRecord, _: unknown, context: Context) =>
      record.userId === null ? null : load(context, service.loadUsers, record.userId),
  },
} satisfies Resolvers
