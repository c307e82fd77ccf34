// PHP as the common tree: expressions.

import { type Argument, assign, type Entry, type Expression, mixed, type SyntaxNode, signed, textOf } from '../tree.ts'
import { routineOf } from './php-statements.ts'
import { binaryOf, countedOf, dotted, memberOf, named, operatorOf, unquoted } from './shared.ts'

/** The last part of a name with namespaces. */
export const shortName = (node: SyntaxNode | null | undefined): string => {
  const text = dotted(node)
  return text.slice(text.lastIndexOf('\\') + 1)
}

/** Language constructs that patterns name as if they were functions. */
const constructs: Record<string, string> = {
  print_intrinsic: 'print',
  include_expression: 'include',
  include_once_expression: 'include',
  require_expression: 'include',
  require_once_expression: 'include',
  exit_statement: 'exit',
  shell_command_expression: 'shell_exec',
  echo_statement: 'echo',
}

const passing = new Set([
  'parenthesized_expression',
  'error_suppression_expression',
  'clone_expression',
  'reference_assignment_expression',
  'argument',
  'by_ref',
  'throw_expression',
  'array_element_initializer',
])

/** A text that something is made is `strval` of it. */
function castOf(node: SyntaxNode): Expression {
  const type = dotted(node.field('type'))
  const value = expressionOf(node.field('value'))
  if (type !== 'string') return { k: 'cast', type, value }
  const callee: Expression = { k: 'name', name: 'strval', at: node }
  return { k: 'call', callee, arguments: [{ value }], isNew: false, at: node }
}

export function expressionOf(node: SyntaxNode | null | undefined): Expression {
  if (!node) return { k: 'mixed', parts: [] }
  const kind = node.kind()
  const construct = constructs[kind]
  if (construct !== undefined) return callOf(node, construct)
  switch (kind) {
    case 'yield_expression':
      return { k: 'yield', value: expressionOf(named(node)[0]) }
    case 'variable_name':
    case 'dynamic_variable_name':
      return { k: 'name', name: node.text() === '$this' ? 'this' : node.text(), at: node }
    case 'name':
    case 'qualified_name':
    case 'relative_scope':
      return nameOf(node)
    case 'string':
      return { k: 'constant', value: singleQuoted(node.text()), at: node }
    case 'encapsed_string':
    case 'heredoc_body':
      return quoted(node)
    case 'heredoc':
      return quoted(node.field('value') ?? named(node).find((part) => part.kind() === 'heredoc_body') ?? node)
    case 'nowdoc':
      return { k: 'constant', value: node.text(), at: node }
    case 'integer':
    case 'float':
      return { k: 'constant', value: numberOf(node.text().replaceAll('_', '')), at: node }
    case 'boolean':
      return { k: 'constant', value: node.text().toLowerCase() === 'true', at: node }
    case 'null':
      return { k: 'constant', value: null, at: node }
    case 'member_access_expression':
    case 'nullsafe_member_access_expression':
      return memberOf(node, expressionOf(node.field('object')), node.field('name'))
    case 'scoped_property_access_expression':
    case 'class_constant_access_expression': {
      const [scope, name] = named(node)
      return { k: 'member', object: expressionOf(scope), name: name?.text().replace(/^\$/, '') ?? '', at: node }
    }
    case 'subscript_expression': {
      const [object, key] = named(node)
      return { k: 'index', object: expressionOf(object), key: key ? expressionOf(key) : null, at: node }
    }
    case 'function_call_expression':
      return functionCall(node)
    case 'member_call_expression':
    case 'nullsafe_member_call_expression':
    case 'scoped_call_expression':
      return methodCall(node)
    case 'object_creation_expression': {
      const [type] = named(node)
      return {
        k: 'call',
        callee: { k: 'name', name: shortName(type), at: node },
        arguments: argumentsOf(named(node).find((part) => part.kind() === 'arguments')),
        isNew: true,
        at: node,
      }
    }
    case 'binary_expression':
      return sum(binaryOf(node, expressionOf))
    case 'unary_op_expression': {
      const value = expressionOf(node.field('argument') ?? named(node).at(-1))
      if (node.text().startsWith('!')) return { k: 'not', value }
      return signed(node.text()[0], value) ?? { k: 'cast', type: 'int', value }
    }
    case 'update_expression':
      return countedOf(node, expressionOf(node.field('argument') ?? named(node)[0]))
    case 'cast_expression':
      return castOf(node)
    case 'conditional_expression': {
      const test = expressionOf(node.field('condition'))
      const body = node.field('body')
      return { k: 'choice', test, yes: body ? expressionOf(body) : test, no: expressionOf(node.field('alternative')) }
    }
    case 'assignment_expression':
    case 'augmented_assignment_expression':
      return assignment(node)
    case 'array_creation_expression':
      return arrayOf(node)
    case 'list_literal':
      return listPattern(node)
    case 'arrow_function':
    case 'anonymous_function':
    case 'anonymous_function_creation_expression':
      return { k: 'function', fn: routineOf(node, null) }
    case 'match_expression':
      return matchOf(node)
    default:
      if (passing.has(kind)) return expressionOf(named(node).at(-1))
      return mixed(named(node).map(expressionOf))
  }
}

const nameOf = (node: SyntaxNode): Expression => {
  const name = shortName(node)
  const lower = name.toLowerCase()
  if (lower === 'true' || lower === 'false') return { k: 'constant', value: lower === 'true', at: node }
  if (lower === 'null') return { k: 'constant', value: null, at: node }
  return { k: 'name', name: lower === 'self' || lower === 'static' ? 'this' : name, at: node }
}

