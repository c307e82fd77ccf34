// What a GraphQL document may ask: its size before it is parsed, its depth, aliases and cost before it is validated.

import { type DocumentNode, GraphQLError, type GraphQLSchema, Kind, type OperationDefinitionNode, parse } from 'graphql'
import type { Limits } from '../core/config.ts'
import type { Measure } from './limits/measure.ts'
import { type DocumentWalk, documentWalk } from './limits/walk.ts'

/** What a document may be at most. `bytes` in UTF-8; `tokens` without comments; `depth` in nested fields; `cost` see measureDocument. */
type DocumentLimits = { bytes: number; tokens: number; depth: number; aliases: number; cost: number }

/** What a document asks for at most; each number stops growing at 1,000,000,000. Introspection is counted apart from `depth`. */
export type DocumentCost = {
  depth: number
  aliases: number
  cost: number
  introspectionDepth: number
  introspectionLists: number
}

/** What a document was measured at, and whether it is that with other variables too. */
export type Measured = { cost: DocumentCost; holdsFor: DocumentWalk['holdsFor'] }

/** A document that may go on to validation, or why not. */
type BoundedParse =
  | { kind: 'document'; document: DocumentNode }
  | { kind: 'too-large' | 'too-many-tokens'; message: string }
  | { kind: 'syntax'; error: GraphQLError }

/** The limits of documents among all that the operator set. */
export const documentLimitsOf = (limits: Limits): DocumentLimits => ({
  bytes: limits.documentBytes,
  tokens: limits.documentTokens,
  depth: limits.documentDepth,
  aliases: limits.documentAliases,
  cost: limits.documentCost,
})

/**
 * Nested fields from `__schema` or `__type` down, and lists nested among them. The full introspection query of graphql-js is
 * 15 deep and nests 3 lists (types, fields, args); each list more multiplies the answer by the fields of a type.
 */
const introspectionLimits = { depth: 20, lists: 3 }

/**
 * Parses a document of bounded size.
 *
 * A syntax error is returned, not thrown, and so is a document nested beyond what the parser's stack holds, which only a token
 * limit far above the default lets through.
 */
export function parseBounded(source: string, limits: Pick<DocumentLimits, 'bytes' | 'tokens'>): BoundedParse {
  // A UTF-16 unit takes at least one byte, which spares counting the bytes of what is far too large.
  if (source.length > limits.bytes || Buffer.byteLength(source) > limits.bytes) {
    return { kind: 'too-large', message: `The document is larger than the ${shown(limits.bytes)} bytes allowed` }
  }
  try {
    return { kind: 'document', document: parse(source, { maxLexicalTokens: limits.tokens }) }
  } catch (error) {
    if (error instanceof RangeError)
      return { kind: 'too-large', message: 'The document is nested too deeply to be read' }
    if (!(error instanceof GraphQLError)) throw error
    // graphql-js tells this error from others by its message alone; "that" is its own spelling.
    if (error.message === `Syntax Error: Document contains more that ${limits.tokens} tokens. Parsing aborted.`) {
      return {
        kind: 'too-many-tokens',
        message: `The document has more than the ${shown(limits.tokens)} tokens allowed`,
      }
    }
    return { kind: 'syntax', error }
  }
}

/**
 * Measures, in time linear in the document, what the operation asks for at most. The document need not be valid: what the schema
 * does not know counts as a plain field, and a fragment inside itself counts once.
 *
 * - `depth`: nested fields, fragments expanded; introspection has its own.
 * - `aliases`: aliased fields, fragments expanded.
 * - `cost`: 1 a field, what is under a list multiplied by the items the list may hold:
 *   - the page size, for a list that takes `pagination { perPage }`, `limit` or `perPage` itself and for the list `collection` of
 *     a field that takes them. The size is the one asked for, in the document or by variable, else the schema's default, else 10;
 *     more than `maxPageSize` counts as that, and one that the service refuses (below 1, not a number) as 1;
 *   - 10 for a `collection` without paging, and 5 for every other list of objects (4 in introspection).
 *   Lists of scalars and `metadata` are not multiplied. Of fragments on different object types only the dearest counts, because
 *   an object has one type. `@skip` and `@include` are not looked at.
 *
 * Where `operationName` selects no operation (nor is there just one), the greatest numbers of all of them are returned; nothing
 * of such a document is ever executed.
 */
export function measureDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  variables: Record<string, unknown>,
  limits: { maxPageSize: number },
): Measured {
  const operations = selectedOperations(document, operationName)
  const walk = documentWalk({ schema, document, operations, variables, maxPageSize: limits.maxPageSize })
  const cost: DocumentCost = { depth: 0, aliases: 0, cost: 0, introspectionDepth: 0, introspectionLists: 0 }
  for (const operation of operations) raise(cost, walk.measure(operation))
  return { cost, holdsFor: walk.holdsFor }
}

/** The first limit that the measured document exceeds, as one sentence for the caller; null when it may be executed. */
export function exceededLimit(
  measured: DocumentCost,
  limits: Pick<DocumentLimits, 'depth' | 'aliases' | 'cost'>,
): string | null {
  if (measured.depth > limits.depth) {
    return `The document is ${shown(measured.depth)} levels deep; ${shown(limits.depth)} are allowed`
  }
  if (measured.introspectionDepth > introspectionLimits.depth) {
    return `The introspection is ${shown(measured.introspectionDepth)} levels deep; ${introspectionLimits.depth} are allowed`
  }
  if (measured.introspectionLists > introspectionLimits.lists) {
    return `The introspection nests ${shown(measured.introspectionLists)} lists; ${introspectionLimits.lists} are allowed`
  }
  if (measured.aliases > limits.aliases) {
    return `The document has ${shown(measured.aliases)} aliases; ${shown(limits.aliases)} are allowed`
  }
  if (measured.cost > limits.cost) {
    return `The request may cost ${shown(measured.cost)}; ${shown(limits.cost)} are allowed`
  }
  return null
}

function selectedOperations(document: DocumentNode, name: string | undefined): OperationDefinitionNode[] {
  const operations: OperationDefinitionNode[] = []
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition)
  }
  if (name === undefined) return operations
  const named = operations.filter((operation) => operation.name?.value === name)
  return named.length > 0 ? named : operations
}

function raise(total: DocumentCost, measure: Measure): void {
  total.depth = Math.max(total.depth, measure.depth)
  total.aliases = Math.max(total.aliases, measure.aliases)
  total.cost = Math.max(total.cost, measure.cost)
  total.introspectionDepth = Math.max(total.introspectionDepth, measure.introspectionDepth)
  total.introspectionLists = Math.max(total.introspectionLists, measure.introspectionLists)
}

function shown(value: number): string {
  return value.toLocaleString('en-US')
}
