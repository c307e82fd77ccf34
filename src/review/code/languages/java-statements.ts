// Java as the common tree: statements, methods and classes.

import type { Argument, Case, Expression, Parameter, Routine, Statement, SyntaxNode } from '../tree.ts'
import { assign, expression } from '../tree.ts'
import { expressionOf, typeName } from './java.ts'
import { dotted, ifOf, loop, named, returning, returnOf, routineAt, whileOf } from './shared.ts'

export const lowerJava = (root: SyntaxNode): Statement[] => statementsOf(named(root))

const statementsOf = (nodes: SyntaxNode[]): Statement[] => nodes.flatMap(statementOf)

const bodyOf = (node: SyntaxNode | null | undefined): Statement[] => {
  if (!node) return []
  return node.kind() === 'block' || node.kind() === 'constructor_body' ? statementsOf(named(node)) : statementOf(node)
}

const classes = new Set(['class_declaration', 'interface_declaration', 'enum_declaration', 'record_declaration'])

function statementOf(node: SyntaxNode): Statement[] {
  const kind = node.kind()
  switch (kind) {
    case 'expression_statement':
      return named(node).map((part) => expression(expressionOf(part)))
    case 'local_variable_declaration':
    case 'field_declaration':
      return declared(node)
    case 'method_declaration':
    case 'constructor_declaration':
      return [...markCalls(node), { k: 'function', fn: routineOf(node, null) }]
    case 'if_statement':
      return [ifOf(node, expressionOf, bodyOf)]
    case 'enhanced_for_statement': {
      const name = node.field('name')
      const target = expressionOf(name)
      const item = { target, of: expressionOf(node.field('value')), keys: false }
      const type = declaredType(node)
      const typed = type && name ? [expression(assign(target, target, name, '', type))] : []
      return [loop([...typed, ...bodyOf(node.field('body'))], { item })]
    }
    case 'for_statement': {
      const before = node.field('init')
      const test = node.field('condition')
      const after = node.field('update')
      return [
        loop([...bodyOf(node.field('body')), ...(after ? [expression(expressionOf(after))] : [])], {
          before: before ? statementOf(before) : [],
          test: test ? expressionOf(test) : null,
        }),
      ]
    }
    case 'while_statement':
    case 'do_statement':
      return [whileOf(node, expressionOf, bodyOf)]
    case 'switch_expression':
    case 'switch_statement':
      return [{ k: 'switch', value: expressionOf(node.field('condition')), cases: casesOf(node) }]
    case 'try_statement':
    case 'try_with_resources_statement':
      return [tryOf(node)]
    case 'return_statement':
      return [returnOf(node, expressionOf)]
    case 'throw_statement':
      return [{ k: 'throw', value: expressionOf(named(node)[0]) }]
    case 'break_statement':
    case 'continue_statement':
      return [{ k: 'leave' }]
    case 'yield_statement':
      return named(node).map((part) => expression(expressionOf(part)))
    case 'block':
      return [{ k: 'block', body: statementsOf(named(node)) }]
    case 'labeled_statement':
    case 'synchronized_statement':
    case 'static_initializer':
      return bodyOf(named(node).at(-1))
    case 'explicit_constructor_invocation':
    case 'package_declaration':
    case 'import_declaration':
      return []
    case 'annotation':
    case 'marker_annotation':
      return [markCall(node)]
    case 'ERROR':
      return statementsOf(named(node))
    default:
      return classes.has(kind) ? classOf(node) : [expression(expressionOf(node))]
  }
}

function declared(node: SyntaxNode): Statement[] {
  const type = declaredType(node)
  const givenTo = (part: SyntaxNode) => {
    const value = part.field('value')
    // Another method may fill what a field begins with.
    const isOpen = node.kind() === 'field_declaration' && value?.kind() === 'array_creation_expression'
    return expressionOf(isOpen ? value?.field('value') : value)
  }
  return named(node)
    .filter((part) => part.kind() === 'variable_declarator')
    .map((part) => expression(assign(expressionOf(part.field('name')), givenTo(part), part, '', type)))
}

/** Null where the value says it. */
function declaredType(node: SyntaxNode): string | null {
  const type = typeName(node.field('type'))
  return type === 'var' ? null : type
}

function tryOf(node: SyntaxNode): Statement {
  const resources = node.field('resources')
  const opened = (resources ? named(resources) : []).map((part): Statement => {
    const value = expressionOf(part.field('value') ?? named(part).at(-1))
    const name = part.field('name')
    return expression(name ? assign(expressionOf(name), value, part, '', declaredType(part)) : value)
  })
  const clauses = named(node)
  return {
    k: 'try',
    body: [...opened, ...bodyOf(node.field('body'))],
    handlers: clauses.filter((part) => part.kind() === 'catch_clause').map((part) => bodyOf(part.field('body'))),
    last: clauses.filter((part) => part.kind() === 'finally_clause').flatMap((part) => bodyOf(named(part)[0])),
  }
}

