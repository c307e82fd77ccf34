// Requirements of projects, their activities and evidence, as the API shows them.

import { badUserInput } from '../../core/errors.ts'
import { parseId, parseOptionalId } from '../../core/ids.ts'
import { loadUsers } from '../access/service.ts'
import type {
  ActivityHistoryArgs,
  AddActivityAttachmentInput,
  MutationAddActivityAttachmentArgs,
  MutationCreateProjectRequirementArgs,
  MutationDeleteProjectRequirementArgs,
  MutationUpdateActivityArgs,
  MutationUpdateProjectRequirementArgs,
  QueryProjectRequirementsArgs,
} from '../api.generated.ts'
import { askedPage, type Context, load } from '../context.ts'
import { loadProjects } from '../projects/service.ts'
import type { Resolvers } from '../types.ts'
import * as activities from './activities.ts'
import * as projects from './project-requirements.ts'
import { evidencePath } from './routes.ts'
import { loadChecks, type Requirement } from './service.ts'

function activityIdOf({ activityId, id }: AddActivityAttachmentInput): string {
  const given = activityId ?? id
  if (given === null || given === undefined) throw badUserInput('activityId is needed', 'input.activityId')
  return parseId(given, activityId ? 'input.activityId' : 'input.id')
}

const Query = {
  projectRequirements: (_: unknown, { projectId }: QueryProjectRequirementsArgs, context: Context) =>
    projects.listProjectRequirements(context, parseId(projectId, 'projectId')),
}

const Mutation = {
  createProjectRequirement: async (_: unknown, { input }: MutationCreateProjectRequirementArgs, context: Context) => ({
    projectRequirement: await projects.createProjectRequirement(
      context,
      parseId(input.projectId, 'input.projectId'),
      parseOptionalId(input.requirementId, 'input.requirementId'),
      input,
    ),
  }),
  updateProjectRequirement: async (_: unknown, { input }: MutationUpdateProjectRequirementArgs, context: Context) => ({
    projectRequirement: await projects.updateProjectRequirement(context, parseId(input.id, 'input.id'), input),
  }),
  deleteProjectRequirement: async (_: unknown, { input }: MutationDeleteProjectRequirementArgs, context: Context) => ({
    projectRequirement: await projects.deleteProjectRequirement(context, parseId(input.id, 'input.id')),
  }),
  updateActivity: async (_: unknown, { input }: MutationUpdateActivityArgs, context: Context) => ({
    activity: await activities.updateActivity(context, parseId(input.id, 'input.id'), input),
  }),
  addActivityAttachment: async (_: unknown, { input }: MutationAddActivityAttachmentArgs, context: Context) => ({
    activity: await activities.addActivityAttachment(context, activityIdOf(input), input.archive, input.description),
  }),
}

const types = {
  Project: {
    projectRequirements: async ({ id }: { id: string }, _: unknown, context: Context) =>
      (await load(context, projects.loadProjectRequirements, id)) ?? [],
    requirementsProgress: async ({ id }: { id: string }, _: unknown, context: Context) =>
      (await load(context, activities.loadProgress, id)) ?? { done: 0, total: 0 },
  },
  ProjectRequirement: {
    project: ({ projectId }: Requirement, _: unknown, context: Context) =>
      projectId === null ? null : load(context, loadProjects, projectId),
    checklist: async ({ id }: Requirement, _: unknown, context: Context) => (await load(context, loadChecks, id)) ?? [],
    activities: async ({ id }: Requirement, _: unknown, context: Context) =>
      (await load(context, activities.loadActivities, id)) ?? [],
  },
  Activity: {
    evidences: async ({ id }: activities.Activity, _: unknown, context: Context) =>
      (await load(context, activities.loadEvidences, id)) ?? [],
    history: (activity: activities.Activity, { pagination }: ActivityHistoryArgs, context: Context) =>
      activities.listHistory(context, activity, askedPage(context, pagination)),
  },
  ActivityHistory: {
    portalUser: ({ userId }: activities.ActivityEvent, _: unknown, context: Context) =>
      userId === null ? null : load(context, loadUsers, userId),
    evidences: async ({ id }: activities.ActivityEvent, _: unknown, context: Context) =>
      (await load(context, activities.loadEventEvidences, id)) ?? [],
  },
  ActivityEvidence: {
    downloadUrl: ({ id }: activities.Evidence, _: unknown, context: Context) =>
      `${context.config.publicUrl ?? ''}${evidencePath(id)}`,
  },
} satisfies Resolvers

export const projectResolvers = { Query, Mutation, types }
