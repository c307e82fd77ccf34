// Threat-model artifacts, their versions and imports as the API shows them.

import { parseId, parseIds, parseOptionalId } from '../../core/ids.ts'
import { loadUsers } from '../access/service.ts'
import type {
  MutationCreateThreatModelArtifactArgs,
  MutationCreateThreatModelArtifactVersionArgs,
  MutationDeleteThreatModelArtifactArgs,
  MutationImportThreatModelArgs,
  MutationUpdateThreatModelArtifactArgs,
  QueryThreatModelArtifactArgs,
  QueryThreatModelArtifactsArgs,
  ThreatModelArtifactVersionArgs,
} from '../api.generated.ts'
import { askedPage, type Context, load } from '../context.ts'
import { loadProjects } from '../projects/service.ts'
import { loadRequirements } from '../requirements/service.ts'
import type { Resolvers } from '../types.ts'
import { importThreatModel } from './import.ts'
import * as service from './service.ts'

const contentOf = ({ id }: service.Version, context: Context) => load(context, service.loadContents, id)

const userOf = (id: string | null, context: Context) => (id === null ? null : load(context, loadUsers, id))

export const resolvers = {
  Query: {
    threatModelArtifact: (_: unknown, { id }: QueryThreatModelArtifactArgs, context: Context) =>
      service.getArtifact(context, parseId(id, 'id')),
    threatModelArtifacts: (_: unknown, args: QueryThreatModelArtifactsArgs, context: Context) =>
      service.listArtifacts(context, parseId(args.companyId, 'companyId'), askedPage(context, args.pagination), {
        search: args.search || null,
        assigneeEmail: args.assigneeEmail || null,
        hasVersion: args.hasVersion ?? null,
      }),
  },
  Mutation: {
    createThreatModelArtifact: async (
      _: unknown,
      { input }: MutationCreateThreatModelArtifactArgs,
      context: Context,
    ) => ({
      threatModelArtifact: await service.createArtifact(context, parseId(input.companyId, 'input.companyId'), input),
    }),
    updateThreatModelArtifact: async (
      _: unknown,
      { input }: MutationUpdateThreatModelArtifactArgs,
      context: Context,
    ) => ({ threatModelArtifact: await service.updateArtifact(context, parseId(input.id, 'input.id'), input) }),
    deleteThreatModelArtifact: async (
      _: unknown,
      { input }: MutationDeleteThreatModelArtifactArgs,
      context: Context,
    ) => ({ threatModelArtifact: await service.deleteArtifact(context, parseId(input.id, 'input.id')) }),
    createThreatModelArtifactVersion: async (
      _: unknown,
      { input }: MutationCreateThreatModelArtifactVersionArgs,
      context: Context,
    ) => ({
      version: await service.createVersion(context, parseId(input.artifactId, 'input.artifactId'), {
        architectureItems: input.architectureItems,
        requirementIds: parseIds(input.requirementIds ?? [], 'input.requirementIds'),
        diagramType: input.diagramType ?? null,
        diagramContent: input.diagramContent ?? null,
        sourceProjectId: parseOptionalId(input.sourceProjectId, 'input.sourceProjectId'),
        notes: input.notes ?? null,
      }),
    }),
    importThreatModel: async (_: unknown, { input }: MutationImportThreatModelArgs, context: Context) => {
      const { model, threats, absent, version } = await importThreatModel(context, {
        companyId: parseId(input.companyId, 'input.companyId'),
        file: input.file,
        projectId: parseOptionalId(input.projectId, 'input.projectId'),
        artifactId: parseOptionalId(input.artifactId, 'input.artifactId'),
      })
      const count = (wanted: string) => threats.filter(({ outcome }) => outcome === wanted).length
      return {
        format: model.format,
        title: model.title,
        createdCount: count('CREATED'),
        updatedCount: count('UPDATED'),
        unchangedCount: count('UNCHANGED'),
        threats,
        leftOut: model.leftOut,
        absent,
        version,
      }
    },
  },
  ThreatModelArtifact: {
    assignee: ({ assigneeId }: service.Artifact, _: unknown, context: Context) => userOf(assigneeId, context),
    versions: async ({ id }: service.Artifact, _: unknown, context: Context) =>
      (await load(context, service.loadVersions, id)) ?? [],
    version: ({ id }: service.Artifact, { number }: ThreatModelArtifactVersionArgs, context: Context) =>
      load(context, service.loadNumbered, service.numberedKey(id, number)),
    latestVersion: ({ id }: service.Artifact, _: unknown, context: Context) => load(context, service.loadLatest, id),
  },
  ThreatModelArtifactVersion: {
    architectureItems: async (version: service.Version, _: unknown, context: Context) =>
      (await contentOf(version, context))?.architectureItems,
    diagramContent: async (version: service.Version, _: unknown, context: Context) =>
      (await contentOf(version, context))?.diagramContent,
    requirements: async ({ id }: service.Version, _: unknown, context: Context) => {
      const ids = (await load(context, service.loadRequirementIds, id)) ?? []
      const found = await Promise.all(ids.map((requirementId) => load(context, loadRequirements, requirementId)))
      return found.filter((requirement) => requirement !== null)
    },
    sourceProject: ({ sourceProjectId }: service.Version, _: unknown, context: Context) =>
      sourceProjectId === null ? null : load(context, loadProjects, sourceProjectId),
    author: ({ authorId }: service.Version, _: unknown, context: Context) => userOf(authorId, context),
  },
} satisfies Resolvers