/** The cases of a switch of either form. */
export function casesOf(node: SyntaxNode): Case[] {
  return named(node.field('body') ?? node).flatMap((group): Case[] => {
    const kind = group.kind()
    if (kind !== 'switch_block_statement_group' && kind !== 'switch_rule') return []
    const labels = named(group).filter((part) => part.kind() === 'switch_label')
    const tests = labels.flatMap((label) => named(label).map(expressionOf))
    const isDefault = labels.some((label) => named(label).length === 0)
    const body = statementsOf(named(group).filter((part) => part.kind() !== 'switch_label'))
    return [{ tests: isDefault ? null : tests, body, falls: kind !== 'switch_rule' }]
  })
}

export function lambdaOf(node: SyntaxNode): Routine {
  const body = node.field('body')
  const given = node.field('parameters')
  const parameters = !given
    ? []
    : given.kind() === 'identifier'
      ? [untyped(given)]
      : named(given).flatMap((part) => (part.kind() === 'identifier' ? [untyped(part)] : parameterOf(part)))
  return routineAt(node, {
    name: '',
    parameters,
    body: () => (body?.kind() === 'block' ? bodyOf(body) : returning(body, node, expressionOf)),
  })
}

const untyped = (node: SyntaxNode): Parameter => ({
  target: expressionOf(node),
  type: null,
  marks: [],
  otherwise: null,
})

/** The methods of a class without a name, as functions that anything may call. */
export const anonymousClass = (body: SyntaxNode): Expression[] =>
  named(body)
    .filter((part) => part.kind() === 'method_declaration')
    .map((part) => ({ k: 'function', fn: routineOf(part, null) }))

/** Modifiers are the first part of what they stand before. */
const annotationsOf = (node: SyntaxNode): SyntaxNode[] => {
  const [first] = named(node)
  return first?.kind() === 'modifiers' ? named(first).filter((part) => part.kind().endsWith('annotation')) : []
}

const marksOf = (node: SyntaxNode): string[] => annotationsOf(node).map((part) => typeName(part.field('name')))

/** An annotation as a call of its name with `@` before it. */
function markCall(node: SyntaxNode): Statement {
  const name = node.field('name') ?? node
  const given = node.field('arguments')
  const callee: Expression = { k: 'name', name: `@${typeName(name)}`, at: node }
  const values = (given ? named(given) : []).map((part): Argument => {
    const key = part.kind() === 'element_value_pair' ? part.field('key') : null
    return key && key.text() !== 'value'
      ? { name: key.text(), value: expressionOf(part.field('value')) }
      : { value: expressionOf(part.field('value') ?? part) }
  })
  return expression({ k: 'call', callee, arguments: values, isNew: false, at: node })
}

const markCalls = (node: SyntaxNode): Statement[] =>
  annotationsOf(node)
    .filter((part) => part.text() !== '@Override')
    .map(markCall)

function routineOf(node: SyntaxNode, owner: string | null): Routine {
  const parameters = node.field('parameters')
  return routineAt(node, {
    parameters: parameters ? named(parameters).flatMap(parameterOf) : [],
    body: () => bodyOf(node.field('body')),
    marks: marksOf(node),
    owner,
  })
}

function parameterOf(node: SyntaxNode): Parameter[] {
  const declarator = named(node).find((part) => part.kind() === 'variable_declarator')
  const name = node.field('name') ?? declarator?.field('name')
  if (!name) return []
  const type =
    node.field('type') ?? named(node).find((part) => part.kind().endsWith('type') || part.kind() === 'type_identifier')
  return [
    {
      target: expressionOf(name),
      type: type ? typeName(type) : null,
      marks: marksOf(node),
      otherwise: null,
      ...(node.kind() === 'spread_parameter' ? { takes: 'rest' as const } : {}),
    },
  ]
}

function classOf(node: SyntaxNode): Statement[] {
  const name = node.field('name')?.text() ?? ''
  const parent = node.field('superclass')
  const body = named(node.field('body') ?? node).flatMap((part) =>
    part.kind() === 'enum_body_declarations' ? named(part) : [part],
  )
  const methods = body.filter((part) => ['method_declaration', 'constructor_declaration'].includes(part.kind()))
  const inner = body.filter((part) => classes.has(part.kind()))
  const fields = body.filter((part) => ['field_declaration', 'static_initializer'].includes(part.kind()))
  const marks = marksOf(node)
  return [
    ...statementsOf(inner),
    {
      k: 'class',
      name,
      parent: parent ? dotted(named(parent)[0]) : null,
      fields: [...fields.flatMap(statementOf), ...markCalls(node), ...methods.flatMap(markCalls)],
      methods: methods.map((part) => {
        const routine = routineOf(part, name)
        return { ...routine, marks: [...routine.marks, ...marks] }
      }),
    },
  ]
}
