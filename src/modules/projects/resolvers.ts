// Projects as the API shows them.

import { parseId, parseIds, parseOptionalId } from '../../core/ids.ts'
import { loadUsers } from '../access/service.ts'
import type {
  CreateProjectInput,
  MutationBulkDeleteProjectsArgs,
  MutationBulkUpdateProjectStatusArgs,
  MutationCreateProjectArgs,
  MutationDeleteProjectArgs,
  MutationUpdateProjectArgs,
  MutationUpdateProjectStatusArgs,
  QueryProjectArgs,
  QueryProjectStatusesArgs,
  QueryProjectsArgs,
  QueryProjectTypesArgs,
  UpdateProjectInput,
} from '../api.generated.ts'
import { loadAssets } from '../assets/service.ts'
import { loadCompanies } from '../companies/service.ts'
import { askedPage, type Context, load } from '../context.ts'
import type { Resolvers } from '../types.ts'
import * as loads from './loads.ts'
import { searchOf } from './search.ts'
import * as service from './service.ts'

const changeOf = (input: CreateProjectInput | UpdateProjectInput) => ({
  ...input,
  scopeUrls: input.projectScopeUrls,
  teamIds: input.teamsIds && parseIds(input.teamsIds, 'input.teamsIds'),
  playbookIds: input.playbooksIds && parseIds(input.playbooksIds, 'input.playbooksIds'),
  credentialIds: input.credentialsIds && parseIds(input.credentialsIds, 'input.credentialsIds'),
})

/** A list that is null is emptied; one that is undefined stays as it is. */
const tiesOf = (input: CreateProjectInput | UpdateProjectInput): service.ProjectTies => ({
  assetIds: input.assetsIds === undefined ? undefined : parseIds(input.assetsIds ?? [], 'input.assetsIds'),
  allocatedEmails: input.allocatedPortalUserEmails === null ? [] : input.allocatedPortalUserEmails,
  accessEmails: input.accessPortalUserEmails === null ? [] : input.accessPortalUserEmails,
  attachments: input.attachments ?? [],
})

const usersOf = async (project: service.Project, part: 'allocated' | 'access', context: Context) => {
  const ids = (await load(context, loads.loadUserIds, project.id))?.[part] ?? []
  return (await Promise.all(ids.map((id) => load(context, loadUsers, id)))).filter((user) => user !== null)
}

export const resolvers = {
  Query: {
    projects: (_: unknown, { params, sortBy, descending, ...page }: QueryProjectsArgs, context: Context) =>
      service.listProjects(context, askedPage(context, page), searchOf(params), sortBy ?? null, descending ?? false),
    project: (_: unknown, { id, companyId }: QueryProjectArgs, context: Context) =>
      service.getProject(context, parseId(id, 'id'), parseOptionalId(companyId, 'companyId')),
    projectTypes: (_: unknown, { params, ...page }: QueryProjectTypesArgs, context: Context) =>
      service.listProjectTypes(context, askedPage(context, page), params ?? {}),
    projectStatuses: (_: unknown, page: QueryProjectStatusesArgs, context: Context) =>
      service.listProjectStatuses(askedPage(context, page)),
  },
  Mutation: {
    createProject: async (_: unknown, { input }: MutationCreateProjectArgs, context: Context) => {
      const { label, goal, scope, startDate } = input
      const needed = { label, goal, scope, startDate, typeId: parseId(input.typeId, 'input.typeId') }
      const companyId = parseId(input.companyId, 'input.companyId')
      return {
        project: await service.createProject(context, companyId, { ...changeOf(input), ...needed }, tiesOf(input)),
      }
    },
    updateProject: async (_: unknown, { input }: MutationUpdateProjectArgs, context: Context) => ({
      project: await service.updateProject(
        context,
        parseId(input.id, 'input.id'),
        parseOptionalId(input.companyId, 'input.companyId'),
        { ...changeOf(input), typeId: parseOptionalId(input.typeId, 'input.typeId') ?? undefined },
        tiesOf(input),
      ),
    }),
    updateProjectStatus: async (_: unknown, { input }: MutationUpdateProjectStatusArgs, context: Context) => ({
      project: await service.updateProjectStatus(context, parseId(input.id, 'input.id'), {
        status: input.projectStatus,
        reason: input.reason ?? null,
      }),
    }),
    bulkUpdateProjectStatus: async (_: unknown, { input }: MutationBulkUpdateProjectStatusArgs, context: Context) => ({
      projects: await service.bulkUpdateProjectStatus(
        context,
        parseId(input.companyId, 'input.companyId'),
        parseIds(input.ids, 'input.ids'),
        { status: input.projectStatus, reason: input.reason ?? null },
      ),
    }),
    bulkDeleteProjects: async (_: unknown, { input }: MutationBulkDeleteProjectsArgs, context: Context) => ({
      projects: await service.bulkDeleteProjects(
        context,
        parseId(input.companyId, 'input.companyId'),
        parseIds(input.ids, 'input.ids'),
      ),
    }),
    deleteProject: async (_: unknown, { input }: MutationDeleteProjectArgs, context: Context) => ({
      project: await service.deleteProject(
        context,
        parseId(input.id, 'input.id'),
        parseOptionalId(input.companyId, 'input.companyId'),
      ),
    }),
  },
  Project: {
    company: (project: service.Project, _: unknown, context: Context) =>
      load(context, loadCompanies, project.companyId),
    projectType: (project: service.Project, _: unknown, context: Context) =>
      load(context, loads.loadProjectTypes, project.typeId),
    statusHistory: async (project: service.Project, _: unknown, context: Context) =>
      (await load(context, loads.loadStatusHistory, project.id)) ?? [],
    environmentCompromised: async (project: service.Project, _: unknown, context: Context) =>
      (await load(context, loads.loadCompromised, project.id)) ?? false,
    tags: ({ tags }: service.Project) => tags.map((name) => ({ name })),
    assets: async (project: service.Project, _: unknown, context: Context) => {
      const ids = (await load(context, loads.loadAssetIds, project.id)) ?? []
      return (await Promise.all(ids.map((id) => load(context, loadAssets, id)))).filter((asset) => asset !== null)
    },
    allocatedAnalyst: async (project: service.Project, _: unknown, context: Context) =>
      (await usersOf(project, 'allocated', context)).map((portalUser) => ({ portalUser })),
    accessPortalUsers: (project: service.Project, _: unknown, context: Context) => usersOf(project, 'access', context),
    playbooks: ({ playbookIds }: service.Project) => playbookIds.map((id) => ({ id })),
    projectScopeUrls: ({ scopeUrls }: service.Project) => scopeUrls.map((url) => ({ url })),
  },
  ProjectStatusChange: {
    portalUser: (change: service.StatusChange, _: unknown, context: Context) =>
      change.userId === null ? null : load(context, loadUsers, change.userId),
  },
} satisfies Resolvers
