// The endpoint: one GraphQL request from its body to its answer, within its limits and its deadline.

import {
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  type OperationTypeNode,
} from 'graphql'
import { callingNobody, callingUntil } from '../core/calls-allowed.ts'
import { type Caller, whileWaiting } from '../core/db/caller.ts'
import type { Db } from '../core/db/open.ts'
import { ApplicationError, type ErrorCode, errorTable } from '../core/errors.ts'
import { openRoom } from '../core/room.ts'
import type { Context, Parts, Viewer, WorkParts } from '../modules/context.ts'
import { isLarger, MOST_CHARACTERS } from './answer-size.ts'
import { callsOutAnywhere } from './calls-out.ts'
import type { Documents, PreparedDocument, Refusal } from './documents.ts'
import { asApplicationError, type ShownError, showDocumentError, showError, showFieldError } from './errors.ts'
import { hashRequest, openOnce } from './idempotency.ts'
import { documentLimitsOf, exceededLimit } from './limits.ts'
import { rootFields } from './operation-name.ts'
import { variableFaults } from './variables.ts'

/** The body of a request, checked for its shape only. */
export type GraphqlRequest = {
  query: string
  operationName: string | undefined
  variables: Record<string, unknown>
}

/** `caller` has reading statements cancelled when it leaves; `signal` ends what waits for other hosts. */
export type RequestFacts = {
  id: string
  address: string
  idempotencyKey: string | null
  viewer: Viewer
  caller: Caller
  signal: AbortSignal
}

/** `status` is what application/graphql-response+json asks for; under application/json it is 200. */
export type GraphqlAnswer = { status: number; body: string; operation: string; codes: ErrorCode[] }

const badRequest = (message: string) => new ApplicationError('BAD_REQUEST', message)

/** Reads a parsed JSON body; BAD_REQUEST for what is no GraphQL request. */
export function readGraphqlRequest(body: unknown): GraphqlRequest {
  if (Array.isArray(body)) throw badRequest('Batches of operations are not offered')
  if (!isObject(body)) throw badRequest('The body must be a JSON object with a query')
  const { query, operationName, variables, extensions } = body
  if (typeof query !== 'string' || query === '')
    throw badRequest('query must be a string that holds a GraphQL document')
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw badRequest('operationName must be a string')
  }
  if (variables !== undefined && variables !== null && !isObject(variables))
    throw badRequest('variables must be an object')
  if (extensions !== undefined && extensions !== null && !isObject(extensions)) {
    throw badRequest('extensions must be an object')
  }
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Answers when the operation has ended, however long it takes. */
export type Endpoint = (request: GraphqlRequest, facts: RequestFacts) => Promise<GraphqlAnswer>

/** A request whose document is one that is executed; `name` is that of its root fields. */
type Admitted = {
  request: GraphqlRequest
  facts: RequestFacts
  prepared: PreparedDocument
  operation: OperationDefinitionNode
  name: string
  cost: number
}

/** `isDone`: a part of it has an answer, so that something may have changed. */
type Executed = { answered: GraphqlAnswer; isDone: boolean }

export function openEndpoint(schema: GraphQLSchema, documents: Documents, parts: WorkParts): Endpoint {
  const documentLimits = documentLimitsOf(parts.config.limits)
  const once = openOnce(parts)
  // A database elsewhere keeps its own disk.
  const requireRoom = parts.config.databaseUrl === null ? openRoom(parts.config.data) : async () => {}

  /** Throws BAD_REQUEST where the document has no operation that may run here. */
  const admit = (request: GraphqlRequest, facts: RequestFacts): Admitted | { refused: GraphqlAnswer } => {
    const refuse = ({ code, errors }: Refusal) => {
      const shown = errors.map((error) => showDocumentError(error, code, facts.id))
      return { refused: answer(errorTable[code].status, { errors: shown }, facts, 'none', null) }
    }
    const prepared = documents.prepare(request.query)
    if ('code' in prepared) return refuse(prepared)
    const cost = documents.measure(prepared, request.operationName, request.variables)
    const exceeded = exceededLimit(cost, documentLimits)
    if (exceeded) {
      const error = showError(new ApplicationError('QUERY_TOO_COMPLEX', exceeded), facts.id)
      return { refused: answer(errorTable.QUERY_TOO_COMPLEX.status, { errors: [error] }, facts, 'none', cost.cost) }
    }
    const refusal = documents.validated(prepared)
    if (refusal) return refuse(refusal)
    const operation = getOperationAST(prepared.document, request.operationName)
    if (!operation) throw badRequest('operationName names no single operation of the document')
    if (operation.operation === 'subscription') throw badRequest('Subscriptions are not offered over HTTP')
    const name = rootFields(prepared.document, request.operationName)
    return { request, facts, prepared, operation, name, cost: cost.cost }
  }

  const execute = async (admitted: Admitted, db: Db): Promise<Executed> => {
    const { request, facts, prepared, operation, name, cost } = admitted
    const context = openContext(parts, db, facts, name)
    const result = await documents.execute(prepared, { ...request, context })
    const isDone = Object.values(result.data ?? {}).some((payload) => payload !== null)
    if (isLarger(result.data, MOST_CHARACTERS)) {
      const error = showError(tooLarge(operation.operation), facts.id)
      const { status } = errorTable.QUERY_TOO_COMPLEX
      return { answered: answer(status, { errors: [error] }, facts, name, cost), isDone }
    }
    const faults = result.data === undefined ? variableFaults(schema, operation, request.variables) : []
    if (faults.length === 0) return { answered: answerResult(result, parts, facts, name, cost), isDone }
    const errors = faults.map((fault) => showError(fault, facts.id))
    return { answered: answer(errorTable.BAD_USER_INPUT.status, { errors }, facts, name, cost), isDone }
  }

  /** The answer of the first request under the key; one that calls other hosts holds no connection meanwhile. */
  const executeOnce = async (admitted: Admitted, key: string): Promise<GraphqlAnswer> => {
    const { request, facts, prepared, name } = admitted
    const own: GraphqlAnswer[] = []
    const work = async (db: Db) => {
      const { answered, isDone } = await execute(admitted, db)
      own.push(answered)
      return { response: answered.body, isTransient: answered.codes.some(mayPass), isDone }
    }
    const hash = hashRequest(request.query, request.operationName, request.variables)
    const asked = { viewer: facts.viewer, key, hash, signal: facts.signal }
    const body = callsOutAnywhere(schema, prepared.document)
      ? await once.callingOut(asked, () => callingUntil(facts.signal, () => work(parts.db)))
      : await once.inTransaction(asked, async (trx) => {
          const outcome = await callingNobody(() => work(trx))
          const isUndone = outcome.isTransient && outcome.isDone
          return isUndone ? { ...outcome, response: undone(outcome.response, facts.id) } : outcome
        })
    const [answered = keptAnswer(body, name)] = own
    return { ...answered, body }
  }

  return async (request, facts) => {
    const admitted = admit(request, facts)
    if ('refused' in admitted) return admitted.refused
    const { caller, idempotencyKey, signal } = facts
    const run = async () => (await execute(admitted, parts.db)).answered
    if (admitted.operation.operation === 'query') return callingUntil(signal, () => whileWaiting(caller, run))
    await requireRoom()
    return idempotencyKey === null ? callingUntil(signal, run) : executeOnce(admitted, idempotencyKey)
  }
}

