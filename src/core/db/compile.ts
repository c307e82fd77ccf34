// Caches the text of statements: the same templates in the same order give the same text, whatever their values.

import {
  ColumnNode,
  type CompiledQuery,
  IdentifierNode,
  type OperationNode,
  PostgresQueryCompiler,
  type QueryId,
  RawNode,
  ReferenceNode,
  type RootOperationNode,
  SchemableIdentifierNode,
  TableNode,
  ValueNode,
} from 'kysely'

/** The most texts that are cached; any others are compiled each time. */
const MOST_KEPT = 2000

const texts = new Map<string, string>()

export class RememberingCompiler extends PostgresQueryCompiler {
  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const parameters: unknown[] = []
    const shape = shapeOf(node, parameters)
    const known = shape === null ? undefined : texts.get(shape)
    if (known !== undefined) return { query: node, queryId, sql: known, parameters }
    const compiled = super.compileQuery(node, queryId)
    if (shape !== null && texts.size < MOST_KEPT) texts.set(shape, compiled.sql)
    return compiled
  }
}

/**
 * The key under which a statement's text is cached: its shape without its values, which are appended to `values` in order. Null for a
 * statement with parts other than SQL templates. Templates are named by numbers, because a look-up takes longer the longer the key is.
 */
function shapeOf(node: OperationNode, values: unknown[]): string | null {
  if (ValueNode.is(node)) {
    if (node.immediate) return null
    values.push(node.value)
    return '?'
  }
  if (IdentifierNode.is(node)) return `"${node.name.length} ${node.name}`
  let shape: string
  let parts: readonly (OperationNode | undefined)[]
  if (RawNode.is(node)) [shape, parts] = [nameOf(node.sqlFragments), node.parameters]
  else if (ReferenceNode.is(node)) [shape, parts] = ['r', [node.table, node.column]]
  else if (ColumnNode.is(node)) [shape, parts] = ['c', [node.column]]
  else if (TableNode.is(node)) [shape, parts] = ['t', [node.table]]
  else if (SchemableIdentifierNode.is(node)) [shape, parts] = ['s', [node.schema, node.identifier]]
  else return null
  for (const part of parts) {
    const inner = part === undefined ? '-' : shapeOf(part, values)
    if (inner === null) return null
    shape += inner
  }
  return shape
}

const templates = new WeakMap<readonly string[], string>()
let named = 0

/** A number for a template, whose strings are the same object at each use; strings of any other origin are compared by content. */
function nameOf(fragments: readonly string[]): string {
  if (!('raw' in fragments)) return fragments.map((text) => `'${text.length} ${text}`).join('') + fragments.length
  const known = templates.get(fragments)
  if (known) return known
  named += 1
  const name = `${named.toString(36)} `
  templates.set(fragments, name)
  return name
}
