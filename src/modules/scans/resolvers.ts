// Runs, scanner configurations and clients' errors as the API shows them.

import { parseId, parseIds, parseOptionalId } from '../../core/ids.ts'
import { unlessEmpty } from '../../core/lists.ts'
import { readRange } from '../../core/moments.ts'
import { loadUsers } from '../access/service.ts'
import type {
  MutationCancelScanArgs,
  MutationCreateControlSyncStatusArgs,
  MutationCreateOrUpdateScannerConfigurationArgs,
  MutationDeleteControlSyncStatusArgs,
  MutationDeleteScannerConfigurationArgs,
  MutationIncreaseIssueScanCountArgs,
  MutationLogAstErrorArgs,
  MutationUpdateControlSyncStatusArgs,
  QueryAstErrorsArgs,
  QueryControlSyncStatusArgs,
  QueryScanHistoriesArgs,
  QueryScannerConfigurationArgs,
} from '../api.generated.ts'
import { loadAssets } from '../assets/service.ts'
import { askedPage, type Context, load } from '../context.ts'
import type { Resolvers } from '../types.ts'
import * as service from './service.ts'

function filterOf({ assetIds, filters }: QueryScanHistoriesArgs): service.ScanFilter {
  const created = readRange(filters?.createdAtRange, 'filters.createdAtRange')
  return {
    assetIds: unlessEmpty(parseIds(assetIds ?? [], 'assetIds')),
    statuses: unlessEmpty(filters?.statuses),
    integrations: unlessEmpty(filters?.integrations),
    createdFrom: created.from,
    createdTo: created.to,
  }
}

const orderOf = ({ sortOptions }: QueryScanHistoriesArgs): service.ScanOrder[] =>
  (sortOptions ?? []).map(({ field, order }) => ({ field, direction: order === 'DESC' ? 'desc' : 'asc' }))

const countsOf = async ({ id }: service.Scan, context: Context) => load(context, service.loadCounts, id)

export const resolvers = {
  Query: {
    controlSyncStatus: (_: unknown, { id }: QueryControlSyncStatusArgs, context: Context) =>
      service.getScan(context, parseId(id, 'id')),
    scanHistories: (_: unknown, args: QueryScanHistoriesArgs, context: Context) =>
      service.listScans(
        context,
        parseId(args.companyId, 'companyId'),
        filterOf(args),
        orderOf(args),
        askedPage(context, args.pagination),
      ),
    scannerConfiguration: (_: unknown, { assetId }: QueryScannerConfigurationArgs, context: Context) =>
      service.getScannerConfiguration(context, parseId(assetId, 'assetId')),
    astErrors: (_: unknown, { companyId, assetId, pagination }: QueryAstErrorsArgs, context: Context) =>
      service.listAstErrors(
        context,
        parseId(companyId, 'companyId'),
        parseOptionalId(assetId, 'assetId'),
        askedPage(context, pagination),
      ),
  },
  Mutation: {
    createControlSyncStatus: async (_: unknown, { input }: MutationCreateControlSyncStatusArgs, context: Context) => ({
      controlSyncStatus: await service.createScan(context, {
        assetId: parseId(input.assetId, 'input.assetId'),
        integration: input.integration,
        externalVulnerabilityCount: input.externalVulnerabilityCount ?? null,
      }),
      success: true,
    }),
    updateControlSyncStatus: async (_: unknown, { input }: MutationUpdateControlSyncStatusArgs, context: Context) => ({
      controlSyncStatus: await service.updateScan(context, parseId(input.id, 'input.id'), {
        externalVulnerabilityCount: input.externalVulnerabilityCount ?? null,
        status: input.status ?? null,
        failureReason: input.failureReason ?? null,
      }),
      success: true,
    }),
    increaseIssueScanCount: async (_: unknown, { input }: MutationIncreaseIssueScanCountArgs, context: Context) => ({
      controlSyncStatus: await service.increaseScanCount(
        context,
        parseId(input.controlSyncStatusId, 'input.controlSyncStatusId'),
        {
          assetId: parseOptionalId(input.assetId, 'input.assetId'),
          integration: input.integration ?? null,
          successCount: input.successCount ?? null,
          failureCount: input.failureCount ?? null,
          failureReason: input.failureReason ?? null,
        },
      ),
      success: true,
    }),
    cancelScan: async (_: unknown, { input }: MutationCancelScanArgs, context: Context) => ({
      controlSyncStatus: await service.cancelScan(context, parseId(input.id, 'input.id')),
      success: true,
    }),
    deleteControlSyncStatus: async (_: unknown, { input }: MutationDeleteControlSyncStatusArgs, context: Context) => ({
      id: await service.deleteScan(context, parseId(input.id, 'input.id')),
      success: true,
    }),
    createOrUpdateScannerConfiguration: async (
      _: unknown,
      { input }: MutationCreateOrUpdateScannerConfigurationArgs,
      context: Context,
    ) => ({
      scannerConfiguration: await service.createOrUpdateScannerConfiguration(
        context,
        parseId(input.assetId, 'input.assetId'),
        {
          ...input,
          secretIds: input.secretIds === undefined ? undefined : parseIds(input.secretIds ?? [], 'input.secretIds'),
          secondSecretIds:
            input.secondSecretIds === undefined
              ? undefined
              : parseIds(input.secondSecretIds ?? [], 'input.secondSecretIds'),
        },
      ),
    }),
    deleteScannerConfiguration: async (
      _: unknown,
      { input }: MutationDeleteScannerConfigurationArgs,
      context: Context,
    ) => ({ id: await service.deleteScannerConfiguration(context, parseId(input.assetId, 'input.assetId')) }),
    logAstError: async (_: unknown, { input }: MutationLogAstErrorArgs, context: Context) => {
      const assetId = parseOptionalId(input.assetId, 'input.assetId')
      await service.logAstError(context, parseId(input.companyId, 'input.companyId'), assetId, input.log)
      return { success: true }
    },
  },
  ControlSyncStatus: {
    asset: ({ assetId }: service.Scan, _: unknown, context: Context) => load(context, loadAssets, assetId),
    createdVulnerabilityCount: async (scan: service.Scan, _: unknown, context: Context) =>
      (await countsOf(scan, context))?.created ?? 0,
    closedVulnerabilityCount: async (scan: service.Scan, _: unknown, context: Context) =>
      (await countsOf(scan, context))?.closed ?? 0,
    importedVulnerabilityCount: async (scan: service.Scan, _: unknown, context: Context) =>
      (await countsOf(scan, context))?.reported ?? 0,
  },
  ScannerConfiguration: {
    asset: ({ assetId }: service.ScannerConfiguration, _: unknown, context: Context) =>
      load(context, loadAssets, assetId),
  },
  AstError: {
    asset: ({ assetId }: service.AstError, _: unknown, context: Context) =>
      assetId === null ? null : load(context, loadAssets, assetId),
    portalUser: ({ userId }: service.AstError, _: unknown, context: Context) =>
      userId === null ? null : load(context, loadUsers, userId),
  },
} satisfies Resolvers
