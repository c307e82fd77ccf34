// Gates, policies and branches as the API shows them.

import { linkTo, pages } from '../../core/console-links.ts'
import { parseId, parseOptionalId } from '../../core/ids.ts'
import { loadUsers } from '../access/service.ts'
import type {
  GateFindingsArgs,
  MutationDeleteGatePolicyArgs,
  MutationSetGatePolicyArgs,
  QueryBranchesArgs,
  QueryGatePolicyArgs,
  QuerySecurityGateRunArgs,
} from '../api.generated.ts'
import { loadAssets } from '../assets/service.ts'
import { askedPage, type Context, load } from '../context.ts'
import { type Deploy, getDeploy } from '../deploys/service.ts'
import type { Resolvers } from '../types.ts'
import { type Decision, judgeSeverity, type Reason, type Rule } from './gate.ts'
import * as service from './service.ts'
import { foundOf, sentenceOf, titleOf } from './words.ts'

const ownerOf = (
  { companyId, assetId }: { companyId: string; assetId?: string | null },
  prefix = '',
): { companyId: string; assetId: string | null } => ({
  companyId: parseId(companyId, `${prefix}companyId`),
  assetId: parseOptionalId(assetId, `${prefix}assetId`),
})

const statuses = { PASS: 'PASSED', WARN: 'WARNED', BLOCK: 'FAILED' } as const satisfies Record<Decision, string>

const perSeverity =
  (severity: Rule['severities'][number]) =>
  ({ gate }: service.GateRun) => {
    const { decision, ...counted } = judgeSeverity(gate.policy.rules, gate.facts, severity)
    return { ...counted, status: statuses[decision] }
  }

type ReasonOfGate = Reason & { gate: service.Gate }

const listFindings = (gate: service.Gate, { pagination }: GateFindingsArgs, context: Context) =>
  service.listGateFindings(context, gate, askedPage(context, pagination))

export const resolvers = {
  Query: {
    gatePolicy: (_: unknown, args: QueryGatePolicyArgs, context: Context) => service.getPolicy(context, ownerOf(args)),
    branches: (_: unknown, args: QueryBranchesArgs, context: Context) =>
      service.listBranches(
        context,
        parseId(args.companyId, 'companyId'),
        parseId(args.assetId, 'assetId'),
        askedPage(context, args),
      ),
    securityGateRun: (_: unknown, { assetId, branchId }: QuerySecurityGateRunArgs, context: Context) =>
      service.runGate(context, parseId(assetId, 'assetId'), parseOptionalId(branchId, 'branchId')),
  },
  Mutation: {
    setGatePolicy: async (_: unknown, { input }: MutationSetGatePolicyArgs, context: Context) => ({
      gatePolicy: await service.setPolicy(context, ownerOf(input, 'input.'), input),
    }),
    deleteGatePolicy: async (_: unknown, { input }: MutationDeleteGatePolicyArgs, context: Context) => ({
      gatePolicy: await service.deletePolicy(context, ownerOf(input, 'input.'), input.replaces),
    }),
  },
  Deploy: {
    gate: (deploy: Deploy, _: unknown, context: Context) => load(context, service.loadGates, service.gateKey(deploy)),
  },
  GatePolicy: {
    asset: ({ assetId }: service.Policy, _: unknown, context: Context) =>
      assetId === null ? null : load(context, loadAssets, assetId),
    updatedBy: ({ updatedById }: service.Policy, _: unknown, context: Context) =>
      updatedById === null ? null : load(context, loadUsers, updatedById),
  },
  GateRule: { sentence: sentenceOf },
  Gate: {
    reasons: (gate: service.Gate): ReasonOfGate[] => gate.reasons.map((reason) => ({ ...reason, gate })),
    findings: listFindings,
    unknown: ({ unknown }: service.Gate) => unknown.map(({ sentence }) => sentence),
  },
  GateReason: {
    rule: ({ rule }: ReasonOfGate) => titleOf(rule),
    decision: ({ rule }: ReasonOfGate) => rule.decision,
    limit: ({ rule }: ReasonOfGate) => rule.limit,
    sentence: foundOf,
    issues: (reason: ReasonOfGate, { pagination }: GateFindingsArgs, context: Context) =>
      service.listReasonIssues(context, reason.gate, reason, askedPage(context, pagination)),
  },
  GateFinding: {
    id: ({ issue }: service.GateFinding) => issue.id,
    title: ({ issue }: service.GateFinding) => issue.title,
    description: ({ issue }: service.GateFinding) => issue.description,
    severity: ({ issue }: service.GateFinding) => issue.severity,
    type: ({ issue }: service.GateFinding) => issue.type,
    cvssScore: ({ issue }: service.GateFinding) => issue.cvssScore,
    toolName: ({ issue }: service.GateFinding) => issue.toolName,
    toolRule: ({ issue }: service.GateFinding) => issue.rule,
    file: ({ path }: service.GateFinding) => path,
    platformUrl: ({ issue }: service.GateFinding, _: unknown, context: Context) =>
      linkTo(context.config, pages.finding({ companyId: issue.companyId, issueId: issue.id })),
    decision: ({ reasons }: service.GateFinding) =>
      reasons.some(({ decision }) => decision === 'BLOCK') ? 'BLOCK' : 'WARN',
    reasons: service.reasonTitles,
  },
  SecurityGateRun: {
    deploy: ({ gate }: service.GateRun, _: unknown, context: Context) =>
      gate.judged.deployId === null ? null : getDeploy(context, gate.judged.deployId),
    issuesUrl: ({ asset, branch }: service.GateRun, _: unknown, context: Context) =>
      linkTo(
        context.config,
        pages.findingsOf({ companyId: asset.companyId, assetId: asset.id, branch: branch?.name ?? null }),
      ),
    reason: (run: service.GateRun) => run,
    status: ({ gate }: service.GateRun) => statuses[gate.decision],
    failingVulnerabilities: ({ gate }: service.GateRun, args: GateFindingsArgs, context: Context) =>
      listFindings(gate, args, context),
  },
  SecurityGateReason: {
    low: perSeverity('LOW'),
    medium: perSeverity('MEDIUM'),
    high: perSeverity('HIGH'),
    critical: perSeverity('CRITICAL'),
  },
} satisfies Resolvers
