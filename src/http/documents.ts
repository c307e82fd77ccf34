// Caches documents that callers send repeatedly: parsed and validated once, and compiled if they are frequent.

import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  specifiedRules,
  validate,
  visit,
} from 'graphql'
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit'
import type { Limits } from '../core/config.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { Context } from '../modules/context.ts'
import { compileDirect, type DirectQuery, fragmentsOf } from './direct.ts'
import { readSchema } from './introspection.ts'
import { type DocumentCost, documentLimitsOf, type Measured, measureDocument, parseBounded } from './limits.ts'
import { openMemory } from './remembered.ts'

/** The use at which a document is compiled; compiling costs about as much as executing it ten times. */
const COMPILED_AT_USE = 3

/** A document is cached, and its uses are counted, from its second use on. */
const KEPT_AT_USE = 2

/** The operations of one document that are measured once and whose uses are counted. */
const MOST_OPERATIONS = 100

/** Faults of a document that are reported: enough to fix it, but few, because reporting one takes more bytes than committing it. */
const MOST_FAULTS = 5

export type Refusal = { code: ErrorCode; errors: readonly GraphQLError[] }

export type PreparedDocument = {
  document: DocumentNode
  /** undefined until it is validated */
  refusal: Refusal | null | undefined
  /** whether the compiler would answer differently from graphql-js; see readCases */
  needsPlain: (variables: Record<string, unknown>) => boolean
  isIntrospection: boolean
  /** by operation name, for the last variables */
  measured: Map<string, Measured>
  uses: Map<string, number>
  /** by operation name; null if it cannot be compiled */
  compiled: Map<string, CompiledQuery | null>
  direct: Map<string, DirectQuery | null>
}

export type Documents = {
  /** Parses a document within the limits on its text; `validated` validates it. */
  prepare(source: string): PreparedDocument | Refusal
  /** As measureDocument, which is called again only if the variables ask for other page sizes. */
  measure(
    prepared: PreparedDocument,
    operationName: string | undefined,
    variables: Execution['variables'],
  ): DocumentCost
  /** Validates once; returns the refusal, or null. */
  validated(prepared: PreparedDocument): Refusal | null
  execute(prepared: PreparedDocument, request: Execution): Promise<ExecutionResult>
}

type Execution = {
  operationName: string | undefined
  variables: Record<string, unknown>
  context: Context
}

export type CompileMode = 'often-used' | 'always' | 'never'

export function openDocuments(schema: GraphQLSchema, limits: Limits, mode: CompileMode = 'often-used'): Documents {
  const documentLimits = documentLimitsOf(limits)
  const remembered = openMemory<PreparedDocument>()
  const compileAt = { 'often-used': COMPILED_AT_USE - KEPT_AT_USE + 1, always: 1, never: Number.POSITIVE_INFINITY }[
    mode
  ]

  return {
    prepare(source) {
      const known = remembered.get(source)
      if (known) return known
      const parsed = parseBounded(source, documentLimits)
      if (parsed.kind === 'syntax') return { code: 'GRAPHQL_PARSE_FAILED', errors: [parsed.error] }
      if (parsed.kind !== 'document') return { code: 'QUERY_TOO_COMPLEX', errors: [new GraphQLError(parsed.message)] }
      const prepared = newDocument(readIssueAsIssueType(parsed.document))
      remembered.add(source, prepared)
      return prepared
    },
    measure({ document, measured }, operationName, variables) {
      const name = operationName ?? ''
      const known = measured.get(name)
      if (known?.holdsFor(variables)) return known.cost
      const fresh = measureDocument(schema, document, operationName, variables, { maxPageSize: limits.pageSize })
      if (known || measured.size < MOST_OPERATIONS) measured.set(name, fresh)
      return fresh.cost
    },
    validated(prepared) {
      if (prepared.refusal === undefined) {
        const errors = validate(schema, prepared.document, specifiedRules, { maxErrors: MOST_FAULTS })
        prepared.refusal = errors.length > 0 ? { code: 'GRAPHQL_VALIDATION_FAILED', errors } : null
      }
      return prepared.refusal
    },
    async execute(prepared, { operationName, variables, context }) {
      const read =
        prepared.isIntrospection && mode !== 'never' ? readAsked(schema, prepared, operationName, variables) : null
      if (read) return read
      if (isOftenUsed(prepared, operationName, compileAt)) {
        const result = await executeFast(schema, prepared, { operationName, variables, context })
        // Without data nothing was executed, because the variables could not be read: graphql-js decides whether they can.
        if (result?.data !== undefined) return result
      }
      return execute({
        schema,
        document: prepared.document,
        contextValue: context,
        variableValues: variables,
        operationName,
      })
    },
  }
}

