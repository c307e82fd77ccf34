// The mutations by which tools report findings.

import type { GraphQLResolveInfo } from 'graphql'
import type { IssueType } from '../../core/db/tables.generated.ts'
import { ApplicationError } from '../../core/errors.ts'
import type {
  CreateOrUpdateFindingPolymorphicInput,
  MutationBatchCreateOrUpdateFindingsArgs,
} from '../api.generated.ts'
import type { Context } from '../context.ts'
import { selectionOf } from '../selection.ts'
import type { Resolvers } from '../types.ts'
import type { CodeInput, ComponentInput, ExchangeInput, Report } from './findings/input.ts'
import { readCode, readComponent, readExchange, readOne } from './findings/input.ts'
import * as service from './findings/service.ts'
import { shownInPayload } from './shown.ts'

type Args<Input> = { input: Input }

const payload = (recorded: service.Recorded) => ({ ...recorded, recorded })

/** The `createOrUpdate…` mutation of a type; `read` reads its input. */
const upsert =
  <Input>(read: (type: IssueType, input: Input) => Report, type: IssueType) =>
  async (_: unknown, { input }: Args<Input>, context: Context, info: GraphQLResolveInfo) =>
    payload(await service.createOrUpdateFinding(context, read(type, input), shownInPayload(selectionOf(info))))

/** The `create…` mutation of a type, which creates a finding with every call. */
const create =
  <Input>(read: (type: IssueType, input: Input) => Report, type: IssueType) =>
  async (_: unknown, { input }: Args<Input>, context: Context) =>
    payload(await service.createFinding(context, read(type, input)))

const readers = {
  sastFinding: (input: CodeInput) => readCode('SAST_FINDING', input),
  iacFinding: (input: CodeInput) => readCode('IAC_FINDING', input),
  secretFinding: (input: CodeInput) => readCode('SECRET_FINDING', input),
  mastFinding: (input: CodeInput) => readCode('MAST_FINDING', input),
  scaFinding: (input: ComponentInput) => readComponent('SCA_FINDING', input),
  containerFinding: (input: ComponentInput) => readComponent('CONTAINER_FINDING', input),
  dastFinding: (input: ExchangeInput) => readExchange('DAST_FINDING', input),
}

function readEntry(entry: CreateOrUpdateFindingPolymorphicInput): Report | ApplicationError {
  try {
    return readOne(entry, readers)
  } catch (error) {
    if (error instanceof ApplicationError) return error
    throw error
  }
}

async function batch(_: unknown, { input }: MutationBatchCreateOrUpdateFindingsArgs, context: Context) {
  const answers = await service.batchCreateOrUpdateFindings(context, input.findings.map(readEntry))
  const results = answers.flatMap((answer, index) =>
    answer instanceof ApplicationError ? [] : [{ index, ...payload(answer) }],
  )
  const findingErrors = answers.flatMap((answer, index) =>
    answer instanceof ApplicationError ? [{ index, code: answer.code, message: answer.message }] : [],
  )
  return { issues: results.map(({ issue }) => issue), findingErrors, results }
}

const places = {
  previousPlaces: ({ recorded }: { recorded: service.Recorded }, _: unknown, context: Context) =>
    service.placesBefore(context, recorded),
}

export const findingResolvers = {
  Mutation: {
    createOrUpdateSastFinding: upsert<CodeInput>(readCode, 'SAST_FINDING'),
    createOrUpdateIacFinding: upsert<CodeInput>(readCode, 'IAC_FINDING'),
    createOrUpdateSecretFinding: upsert<CodeInput>(readCode, 'SECRET_FINDING'),
    createOrUpdateMastFinding: upsert<CodeInput>(readCode, 'MAST_FINDING'),
    createOrUpdateScaFinding: upsert<ComponentInput>(readComponent, 'SCA_FINDING'),
    createOrUpdateContainerFinding: upsert<ComponentInput>(readComponent, 'CONTAINER_FINDING'),
    createOrUpdateDastFinding: upsert<ExchangeInput>(readExchange, 'DAST_FINDING'),
    createSastFinding: create<CodeInput>(readCode, 'SAST_FINDING'),
    createIacFinding: create<CodeInput>(readCode, 'IAC_FINDING'),
    createSecretFinding: create<CodeInput>(readCode, 'SECRET_FINDING'),
    createMastFinding: create<CodeInput>(readCode, 'MAST_FINDING'),
    createScaFinding: create<ComponentInput>(readComponent, 'SCA_FINDING'),
    createContainerFinding: create<ComponentInput>(readComponent, 'CONTAINER_FINDING'),
    createDastFinding: create<ExchangeInput>(readExchange, 'DAST_FINDING'),
    batchCreateOrUpdateFindings: batch,
  },
  CreateOrUpdateSastFindingPayload: places,
  CreateOrUpdateIacFindingPayload: places,
  CreateOrUpdateSecretFindingPayload: places,
  CreateOrUpdateMastFindingPayload: places,
  CreateOrUpdateScaFindingPayload: places,
  CreateOrUpdateContainerFindingPayload: places,
  CreateOrUpdateDastFindingPayload: places,
  FindingResult: places,
} satisfies Resolvers
