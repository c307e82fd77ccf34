// Certificate credits as the API shows them.

import { parseId } from '../../core/ids.ts'
import { loadUsers } from '../access/service.ts'
import type {
  MutationCancelSslCertificateCreditArgs,
  MutationGrantSslCertificateCreditsArgs,
  MutationUseSslCertificateCreditArgs,
  QuerySslCertificateCreditsArgs,
} from '../api.generated.ts'
import { type Context, load } from '../context.ts'
import type { Resolvers } from '../types.ts'
import * as service from './service.ts'

export const resolvers = {
  Query: {
    sslCertificateCredits: (
      _: unknown,
      { companyId, onlyAvailable }: QuerySslCertificateCreditsArgs,
      context: Context,
    ) => service.listCredits(context, parseId(companyId, 'companyId'), onlyAvailable ?? false),
  },
  Mutation: {
    grantSslCertificateCredits: async (
      _: unknown,
      { input }: MutationGrantSslCertificateCreditsArgs,
      context: Context,
    ) => ({
      sslCertificateCredits: await service.grantCredits(context, parseId(input.companyId, 'input.companyId'), {
        count: input.count ?? 1,
        allowsWildcard: input.allowsWildcard ?? false,
        expiresAt: input.expiresAt ?? null,
      }),
    }),
    useSslCertificateCredit: async (_: unknown, { input }: MutationUseSslCertificateCreditArgs, context: Context) => ({
      sslCertificateCredit: await service.useCredit(context, parseId(input.id, 'input.id'), input.domain),
    }),
    cancelSslCertificateCredit: async (
      _: unknown,
      { input }: MutationCancelSslCertificateCreditArgs,
      context: Context,
    ) => ({ sslCertificateCredit: await service.cancelCredit(context, parseId(input.id, 'input.id')) }),
  },
  SSLCertificateCredit: {
    usedBy: (credit: service.Credit, _: unknown, context: Context) =>
      credit.usedById === null ? null : load(context, loadUsers, credit.usedById),
  },
} satisfies Resolvers
