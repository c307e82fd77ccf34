// Issues as the API shows them.

import type { IssueType } from '../../core/db/tables.generated.ts'
import { parseId } from '../../core/ids.ts'
import { loadUsers } from '../access/service.ts'
import type { QueryIssueArgs } from '../api.generated.ts'
import { loadAssets } from '../assets/service.ts'
import { type Context, load } from '../context.ts'
import type { Resolvers } from '../types.ts'
import { type Facets, keyOf, loadAssigneeIds, loadEvents, loadFacets, loadOccurrences, loadPlaces } from './beside.ts'
import { codeDetail, componentDetail, httpDetail, networkDetail } from './details.ts'
import * as service from './service.ts'

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

/** A field that comes from the facets of the issue. */
const facet =
  <T>(read: (facets: Facets) => T) =>
  async (issue: Issue, _: unknown, context: Context): Promise<T | null> => {
    const facets = await load(context, loadFacets, keyOf(issue))
    return facets === null ? null : read(facets)
  }

const common = {
  permittedStatus: ({ status }: Issue) => service.permittedFrom(status),
  decidedBy: ({ decidedById }: Issue, _: unknown, context: Context) => user(decidedById, context),
  cweIds: facet(({ cweIds }) => cweIds),
  patterns: facet(({ patterns }) => patterns),
  asset: ({ assetId }: Issue, _: unknown, context: Context) => load(context, loadAssets, assetId),
  author: ({ authorId }: Issue, _: unknown, context: Context) => user(authorId, context),
  assignedUsers: async (issue: Issue, _: unknown, context: Context) => {
    const ids = (await load(context, loadAssigneeIds, keyOf(issue))) ?? []
    return Promise.all(ids.map((id) => load(context, loadUsers, id)))
  },
  history: async (issue: Issue, _: unknown, context: Context) => (await load(context, loadEvents, keyOf(issue))) ?? [],
  occurrences: async (issue: Issue, _: unknown, context: Context) =>
    (await load(context, loadOccurrences, keyOf(issue))) ?? [],
  places: async (issue: Issue, _: unknown, context: Context) => (await load(context, loadPlaces, keyOf(issue))) ?? [],
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

const resolveType = ({ type }: Issue) => typeNames[type]

export const resolvers = {
  Query: {
    issue: (_: unknown, { id }: QueryIssueArgs, context: Context) => service.getIssue(context, parseId(id, 'id')),
  },
  Issue: { __resolveType: resolveType },
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