const newDocument = (document: DocumentNode): PreparedDocument => ({
  document,
  refusal: undefined,
  ...readCases(document),
  measured: new Map(),
  uses: new Map(),
  compiled: new Map(),
  direct: new Map(),
})

/**
 * The compiler (graphql-jit 0.8.9) treats a missing variable inside an object literal of the document as null, unlike graphql-js, so that an
 * update would clear a field that it should leave unchanged.
 */
function readCases(document: DocumentNode): Pick<PreparedDocument, 'needsPlain' | 'isIntrospection'> {
  const inside = new Set<string>()
  const withDefault = new Set<string>()
  let isIntrospection = false
  visit(document, {
    VariableDefinition({ variable, defaultValue }) {
      if (defaultValue) withDefault.add(variable.name.value)
      return false
    },
    Field({ name }) {
      if (name.value === '__schema' || name.value === '__type') isIntrospection = true
    },
    ObjectField({ value }) {
      if (value.kind === Kind.VARIABLE) inside.add(value.name.value)
    },
  })
  const mayBeLeftOut = [...inside].filter((name) => !withDefault.has(name))
  const needsPlain = (variables: Record<string, unknown>) =>
    mayBeLeftOut.some((name) => !Object.hasOwn(variables, name))
  return { needsPlain, isIntrospection }
}

/** Compiles an operation at its n-th use; never one that the document does not have. */
function isOftenUsed({ document, uses }: PreparedDocument, operationName: string | undefined, compileAt: number) {
  const name = operationName ?? ''
  const used = (uses.get(name) ?? 0) + 1
  if (uses.has(name) || uses.size < MOST_OPERATIONS) uses.set(name, used)
  return used >= compileAt && getOperationAST(document, operationName) != null
}

function readAsked(
  schema: GraphQLSchema,
  { document }: PreparedDocument,
  operationName: string | undefined,
  variables: Execution['variables'],
): ExecutionResult | null {
  const operation = getOperationAST(document, operationName)
  return operation ? readSchema(schema, operation, fragmentsOf(document), variables) : null
}

/** Answers directly if possible, else runs the compiled operation; null for an operation that graphql-js must execute. */
async function executeFast(
  schema: GraphQLSchema,
  prepared: PreparedDocument,
  { operationName, variables, context }: Execution,
): Promise<ExecutionResult | null> {
  const { document, compiled, direct, needsPlain } = prepared
  const name = operationName ?? ''
  const query = madeOnce(direct, name, () => compileDirect(schema, document, operationName))
  const answer = await query?.(context, variables)
  if (answer) return answer
  // an operation whose answer could not be read directly once is resolved from then on
  if (query) context.log.debug({ operation: name }, 'An operation is resolved field by field from now on')
  direct.set(name, null)
  if (needsPlain(variables)) return null
  const executor = madeOnce(compiled, name, () => {
    const result = compileQuery(schema, document, operationName, { disablingCapturingStackErrors: true })
    return isCompiledQuery(result) ? result : null
  })
  return executor ? executor.query(null, context, variables) : null
}

function madeOnce<T>(known: Map<string, T>, name: string, make: () => T): T {
  const value = known.get(name)
  if (value !== undefined) return value
  const made = make()
  known.set(name, made)
  return made
}

/**
 * Clients of this API declare variables of an enum that they call `Issue`. Here Issue is the interface of findings, which cannot be the type
 * of a variable, so such a declaration can only mean the enum IssueType.
 */
function readIssueAsIssueType(document: DocumentNode): DocumentNode {
  const declares = document.definitions.some(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION && (definition.variableDefinitions?.length ?? 0) > 0,
  )
  if (!declares) return document
  return visit(document, {
    VariableDefinition: (definition) =>
      visit(definition, {
        NamedType: (type) =>
          type.name.value === 'Issue' ? { ...type, name: { ...type.name, value: 'IssueType' } } : undefined,
      }),
  })
}
