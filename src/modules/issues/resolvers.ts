// Issues as the API shows them.

import type { GraphQLResolveInfo } from 'graphql'
import type { IssueType } from '../../core/db/tables.generated.ts'
import { badUserInput } from '../../core/errors.ts'
import { parseId, parseIds, parseOptionalId } from '../../core/ids.ts'
import { loadUsers } from '../access/service.ts'
import type {
  ChangeIssueStatusInput,
  MutationBulkChangeIssueStatusArgs,
  MutationBulkDeleteIssuesArgs,
  MutationChangeIssueStatusArgs,
  MutationDeleteIssueArgs,
  MutationMarkIssueAsAnalyzedArgs,
  MutationUpdateIssueAssigneeArgs,
  QueryIssueArgs,
  QueryIssuesArgs,
} from '../api.generated.ts'
import { loadAssets } from '../assets/service.ts'
import { askedPage, type Context, load } from '../context.ts'
import { loadProjects } from '../projects/service.ts'
import { selectionOf } from '../selection.ts'
import { type Resolvers, unlessGiven } from '../types.ts'
import { type Facets, keyOf, loadAssigneeIds, loadEvents, loadFacets, loadOccurrences, loadPlaces } from './beside.ts'
import { codeDetail, componentDetail, httpDetail, networkDetail } from './details.ts'
import { readFilters, readOrder } from './filters-input.ts'
import { identityFields } from './identity-resolvers.ts'
import { type ReadManual, readCode, readNetwork, readWeb } from './manual-input.ts'
import * as service from './service.ts'
import { shownOf } from './shown.ts'

type Issue = service.IssueRecord

const typeNames = {
  SAST_FINDING: 'SastFinding',
  SCA_FINDING: 'ScaFinding',
  DAST_FINDING: 'DastFinding',
  IAC_FINDING: 'IacFinding',
  SECRET_FINDING: 'SecretFinding',
  CONTAINER_FINDING: 'ContainerFinding',
  MAST_FINDING: 'MastFinding',
  NETWORK_VULNERABILITY: 'NetworkVulnerability',
  SOURCE_CODE_VULNERABILITY: 'SourceCodeVulnerability',
  WEB_VULNERABILITY: 'WebVulnerability',
} as const satisfies Record<IssueType, string>

const user = (id: string | null, context: Context) => (id === null ? null : load(context, loadUsers, id))

/** A field from the issue's facets; `gone` is its value for an issue that was just deleted. */
const facet =
  <T>(read: (facets: Facets) => T, gone: T | null = null) =>
  async (issue: Issue, _: unknown, context: Context): Promise<T | null> => {
    const facets = await load(context, loadFacets, keyOf(issue))
    return facets === null ? gone : read(facets)
  }

const common = {
  permittedStatus: ({ status }: Issue) => service.permittedFrom(status),
  decidedBy: ({ decidedById }: Issue, _: unknown, context: Context) => user(decidedById, context),
  cweIds: facet(({ cweIds }) => cweIds, []),
  patterns: facet(({ patterns }) => patterns, []),
  asset: unlessGiven(({ assetId }: Issue, _: unknown, context: Context) => load(context, loadAssets, assetId)),
  project: ({ projectId }: Issue, _: unknown, context: Context) =>
    projectId === null ? null : load(context, loadProjects, projectId),
  author: ({ authorId }: Issue, _: unknown, context: Context) => user(authorId, context),
  assignedUsers: async (issue: Issue, _: unknown, context: Context) => {
    const ids = (await load(context, loadAssigneeIds, keyOf(issue))) ?? []
    return Promise.all(ids.map((id) => load(context, loadUsers, id)))
  },
  history: async (issue: Issue, _: unknown, context: Context) => (await load(context, loadEvents, keyOf(issue))) ?? [],
  occurrences: async (issue: Issue, _: unknown, context: Context) =>
    (await load(context, loadOccurrences, keyOf(issue))) ?? [],
  places: async (issue: Issue, _: unknown, context: Context) => (await load(context, loadPlaces, keyOf(issue))) ?? [],
  ...identityFields,
}

const finding = { ...common, scanSource: facet(({ scanSource }) => scanSource) }

const manual = {
  ...common,
  summary: facet(({ summary }) => summary),
  impactDescription: facet(({ impactDescription }) => impactDescription),
  stepsToReproduce: facet(({ stepsToReproduce }) => stepsToReproduce),
}

const exchange = {
  detail: facet(httpDetail),
  method: facet((facets) => httpDetail(facets).method),
  scheme: facet((facets) => httpDetail(facets).scheme),
  url: facet((facets) => httpDetail(facets).url),
  port: facet((facets) => httpDetail(facets).port),
  parameters: facet((facets) => httpDetail(facets).parameters),
  request: facet((facets) => httpDetail(facets).request),
  response: facet((facets) => httpDetail(facets).response),
}

