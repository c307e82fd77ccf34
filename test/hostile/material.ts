/** The parts from which every class of hostile request is built. */
import { type GraphQLSchema, Lexer, OperationTypeNode, Source, TokenKind } from 'graphql'
import { type Operation, operationText, validOperation } from './operations.ts'
import type { Random } from './random.ts'

/** The input of a class: a valid operation of the schema, and its text. */
export type Material = { schema: GraphQLSchema; random: Random; operation: Operation; text: string }

/** Builds a request: its body, and headers if they are part of the attack. */
export type Make = (material: Material) => string | { body: string; headers: Record<string, string> }

/** A valid query or mutation of the schema. */
export function someMaterial(schema: GraphQLSchema, random: Random): Material {
  const wanted = random.onceIn(3) ? OperationTypeNode.MUTATION : OperationTypeNode.QUERY
  const operation = validOperation(schema, random, wanted) ?? validOperation(schema, random, OperationTypeNode.QUERY)
  if (operation === null) throw new Error('The schema has no query type')
  return { schema, random, operation, text: operationText(operation) }
}

/** The body of a well-formed request with the operation's own variables and name. */
export function request(text: string, operation: Operation): string {
  return members({ query: JSON.stringify(text), variables: JSON.stringify(operation.variables) })
}

/** The body of a well-formed request with only a document. */
export function query(text: string): string {
  return members({ query: JSON.stringify(text) })
}

/** A JSON object from JSON texts as values, so that it can hold what JSON.stringify never writes. */
export function members(texts: Record<string, string>): string {
  return `{${Object.entries(texts)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(',')}}`
}

/** A request with every variable replaced: `make` turns the JSON text of the valid value into another. */
export function withVariables(
  text: string,
  operation: Operation,
  make: (name: string, fitting: string) => string,
): string {
  const names = operation.declared.length > 0 ? operation.declared.map(({ name }) => name) : ['v0']
  const made = names.map((name) => [name, make(name, JSON.stringify(operation.variables[name] ?? null))])
  return members({ query: JSON.stringify(text), variables: members(Object.fromEntries(made)) })
}

/** The text with its tokens changed; `at` is the index of one of them. */
export function mutated(text: string, random: Random, change: (tokens: string[], at: number) => unknown): string {
  const tokens = tokensOf(text)
  change(tokens, random.int(tokens.length))
  return tokens.join(' ')
}

/** `count` texts in a row. */
export function times(count: number, text: (n: number) => string, separator = ' '): string {
  return Array.from({ length: count }, (_, n) => text(n)).join(separator)
}

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  const lexer = new Lexer(new Source(text))
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    tokens.push(text.slice(token.start, token.end))
  }
  return tokens
}
