// Python as the common tree: expressions.

import { type Argument, assign, type Entry, type Expression, mixed, type SyntaxNode, signed, textOf } from '../tree.ts'
import { lambdaOf } from './python-statements.ts'
import { assignmentOf, binaryOf, dotted, memberOf, named, unquoted } from './shared.ts'

/** A number as it is written; `0770` is octal where it is allowed at all. */
const numberOf = (text: string): number =>
  /^0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number(text.replaceAll('_', ''))

export function expressionOf(node: SyntaxNode | null | undefined): Expression {
  if (!node) return { k: 'mixed', parts: [] }
  const kind = node.kind()
  switch (kind) {
    case 'identifier':
      return { k: 'name', name: node.text(), at: node }
    case 'string':
      return stringOf(node)
    case 'concatenated_string':
      return { k: 'text', parts: named(node).map(expressionOf) }
    case 'integer':
    case 'float':
      return { k: 'constant', value: numberOf(node.text()), at: node }
    case 'true':
    case 'false':
      return { k: 'constant', value: kind === 'true', at: node }
    case 'none':
      return { k: 'constant', value: null, at: node }
    case 'attribute':
      return memberOf(node, expressionOf(node.field('object')), node.field('attribute'))
    case 'subscript': {
      const key = node.field('subscript')
      const isSlice = key?.kind() === 'slice'
      return {
        k: 'index',
        object: expressionOf(node.field('value')),
        key: isSlice ? null : expressionOf(key),
        at: node,
      }
    }
    case 'call':
      return call(node)
    case 'binary_operator':
    case 'boolean_operator':
      return binaryOf(node, expressionOf)
    case 'comparison_operator':
      return comparison(node)
    case 'not_operator':
      return { k: 'not', value: expressionOf(node.field('argument')) }
    case 'unary_operator': {
      const value = expressionOf(node.field('argument'))
      return signed(node.field('operator')?.text(), value) ?? { k: 'cast', type: 'int', value }
    }
    case 'conditional_expression': {
      const [yes, test, no] = named(node)
      return { k: 'choice', test: expressionOf(test), yes: expressionOf(yes), no: expressionOf(no) }
    }
    case 'assignment': {
      const type = node.field('type')
      const right = node.field('right')
      const declared = type && right ? dotted(type) : null
      return assign(expressionOf(node.field('left')), expressionOf(right), node, '', declared)
    }
    case 'augmented_assignment':
      return assignmentOf(node, expressionOf)
    case 'named_expression':
      return assign(expressionOf(node.field('name')), expressionOf(node.field('value')), node)
    case 'list':
    case 'tuple':
    case 'set':
    case 'expression_list':
    case 'pattern_list':
    case 'tuple_pattern':
    case 'list_pattern':
      return { k: 'list', items: argumentsOf(node) }
    case 'dictionary':
      return { k: 'map', entries: named(node).flatMap(entryOf), type: null, at: node }
    case 'list_comprehension':
    case 'set_comprehension':
    case 'generator_expression':
    case 'dictionary_comprehension':
      return comprehension(node)
    case 'lambda':
      return { k: 'function', fn: lambdaOf(node) }
    case 'yield':
      return { k: 'yield', value: expressionOf(named(node)[0]) }
    case 'parenthesized_expression':
    case 'await':
    case 'list_splat':
    case 'list_splat_pattern':
    case 'dictionary_splat':
    case 'as_pattern_target':
    case 'type':
      return expressionOf(named(node)[0])
    default:
      return mixed(named(node).map(expressionOf))
  }
}

function stringOf(node: SyntaxNode): Expression {
  const parts = named(node)
  const start = parts[0]?.text().toLowerCase() ?? ''
  const isRaw = start.includes('r')
  const made = parts
    .filter((part) => !['string_start', 'string_end'].includes(part.kind()))
    .map(
      (part): Expression =>
        part.kind() === 'interpolation'
          ? expressionOf(named(part)[0])
          : { k: 'constant', value: isRaw ? part.text() : unquoted(part.text()), at: part },
    )
  return textOf(made, node)
}

function call(node: SyntaxNode): Expression {
  const given = node.field('arguments')
  const callee = expressionOf(node.field('function'))
  const items =
    given?.kind() === 'generator_expression' ? [{ value: expressionOf(given) }] : given ? argumentsOf(given) : []
  const [only] = items
  if (callee.k === 'name' && items.length === 1 && only && (callee.name === 'int' || callee.name === 'float'))
    return { k: 'cast', type: callee.name, value: only.value }
  if (callee.k === 'name' && callee.name === 'len' && only)
    return { k: 'member', object: only.value, name: 'length', at: node }
  return { k: 'call', callee, arguments: items, isNew: false, at: callee.k === 'member' ? callee.at : node }
}

const argumentsOf = (node: SyntaxNode): Argument[] =>
  named(node).map((item) => {
    const kind = item.kind()
    if (kind === 'keyword_argument')
      return { name: item.field('name')?.text() ?? '', value: expressionOf(item.field('value')) }
    return { value: expressionOf(item), spread: kind === 'list_splat' || kind === 'dictionary_splat' }
  })

/** A chain `a < b < c` is read by its first link. */
function comparison(node: SyntaxNode): Expression {
  const [left, right] = named(node)
  const all = node.children()
  const operator = all
    .slice(1)
    .filter((part) => !part.isNamed())
    .map((part) => part.text())
    .join(' ')
  return { k: 'binary', operator, left: expressionOf(left), right: expressionOf(right) }
}

const entryOf = (node: SyntaxNode): Entry[] => {
  if (node.kind() === 'pair')
    return [{ key: expressionOf(node.field('key')), value: expressionOf(node.field('value')) }]
  return node.kind() === 'dictionary_splat' ? [{ key: null, value: expressionOf(node) }] : []
}

/** `[f(x) for x in xs if x in ys]`: its element, for an element of the list and where the condition holds. */
function comprehension(node: SyntaxNode): Expression {
  const body = node.field('body')
  const clauses = named(node).filter((part) => part.kind() === 'for_in_clause')
  const conditions = named(node).filter((part) => part.kind() === 'if_clause')
  const bindings = clauses.map((clause) => {
    const list = expressionOf(clause.field('right'))
    const element: Expression = { k: 'index', object: list, key: { k: 'mixed', parts: [] }, at: clause }
    return assign(expressionOf(clause.field('left')), element, clause)
  })
  const elements = body?.kind() === 'pair' ? named(body).map(expressionOf) : [expressionOf(body)]
  const element = mixed(elements)
  const chosen = conditions.reduce<Expression>(
    (inner, condition) => ({
      k: 'choice',
      test: expressionOf(named(condition)[0]),
      yes: inner,
      no: { k: 'mixed', parts: [] },
    }),
    element,
  )
  return {
    k: 'list',
    items: [
      ...bindings.map((value) => ({ value: { k: 'cast' as const, type: 'bool', value } })),
      { value: chosen, spread: true },
    ],
  }
}
