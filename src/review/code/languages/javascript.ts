// JavaScript and TypeScript, with JSX, as the common tree: expressions.

import { type Argument, assign, type Entry, type Expression, mixed, type SyntaxNode, textOf } from '../tree.ts'
import { shortExpression, unaryOf } from './javascript-short.ts'
import { routineOf } from './javascript-statements.ts'
import {
  assignmentOf,
  binaryOf,
  chainOf,
  choiceOf,
  countedOf,
  indexOf,
  memberOf,
  named,
  partsOf,
  stringConstant,
  unquoted,
} from './shared.ts'

const passing = new Set([
  'parenthesized_expression',
  'await_expression',
  'as_expression',
  'satisfies_expression',
  'non_null_expression',
  'type_assertion',
  'spread_element',
  'jsx_expression',
  'template_substitution',
  'computed_property_name',
])

/** Kinds of expressions that are read from their text if they are short and have only names, constants, calls and operators. */
const plain = new Set([
  'array',
  'assignment_expression',
  'augmented_assignment_expression',
  'binary_expression',
  'call_expression',
  'member_expression',
  'new_expression',
  'parenthesized_expression',
  'subscript_expression',
  'ternary_expression',
  'unary_expression',
])

/** Any expression; an unknown kind becomes a mixture of its parts. */
export function expressionOf(node: SyntaxNode | null | undefined): Expression {
  if (!node) return { k: 'mixed', parts: [] }
  const kind = node.kind()
  return (plain.has(kind) ? shortExpression(node) : null) ?? fromNode(node, kind)
}

function fromNode(node: SyntaxNode, kind: string): Expression {
  switch (kind) {
    case 'identifier':
    case 'shorthand_property_identifier':
    case 'this':
    case 'super':
    case 'undefined':
    case 'shorthand_property_identifier_pattern':
    case 'property_identifier':
    case 'import':
      return { k: 'name', name: node.text(), at: node }
    case 'string':
      return { k: 'constant', value: stringConstant(node.text()), at: node }
    case 'template_string':
      return template(node)
    case 'number':
      return { k: 'constant', value: Number(node.text().replaceAll('_', '').replace(/n$/, '')), at: node }
    case 'true':
    case 'false':
      return { k: 'constant', value: kind === 'true', at: node }
    case 'null':
      return { k: 'constant', value: null, at: node }
    case 'regex':
      return { k: 'constant', value: node.text(), at: node }
    case 'member_expression':
      return chainOf(node) ?? memberOf(node, expressionOf(node.field('object')), node.field('property'))
    case 'subscript_expression':
      return indexOf(node, 'object', expressionOf)
    case 'call_expression':
    case 'new_expression':
      return call(node, kind === 'new_expression')
    case 'binary_expression':
      return binaryOf(node, expressionOf)
    case 'unary_expression':
      return unaryOf(node.field('operator')?.text() ?? '', expressionOf(node.field('argument')))
    case 'update_expression':
      return countedOf(node, expressionOf(node.field('argument')))
    case 'ternary_expression':
      return choiceOf(node, expressionOf)
    case 'assignment_expression': {
      const [left, right] = partsOf(node, 2) ?? [node.field('left'), node.field('right')]
      return assign(expressionOf(left), expressionOf(right), node)
    }
    case 'augmented_assignment_expression':
      return assignmentOf(node, expressionOf)
    case 'array':
      return { k: 'list', items: argumentsOf(node) }
    case 'object':
      return { k: 'map', entries: named(node).flatMap(entryOf), type: null, at: node }
    case 'arrow_function':
    case 'function_expression':
    case 'function':
    case 'generator_function':
    case 'function_declaration':
    case 'generator_function_declaration':
      return { k: 'function', fn: routineOf(node, null) }
    case 'object_pattern':
    case 'array_pattern':
      return pattern(node)
    case 'assignment_pattern':
      return expressionOf(node.field('left'))
    case 'class':
      return mixedOf([])
    case 'sequence_expression': {
      const parts = named(node)
      const isPlain = parts.slice(0, -1).every((part) => part.kind() === 'number')
      return isPlain ? expressionOf(parts.at(-1)) : mixedOf(parts)
    }
    case 'yield_expression':
      return { k: 'yield', value: expressionOf(named(node)[0]) }
    case 'jsx_element':
    case 'jsx_self_closing_element':
    case 'jsx_fragment':
      return jsx(node)
    default:
      if (passing.has(kind)) return expressionOf(named(node)[0])
      if (kind.endsWith('type_annotation') || kind === 'type_arguments') return mixedOf([])
      return mixedOf(named(node))
  }
}

