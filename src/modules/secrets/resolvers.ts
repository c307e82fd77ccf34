// Secrets as the API shows them: never their values.

import { parseId, parseIds, parseOptionalId } from '../../core/ids.ts'
import { unlessEmpty } from '../../core/lists.ts'
import { loadUsers } from '../access/service.ts'
import type {
  MutationCreateSecretArgs,
  MutationDeleteSecretArgs,
  MutationRotateDataKeyArgs,
  MutationUpdateSecretArgs,
  QuerySecretArgs,
  QuerySecretsArgs,
} from '../api.generated.ts'
import { askedPage, type Context, load } from '../context.ts'
import type { Resolvers } from '../types.ts'
import * as service from './service.ts'

export const resolvers = {
  Query: {
    secrets: (_: unknown, { companyId, pagination, types, ids, search }: QuerySecretsArgs, context: Context) =>
      service.listSecrets(context, parseId(companyId, 'companyId'), askedPage(context, pagination), {
        types: unlessEmpty(types),
        ids: unlessEmpty(parseIds(ids ?? [], 'ids')),
        search: search || null,
      }),
    secret: (_: unknown, { id }: QuerySecretArgs, context: Context) => service.getSecret(context, parseId(id, 'id')),
  },
  Mutation: {
    createSecret: async (_: unknown, { input }: MutationCreateSecretArgs, context: Context) => ({
      secret: await service.createSecret(context, parseId(input.companyId, 'input.companyId'), {
        ...input,
        description: input.description ?? null,
      }),
    }),
    updateSecret: async (_: unknown, { input }: MutationUpdateSecretArgs, context: Context) => ({
      secret: await service.updateSecret(context, parseId(input.id, 'input.id'), input),
    }),
    deleteSecret: async (_: unknown, { input }: MutationDeleteSecretArgs, context: Context) => ({
      id: await service.deleteSecret(
        context,
        parseId(input.companyId, 'input.companyId'),
        parseOptionalId(input.id, 'input.id'),
      ),
    }),
    rotateDataKey: (_: unknown, { input }: MutationRotateDataKeyArgs, context: Context) =>
      service.rotateDataKey(context, parseId(input.companyId, 'input.companyId')),
  },
  Secret: {
    createdBy: (secret: service.Secret, _: unknown, context: Context) =>
      secret.createdById === null ? null : load(context, loadUsers, secret.createdById),
  },
} satisfies Resolvers
