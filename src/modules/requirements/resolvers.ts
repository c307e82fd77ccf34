// Requirements and their checks as the API shows them.

import { badUserInput } from '../../core/errors.ts'
import { parseId, parseIds, parseOptionalId } from '../../core/ids.ts'
import { unlessEmpty } from '../../core/lists.ts'
import type {
  CheckFindingsArgs,
  MutationCreateOrUpdateRequirementArgs,
  MutationCreateThreatModelingRequirementsArgs,
  MutationDeleteRequirementArgs,
  MutationRevokeWaiverArgs,
  MutationWaiveCheckArgs,
  QueryRequirementArgs,
  QueryRequirementsArgs,
  RequirementsFilterInput,
} from '../api.generated.ts'
import { askedPage, type Context, load } from '../context.ts'
import { type ListedIssue, loadIssues } from '../issues/service.ts'
import { loadProjects, loadProjectTypes } from '../projects/service.ts'
import { loadScans } from '../scans/service.ts'
import type { Resolvers } from '../types.ts'
import { listBrokenChecks } from './broken.ts'
import { cwe, cwesOf, parseCapecId } from './catalogue.ts'
import * as checks from './checks.ts'
import { requireFew } from './input.ts'
import { projectResolvers } from './project-resolvers.ts'
import * as service from './service.ts'
import { createThreatModelingRequirements } from './threats.ts'

const readFilter = (filters: RequirementsFilterInput | null | undefined): service.RequirementFilter => ({
  projectId: parseOptionalId(filters?.projectId, 'filters.projectId'),
  search: filters?.search || null,
  types: unlessEmpty(filters?.types),
  global: filters?.global ?? null,
  projectTypeIds: unlessEmpty(parseIds(filters?.projectTypeIds ?? [], 'filters.projectTypeIds')),
  capecIds: unlessEmpty(readPatterns(filters?.capecIds ?? [])),
})

function readPatterns(given: readonly string[]): number[] {
  requireFew(given, 1000, 'filters.capecIds')
  return given.map((text, index) => {
    const number = parseCapecId(text)
    if (number === null) {
      throw badUserInput(`There is no attack pattern ${text.slice(0, 100)} in CAPEC`, `filters.capecIds.${index}`)
    }
    return number
  })
}

const weaknessOf = (id: number) => ({ id: String(id), name: cwe(id)?.name ?? `CWE-${id}` })

const weaknessesOf = ({ capecId }: service.Check) => (capecId === null ? [] : cwesOf(capecId)).map(weaknessOf)

/** Fields of every type of issue. */
const broken = {
  brokenChecks: (issue: ListedIssue, _: unknown, context: Context) => listBrokenChecks(context, issue),
}

