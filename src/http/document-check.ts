// Decides whether a request's document is executed: within its limits, valid, and with one operation that may run over HTTP.

import { getOperationAST, type OperationDefinitionNode } from 'graphql'
import type { Limits } from '../core/config.ts'
import { ApplicationError } from '../core/errors.ts'
import { answerRefusal, type GraphqlAnswer } from './answers.ts'
import type { Documents, PreparedDocument, Refusal } from './documents.ts'
import { showDocumentError, showError } from './errors.ts'
import type { GraphqlRequest, RequestFacts } from './graphql-request.ts'
import { documentLimitsOf, exceededLimit } from './limits.ts'
import { rootFields } from './operation-name.ts'

/** A request whose document will be executed; `name` names its root fields. */
export type Admitted = {
  request: GraphqlRequest
  facts: RequestFacts
  prepared: PreparedDocument
  operation: OperationDefinitionNode
  name: string
  cost: number
}

/** The request with its document, or the answer that refuses it; throws BAD_REQUEST if the document has no operation that may run here. */
type CheckDocument = (request: GraphqlRequest, facts: RequestFacts) => Admitted | { refused: GraphqlAnswer }

const badRequest = (message: string) => new ApplicationError('BAD_REQUEST', message)

export function openDocumentCheck(documents: Documents, limits: Limits): CheckDocument {
  const documentLimits = documentLimitsOf(limits)
  return (request, facts) => {
    const prepared = documents.prepare(request.query)
    if ('code' in prepared) return refuse(prepared, facts)
    const measured = documents.measure(prepared, request.operationName, request.variables)
    const { cost } = measured
    const exceeded = exceededLimit(measured, documentLimits)
    if (exceeded) {
      const error = showError(new ApplicationError('QUERY_TOO_COMPLEX', exceeded), facts.id)
      return { refused: answerRefusal('QUERY_TOO_COMPLEX', [error], { id: facts.id, operation: 'none', cost }) }
    }
    const refusal = documents.validated(prepared)
    if (refusal) return refuse(refusal, facts)
    const operation = getOperationAST(prepared.document, request.operationName)
    if (!operation) throw badRequest('operationName names no single operation of the document')
    if (operation.operation === 'subscription') throw badRequest('Subscriptions are not offered over HTTP')
    const name = rootFields(prepared.document, request.operationName)
    return { request, facts, prepared, operation, name, cost }
  }
}

function refuse({ code, errors }: Refusal, { id }: RequestFacts): { refused: GraphqlAnswer } {
  const shown = errors.map((error) => showDocumentError(error, code, id))
  return { refused: answerRefusal(code, shown, { id, operation: 'none', cost: null }) }
}
