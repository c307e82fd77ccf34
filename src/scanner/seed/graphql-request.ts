// A GraphQL document as a body whose literals stand in variables, so that a check changes values and never the document.

import { type DocumentNode, Kind, parse, print, type ValueNode, type VariableDefinitionNode, visit } from 'graphql'
import type { Body, Json } from '../types.ts'

type GraphqlBody = Extract<Body, { type: 'graphql' }>

const LONGEST = 200_000

/** The body of a document; a raw body when the document cannot be read. */
export function graphqlBody(query: string, variables: { readonly [name: string]: Json }): Body {
  try {
    if (query.length > LONGEST) throw new Error('too long')
    return lifted(parse(query, { maxTokens: 5_000 }), variables)
  } catch {
    return { type: 'json', mediaType: 'application/json', value: { query, variables } }
  }
}

/** String, number and boolean arguments become variables of the built-in type that fits them. */
function lifted(document: DocumentNode, given: { readonly [name: string]: Json }): GraphqlBody {
  const variables: Record<string, Json> = { ...given }
  const types: Record<string, string> = {}
  const added: VariableDefinitionNode[] = []
  let operationName = ''
  let isFirst = true
  const changed = visit(document, {
    VariableDefinition(node) {
      types[node.variable.name.value] = print(node.type)
    },
    Argument(node, _key, _parent, _path, ancestors) {
      const inOperation = ancestors.some(
        (one) => !Array.isArray(one) && 'kind' in one && one.kind === Kind.OPERATION_DEFINITION,
      )
      const inDirective = ancestors.some((one) => !Array.isArray(one) && 'kind' in one && one.kind === Kind.DIRECTIVE)
      const literal = inOperation && !inDirective ? literalOf(node.value) : null
      if (literal === null) return undefined
      let name = node.name.value
      while (Object.hasOwn(variables, name)) name += '_'
      variables[name] = literal.value
      types[name] = literal.type
      added.push({
        kind: Kind.VARIABLE_DEFINITION,
        variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } },
        type: {
          kind: Kind.NON_NULL_TYPE,
          type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: literal.type.slice(0, -1) } },
        },
      })
      return { ...node, value: { kind: Kind.VARIABLE as const, name: { kind: Kind.NAME as const, value: name } } }
    },
  })
  const named = visit(changed, {
    OperationDefinition(node) {
      if (!isFirst) return undefined
      isFirst = false
      operationName = node.name?.value ?? ''
      return { ...node, variableDefinitions: [...(node.variableDefinitions ?? []), ...added] }
    },
  })
  return { type: 'graphql', query: print(named), operationName, variables, types }
}

function literalOf(value: ValueNode): { value: Json; type: string } | null {
  switch (value.kind) {
    case Kind.STRING:
      return { value: value.value, type: 'String!' }
    case Kind.INT:
      return { value: Number(value.value), type: 'Int!' }
    case Kind.FLOAT:
      return { value: Number(value.value), type: 'Float!' }
    case Kind.BOOLEAN:
      return { value: value.value, type: 'Boolean!' }
    default:
      return null
  }
}
