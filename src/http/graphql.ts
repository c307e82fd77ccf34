// The endpoint: executes one GraphQL request, from its body to its answer; a mutation with an idempotency key only once.

import type { GraphQLSchema, OperationTypeNode } from 'graphql'
import { callingNobody, callingUntil } from '../core/calls-allowed.ts'
import { whileWaiting } from '../core/db/caller.ts'
import type { Db } from '../core/db/open.ts'
import { ApplicationError, type ErrorCode, errorTable } from '../core/errors.ts'
import { openRoom } from '../core/room.ts'
import type { Context, Parts, WorkParts } from '../modules/context.ts'
import { isLarger, MOST_CHARACTERS } from './answer-size.ts'
import { answerRefusal, answerResult, type GraphqlAnswer, keptAnswer, undone } from './answers.ts'
import { callsOutAnywhere } from './calls-out.ts'
import { type Admitted, openDocumentCheck } from './document-check.ts'
import type { Documents } from './documents.ts'
import { showError } from './errors.ts'
import type { GraphqlRequest, RequestFacts } from './graphql-request.ts'
import { hashRequest, openOnce } from './idempotency.ts'
import { variableFaults } from './variables.ts'

/** Resolves when the operation has ended, however long it takes. */
export type Endpoint = (request: GraphqlRequest, facts: RequestFacts) => Promise<GraphqlAnswer>

type Execute = (admitted: Admitted, db: Db) => Promise<Executed>

/** `isDone`: at least one root field succeeded, so that something may have changed. */
type Executed = { answered: GraphqlAnswer; isDone: boolean }

export function openEndpoint(schema: GraphQLSchema, documents: Documents, parts: WorkParts): Endpoint {
  const check = openDocumentCheck(documents, parts.config.limits)
  const execute = openExecute(schema, documents, parts)
  const executeOnce = openExecuteOnce(schema, execute, parts)
  // An external database has its own disk.
  const requireRoom = parts.config.databaseUrl === null ? openRoom(parts.config.data) : async () => {}
  return async (request, facts) => {
    const admitted = check(request, facts)
    if ('refused' in admitted) return admitted.refused
    const { caller, idempotencyKey, signal } = facts
    const run = async () => (await execute(admitted, parts.db)).answered
    if (admitted.operation.operation === 'query') return callingUntil(signal, () => whileWaiting(caller, run))
    await requireRoom()
    return idempotencyKey === null ? callingUntil(signal, run) : executeOnce(admitted, idempotencyKey)
  }
}

const openExecute =
  (schema: GraphQLSchema, documents: Documents, parts: WorkParts): Execute =>
  async ({ request, facts, prepared, operation, name, cost }, db) => {
    const context = openContext(parts, db, facts, name)
    const result = await documents.execute(prepared, { ...request, context })
    const isDone = Object.values(result.data ?? {}).some((payload) => payload !== null)
    const told = { id: facts.id, operation: name, cost }
    if (isLarger(result.data, MOST_CHARACTERS)) {
      const error = showError(tooLarge(operation.operation), facts.id)
      return { answered: answerRefusal('QUERY_TOO_COMPLEX', [error], told), isDone }
    }
    // Without data nothing was executed: the variables could not be read.
    const faults = result.data === undefined ? variableFaults(schema, operation, request.variables) : []
    if (faults.length === 0) return { answered: answerResult(result, parts.log, told), isDone }
    const errors = faults.map((fault) => showError(fault, facts.id))
    return { answered: answerRefusal('BAD_USER_INPUT', errors, told), isDone }
  }

/** Returns the answer to the first request under the key. A mutation that calls other hosts holds no database connection meanwhile. */
function openExecuteOnce(schema: GraphQLSchema, execute: Execute, parts: WorkParts) {
  const once = openOnce(parts)
  return async (admitted: Admitted, key: string): Promise<GraphqlAnswer> => {
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
}

/** The changes of a mutation stay: they were made before the answer was built. */
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
