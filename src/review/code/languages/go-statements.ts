// Go as the common tree: statements, functions and methods.

import type { Case, Parameter, Routine, Statement, SyntaxNode } from '../tree.ts'
import { assign, expression } from '../tree.ts'
import { expressionOf, typeName } from './go.ts'
import { countedOf, dotted, ifOf, loop, named, operatorOf, returnOf, routineAt, stringConstant } from './shared.ts'

export const lowerGo = (root: SyntaxNode): Statement[] => withMethods(statementsOf(named(root)))

/** The methods of each type as a class of its name. */
function withMethods(statements: Statement[]): Statement[] {
  const byType = new Map<string, Routine[]>()
  const others = statements.filter((each) => {
    const type = each.k === 'function' && each.fn.receiver !== undefined ? each.fn.owner : null
    if (type === null || each.k !== 'function') return true
    byType.set(type, [...(byType.get(type) ?? []), each.fn])
    return false
  })
  const classes = [...byType].map(
    ([name, methods]): Statement => ({ k: 'class', name, parent: null, fields: [], methods }),
  )
  return [...classes, ...others]
}

const statementsOf = (nodes: SyntaxNode[]): Statement[] => nodes.flatMap(statementOf)

const bodyOf = (node: SyntaxNode | null | undefined): Statement[] => {
  if (!node) return []
  return node.kind() === 'block' || node.kind() === 'statement_list' ? statementsOf(named(node)) : statementOf(node)
}

function statementOf(node: SyntaxNode): Statement[] {
  const kind = node.kind()
  switch (kind) {
    case 'statement_list':
      return statementsOf(named(node))
    case 'expression_statement':
    case 'go_statement':
    case 'defer_statement':
      return named(node).map((part) => expression(expressionOf(part)))
    case 'short_var_declaration':
    case 'assignment_statement':
      return [assigned(node)]
    case 'var_declaration':
    case 'const_declaration':
      return named(node)
        .flatMap((part) => (part.kind() === 'var_spec_list' ? named(part) : [part]))
        .map(declared)
    case 'import_declaration':
      return [{ k: 'import', names: importsOf(node) }]
    case 'function_declaration':
    case 'method_declaration':
      return [{ k: 'function', fn: routineOf(node) }]
    case 'if_statement': {
      const before = node.field('initializer')
      return [...(before ? statementOf(before) : []), ifOf(node, expressionOf, bodyOf)]
    }
    case 'for_statement':
      return [loopOf(node)]
    case 'expression_switch_statement':
    case 'type_switch_statement': {
      const before = node.field('initializer')
      const value = expressionOf(node.field('value'))
      const alias = node.field('alias')
      const bound: Statement[] = alias ? [expression(assign(expressionOf(alias), value, node))] : []
      return [
        ...(before ? statementOf(before) : []),
        ...bound,
        { k: 'switch', value, cases: named(node).flatMap(caseOf) },
      ]
    }
    case 'select_statement':
      return [{ k: 'switch', value: { k: 'mixed', parts: [] }, cases: named(node).flatMap(caseOf) }]
    case 'return_statement':
      return [returnOf(node, expressionOf)]
    case 'break_statement':
    case 'continue_statement':
    case 'goto_statement':
      return [{ k: 'leave' }]
    case 'block':
    case 'labeled_statement':
      return [{ k: 'block', body: statementsOf(named(node)) }]
    case 'receive_statement':
      return named(node)
        .slice(-1)
        .map((part) => expression(expressionOf(part)))
    case 'send_statement':
      return [expression(assign(expressionOf(node.field('channel')), expressionOf(node.field('value')), node))]
    case 'inc_statement':
    case 'dec_statement':
      return [expression(countedOf(node, expressionOf(named(node)[0])))]
    case 'package_clause':
    case 'type_declaration':
    case 'fallthrough_statement':
    case 'label_name':
      return []
    case 'ERROR':
      return statementsOf(named(node))
    default:
      return [expression(expressionOf(node))]
  }
}

/** Several results of one call go to all names but the last, which says mostly whether there was an error. */
function assigned(node: SyntaxNode): Statement {
  const lefts = named(node.field('left') ?? node)
  const rights = named(node.field('right') ?? node)
  const operator = node.kind() === 'short_var_declaration' ? '' : operatorOf(node)
  const parts = lefts.map((left, at) => {
    const isResult = at === 0 || (at < lefts.length - 1 && left.text() !== '_')
    const right = rights.length === 1 ? (isResult ? rights[0] : undefined) : rights[at]
    return assign(expressionOf(left), expressionOf(right), node, operator)
  })
  const [only] = parts
  return parts.length === 1 && only ? expression(only) : { k: 'block', body: parts.map(expression) }
}

