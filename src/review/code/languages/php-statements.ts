// PHP as the common tree: statements, functions and classes.

import type { Case, Expression, Parameter, Routine, Statement, SyntaxNode } from '../tree.ts'
import { assign, expression } from '../tree.ts'
import { expressionOf, functionName, shortName } from './php.ts'
import { dotted, fieldGiven, loop, named, returning, returnOf, routineAt, whileOf } from './shared.ts'

/** What `<?=` shows is echoed. */
export function lowerPhp(root: SyntaxNode): Statement[] {
  const nodes = named(root)
  return nodes.flatMap((node, at) => {
    const before = nodes[at - 1]
    const isShown = before && /<\?=\s*$/.test(before.text()) && node.kind() === 'expression_statement'
    return isShown ? [echoed(node)] : statementOf(node)
  })
}

const echoed = (node: SyntaxNode): Statement =>
  expression({
    k: 'call',
    callee: { k: 'name', name: 'echo', at: node },
    arguments: named(node).map((part) => ({ value: expressionOf(part) })),
    isNew: false,
    at: node,
  })

const statementsOf = (nodes: SyntaxNode[]): Statement[] => nodes.flatMap(statementOf)

const bodyOf = (node: SyntaxNode | null | undefined): Statement[] => {
  if (!node) return []
  return ['compound_statement', 'colon_block', 'declaration_list'].includes(node.kind())
    ? lowerPhp(node)
    : statementOf(node)
}

function statementOf(node: SyntaxNode): Statement[] {
  switch (node.kind()) {
    case 'expression_statement':
      return expressionsOf(node)
    case 'exit_statement':
      return [{ k: 'throw', value: expressionOf(node) }]
    case 'function_definition': {
      const fn = routineOf(node, null)
      return [{ k: 'function', fn: { ...fn, name: functionName(fn.name) } }]
    }
    case 'method_declaration':
      return [{ k: 'function', fn: routineOf(node, null) }]
    case 'class_declaration':
    case 'trait_declaration':
    case 'interface_declaration':
    case 'enum_declaration':
      return [classOf(node)]
    case 'namespace_definition':
      return bodyOf(node.field('body'))
    case 'if_statement':
      return [
        ifOf(
          node,
          named(node).filter((part) => ['else_if_clause', 'else_clause'].includes(part.kind())),
        ),
      ]
    case 'foreach_statement':
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
          value: expressionOf(node.field('condition')),
          cases: named(node.field('body') ?? node).flatMap(caseOf),
        },
      ]
    case 'try_statement':
      return [tryOf(node)]
    case 'return_statement':
      return [returnOf(node, expressionOf)]
    case 'break_statement':
    case 'continue_statement':
      return [{ k: 'leave' }]
    case 'compound_statement':
    case 'colon_block':
    case 'ERROR':
      return [{ k: 'block', body: lowerPhp(node) }]
    case 'global_declaration':
      return [{ k: 'global', names: named(node).map((part) => part.text()) }]
    case 'namespace_use_declaration':
    case 'unset_statement':
    case 'text_interpolation':
    case 'text':
    case 'php_tag':
    case 'php_end_tag':
    case 'empty_statement':
    case 'visibility_modifier':
      return []
    case 'const_declaration':
      return named(node).flatMap(constantOf)
    default:
      return [expression(expressionOf(node))]
  }
}

/** `die` and `exit` end the program, with or without parentheses. */
function expressionsOf(node: SyntaxNode): Statement[] {
  const [only] = named(node)
  if (only?.kind() === 'throw_expression') return [{ k: 'throw', value: expressionOf(only) }]
  if (only && ['die', 'exit'].includes(only.text().toLowerCase())) return [{ k: 'throw', value: null }]
  const isEnd = only?.kind() === 'function_call_expression' && /^(?:die|exit)$/i.test(dotted(only.field('function')))
  return isEnd
    ? [expression(expressionOf(only)), { k: 'throw', value: null }]
    : named(node).map((part) => expression(expressionOf(part)))
}

function eachOf(node: SyntaxNode): Statement {
  const [of, target] = named(node)
  const isPair = target?.kind() === 'pair'
  const item = { target: expressionOf(isPair ? named(target).at(-1) : target), of: expressionOf(of), keys: false }
  const key = isPair ? named(target)[0] : undefined
  const bound: Statement[] = key ? [keyBound(key, item.of)] : []
  return loop([...bound, ...bodyOf(node.field('body'))], { item })
}