export const resolvers = {
  Query: {
    requirements: (_: unknown, { scopeId, pagination, filters }: QueryRequirementsArgs, context: Context) =>
      service.listRequirements(
        context,
        parseId(scopeId, 'scopeId'),
        askedPage(context, pagination),
        readFilter(filters),
      ),
    requirement: (_: unknown, { companyId, id }: QueryRequirementArgs, context: Context) =>
      service.getRequirement(context, parseId(companyId, 'companyId'), parseId(id, 'id')),
    ...projectResolvers.Query,
  },
  Mutation: {
    createThreatModelingRequirements: async (
      _: unknown,
      { input }: MutationCreateThreatModelingRequirementsArgs,
      context: Context,
    ) => ({
      requirements: await createThreatModelingRequirements(
        context,
        parseId(input.companyId, 'input.companyId'),
        parseOptionalId(input.projectId, 'input.projectId'),
        input.requirements,
      ),
    }),
    createOrUpdateRequirement: async (
      _: unknown,
      { input }: MutationCreateOrUpdateRequirementArgs,
      context: Context,
    ) => ({
      requirement: await service.createOrUpdateRequirement(context, parseId(input.companyId, 'input.companyId'), input),
    }),
    deleteRequirement: async (_: unknown, { input }: MutationDeleteRequirementArgs, context: Context) => ({
      requirement: await service.deleteRequirement(
        context,
        parseId(input.id, 'input.id'),
        parseOptionalId(input.companyId, 'input.companyId'),
      ),
    }),
    waiveCheck: async (_: unknown, { input }: MutationWaiveCheckArgs, context: Context) => ({
      check: await checks.waiveCheck(context, parseId(input.checkId, 'input.checkId'), input.reason, input.until),
    }),
    revokeWaiver: async (_: unknown, { input }: MutationRevokeWaiverArgs, context: Context) => ({
      check: await checks.revokeWaiver(context, parseId(input.checkId, 'input.checkId')),
    }),
    ...projectResolvers.Mutation,
  },
  Requirement: {
    projectType: async (requirement: service.Requirement, _: unknown, context: Context) => {
      const types = await Promise.all(requirement.projectTypeIds.map((id) => load(context, loadProjectTypes, id)))
      return types.filter((type) => type !== null)
    },
    project: ({ projectId }: service.Requirement, _: unknown, context: Context) =>
      projectId === null ? null : load(context, loadProjects, projectId),
    check: async ({ id }: service.Requirement, _: unknown, context: Context) =>
      (await load(context, service.loadChecks, id)) ?? [],
  },
  Check: {
    requirement: ({ requirementId }: service.Check, _: unknown, context: Context) =>
      load(context, service.loadRequirements, requirementId),
    cwes: weaknessesOf,
    state: async (check: service.Check, _: unknown, context: Context) =>
      (await checks.judgeCheck(context, check)).state,
    stateReason: async (check: service.Check, _: unknown, context: Context) =>
      (await checks.judgeCheck(context, check)).stateReason,
    satisfiedAt: async (check: service.Check, _: unknown, context: Context) =>
      (await checks.judgeCheck(context, check)).satisfiedAt,
    scan: async (check: service.Check, _: unknown, context: Context) => {
      const { look } = await checks.judgeCheck(context, check)
      return look?.kind === 'SCAN' ? load(context, loadScans, look.id) : null
    },
    importId: async (check: service.Check, _: unknown, context: Context) => {
      const { look } = await checks.judgeCheck(context, check)
      return look?.kind === 'IMPORT' ? look.id : null
    },
    openFindings: (check: service.Check, _: unknown, context: Context) => checks.countOpenFindings(context, check),
    openFindingsByWeakness: async (check: service.Check, _: unknown, context: Context) =>
      [...(await checks.countByWeakness(context, check))].map(([id, openFindings]) => ({
        weakness: weaknessOf(id),
        openFindings,
      })),
    waiver: (check: service.Check) => (check.waivedAt === null ? null : check),
    findings: async (check: service.Check, { pagination }: CheckFindingsArgs, context: Context) => {
      const page = askedPage(context, pagination)
      const { collection, metadata } = await checks.listFindings(context, check, page)
      const issues = await Promise.all(collection.map(({ id }) => load(context, loadIssues, id)))
      return { collection: issues.filter((issue) => issue !== null), metadata }
    },
  },
  CheckWaiver: {
    reason: ({ waiverReason }: service.Check) => waiverReason,
    at: ({ waivedAt }: service.Check) => waivedAt,
    until: ({ waivedUntil }: service.Check) => waivedUntil,
    by: (check: service.Check, _: unknown, context: Context) => checks.loadWaivedBy(context, check),
  },
  SastFinding: broken,
  ScaFinding: broken,
  DastFinding: broken,
  IacFinding: broken,
  SecretFinding: broken,
  ContainerFinding: broken,
  MastFinding: broken,
  NetworkVulnerability: broken,
  SourceCodeVulnerability: broken,
  WebVulnerability: broken,
  ...projectResolvers.types,
} satisfies Resolvers
