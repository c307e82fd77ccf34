// Imports and components as the API shows them.

import { parseId, parseIds, parseOptionalId } from '../../core/ids.ts'
import { unlessEmpty } from '../../core/lists.ts'
import { loadUsers } from '../access/service.ts'
import type {
  ImportFindingsInput,
  ImportRowsArgs,
  MutationImportAstFindingsFileArgs,
  MutationImportContainerFindingsFileArgs,
  MutationImportFindingsArgs,
  MutationImportSbomArgs,
  QueryImportArgs,
  QueryImportsArgs,
  QuerySbomComponentsArgs,
  SbomComponentSearchInput,
} from '../api.generated.ts'
import { loadAssets } from '../assets/service.ts'
import { askedPage, type Context, load } from '../context.ts'
import { loadIssues } from '../issues/service.ts'
import type { Resolvers } from '../types.ts'
import * as service from './service.ts'

type Import = service.Import
type Component = service.SbomComponent

/** The input fields that all mutations for sending a report share. */
type ReportInput = Pick<
  ImportFindingsInput,
  'file' | 'assetId' | 'companyId' | 'branchName' | 'commitRef' | 'deployId'
> & { controlSyncStatusId?: string | null; scope?: string | null }

const reportOf = (input: ReportInput): service.NewReport => ({
  file: input.file,
  companyId: parseId(input.companyId, 'input.companyId'),
  assetId: parseId(input.assetId, 'input.assetId'),
  format: null,
  branchName: input.branchName ?? null,
  commitRef: input.commitRef ?? null,
  deployId: parseOptionalId(input.deployId || null, 'input.deployId'),
  controlSyncStatusId: parseOptionalId(input.controlSyncStatusId || null, 'input.controlSyncStatusId'),
  scope: input.scope ?? null,
  checkoutPath: null,
  directory: null,
  closeAbsent: false,
  confirmClose: false,
  wanted: null,
  acceptsEmpty: false,
  replacesComponents: false,
})

async function take(context: Context, report: service.NewReport) {
  return { import: await service.importFindings(context, report), success: true }
}

const filterOf = (search: SbomComponentSearchInput | null | undefined): service.ComponentFilter => ({
  name: search?.name?.trim() || null,
  version: search?.version?.trim() || null,
  assetIds: unlessEmpty(parseIds(search?.assetIds ?? [], 'search.assetIds')),
  packageManager: search?.packageManager?.trim() || null,
  license: search?.license?.trim() || null,
  technology: search?.technology?.trim() || null,
})

/** Reading counts as a third of the progress, and recording what was read as the rest. */
function progressOf({ status, fileSize, bytesRead, rowsStaged, rowsRecorded }: Import): number {
  if (status === 'SUCCEEDED') return 1
  const reading = fileSize === 0 ? 1 : Math.min(bytesRead / fileSize, 1)
  const recording = rowsStaged === 0 ? 0 : reading * Math.min(rowsRecorded / rowsStaged, 1)
  return Math.round((reading / 3 + (recording * 2) / 3) * 1000) / 1000
}

export const resolvers = {
  Query: {
    import: (_: unknown, { id }: QueryImportArgs, context: Context) => service.getImport(context, parseId(id, 'id')),
    imports: (_: unknown, { companyId, assetIds, pagination }: QueryImportsArgs, context: Context) =>
      service.listImports(
        context,
        parseId(companyId, 'companyId'),
        unlessEmpty(parseIds(assetIds ?? [], 'assetIds')),
        askedPage(context, pagination),
      ),
    sbomComponents: (_: unknown, args: QuerySbomComponentsArgs, context: Context) =>
      service.listSbomComponents(
        context,
        parseId(args.companyId, 'companyId'),
        filterOf(args.search),
        askedPage(context, args),
      ),
  },
  Mutation: {
    importFindings: (_: unknown, { input }: MutationImportFindingsArgs, context: Context) =>
      take(context, {
        ...reportOf(input),
        format: input.format ?? null,
        checkoutPath: input.checkoutPath ?? null,
        directory: input.directory ?? null,
        closeAbsent: input.closeAbsent ?? false,
        confirmClose: input.confirmClose ?? false,
      }),
    importAstFindingsFile: (_: unknown, { input }: MutationImportAstFindingsFileArgs, context: Context) => {
      const types = input.vulnerabilityTypes
      const wanted = types.length === 0 ? null : { types, keepsOthers: false }
      return take(context, { ...reportOf(input), wanted, acceptsEmpty: true })
    },
    importContainerFindingsFile: (_: unknown, { input }: MutationImportContainerFindingsFileArgs, context: Context) =>
      take(context, {
        ...reportOf(input),
        wanted: { types: ['CONTAINER_FINDING'], keepsOthers: true },
        acceptsEmpty: true,
      }),
    importSbom: async (_: unknown, { input }: MutationImportSbomArgs, context: Context) => {
      const { id } = await service.importFindings(context, { ...reportOf(input), replacesComponents: true })
      return { success: true, importId: id }
    },
  },
  Import: {
    asset: ({ assetId }: Import, _: unknown, context: Context) => load(context, loadAssets, assetId),
    branchName: ({ branch }: Import) => branch || null,
    scope: ({ asked }: Import) => asked.scope,
    closeAbsent: ({ asked }: Import) => asked.closeAbsent,
    progress: progressOf,
    result: (found: Import) => (found.status === 'SUCCEEDED' ? found : null),
    failure: ({ failureCode, failureReason }: Import) =>
      failureCode === null ? null : { code: failureCode, message: failureReason },
    createdBy: ({ createdById }: Import, _: unknown, context: Context) =>
      createdById === null ? null : load(context, loadUsers, createdById),
    rows: (found: Import, { disposition, pagination }: ImportRowsArgs, context: Context) =>
      service.listImportRows(context, found, disposition ?? null, askedPage(context, pagination)),
  },
  ImportRow: {
    issue: ({ issueId }: service.ImportRow, _: unknown, context: Context) =>
      issueId === null ? null : load(context, loadIssues, issueId),
  },
  SbomComponent: {
    asset: ({ assetId }: Component, _: unknown, context: Context) => load(context, loadAssets, assetId),
    issuesBySeverity: (component: Component, _: unknown, context: Context) =>
      load(context, service.loadIssueCounts, service.componentKey(component)),
  },
} satisfies Resolvers
