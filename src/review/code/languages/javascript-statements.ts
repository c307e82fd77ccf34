// JavaScript and TypeScript, with JSX, as the common tree: statements, functions and classes.

import type { Case, Expression, Imported, Parameter, Routine, Statement, SyntaxNode } from '../tree.ts'
import { assign, expression } from '../tree.ts'
import { expressionOf } from './javascript.ts'
import {
  dotted,
  fieldGiven,
  ifOf,
  loop,
  named,
  partsOf,
  returning,
  returnOf,
  routineAt,
  stringConstant,
  whileOf,
} from './shared.ts'

/** A program, whole or in part. */
export const lowerJavascript = (root: SyntaxNode): Statement[] => statementsOf(named(root))

const statementsOf = (nodes: SyntaxNode[]): Statement[] => nodes.flatMap(statementOf)

/** The statements of a block, or the one statement that stands in its place. */
const bodyOf = (node: SyntaxNode | null | undefined): Statement[] => {
  if (!node) return []
  return node.kind() === 'statement_block' ? statementsOf(named(node)) : statementOf(node)
}

function statementOf(node: SyntaxNode): Statement[] {
  switch (node.kind()) {
    case 'expression_statement':
      return named(node).map((part) => expression(expressionOf(part)))
    case 'lexical_declaration':
    case 'variable_declaration':
      return named(node).flatMap(declared)
    case 'function_declaration':
    case 'generator_function_declaration':
      return [{ k: 'function', fn: routineOf(node, null) }]
    case 'class_declaration':
    case 'abstract_class_declaration':
    case 'class':
      return [classOf(node)]
    case 'import_statement':
      return [{ k: 'import', names: importsOf(node) }]
    case 'export_statement':
      return statementsOf(named(node).filter((part) => part.kind() !== 'decorator' && part.kind() !== 'string'))
    case 'function_expression':
      return [{ k: 'function', fn: routineOf(node, null) }]
    case 'if_statement':
      return [ifOf(node, expressionOf, bodyOf)]
    case 'else_clause':
      return named(node).flatMap(bodyOf)
    case 'for_in_statement':
      return [eachOf(node)]
    case 'for_statement':
      return [forOf(node)]
    case 'while_statement':
    case 'do_statement':
      return [whileOf(node, expressionOf, bodyOf)]
    case 'switch_statement':
      return [
        {
          k: 'switch',
          value: expressionOf(node.field('value')),
          cases: named(node.field('body') ?? node).flatMap(caseOf),
        },
      ]
    case 'try_statement':
      return [tryOf(node)]
    case 'return_statement':
      return [returnOf(node, expressionOf)]
    case 'throw_statement':
      return [{ k: 'throw', value: expressionOf(named(node)[0]) }]
    case 'break_statement':
    case 'continue_statement':
      return [{ k: 'leave' }]
    case 'statement_block':
      return [{ k: 'block', body: statementsOf(named(node)) }]
    case 'labeled_statement':
      return bodyOf(node.field('body'))
    case 'internal_module':
    case 'module':
    case 'ambient_declaration':
      return bodyOf(node.field('body') ?? named(node)[0])
    case 'interface_declaration':
    case 'type_alias_declaration':
    case 'enum_declaration':
    case 'empty_statement':
    case 'hash_bang_line':
      return []
    case 'ERROR':
      return named(node).flatMap(statementOf)
    default:
      return [expression(expressionOf(node))]
  }
}

function eachOf(node: SyntaxNode): Statement {
  const target = expressionOf(node.field('left'))
  const keys = node.field('operator')?.text() === 'in'
  const item = { target, of: expressionOf(node.field('right')), keys }
  return loop(bodyOf(node.field('body')), { item })
}

function forOf(node: SyntaxNode): Statement {
  const before = node.field('initializer')
  const after = node.field('increment')
  const body = [...bodyOf(node.field('body')), ...(after ? [expression(expressionOf(after))] : [])]
  const test = node.field('condition')
  return loop(body, {
    before: before ? statementOf(before) : [],
    test: test ? expressionOf(test.kind() === 'expression_statement' ? named(test)[0] : test) : null,
  })
}

function tryOf(node: SyntaxNode): Statement {
  const handler = node.field('handler')?.field('body')
  const last = node.field('finalizer')?.field('body')
  return { k: 'try', body: bodyOf(node.field('body')), handlers: handler ? [bodyOf(handler)] : [], last: bodyOf(last) }
}

function declared(node: SyntaxNode): Statement[] {
  if (node.kind() !== 'variable_declarator') return []
  const [target, value, type] = declaratorParts(node)
  if (!target) return []
  if (target.kind() === 'array_pattern' && value && STATE.test(value.text())) {
    const [state, setter] = named(target)
    if (state && setter) return stateOf(state, setter, value)
  }
  const given: Expression = value ? expressionOf(value) : { k: 'mixed', parts: [] }
  const last = given.k === 'assign' ? given.value : given
  if (last.k === 'function' && last.fn.name === '') last.fn.name = target.text()
  return [expression(assign(expressionOf(target), given, node, '', typeOf(type ?? null)))]
}

type Part = SyntaxNode | null | undefined

/** The name, the value and the type. */
function declaratorParts(node: SyntaxNode): readonly [Part, Part, Part] {
  const [only] = partsOf(node, 1) ?? []
  if (only) return [only, null, null]
  const [target, value] = partsOf(node, 2) ?? []
  return target && value && value.kind() !== 'type_annotation'
    ? [target, value, null]
    : [node.field('name'), node.field('value'), node.field('type')]
}

