// How findings were merged into one issue, and its correction, as the API shows them.

import { badUserInput } from '../../core/errors.ts'
import { parseId, parseIds, parseOptionalId } from '../../core/ids.ts'
import { readName } from '../../core/text.ts'
import { loadUsers } from '../access/service.ts'
import type {
  IdentityRulePreviewExamplesArgs,
  MutationMergeIssuesArgs,
  MutationSetIdentityRuleArgs,
  MutationSplitIssueArgs,
  QueryIdentityRulesArgs,
  QueryPreviewIdentityRuleArgs,
} from '../api.generated.ts'
import { loadAssets } from '../assets/service.ts'
import { askedPage, type Context, load } from '../context.ts'
import type { Resolvers } from '../types.ts'
import { keyOf, loadIdentityPlaces, loadLastMatches, loadWitnesses } from './beside.ts'
import { mergeIssues, type Part, splitIssue } from './identity.ts'
import * as rules from './identity-rules.ts'
import { evidenceOf } from './identity-words.ts'
import { loadIssues } from './reading.ts'
import type { IssueRecord } from './store.ts'
import type { Witness } from './store-identity.ts'

const witnessesOf = async (issue: IssueRecord, _: unknown, context: Context): Promise<Witness[]> =>
  (await load(context, loadWitnesses, keyOf(issue))) ?? []

async function identityOf(issue: IssueRecord, _: unknown, context: Context) {
  const last = await load(context, loadLastMatches, keyOf(issue))
  return {
    issue,
    matchedBy: last?.matchedBy ?? null,
    evidence: last ? evidenceOf(last) : 'Nothing is recorded about it.',
  }
}

type Identity = { issue: IssueRecord }

export const identityFields = { identity: identityOf, witnesses: witnessesOf }

const reasonOf = (reason: string): string => readName(reason, 'input.reason', 2000)

function partOf(witness: string | null | undefined, place: string | null | undefined): Part {
  const [witnessId, placeId] = [parseOptionalId(witness, 'input.witnessId'), parseOptionalId(place, 'input.placeId')]
  if (witnessId !== null && placeId === null) return { witnessId }
  if (placeId !== null && witnessId === null) return { placeId }
  throw badUserInput('A split names a witness or a place', 'input.witnessId')
}

export const identityResolvers = {
  Query: {
    identityRules: (_: unknown, { companyId, pagination }: QueryIdentityRulesArgs, context: Context) =>
      rules.listRules(context, parseId(companyId, 'companyId'), askedPage(context, pagination)),
    previewIdentityRule: (_: unknown, args: QueryPreviewIdentityRuleArgs, context: Context) =>
      rules.previewRule(
        context,
        parseId(args.companyId, 'companyId'),
        parseId(args.assetId, 'assetId'),
        args.toolName,
        args.rule.fields,
      ),
  },
  Mutation: {
    mergeIssues: async (_: unknown, { input }: MutationMergeIssuesArgs, context: Context) => ({
      issue: await mergeIssues(
        context,
        parseId(input.companyId, 'input.companyId'),
        parseId(input.issueId, 'input.issueId'),
        parseIds(input.mergeIds, 'input.mergeIds'),
        reasonOf(input.reason),
      ),
    }),
    splitIssue: (_: unknown, { input }: MutationSplitIssueArgs, context: Context) =>
      splitIssue(
        context,
        parseId(input.companyId, 'input.companyId'),
        parseId(input.issueId, 'input.issueId'),
        partOf(input.witnessId, input.placeId),
        reasonOf(input.reason),
      ),
    setIdentityRule: async (_: unknown, { input }: MutationSetIdentityRuleArgs, context: Context) => {
      const companyId = parseId(input.companyId, 'input.companyId')
      const assetId = parseOptionalId(input.assetId, 'input.assetId')
      const rule = { companyId, assetId, toolName: input.toolName }
      return { identityRule: await rules.setRule(context, rule, input.rule?.fields ?? null) }
    },
  },
  IdentityRule: {
    asset: ({ assetId }: rules.IdentityRule, _: unknown, context: Context) =>
      assetId === null ? null : load(context, loadAssets, assetId),
    setBy: ({ setById }: rules.IdentityRule, _: unknown, context: Context) =>
      setById === null ? null : load(context, loadUsers, setById),
  },
  IdentityRulePreview: {
    examples: (preview: rules.Preview, { pagination }: IdentityRulePreviewExamplesArgs, context: Context) =>
      rules.pageOfExamples(preview, askedPage(context, pagination)),
  },
  IdentityExample: {
    issues: async ({ issueIds }: rules.Example, _: unknown, context: Context) =>
      (await Promise.all(issueIds.map((id) => load(context, loadIssues, id)))).filter((issue) => issue !== null),
  },
  IssueIdentity: {
    places: async ({ issue }: Identity, _: unknown, context: Context) =>
      (await load(context, loadIdentityPlaces, keyOf(issue))) ?? [],
    mergedFrom: async ({ issue }: Identity, args: unknown, context: Context) =>
      (await witnessesOf(issue, args, context)).filter(({ isOwn }) => !isOwn),
  },
  MergedIssue: {
    at: ({ mergedAt }: Witness) => mergedAt,
    because: ({ mergedBy }: Witness) => mergedBy,
    mergedBy: ({ decidedById }: Witness, _: unknown, context: Context) =>
      decidedById === null ? null : load(context, loadUsers, decidedById),
  },
} satisfies Resolvers