const mixedOf = (nodes: SyntaxNode[]): Expression => mixed(nodes.map(expressionOf))

function template(node: SyntaxNode): Expression {
  const parts = named(node).map(
    (part): Expression =>
      part.kind() === 'template_substitution'
        ? expressionOf(part)
        : { k: 'constant', value: unquoted(part.text()), at: part },
  )
  return textOf(parts, node)
}

function call(node: SyntaxNode, isNew: boolean): Expression {
  const [first, last] = partsOf(node, 2) ?? []
  const isPlain = last !== undefined && (last.kind() === 'arguments' || last.kind() === 'template_string')
  const called = isPlain ? first : node.field(isNew ? 'constructor' : 'function')
  const given = isPlain ? last : node.field('arguments')
  const callee = expressionOf(called)
  if (given?.kind() === 'template_string') {
    // A tagged template is called with its text and then the values; most tags keep the two apart.
    const values = named(given).filter((part) => part.kind() === 'template_substitution')
    const text: Argument = { value: { k: 'constant', value: '', at: given } }
    return {
      k: 'call',
      callee,
      arguments: [text, ...values.map((part) => ({ value: expressionOf(part) }))],
      isNew,
      at: node,
    }
  }
  return {
    k: 'call',
    callee,
    arguments: given ? argumentsOf(given) : [],
    isNew,
    at: callee.k === 'member' ? callee.at : node,
  }
}

const argumentsOf = (node: SyntaxNode): Argument[] =>
  named(node).map((item) => ({ value: expressionOf(item), spread: item.kind() === 'spread_element' }))

const keyOf = (node: SyntaxNode | null): Expression =>
  node?.kind() === 'property_identifier' || node?.kind() === 'number'
    ? { k: 'constant', value: node.text(), at: node }
    : expressionOf(node)

function entryOf(node: SyntaxNode): Entry[] {
  switch (node.kind()) {
    case 'pair': {
      const [key = null, value] = partsOf(node, 2) ?? [node.field('key'), node.field('value')]
      return [{ key: keyOf(key), value: expressionOf(value) }]
    }
    case 'shorthand_property_identifier':
      return [{ key: { k: 'constant', value: node.text(), at: node }, value: expressionOf(node) }]
    case 'spread_element':
      return [{ key: null, value: expressionOf(node) }]
    case 'method_definition':
      return [{ key: keyOf(node.field('name')), value: { k: 'function', fn: routineOf(node, null) } }]
    default:
      return []
  }
}

function pattern(node: SyntaxNode): Expression {
  const isList = node.kind() === 'array_pattern'
  const parts = named(node).map((part, index) => {
    const kind = part.kind()
    if (kind === 'rest_pattern') return { key: null, target: expressionOf(named(part)[0]), otherwise: null }
    const inner = kind === 'pair_pattern' ? part.field('value') : part
    const hasDefault = inner?.kind().endsWith('assignment_pattern') === true
    const target = hasDefault ? inner?.field('left') : inner
    const key = kind === 'pair_pattern' ? (part.field('key')?.text() ?? '') : (target?.text() ?? '')
    return {
      key: isList ? String(index) : stringConstant(key),
      target: expressionOf(target),
      otherwise: hasDefault ? expressionOf(inner?.field('right')) : null,
    }
  })
  return { k: 'pattern', parts }
}

/** An element becomes a call of its attributes: `<a href={x}>` is `jsx.a({ href: x }, children…)`. */
function jsx(node: SyntaxNode): Expression {
  const opening = node.kind() === 'jsx_element' ? (node.field('open_tag') ?? named(node)[0]) : node
  const name = opening?.field('name')?.text() ?? 'fragment'
  const entries: Entry[] = (opening ? named(opening) : []).flatMap((part): Entry[] => {
    if (part.kind() === 'jsx_expression') return [{ key: null, value: expressionOf(part) }]
    if (part.kind() !== 'jsx_attribute') return []
    const [key, value] = named(part)
    if (!key) return []
    return [{ key: { k: 'constant', value: key.text(), at: key }, value: expressionOf(value) }]
  })
  const children = node === opening ? [] : named(node).slice(1)
  return {
    k: 'call',
    callee: { k: 'member', object: { k: 'name', name: 'jsx', at: node }, name, at: node },
    arguments: [
      { value: { k: 'map', entries, type: null, at: node } },
      ...children
        .filter((child) => child.kind().startsWith('jsx_') && !child.kind().endsWith('closing_element'))
        .map((child) => ({ value: expressionOf(child) })),
    ],
    isNew: false,
    at: node,
  }
}