/** `var x T` begins empty. */
function declared(node: SyntaxNode): Statement {
  const names = named(node).filter((part) => part.kind() === 'identifier')
  const values = node.field('value')
  const type = node.field('type')
  const given = values ? named(values) : []
  const parts = names.map((name, at) =>
    expression(assign(expressionOf(name), expressionOf(given[at]), node, '', type ? typeName(type) : null)),
  )
  return { k: 'block', body: parts }
}

/** What is sent under names that somebody chose. */
const KEYED = /(?:Query\(\)|Form|Header|Trailer|Values?|Params|Args|Vars\(\w+\))$/

function loopOf(node: SyntaxNode): Statement {
  const [head] = named(node)
  const body = bodyOf(node.field('body'))
  if (!head || head.kind() === 'block') return loop(body, { test: { k: 'constant', value: true, at: node } })
  if (head.kind() === 'range_clause') {
    const left = head.field('left')
    const names = left ? named(left) : []
    const of = expressionOf(head.field('right'))
    const target = expressionOf(names.at(-1))
    const [key] = names
    const isKeyed = key && names.length === 2 && key.text() !== '_' && KEYED.test(head.field('right')?.text() ?? '')
    const keyed = isKeyed ? [expression(assign(expressionOf(key), of, key))] : []
    return loop([...keyed, ...body], { item: { target, of, keys: false } })
  }
  if (head.kind() !== 'for_clause') return loop(body, { test: expressionOf(head) })
  const before = head.field('initializer')
  const test = head.field('condition')
  return loop(body, { before: before ? statementOf(before) : [], test: test ? expressionOf(test) : null })
}

function caseOf(node: SyntaxNode): Case[] {
  const kind = node.kind()
  if (!kind.endsWith('_case')) return []
  const value = node.field('value')
  const tests =
    kind === 'expression_case' && value ? named(value).map(expressionOf) : kind === 'default_case' ? null : []
  const parts = named(node).filter(
    (part) => !['expression_list', 'type_identifier', 'pointer_type', 'qualified_type'].includes(part.kind()),
  )
  const body = statementsOf(parts)
  const falls = parts.some((part) => part.text().trimEnd().endsWith('fallthrough'))
  return [
    { tests: kind === 'expression_case' || kind === 'default_case' ? tests : [{ k: 'mixed', parts: [] }], body, falls },
  ]
}

export function routineOf(node: SyntaxNode): Routine {
  const parameters = node.field('parameters')
  const receiver = node.field('receiver')
  const receivers = receiver ? named(receiver).flatMap(parametersOf) : []
  const name = node.field('name')?.text() ?? ''
  const [self] = receivers
  const routine = routineAt(node, {
    name,
    parameters: parameters ? named(parameters).flatMap(parametersOf) : [],
    body: () => bodyOf(node.field('body')),
    owner: self?.type ?? null,
  })
  return self?.target.k === 'name' ? { ...routine, receiver: self.target.name } : routine
}

function parametersOf(node: SyntaxNode): Parameter[] {
  const type = typeName(node.field('type'))
  return named(node)
    .filter((part) => part.kind() === 'identifier')
    .map((part) => ({
      target: expressionOf(part),
      type: type === '' ? null : type,
      marks: [],
      otherwise: null,
      ...(node.kind() === 'variadic_parameter_declaration' ? { takes: 'rest' as const } : {}),
    }))
}

/** `os/exec` is known as `exec`; a last part that is a version gives way to the one before. */
function importsOf(node: SyntaxNode): [string, string][] {
  const specs = named(node).flatMap((part) => (part.kind() === 'import_spec_list' ? named(part) : [part]))
  return specs.map((spec): [string, string] => {
    const path = stringConstant(dotted(spec.field('path'))).replace(/\/v\d+$/, '')
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/^go-/, '')
    const full = name === 'rand' ? path.replace('/', '_') : name
    return [spec.field('name')?.text() ?? name, full === 'math_rand' || full === 'crypto_rand' ? full : name]
  })
}