const create =
  <T>(read: (input: T) => ReadManual) =>
  async (_: unknown, { input }: { input: T }, context: Context) => ({
    issue: await service.createManual(context, read(input)),
  })

const update =
  <T>(read: (input: T) => ReadManual) =>
  async (_: unknown, { input }: { input: T & { id: string } }, context: Context) => ({
    issue: await service.updateManual(context, parseId(input.id, 'input.id'), read(input)),
  })

function readStatusChange(input: ChangeIssueStatusInput): service.StatusChange {
  if (input.evidenceBlobSignedIds?.length) {
    throw badUserInput('Add evidence with createAttachment', 'input.evidenceBlobSignedIds')
  }
  const { status, reason, riskAcceptedUntil, externalAuthorIdentifier } = input
  const controlSyncStatusId = parseOptionalId(input.controlSyncStatusId, 'input.controlSyncStatusId')
  return { status, reason, riskAcceptedUntil, externalAuthorIdentifier, controlSyncStatusId }
}

const resolveType = ({ type }: Issue) => typeNames[type]

export const resolvers = {
  Query: {
    issues: (
      _: unknown,
      { companyId, pagination, filters, sortOptions }: QueryIssuesArgs,
      context: Context,
      info: GraphQLResolveInfo,
    ) =>
      service.listIssues(
        context,
        parseId(companyId, 'companyId'),
        readFilters(filters),
        askedPage(context, pagination),
        readOrder(sortOptions),
        shownOf(selectionOf(info)),
      ),
    issue: (_: unknown, { id }: QueryIssueArgs, context: Context) => service.getIssue(context, parseId(id, 'id')),
  },
  Mutation: {
    changeIssueStatus: async (_: unknown, { input }: MutationChangeIssueStatusArgs, context: Context) => ({
      issue: await service.changeIssueStatus(context, parseId(input.id, 'input.id'), readStatusChange(input)),
    }),
    bulkChangeIssueStatus: async (_: unknown, { input }: MutationBulkChangeIssueStatusArgs, context: Context) => {
      const companyId = parseId(input.companyId, 'input.companyId')
      const { status, reason, riskAcceptedUntil } = input
      const ids = parseIds(input.ids, 'input.ids')
      await service.bulkChangeIssueStatus(context, companyId, ids, { status, reason, riskAcceptedUntil })
      return {}
    },
    bulkDeleteIssues: async (_: unknown, { input }: MutationBulkDeleteIssuesArgs, context: Context) => {
      const companyId = parseId(input.companyId, 'input.companyId')
      await service.bulkDeleteIssues(context, companyId, parseIds(input.ids, 'input.ids'))
      return {}
    },
    deleteIssue: async (_: unknown, { input }: MutationDeleteIssueArgs, context: Context) => ({
      issue: await service.deleteIssue(context, parseId(input.id, 'input.id')),
    }),
    markIssueAsAnalyzed: async (_: unknown, { input }: MutationMarkIssueAsAnalyzedArgs, context: Context) => ({
      aiAgentAnalysis: await service.markIssueAsAnalyzed(
        context,
        parseId(input.companyId, 'input.companyId'),
        parseId(input.issueId, 'input.issueId'),
      ),
    }),
    updateIssueAssignee: (_: unknown, { input }: MutationUpdateIssueAssigneeArgs, context: Context) =>
      service.updateIssueAssignee(context, parseId(input.issueId, 'input.issueId'), input.assigneeEmails),
    createNetworkVulnerability: create(readNetwork),
    updateNetworkVulnerability: update(readNetwork),
    createSourceCodeVulnerability: create(readCode),
    updateSourceCodeVulnerability: update(readCode),
    createWebVulnerability: create(readWeb),
    updateWebVulnerability: update(readWeb),
  },
  Issue: { __resolveType: resolveType },
  AiAgentAnalysis: {
    issue: ({ issueId }: service.Analysis, _: unknown, context: Context) => load(context, service.loadIssues, issueId),
    analyzedBy: ({ analyzedById }: service.Analysis, _: unknown, context: Context) =>
      load(context, loadUsers, analyzedById),
  },
  FindingInterface: { __resolveType: resolveType },
  SastFinding: { ...finding, detail: facet(codeDetail) },
  IacFinding: { ...finding, detail: facet(codeDetail) },
  SecretFinding: { ...finding, detail: facet(codeDetail) },
  MastFinding: { ...finding, detail: facet(codeDetail) },
  ScaFinding: { ...finding, detail: facet(componentDetail) },
  ContainerFinding: { ...finding, detail: facet(componentDetail) },
  DastFinding: { ...finding, ...exchange },
  SourceCodeVulnerability: { ...manual, detail: facet(codeDetail) },
  WebVulnerability: { ...manual, ...exchange },
  NetworkVulnerability: { ...manual, detail: facet(networkDetail) },
} satisfies Resolvers
