// Exports as the API shows them.

import { parseId, parseIds } from '../../core/ids.ts'
import { unlessEmpty } from '../../core/lists.ts'
import { loadUsers } from '../access/service.ts'
import type { ExportFormat, MutationExportFindingsArgs } from '../api.generated.ts'
import { type Context, load } from '../context.ts'
import { readFilters } from '../issues/service.ts'
import type { Resolvers } from '../types.ts'
import { exportPath } from './routes.ts'
import * as service from './service.ts'

const wordOf = (format: string) => format.toUpperCase().replaceAll('-', '_') as ExportFormat

export const resolvers = {
  Mutation: {
    exportFindings: async (_: unknown, { input }: MutationExportFindingsArgs, context: Context) => ({
      export: await service.exportFindings(context, parseId(input.companyId, 'input.companyId'), {
        format: input.format.toLowerCase().replaceAll('_', '-'),
        assetIds: unlessEmpty(parseIds(input.assetIds ?? [], 'input.assetIds')),
        filters: readFilters(input.filters),
        branchName: input.branchName ?? null,
      }),
    }),
  },
  Export: {
    format: ({ format }: service.Export) => wordOf(format),
    state: ({ isExpired }: service.Export) => (isExpired ? 'EXPIRED' : 'READY'),
    url: ({ id }: service.Export, _: unknown, { config }: Context) =>
      `${config.publicUrl?.replace(/(?<!\/)\/+$/, '') ?? ''}${exportPath(id)}`,
    filename: service.fileNameOf,
    mediaType: ({ format }: service.Export) => service.writerOf(format).mediaType,
    createdBy: ({ createdById }: service.Export, _: unknown, context: Context) =>
      createdById === null ? null : load(context, loadUsers, createdById),
  },
} satisfies Resolvers
