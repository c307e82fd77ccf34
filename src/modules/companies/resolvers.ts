// Companies as the API shows them.

import { parseId } from '../../core/ids.ts'
import type {
  MutationCreateCompanyArgs,
  MutationDeleteCompanyArgs,
  MutationUpdateCompanyArgs,
  QueryCompaniesArgs,
  QueryCompanyArgs,
} from '../api.generated.ts'
import { askedPage, type Context, load } from '../context.ts'
import type { Resolvers } from '../types.ts'
import * as service from './service.ts'

const orderColumns = { ID: 'id', LABEL: 'label', CREATED_AT: 'created_at' } as const

const orderOf = ({ order, orderType }: QueryCompaniesArgs): service.CompanyOrder | null =>
  order || orderType === 'ASC'
    ? { column: orderColumns[order ?? 'ID'], direction: orderType === 'DESC' ? 'desc' : 'asc' }
    : null

export const resolvers = {
  Query: {
    companies: (_: unknown, args: QueryCompaniesArgs, context: Context) =>
      service.listCompanies(context, askedPage(context, args), args.params?.labelCont ?? null, orderOf(args)),
    company: (_: unknown, { id }: QueryCompanyArgs, context: Context) => service.getCompany(context, parseId(id, 'id')),
  },
  Mutation: {
    createCompany: async (_: unknown, { input }: MutationCreateCompanyArgs, context: Context) => ({
      company: await service.createCompany(context, input),
    }),
    updateCompany: async (_: unknown, { input }: MutationUpdateCompanyArgs, context: Context) => ({
      company: await service.updateCompany(context, parseId(input.id, 'input.id'), input),
    }),
    deleteCompany: async (_: unknown, { input }: MutationDeleteCompanyArgs, context: Context) => ({
      id: await service.deleteCompany(context, parseId(input.id, 'input.id'), input.label),
    }),
  },
  Company: {
    configured: async (company: service.Company, _: unknown, context: Context) =>
      (await load(context, service.loadConfigured, company.id)) ?? false,
  },
  PortalUserAccess: {
    company: (access: { companyId: string }, _: unknown, context: Context) =>
      load(context, service.loadCompanies, access.companyId),
  },
} satisfies Resolvers