const STATE = /^(?:React\.)?useState\b/

/** The state of a component may be whatever its setter receives. */
function stateOf(state: SyntaxNode, setter: SyntaxNode, value: SyntaxNode): Statement[] {
  const target = expressionOf(state)
  const [first] = named(value.field('arguments') ?? value)
  const begins: Expression = value.field('arguments') ? expressionOf(first) : { k: 'mixed', parts: [] }
  const next: Expression = { k: 'name', name: 'next', at: setter }
  const fn = routineAt(setter, {
    name: setter.text(),
    parameters: [{ target: next, type: null, marks: [], otherwise: null }],
    body: () => [expression(assign(target, next, setter))],
  })
  return [expression(assign(target, begins, state)), { k: 'function', fn }]
}

const typeOf = (node: SyntaxNode | null): string | null => {
  const text = dotted(node).replace(/^:/, '').replace(/<.*$/s, '')
  return text === '' ? null : text
}

/** A function of any form; `owner` is the class whose method it is. */
export function routineOf(node: SyntaxNode, owner: string | null, marks: string[] = []): Routine {
  const body = node.field('body')
  const several = node.field('parameters')
  const only = several ? null : node.field('parameter')
  const isBlock = !body || body.kind() === 'statement_block'
  return routineAt(node, {
    parameters: several ? named(several).flatMap(allParameters) : only ? [parameterOf(only)] : [],
    body: () => (isBlock ? [...promoted(several ?? node), ...bodyOf(body)] : returning(body, node, expressionOf)),
    marks,
    owner,
  })
}

/** A parameter of a constructor that is a field as well: `constructor(private name: string)`. */
const promoted = (parameters: SyntaxNode): Statement[] =>
  named(parameters)
    .filter(
      (part) => part.kind().endsWith('_parameter') && /^(?:private|protected|public|readonly)\b/.test(part.text()),
    )
    .flatMap((part) => {
      const name = part.field('pattern')
      return name ? [fieldGiven(name.text(), expressionOf(name), part)] : []
    })

const allParameters = (node: SyntaxNode): Parameter[] =>
  node.kind().endsWith('type_annotation') || node.kind() === 'decorator' ? [] : [parameterOf(node)]

function parameterOf(node: SyntaxNode): Parameter {
  const kind = node.kind()
  if (kind === 'identifier') return { target: expressionOf(node), type: null, marks: [], otherwise: null }
  const marks = named(node)
    .filter((part) => part.kind() === 'decorator')
    .map(markOf)
  const target =
    kind === 'required_parameter' || kind === 'optional_parameter'
      ? node.field('pattern')
      : kind === 'assignment_pattern'
        ? node.field('left')
        : node
  const otherwise = kind === 'assignment_pattern' ? node.field('right') : node.field('value')
  const bound = target?.kind() === 'rest_pattern' ? named(target)[0] : target
  return {
    target: expressionOf(bound),
    type: typeOf(node.field('type')),
    marks,
    otherwise: otherwise ? expressionOf(otherwise) : null,
    ...(target?.kind() === 'rest_pattern' ? { takes: 'rest' as const } : {}),
  }
}

const markOf = (node: SyntaxNode): string => dotted(named(node)[0]).replace(/\(.*$/s, '')

function classOf(node: SyntaxNode): Statement {
  const name = node.field('name')?.text() ?? ''
  const heritage = named(node).find((part) => part.kind() === 'class_heritage')
  const fields: Statement[] = []
  const methods: Routine[] = []
  let marks: string[] = []
  for (const part of named(node.field('body') ?? node)) {
    const kind = part.kind()
    if (kind === 'decorator') marks.push(markOf(part))
    else {
      if (kind === 'method_definition') methods.push(routineOf(part, name, marks))
      if (kind === 'field_definition' || kind === 'public_field_definition') fields.push(...fieldOf(part))
      if (kind === 'class_static_block') fields.push(...bodyOf(part.field('body')))
      marks = []
    }
  }
  return { k: 'class', name, parent: heritage ? dotted(heritage).replace(/^extends/, '') : null, fields, methods }
}

function fieldOf(node: SyntaxNode): Statement[] {
  const value = node.field('value')
  const key = node.field('property') ?? node.field('name')
  if (!value || !key) return []
  return [fieldGiven(key.text(), expressionOf(value), node)]
}

function caseOf(node: SyntaxNode): Case[] {
  const isDefault = node.kind() === 'switch_default'
  const value = node.field('value')
  const parts = isDefault ? named(node) : named(node).slice(1)
  const body = statementsOf(parts)
  return [{ tests: isDefault ? null : [expressionOf(value)], body, falls: true }]
}

function importsOf(node: SyntaxNode): Imported[] {
  const from = stringConstant(dotted(node.field('source'))).replace(/^node:/, '')
  const found: Imported[] = []
  const clause = named(node).find((part) => part.kind() === 'import_clause')
  for (const part of clause ? named(clause) : []) {
    if (part.kind() === 'identifier') found.push([part.text(), from])
    if (part.kind() === 'namespace_import') found.push([named(part)[0]?.text() ?? '', from])
    for (const each of part.kind() === 'named_imports' ? named(part) : []) {
      const name = each.field('name')?.text() ?? ''
      const local = each.field('alias')?.text() ?? name
      found.push([local, `${from}.${name}`, name !== 'default' && local !== name])
    }
  }
  return found
}