/** What was answered when this was asked the first time, byte for byte. */
function keptAnswer(body: string, operation: string): GraphqlAnswer {
  const { data, errors = [] }: Body = JSON.parse(body)
  const codes = errors.map(({ extensions }) => extensions.code)
  const [code = 'BAD_USER_INPUT'] = codes
  return { status: data === undefined ? errorTable[code].status : 200, body, operation, codes }
}

/** The answer to a request of which one part failed for a reason that may pass, so that what the others did is undone. */
function undone(response: string, requestId: string): string {
  const { data, errors, extensions } = JSON.parse(response)
  const again = new ApplicationError(
    'CONFLICT',
    'It was undone with the rest of the request, of which a part failed for a reason that may pass: send it again under its Idempotency-Key',
    { retryable: true },
  )
  const done = Object.keys(data).filter((name) => data[name] !== null)
  return JSON.stringify({
    data: Object.fromEntries(Object.keys(data).map((name) => [name, null])),
    errors: [...errors, ...done.map((name) => ({ ...showError(again, requestId), path: [name] }))],
    extensions,
  })
}

/** What a mutation changed before its answer was put together stays. */
const tooLarge = (operation: OperationTypeNode) =>
  new ApplicationError(
    'QUERY_TOO_COMPLEX',
    `${operation === 'mutation' ? 'It was done, but the' : 'The'} answer has more than the ${MOST_CHARACTERS.toLocaleString('en-US')} characters allowed: ask for fewer fields or smaller pages`,
  )

const mayPass = (code: ErrorCode) => errorTable[code].retryable || code === 'INTERNAL_SERVER_ERROR'

function openContext(parts: Parts, db: Db, facts: RequestFacts, operation: string): Context {
  const { id, address, viewer } = facts
  return { ...parts, db, viewer, request: { id, address, operation }, loaders: new Map() }
}

function answerResult(
  result: ExecutionResult,
  parts: Parts,
  facts: RequestFacts,
  name: string,
  cost: number,
): GraphqlAnswer {
  const errors = result.errors?.map((error) => showFieldError(error, parts.log, facts.id))
  // Without data nothing was executed: the variables could not be read.
  const isRefused = result.data === undefined
  const body = { ...(isRefused ? {} : { data: result.data }), ...(errors?.length ? { errors } : {}) }
  return answer(isRefused ? errorTable.BAD_USER_INPUT.status : 200, body, facts, name, cost)
}

type Body = { data?: unknown; errors?: ShownError[] }

function answer(
  status: number,
  body: Body,
  facts: RequestFacts,
  operation: string,
  cost: number | null,
): GraphqlAnswer {
  const extensions = { requestId: facts.id, ...(cost === null ? {} : { cost }) }
  const codes = body.errors?.map((error) => error.extensions.code) ?? []
  return { status, body: JSON.stringify({ ...body, extensions }), operation, codes }
}

/** The answer to a request that failed before or outside its operation. */
export function answerFailure(
  error: unknown,
  parts: Pick<Parts, 'log'>,
  requestId: string,
): GraphqlAnswer & { failure: ApplicationError } {
  const failure = asApplicationError(error, parts.log, requestId)
  const body = JSON.stringify({ errors: [showError(failure, requestId)], extensions: { requestId } })
  return { status: errorTable[failure.code].status, body, operation: 'none', codes: [failure.code], failure }
}
