// Java as the common tree: expressions.

import { type Argument, assign, type Expression, mixed, type SyntaxNode, signed } from '../tree.ts'
import { anonymousClass, casesOf, lambdaOf } from './java-statements.ts'
import {
  assignmentOf,
  binaryOf,
  choiceOf,
  countedOf,
  dotted,
  indexOf,
  memberOf,
  named,
  stringConstant,
} from './shared.ts'

/** A type's own name, without its package and its parameters. */
export const typeName = (node: SyntaxNode | null | undefined): string => {
  const whole = dotted(node).replace(/<.*$/s, '')
  // Many bytes are a text; one is a number.
  const text = /^(?:byte|char)\[\]$/.test(whole) ? whole : whole.replace(/\[\]/g, '')
  return text.slice(text.lastIndexOf('.') + 1)
}

export function expressionOf(node: SyntaxNode | null | undefined): Expression {
  if (!node) return { k: 'mixed', parts: [] }
  const kind = node.kind()
  switch (kind) {
    case 'identifier':
    case 'type_identifier':
    case 'this':
    case 'super':
      return { k: 'name', name: node.text(), at: node }
    case 'string_literal':
      return { k: 'constant', value: stringConstant(node.text().replace(/^"""\s*|"""$/g, '"')), at: node }
    case 'character_literal':
      return { k: 'constant', value: stringConstant(node.text()), at: node }
    case 'decimal_integer_literal':
    case 'hex_integer_literal':
    case 'decimal_floating_point_literal':
      return { k: 'constant', value: Number(node.text().replace(/[lLfFdD_]/g, '')), at: node }
    case 'true':
    case 'false':
      return { k: 'constant', value: kind === 'true', at: node }
    case 'null_literal':
      return { k: 'constant', value: null, at: node }
    case 'field_access':
    case 'scoped_identifier':
      return fieldOf(node)
    case 'method_reference': {
      const [object, method] = named(node)
      return method ? memberOf(node, expressionOf(object), method) : mixed(named(node).map(expressionOf))
    }
    case 'array_access':
      return indexOf(node, 'array', expressionOf)
    case 'method_invocation':
      return invocation(node)
    case 'object_creation_expression':
      return creation(node)
    case 'array_creation_expression':
      return node.field('value') ? expressionOf(node.field('value')) : { k: 'map', entries: [], type: null, at: node }
    case 'array_initializer':
    case 'element_value_array_initializer':
      return { k: 'list', items: named(node).map((item) => ({ value: expressionOf(item) })) }
    case 'binary_expression':
      return binaryOf(node, expressionOf)
    case 'unary_expression': {
      const value = expressionOf(node.field('operand'))
      const operator = node.field('operator')?.text()
      if (operator === '!') return { k: 'not', value }
      return signed(operator, value) ?? { k: 'cast', type: 'int', value }
    }
    case 'update_expression':
      return countedOf(node, expressionOf(named(node)[0]))
    case 'instanceof_expression': {
      const name = node.field('name')
      return name ? assign(expressionOf(name), expressionOf(node.field('left')), node) : { k: 'mixed', parts: [] }
    }
    case 'ternary_expression':
      return choiceOf(node, expressionOf)
    case 'assignment_expression':
      return assignmentOf(node, expressionOf)
    case 'cast_expression':
      return { k: 'cast', type: typeName(node.field('type')), value: expressionOf(node.field('value')) }
    case 'lambda_expression':
      return { k: 'function', fn: lambdaOf(node) }
    case 'switch_expression':
      return chosen(node)
    case 'class_literal':
      return { k: 'constant', value: node.text(), at: node }
    case 'parenthesized_expression':
      return expressionOf(named(node)[0])
    default:
      return mixed(named(node).map(expressionOf))
  }
}

/** `java.io.File` is `File`: what stands before the first part with a capital letter is a package. */
function fieldOf(node: SyntaxNode): Expression {
  const text = dotted(node)
  const short = /^(?:[a-z][a-z0-9_]*\.){2,}([A-Z].*)$/.exec(text)?.[1]
  if (short !== undefined && /^\w+$/.test(short)) return { k: 'name', name: short, at: node }
  const object = node.field('object')
  return object ? memberOf(node, expressionOf(object), node.field('field')) : { k: 'name', name: text, at: node }
}

/** Functions that make a list of what they are given. */
const LISTING =
  /^(?:Arrays\.asList|(?:List|Set|ImmutableList|ImmutableSet|EnumSet)\.of|Collections\.singleton(?:List)?)$/

function invocation(node: SyntaxNode): Expression {
  const object = node.field('object')
  const name = node.field('name')
  if (object?.kind() === 'identifier' && LISTING.test(`${object.text()}.${name?.text()}`))
    return { k: 'list', items: listed(node.field('arguments')) }
  const callee: Expression = object
    ? memberOf(node, expressionOf(object), name)
    : { k: 'name', name: name?.text() ?? '', at: name ?? node }
  return { k: 'call', callee, arguments: argumentsOf(node.field('arguments')), isNew: false, at: name ?? node }
}

/** What a function gives or a variable has, alone in its place, may be an array, each of whose items is one of the list. */
function listed(node: SyntaxNode | null): Argument[] {
  const [first, ...others] = node ? named(node) : []
  const given = argumentsOf(node)
  if (!first || others.length > 0) return given
  const spread = given.map((each) => ({ ...each, spread: true }))
  if (first.kind() === 'method_invocation') return spread
  return first.kind() === 'identifier' && /^[a-z]/.test(first.text()) ? [...given, ...spread] : given
}

/** Bytes that are made in the place of an argument, so that nothing can have filled them: a text of zeros. */
function zeros(node: SyntaxNode): Expression | null {
  if (node.kind() !== 'array_creation_expression') return null
  const [, size = '0'] = /^new\s+byte\s*\[\s*(\d{1,2})\s*\]$/.exec(node.text().slice(0, 40)) ?? []
  return size === '0' ? null : { k: 'constant', value: '\0'.repeat(Number(size)), at: node }
}

function creation(node: SyntaxNode): Expression {
  const type = node.field('type')
  const body = named(node).find((part) => part.kind() === 'class_body')
  const given = node.field('arguments')
  const values = (given ? named(given) : []).map((item): Argument => ({ value: zeros(item) ?? expressionOf(item) }))
  const [text] = values
  if (typeName(type) === 'String' && text) return text.value
  const made: Expression = {
    k: 'call',
    callee: { k: 'name', name: typeName(type), at: type ?? node },
    arguments: values,
    isNew: true,
    at: node,
  }
  return body ? mixed([made, ...anonymousClass(body)]) : made
}

const argumentsOf = (node: SyntaxNode | null): Argument[] =>
  node ? named(node).map((item) => ({ value: expressionOf(item) })) : []

/** A switch that gives a value, as choices one after the other. */
function chosen(node: SyntaxNode): Expression {
  const value = expressionOf(node.field('condition'))
  const cases = casesOf(node)
  return cases.reduceRight<Expression>(
    (no, { tests, body }) => {
      const parts = body.flatMap((each) =>
        'value' in each && each.value
          ? [each.value]
          : each.k === 'block'
            ? each.body.flatMap((inner) => ('value' in inner && inner.value ? [inner.value] : []))
            : [],
      )
      const yes = mixed(parts)
      const [first] = tests ?? []
      return first ? { k: 'choice', test: { k: 'binary', operator: '==', left: value, right: first }, yes, no } : yes
    },
    { k: 'mixed', parts: [] },
  )
}
