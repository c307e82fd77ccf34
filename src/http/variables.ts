// Explains why the variables of a request cannot be read: one error per fault, with its place but never the value, which may be secret.

import {
  coerceInputValue,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql'
import { ApplicationError, badUserInput } from '../core/errors.ts'

const MOST_FAULTS = 20

/**
 * The faults of `given` as values of the operation's variables, in order, at most 20. Each is BAD_USER_INPUT (or what a scalar throws) with its
 * place as the argument, such as `input.assetId`, where the first step is the variable's name.
 */
export function variableFaults(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  given: Record<string, unknown>,
): ApplicationError[] {
  const faults: ApplicationError[] = []
  for (const definition of operation.variableDefinitions ?? []) {
    const name = definition.variable.name.value
    const type = typeFromAST(schema, definition.type)
    if (!isInputType(type)) continue
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value === undefined && (definition.defaultValue || !isNonNullType(type))) continue
    if (value === undefined) faults.push(badUserInput(`The variable ${name} of type ${type} is required`, name))
    else addFaults(faults, name, type, value)
    if (faults.length >= MOST_FAULTS) return faults.slice(0, MOST_FAULTS)
  }
  return faults
}

/** Ends the walk through a value once enough faults are found. */
class Enough extends Error {}

function addFaults(faults: ApplicationError[], name: string, type: GraphQLInputType, value: unknown): void {
  try {
    coerceInputValue(value, type, (path, _, error) => {
      faults.push(describe([name, ...path].join('.'), error))
      if (faults.length >= MOST_FAULTS) throw new Enough()
    })
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
}

const MISSING_FIELD = /^Field "(\w+)" of required type "([^"]+)" was not provided/
const UNKNOWN_FIELD = /^Field ".*" is not defined by type "(\w+)"\.(?: Did you mean ((?:"\w+"|,| |or)+)\?)?$/s

function describe(place: string, error: GraphQLError): ApplicationError {
  const cause = error.originalError
  if (cause instanceof ApplicationError) {
    return new ApplicationError(cause.code, `${place}: ${cause.message}`, { argument: cause.argument ?? place })
  }
  const missing = MISSING_FIELD.exec(error.message)
  if (missing) {
    const argument = `${place}.${missing[1]}`
    return badUserInput(`${argument} of type ${missing[2]} is required`, argument)
  }
  return badUserInput(`${place}: ${withoutValue(error.message)}`, place)
}

/** The first part of graphql-js's message; what follows a colon, or repeats a field or value as sent, is the caller's data. */
function withoutValue(message: string): string {
  const unknown = UNKNOWN_FIELD.exec(message)
  if (unknown) {
    const [, type, meant = ''] = unknown
    return `a field is not defined by type ${type}${meant && `; did you mean ${meant.replaceAll('"', '')}?`}`
  }
  const shown = message.replace(/^Value ".*" does not exist in /s, 'the value does not exist in ')
  return shown.split(/: |; /, 1)[0]?.slice(0, 300) ?? ''
}
