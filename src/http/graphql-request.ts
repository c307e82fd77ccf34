// A GraphQL request: what its body holds, and what the operation is executed with.

import type { Caller } from '../core/db/caller.ts'
import { ApplicationError } from '../core/errors.ts'
import type { Viewer } from '../modules/context.ts'

/** The body of a request; only its shape has been checked. */
export type GraphqlRequest = {
  query: string
  operationName: string | undefined
  variables: Record<string, unknown>
}

/** `caller` cancels queries in the database when it disconnects; `signal` aborts calls to other hosts. */
export type RequestFacts = {
  id: string
  address: string
  idempotencyKey: string | null
  viewer: Viewer
  caller: Caller
  signal: AbortSignal
}

const badRequest = (message: string) => new ApplicationError('BAD_REQUEST', message)

/** Reads a parsed JSON body; BAD_REQUEST if it is not a GraphQL request. */
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
