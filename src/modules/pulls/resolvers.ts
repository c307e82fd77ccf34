// Pulls from scanners, and what scanners were told, as the API shows them.

import { notFound } from '../../core/errors.ts'
import { parseId } from '../../core/ids.ts'
import type { MutationSyncAssetArgs, QueryScannerDeliveriesArgs } from '../api.generated.ts'
import { askedPage, type Context, load } from '../context.ts'
import { loadIssues } from '../issues/service.ts'
import { loadScans } from '../scans/service.ts'
import type { Resolvers } from '../types.ts'
import * as service from './service.ts'

export const resolvers = {
  Query: {
    scannerDeliveries: (_: unknown, { integrationId, pagination }: QueryScannerDeliveriesArgs, context: Context) =>
      service.listScannerDeliveries(context, parseId(integrationId, 'integrationId'), askedPage(context, pagination)),
  },
  Mutation: {
    syncAsset: async (_: unknown, { input }: MutationSyncAssetArgs, context: Context) => {
      const { isWhole, confirmClose } = input
      const assetId = parseId(input.assetId, 'input.assetId')
      const { scanIds, isSourceAsked } = await service.syncAsset(context, assetId, {
        isWhole: isWhole ?? true,
        confirmClose: confirmClose ?? false,
      })
      const scans = await Promise.all(scanIds.map((id) => load(context, loadScans, id)))
      return {
        controlSyncStatuses: scans.map((scan, index) => scan ?? missing(scanIds[index] ?? '')),
        isSourceAsked,
      }
    },
  },
  ScannerDelivery: {
    issue: ({ issueId }: service.ScannerDelivery, _: unknown, context: Context) => load(context, loadIssues, issueId),
  },
} satisfies Resolvers

function missing(id: string): never {
  throw notFound('ControlSyncStatus', id)
}
