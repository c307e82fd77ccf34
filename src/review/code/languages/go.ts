// Go as the common tree: expressions.

import { type Argument, type Entry, type Expression, mixed, type SyntaxNode, signed } from '../tree.ts'
import { routineOf } from './go-statements.ts'
import { binaryOf, dotted, indexOf, memberOf, named, stringConstant } from './shared.ts'

/** A type as patterns name it: `http.Request` for `*http.Request`. */
export const typeName = (node: SyntaxNode | null | undefined): string =>
  dotted(node)
    .replace(/^[*&[\]]+/, '')
    .replace(/\[.*$/s, '')

const passing = new Set(['parenthesized_expression', 'literal_element', 'variadic_argument'])
const conversions = new Set(['string', 'int', 'int64', 'int32', 'uint', 'uint64', 'float64', 'bool'])

export function expressionOf(node: SyntaxNode | null | undefined): Expression {
  if (!node) return { k: 'mixed', parts: [] }
  const kind = node.kind()
  switch (kind) {
    case 'identifier':
    case 'package_identifier':
    case 'type_identifier':
    case 'field_identifier':
    case 'blank_identifier':
      return { k: 'name', name: node.text(), at: node }
    case 'interpreted_string_literal':
      return { k: 'constant', value: stringConstant(node.text()), at: node }
    case 'raw_string_literal':
      return { k: 'constant', value: node.text().slice(1, -1), at: node }
    case 'rune_literal':
      return { k: 'constant', value: stringConstant(node.text()), at: node }
    case 'int_literal':
    case 'float_literal': {
      const text = node.text().replaceAll('_', '')
      return { k: 'constant', value: Number(/^0\d+$/.test(text) ? Number.parseInt(text, 8) : text), at: node }
    }
    case 'true':
    case 'false':
      return { k: 'constant', value: kind === 'true', at: node }
    case 'nil':
      return { k: 'constant', value: null, at: node }
    case 'selector_expression':
      return memberOf(node, expressionOf(node.field('operand')), node.field('field'))
    case 'index_expression':
      return indexOf(node, 'operand', expressionOf)
    case 'slice_expression':
      return { k: 'index', object: expressionOf(node.field('operand')), key: null, at: node }
    case 'call_expression':
      return call(node)
    case 'binary_expression':
      return binaryOf(node, expressionOf)
    case 'unary_expression': {
      const value = expressionOf(node.field('operand'))
      const operator = node.field('operator')?.text()
      if (operator === '!') return { k: 'not', value }
      return signed(operator === '^' ? '~' : operator, value) ?? value
    }
    case 'composite_literal':
      return composite(node)
    case 'literal_value':
      return literal(node, null)
    case 'func_literal':
      return { k: 'function', fn: routineOf(node) }
    case 'type_conversion_expression':
      return { k: 'cast', type: dotted(node.field('type')), value: expressionOf(node.field('operand')) }
    case 'type_assertion_expression':
      return { k: 'cast', type: dotted(node.field('type')), value: expressionOf(node.field('operand')) }
    case 'expression_list': {
      const parts = named(node)
      return parts.length === 1
        ? expressionOf(parts[0])
        : { k: 'list', items: parts.map((part) => ({ value: expressionOf(part) })) }
    }
    default:
      if (passing.has(kind)) return expressionOf(named(node)[0])
      return mixed(named(node).map(expressionOf))
  }
}

function call(node: SyntaxNode): Expression {
  const target = node.field('function')
  const given: Argument[] = (node.field('arguments') ? named(node.field('arguments') ?? node) : []).map((item) => ({
    value: expressionOf(item),
    spread: item.kind() === 'variadic_argument',
  }))
  const [first] = given
  const name = target?.kind() === 'identifier' ? target.text() : ''
  if (first && given.length === 1 && conversions.has(name)) return { k: 'cast', type: name, value: first.value }
  if (first && name === 'len') return { k: 'member', object: first.value, name: 'length', at: node }
  if (first && name === 'append') return { k: 'list', items: [{ value: first.value, spread: true }, ...given.slice(1)] }
  const callee = expressionOf(target)
  return { k: 'call', callee, arguments: given, isNew: false, at: callee.k === 'member' ? callee.at : node }
}

function composite(node: SyntaxNode): Expression {
  const type = node.field('type')
  const body = node.field('body')
  const isPlain = ['slice_type', 'array_type', 'map_type', 'implicit_length_array_type'].includes(type?.kind() ?? '')
  return body ? literal(body, isPlain ? null : typeName(type)) : mixed([])
}

function literal(node: SyntaxNode, type: string | null): Expression {
  const parts = named(node)
  if (type === null && !parts.some((part) => part.kind() === 'keyed_element'))
    return { k: 'list', items: parts.map((part) => ({ value: expressionOf(part) })) }
  const entries = parts.map((part, at): Entry => {
    const [key, value] = named(part)
    if (part.kind() !== 'keyed_element' || !key || !value)
      return { key: { k: 'constant', value: at, at: part }, value: expressionOf(part) }
    // A field of a struct is a name; a key of a map is an expression.
    const inner = named(key)[0] ?? key
    const isField = type !== null && inner.kind() === 'identifier'
    return {
      key: isField ? { k: 'constant', value: inner.text(), at: key } : expressionOf(key),
      value: expressionOf(value),
    }
  })
  return { k: 'map', entries, type, at: node }
}