/** Only the quote and the backslash are escaped within single quotes. */
const singleQuoted = (text: string): string => text.replace(/^[bB]?'|'$/g, '').replace(/\\([\\'])/g, '$1')

/** What is added to a number is one, whatever it was before. */
function sum(made: Expression): Expression {
  if (made.k !== 'binary' || made.operator !== '+') return made
  const isNumber = [made.left, made.right].some((side) => side.k === 'constant' && typeof side.value === 'number')
  return isNumber ? { k: 'cast', type: 'int', value: made } : made
}

/** A zero before a number makes it octal. */
const numberOf = (text: string): number => (/^0\d+$/.test(text) ? Number.parseInt(text, 8) : Number(text))

function quoted(node: SyntaxNode): Expression {
  const parts = named(node).map((part): Expression => {
    if (part.kind() === 'string_content' || part.kind() === 'escape_sequence')
      return { k: 'constant', value: unquoted(part.text()), at: part }
    return expressionOf(part)
  })
  return textOf(parts, node)
}

/** `echo a, b` as a call of `echo` with both. */
function callOf(node: SyntaxNode, name: string): Expression {
  const parts =
    name === 'shell_exec'
      ? [quoted(node)]
      : named(node)
          .flatMap((part) => (part.kind() === 'sequence_expression' ? named(part) : [part]))
          .map(expressionOf)
  return {
    k: 'call',
    callee: { k: 'name', name, at: node },
    arguments: parts.map((value) => ({ value })),
    isNew: false,
    at: node,
  }
}

const plainCasts: Record<string, string> = { intval: 'int', floatval: 'float', doubleval: 'float', boolval: 'bool' }

/** Functions go by any case: one in capitals is known in small letters. Words that are joined by capitals stay told apart. */
export const functionName = (name: string): string =>
  /^[A-Z][a-z\d]*(?:_|$)|^[A-Z\d_]+$/.test(name) ? name.toLowerCase() : name

const functionNamed = (callee: Expression): Expression =>
  callee.k === 'name' ? { ...callee, name: functionName(callee.name) } : callee

function functionCall(node: SyntaxNode): Expression {
  const callee = functionNamed(expressionOf(node.field('function')))
  const given = argumentsOf(node.field('arguments'))
  const [first] = given
  if (callee.k === 'name' && first) {
    const cast = plainCasts[callee.name.toLowerCase()]
    if (cast !== undefined) return { k: 'cast', type: cast, value: first.value }
    // Functions that change the variable they are given.
    if (callee.name === 'settype' && given[1]?.value.k === 'constant')
      return assign(first.value, { k: 'cast', type: String(given[1].value.value), value: first.value }, node)
  }
  return { k: 'call', callee, arguments: given, isNew: false, at: node }
}

function methodCall(node: SyntaxNode): Expression {
  const name = node.field('name')
  const object = node.field('object') ?? node.field('scope')
  const callee = memberOf(node, expressionOf(object), name)
  return { k: 'call', callee, arguments: argumentsOf(node.field('arguments')), isNew: false, at: name ?? node }
}

function argumentsOf(node: SyntaxNode | null | undefined): Argument[] {
  if (!node) return []
  return named(node).map((item) => {
    const parts = named(item)
    const value = parts.at(-1)
    if (item.kind() === 'variadic_unpacking' || value?.kind() === 'variadic_unpacking')
      return { value: expressionOf(value), spread: true }
    return parts.length === 2 && parts[0]?.kind() === 'name'
      ? { name: parts[0].text(), value: expressionOf(value) }
      : { value: expressionOf(value) }
  })
}

function assignment(node: SyntaxNode): Expression {
  const left = node.field('left')
  const target = left?.kind() === 'array_creation_expression' ? listPattern(left) : expressionOf(left)
  return assign(target, expressionOf(node.field('right')), node, operatorOf(node))
}

function arrayOf(node: SyntaxNode): Expression {
  const items = named(node).filter((part) => part.kind() === 'array_element_initializer')
  const pairs = items.map((item) => named(item))
  if (pairs.some((parts) => parts.length === 2)) {
    const entries = pairs.map((parts, at): Entry => {
      const [key, value] = parts
      if (value) return { key: expressionOf(key), value: expressionOf(value) }
      const isSpread = key?.kind() === 'variadic_unpacking'
      return { key: isSpread ? null : { k: 'constant', value: at, at: node }, value: expressionOf(key) }
    })
    return { k: 'map', entries, type: null, at: node }
  }
  return {
    k: 'list',
    items: pairs.map(([value]) => ({ value: expressionOf(value), spread: value?.kind() === 'variadic_unpacking' })),
  }
}

function listPattern(node: SyntaxNode): Expression {
  const items = named(node).map((part) =>
    part.kind() === 'array_element_initializer' ? (named(part).at(-1) ?? part) : part,
  )
  return {
    k: 'pattern',
    parts: items.map((part, at) => ({ key: String(at), target: expressionOf(part), otherwise: null })),
  }
}

function matchOf(node: SyntaxNode): Expression {
  const value = expressionOf(node.field('condition'))
  const block = node.field('body')
  return (block ? named(block) : []).reduceRight<Expression>(
    (no, arm) => {
      const yes = expressionOf(arm.field('return_expression') ?? named(arm).at(-1))
      const conditions = arm.field('conditional_expressions')
      const [first] = conditions ? named(conditions) : []
      return first
        ? { k: 'choice', test: { k: 'binary', operator: '===', left: value, right: expressionOf(first) }, yes, no }
        : yes
    },
    { k: 'mixed', parts: [] },
  )
}
