// Decides whether a request's files are accepted: asked once its operation is known, before the first file is stored.

import {
  type DocumentNode,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  getNullableType,
  getOperationAST,
  isInputObjectType,
  isListType,
  type OperationDefinitionNode,
  typeFromAST,
  visit,
} from 'graphql'
import type { Limits } from '../core/config.ts'
import { ApplicationError } from '../core/errors.ts'
import { type Action, authorizeSomewhere } from '../modules/access/service.ts'
import type { Viewer } from '../modules/context.ts'
import { takingFiles } from '../modules/taking-files.ts'
import type { Documents } from './documents.ts'
import { readGraphqlRequest } from './graphql-request.ts'
import { documentLimitsOf, exceededLimit } from './limits.ts'

/** The operation is refused whatever its files are; `body` lets the endpoint say why. */
export class RefusedWithoutFiles extends Error {
  readonly body: unknown

  constructor(body: unknown) {
    super('The operation is refused')
    this.body = body
  }
}

/**
 * Returns if the operation will be executed, takes a file at each of these places (`variables.input.archive`), and may be called by the viewer
 * in at least one company. Otherwise throws RefusedWithoutFiles, BAD_REQUEST or FORBIDDEN.
 */
export type Admit = (body: unknown, places: Iterable<string>, viewer: Viewer) => void

export function openAdmission(schema: GraphQLSchema, documents: Documents, limits: Limits): Admit {
  return (body, places, viewer) => {
    const { query, operationName, variables } = readGraphqlRequest(body)
    const prepared = documents.prepare(query)
    if ('code' in prepared) throw new RefusedWithoutFiles(body)
    const cost = documents.measure(prepared, operationName, variables)
    const isRefused = exceededLimit(cost, documentLimitsOf(limits)) || documents.validated(prepared)
    const operation = getOperationAST(prepared.document, operationName)
    if (isRefused || !operation) throw new RefusedWithoutFiles(body)
    for (const place of places) requireUpload(schema, operation, place)
    requireMay(viewer, prepared.document)
  }
}

function requireUpload(schema: GraphQLSchema, operation: OperationDefinitionNode, place: string): void {
  const [, name, ...steps] = place.split('.')
  const definition = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name)
  let type: GraphQLType | undefined = definition && typeFromAST(schema, definition.type)
  for (const step of steps) type = type && below(type, step)
  if (type && getNamedType(type).name === 'Upload') return
  throw new ApplicationError('BAD_REQUEST', `The operation takes no file at ${place.slice(0, 80)}`)
}

function below(type: GraphQLType, step: string): GraphQLType | undefined {
  const container = getNullableType(type)
  if (isListType(container)) return container.ofType
  return isInputObjectType(container) ? container.getFields()[step]?.type : undefined
}

function requireMay(viewer: Viewer, document: DocumentNode): void {
  const asked: Action[] = []
  visit(document, {
    Field({ name }) {
      const action = takingFiles.get(name.value)
      if (action) asked.push(action)
    },
  })
  authorizeSomewhere(viewer, asked)
}
