// Dynamic scans as the API shows them.

import { parseId } from '../../core/ids.ts'
import type {
  MutationAllowScanTargetArgs,
  MutationStartPlatformDastArgs,
  MutationVerifyScanTargetArgs,
  SeverityCategory,
} from '../api.generated.ts'
import { type Context, load } from '../context.ts'
import type { Scan, ScannerConfiguration } from '../scans/service.ts'
import { callsOut, type Resolvers } from '../types.ts'
import * as service from './service.ts'
import { dnsName, FILE_PATH } from './targets.ts'

const severities: readonly SeverityCategory[] = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'NOTIFICATION']

export const resolvers = {
  Mutation: {
    startPlatformDast: (_: unknown, { input }: MutationStartPlatformDastArgs, context: Context) =>
      service.startPlatformDast(context, parseId(input.assetId, 'input.assetId')),
    verifyScanTarget: callsOut(async (_: unknown, { input }: MutationVerifyScanTargetArgs, context: Context) => ({
      target: await service.verifyTarget(context, parseId(input.assetId, 'input.assetId')),
    })),
    allowScanTarget: async (_: unknown, { input }: MutationAllowScanTargetArgs, context: Context) => ({
      target: await service.allowTarget(context, parseId(input.assetId, 'input.assetId')),
    }),
  },
  ControlSyncStatus: {
    dynamicScan: ({ id, integration }: Scan, _: unknown, context: Context) =>
      integration === 'PLATFORM_DAST' ? load(context, service.loadStandings, id) : null,
  },
  ScannerConfiguration: {
    target: (configuration: ScannerConfiguration, _: unknown, context: Context) =>
      service.getTarget(context, configuration),
  },
  DynamicScan: {
    findings: ({ findings }: service.Standing) =>
      severities.map((value) => ({ value, count: findings[value] ?? 0 })).filter(({ count }) => count > 0),
  },
  ScanTarget: {
    filePath: () => FILE_PATH,
    dnsName: ({ host }: service.Target) => dnsName(host),
  },
} satisfies Resolvers