function forOf(node: SyntaxNode): Statement {
  const [before] = named(node)
  const test = node.field('condition') ?? named(node)[1]
  return loop(bodyOf(node.field('body') ?? named(node).at(-1)), {
    before: before ? [expression(expressionOf(before))] : [],
    test: test ? expressionOf(test) : null,
  })
}

function tryOf(node: SyntaxNode): Statement {
  const clauses = named(node)
  return {
    k: 'try',
    body: bodyOf(node.field('body')),
    handlers: clauses.filter((part) => part.kind() === 'catch_clause').map((part) => bodyOf(part.field('body'))),
    last: clauses.filter((part) => part.kind() === 'finally_clause').flatMap((part) => bodyOf(part.field('body'))),
  }
}

function keyBound(key: SyntaxNode, of: Expression): Statement {
  const value: Expression = { k: 'index', object: of, key: { k: 'mixed', parts: [] }, at: key }
  return expression(assign(expressionOf(key), value, key))
}

function constantOf(node: SyntaxNode): Statement[] {
  const [name, value] = named(node)
  if (node.kind() !== 'const_element' || !name || !value) return []
  return [expression(assign(expressionOf(name), expressionOf(value), node))]
}

function ifOf(node: SyntaxNode, others: SyntaxNode[]): Statement {
  const [next, ...rest] = others
  const last = next ? bodyOf(next.field('body') ?? named(next)[0]) : []
  return {
    k: 'if',
    test: expressionOf(node.field('condition')),
    yes: bodyOf(node.field('body')),
    no: next?.kind() === 'else_if_clause' ? [ifOf(next, rest)] : last,
  }
}

function caseOf(node: SyntaxNode): Case[] {
  const kind = node.kind()
  if (kind !== 'case_statement' && kind !== 'default_statement') return []
  const value = node.field('value')
  const parts = kind === 'case_statement' ? named(node).slice(1) : named(node)
  return [{ tests: value ? [expressionOf(value)] : null, body: statementsOf(parts), falls: true }]
}

export function routineOf(node: SyntaxNode, owner: string | null): Routine {
  const body = node.field('body')
  const parameters = node.field('parameters')
  const isArrow = node.kind() === 'arrow_function'
  return routineAt(node, {
    parameters: parameters ? named(parameters).flatMap(parameterOf) : [],
    body: () => (isArrow ? returning(body, node, expressionOf) : [...promoted(parameters), ...bodyOf(body)]),
    owner,
  })
}

function parameterOf(node: SyntaxNode): Parameter[] {
  const name = node.field('name') ?? named(node).find((part) => part.kind() === 'variable_name')
  if (!name) return []
  const type = node.field('type')
  const otherwise = node.field('default_value')
  return [
    {
      target: expressionOf(name),
      type: type ? shortName(type).replace(/^\?/, '') : null,
      marks: [],
      otherwise: otherwise ? expressionOf(otherwise) : null,
      ...(node.kind() === 'variadic_parameter' ? { takes: 'rest' as const } : {}),
    },
  ]
}

/** A parameter of a constructor that is a field as well. */
const promoted = (parameters: SyntaxNode | null): Statement[] =>
  (parameters ? named(parameters) : [])
    .filter((part) => part.kind() === 'property_promotion_parameter')
    .flatMap(parameterOf)
    .flatMap(({ target }) =>
      target.k === 'name' ? [fieldGiven(target.name.replace(/^\$/, ''), target, target.at)] : [],
    )

function classOf(node: SyntaxNode): Statement {
  const name = node.field('name')?.text() ?? ''
  const body = named(node.field('body') ?? node)
  const base = named(node).find((part) => part.kind() === 'base_clause')
  const fields = body
    .filter((part) => part.kind() === 'property_declaration')
    .flatMap(named)
    .filter((part) => part.kind() === 'property_element')
    .flatMap((part): Statement[] => {
      const [key, value] = named(part)
      return key && value ? [fieldGiven(key.text().replace(/^\$/, ''), expressionOf(value), part)] : []
    })
  const constants = body
    .filter((part) => part.kind() === 'const_declaration')
    .flatMap(named)
    .flatMap(constantOf)
  return {
    k: 'class',
    name,
    parent: base ? shortName(named(base)[0]) : null,
    fields: [...fields, ...constants],
    methods: body.filter((part) => part.kind() === 'method_declaration').map((part) => routineOf(part, name)),
  }
}
