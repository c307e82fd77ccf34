// The bodies and statuses with which GraphQL requests are answered.

import type { ExecutionResult } from 'graphql'
import { ApplicationError, type ErrorCode, errorTable } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { asApplicationError, type ShownError, showError, showFieldError } from './errors.ts'

/** `status` is what application/graphql-response+json asks for; under application/json it is 200. */
export type GraphqlAnswer = { status: number; body: string; operation: string; codes: ErrorCode[] }

type Body = { data?: unknown; errors?: ShownError[] }

/** What an answer says of its request: `id` and `cost` in its extensions; `operation`, its root fields, in the log. */
type AnswerFacts = { id: string; operation: string; cost: number | null }

/** The stored answer to the first such request, byte for byte. */
export function keptAnswer(body: string, operation: string): GraphqlAnswer {
  const { data, errors = [] }: Body = JSON.parse(body)
  const codes = errors.map(({ extensions }) => extensions.code)
  const [code = 'BAD_USER_INPUT'] = codes
  return { status: data === undefined ? errorTable[code].status : 200, body, operation, codes }
}

/** The answer to a request that was rolled back as a whole because one part failed for a transient reason. */
export function undone(response: string, requestId: string): string {
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

/** The answer to an operation that was executed, or whose variables could not be read and that therefore has no data. */
export function answerResult({ data, errors }: ExecutionResult, log: Log, facts: AnswerFacts): GraphqlAnswer {
  const shown = errors?.map((error) => showFieldError(error, log, facts.id))
  const body = { ...(data === undefined ? {} : { data }), ...(shown?.length ? { errors: shown } : {}) }
  return answer(data === undefined ? errorTable.BAD_USER_INPUT.status : 200, body, facts)
}

/** The answer to an operation without a result, with the status of the code. */
export const answerRefusal = (code: ErrorCode, errors: ShownError[], facts: AnswerFacts): GraphqlAnswer =>
  answer(errorTable[code].status, { errors }, facts)

function answer(status: number, body: Body, { id, operation, cost }: AnswerFacts): GraphqlAnswer {
  const extensions = { requestId: id, ...(cost === null ? {} : { cost }) }
  const codes = body.errors?.map((error) => error.extensions.code) ?? []
  return { status, body: JSON.stringify({ ...body, extensions }), operation, codes }
}

/** The answer to a request that failed before or outside its operation. */
export function answerFailure(
  error: unknown,
  { log }: { log: Log },
  requestId: string,
): GraphqlAnswer & { failure: ApplicationError } {
  const failure = asApplicationError(error, log, requestId)
  const body = JSON.stringify({ errors: [showError(failure, requestId)], extensions: { requestId } })
  return { status: errorTable[failure.code].status, body, operation: 'none', codes: [failure.code], failure }
}
