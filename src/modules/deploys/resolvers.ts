// Deploys as the API shows them.

import { badUserInput } from '../../core/errors.ts'
import { parseId, parseIds } from '../../core/ids.ts'
import { unpackHunks } from '../../diff/line-map.ts'
import { loadUsers } from '../access/service.ts'
import type {
  DeployChangesArgs,
  DeployCommitsArgs,
  DeployDispositionArgs,
  DeployIntroducedArgs,
  MutationCreateDeployArgs,
  MutationDeleteDeployArgs,
  MutationUpdateDeployStatusArgs,
  QueryDeployArgs,
  QueryDeploysArgs,
  QueryDeploysByAssetArgs,
  QueryDeploysByProjectIdArgs,
} from '../api.generated.ts'
import { loadAssets } from '../assets/service.ts'
import { askedPage, type Context, load } from '../context.ts'
import { loadIssues } from '../issues/service.ts'
import type { Resolvers } from '../types.ts'
import * as loads from './loads.ts'
import * as placed from './placed.ts'
import * as service from './service.ts'

type Deploy = service.Deploy
type Change = loads.DeployFile

/** The length of a list without pages: at most that of the largest page. */
function firstOf({ limit }: { limit?: number | null }, context: Context): number {
  const wanted = limit ?? 10
  if (wanted < 1) throw badUserInput('limit starts at 1', 'limit')
  return Math.min(wanted, context.config.limits.pageSize)
}

export const resolvers = {
  Query: {
    deploysByAsset: (_: unknown, args: QueryDeploysByAssetArgs, context: Context) =>
      service.listDeploysByAsset(
        context,
        parseId(args.assetId, 'assetId'),
        { branchName: args.branchName ?? null, currentCommit: args.currentCommit ?? null },
        askedPage(context, args),
      ),
    deploysByProjectId: (_: unknown, args: QueryDeploysByProjectIdArgs, context: Context) =>
      service.listDeploysByProject(context, parseId(args.id, 'id'), args, askedPage(context, args)),
    deploys: (_: unknown, { companyId, assetIds, decisions, pagination }: QueryDeploysArgs, context: Context) =>
      service.listDeploys(
        context,
        parseId(companyId, 'companyId'),
        { assetIds: parseIds(assetIds ?? [], 'assetIds'), decisions: decisions ?? [] },
        askedPage(context, pagination),
      ),
    deploy: (_: unknown, { id }: QueryDeployArgs, context: Context) => service.getDeploy(context, parseId(id, 'id')),
  },
  Mutation: {
    createDeploy: async (_: unknown, { input }: MutationCreateDeployArgs, context: Context) => ({
      deploy: await service.createDeploy(context, {
        assetId: parseId(input.assetId, 'input.assetId'),
        previousCommit: input.previousCommit,
        currentCommit: input.currentCommit,
        branchName: input.branchName ?? null,
        diffContent: input.diffContent,
        commitHistory: input.commitHistory ?? null,
      }),
    }),
    updateDeployStatus: async (_: unknown, { input }: MutationUpdateDeployStatusArgs, context: Context) => ({
      deploy: await service.updateDeployStatus(context, parseId(input.id, 'input.id'), input.status),
    }),
    deleteDeploy: async (_: unknown, { input }: MutationDeleteDeployArgs, context: Context) => ({
      id: await service.deleteDeploy(context, parseId(input.id, 'input.id')),
    }),
  },
  IdentityPlace: {
    deploy: ({ deployId }: { deployId: string | null }, _: unknown, context: Context) =>
      deployId === null ? null : load(context, service.loadDeploys, deployId),
  },
  Deploy: {
    permittedStatus: ({ status }: Deploy) => service.permittedFrom(status),
    asset: ({ assetId }: Deploy, _: unknown, context: Context) => load(context, loadAssets, assetId),
    createdBy: ({ createdById }: Deploy, _: unknown, context: Context) =>
      createdById === null ? null : load(context, loadUsers, createdById),
    commits: (deploy: Deploy, args: DeployCommitsArgs, context: Context) =>
      load(context, loads.loadCommits, loads.commitsKey(deploy, firstOf(args, context))),
    findings: (deploy: Deploy, _: unknown, context: Context) =>
      load(context, loads.loadFindingCounts, loads.countsKey(deploy)),
    disposition: (deploy: Deploy, { issueId }: DeployDispositionArgs, context: Context) =>
      load(context, loads.loadDispositions, loads.dispositionKey(deploy, parseId(issueId, 'issueId'))),
    introduced: (deploy: Deploy, { pagination }: DeployIntroducedArgs, context: Context) =>
      service.listFindings(context, deploy, 'introduced', askedPage(context, pagination)),
    touched: (deploy: Deploy, { pagination }: DeployIntroducedArgs, context: Context) =>
      service.listFindings(context, deploy, 'touched', askedPage(context, pagination)),
    fixed: (deploy: Deploy, { pagination }: DeployIntroducedArgs, context: Context) =>
      service.listFindings(context, deploy, 'fixed', askedPage(context, pagination)),
    changes: (deploy: Deploy, { pagination, findingsFirst }: DeployChangesArgs, context: Context) => {
      const list = findingsFirst ? placed.listFilesByFindings : loads.listFiles
      return list(context, deploy, askedPage(context, pagination))
    },
    diffPath: ({ id }: Deploy) => `/deploys/${id}/diff`,
    commitHistoryPath: ({ id, historyObjectId }: Deploy) =>
      historyObjectId === null ? null : `/deploys/${id}/commit-history`,
  },
  DeployChange: {
    hunks: ({ hunks }: Change, args: { limit?: number | null }, context: Context) =>
      unpackHunks(hunks).slice(0, firstOf(args, context)),
    findings: (change: Change, _: unknown, context: Context) =>
      load(context, loads.loadFileFindingCounts, loads.fileCountsKey(change)),
    placedFindings: (change: Change, _: unknown, context: Context) => placed.listPlacedFindings(context, change),
    diff: (change: Change, _: unknown, context: Context) => loads.readFileDiff(context, change),
  },
  PlacedFinding: {
    issue: ({ issueId }: { issueId: string }, _: unknown, context: Context) => load(context, loadIssues, issueId),
  },
} satisfies Resolvers
