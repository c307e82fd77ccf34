// Integrations, their lists, and boards, as the API shows them.

import { badUserInput } from '../../core/errors.ts'
import { parseId, parseOptionalId } from '../../core/ids.ts'
import type {
  MutationDeleteIntegrationArgs,
  MutationStartAuthorizationArgs,
  MutationTestIntegrationArgs,
  QueryAuthorizationTypesArgs,
  QueryIntegrationArgs,
  QueryIntegrationsArgs,
} from '../api.generated.ts'
import { askedPage, type Context, load } from '../context.ts'
import { callsOut, type Resolvers } from '../types.ts'
import { boardsResolvers } from './boards-resolvers.ts'
import { listAuthorizationTypes, startAuthorization } from './consent.ts'
import { externalResolvers } from './external-resolvers.ts'
import { type Given, type IntegrationType, isIntegrationType, type Settings } from './kinds.ts'
import * as service from './service.ts'

type SaveArgs = {
  input: Given & { companyId: string; integrationId?: string | null; addAnother?: boolean | null }
}

const save = (type: IntegrationType) =>
  callsOut(async (_: unknown, args: SaveArgs, context: Context) => {
    const { companyId, integrationId, addAnother, ...given } = args.input
    const target = {
      companyId: parseId(companyId, 'input.companyId'),
      type,
      integrationId: parseOptionalId(integrationId, 'input.integrationId'),
      addAnother: addAnother ?? false,
    }
    return { integration: await service.saveIntegration(context, target, given) }
  })

const setting =
  (name: keyof Settings) =>
  ({ settings }: service.Integration) =>
    settings[name]

const shared = {
  health: ({
    lastSuccessAt,
    lastFailureAt,
    lastFailure,
    credentialExpiresAt,
    remainingRequests,
  }: service.Integration) => ({ lastSuccessAt, lastFailureAt, lastFailure, credentialExpiresAt, remainingRequests }),
}

const typeNames = {
  HOST_A: 'HostAIntegration',
  HOST_B: 'HostBIntegration',
  SCANNER_A: 'ScannerAIntegration',
  SCANNER_B: 'ScannerBIntegration',
  BOARDS_TRACKER: 'BoardsTrackerIntegration',
  TASK_TRACKER: 'TaskTrackerIntegration',
} satisfies Record<IntegrationType, string>

export const resolvers = {
  Query: {
    ...externalResolvers.Query,
    ...boardsResolvers.Query,
    integrations: (_: unknown, { companyId, type, pagination }: QueryIntegrationsArgs, context: Context) =>
      service.listIntegrations(context, parseId(companyId, 'companyId'), type ?? null, askedPage(context, pagination)),
    integration: (_: unknown, { id }: QueryIntegrationArgs, context: Context) =>
      service.getIntegration(context, parseId(id, 'id')),
    authorizationTypes: (_: unknown, { companyId }: QueryAuthorizationTypesArgs, context: Context) =>
      listAuthorizationTypes(context, parseId(companyId, 'companyId')),
  },
  Mutation: {
    ...boardsResolvers.Mutation,
    startAuthorization: async (_: unknown, { input }: MutationStartAuthorizationArgs, context: Context) => {
      const companyId = parseId(input.companyId, 'input.companyId')
      if (!isIntegrationType(input.type)) throw badUserInput(`${input.type} is the platform itself`, 'input.type')
      return startAuthorization(context, companyId, input.type, input.instanceUrl)
    },
    testIntegration: callsOut((_: unknown, { input }: MutationTestIntegrationArgs, context: Context) =>
      service.testIntegration(context, parseId(input.id, 'input.id')),
    ),
    createOrUpdateHostAIntegration: save('HOST_A'),
    createOrUpdateHostBIntegration: save('HOST_B'),
    createOrUpdateScannerAIntegration: save('SCANNER_A'),
    createOrUpdateScannerBIntegration: save('SCANNER_B'),
    createOrUpdateBoardsTrackerIntegration: save('BOARDS_TRACKER'),
    createOrUpdateTaskTrackerIntegration: save('TASK_TRACKER'),
    deleteIntegration: async (_: unknown, { input }: MutationDeleteIntegrationArgs, context: Context) => ({
      id: await service.deleteIntegration(context, parseId(input.id, 'input.id')),
    }),
  },
  Integration: { __resolveType: ({ integrationType }: service.Integration) => typeNames[integrationType] },
  HostAIntegration: {
    ...shared,
    astScansEnabled: setting('astScansEnabled'),
    astBranchPattern: setting('astBranchPattern'),
    workspaceIds: setting('workspaceIds'),
  },
  HostBIntegration: {
    ...shared,
    astScansEnabled: setting('astScansEnabled'),
    astBranchPattern: setting('astBranchPattern'),
    instanceUrl: setting('instanceUrl'),
    groupIds: setting('groupIds'),
  },
  ScannerAIntegration: {
    ...shared,
    accessKey: (integration: service.Integration, _: unknown, context: Context) =>
      service.shownAccessKey(context, integration),
    baseUrl: setting('baseUrl'),
  },
  ScannerBIntegration: { ...shared, baseUrl: setting('baseUrl'), region: setting('region') },
  BoardsTrackerIntegration: { ...shared, organizationName: setting('organizationName') },
  TaskTrackerIntegration: { ...shared, workspaceId: setting('workspaceId') },
  DefectTrackerConfiguration: boardsResolvers.DefectTrackerConfiguration,
  TaskTrackerConfiguration: boardsResolvers.TaskTrackerConfiguration,
  Company: {
    integrations: async ({ id }: { id: string }, _: unknown, context: Context) =>
      (await load(context, service.loadTypesOfCompanies, id)) ?? [],
  },
} satisfies Resolvers
