// Python as the common tree: statements, functions and classes.

import type { Case, Expression, Parameter, Routine, Statement, SyntaxNode } from '../tree.ts'
import { assign, expression } from '../tree.ts'
import { expressionOf } from './python.ts'
import { dotted, loop, named, returning, returnOf, routineAt, whileOf } from './shared.ts'

export const lowerPython = (root: SyntaxNode): Statement[] => statementsOf(named(root))

const statementsOf = (nodes: SyntaxNode[]): Statement[] => nodes.flatMap((node) => statementOf(node))

const bodyOf = (node: SyntaxNode | null | undefined): Statement[] => (node ? statementsOf(named(node)) : [])

function statementOf(node: SyntaxNode, marks: string[] = [], owner: string | null = null): Statement[] {
  const kind = node.kind()
  switch (kind) {
    case 'expression_statement': {
      const parts = named(node)
      return parts.map((part) => expression(expressionOf(part)))
    }
    case 'decorated_definition': {
      const found = named(node)
        .filter((part) => part.kind() === 'decorator')
        .map((part) => dotted(named(part)[0]).replace(/\(.*$/s, ''))
      const definition = node.field('definition')
      return definition ? statementOf(definition, found, owner) : []
    }
    case 'function_definition':
      return [{ k: 'function', fn: routineOf(node, marks, owner) }]
    case 'class_definition':
      return [classOf(node)]
    case 'import_statement':
    case 'import_from_statement':
      return [{ k: 'import', names: importsOf(node) }]
    case 'if_statement':
      return [
        ifOf(
          node,
          named(node).filter((part) => ['elif_clause', 'else_clause'].includes(part.kind())),
        ),
      ]
    case 'for_statement': {
      const item = { target: expressionOf(node.field('left')), of: expressionOf(node.field('right')), keys: false }
      return [loop(bodyOf(node.field('body')), { item }), ...elseOf(node)]
    }
    case 'while_statement':
      return [whileOf(node, expressionOf, bodyOf), ...elseOf(node)]
    case 'with_statement': {
      const items = named(node)
        .filter((part) => part.kind() === 'with_clause')
        .flatMap(named)
        .flatMap((item) => withItem(named(item)[0]))
      return [...items, { k: 'block', body: bodyOf(node.field('body')) }]
    }
    case 'try_statement':
      return [tryOf(node)]
    case 'match_statement':
      return [
        {
          k: 'switch',
          value: expressionOf(node.field('subject')),
          cases: named(node.field('body') ?? node)
            .filter((part) => part.kind() === 'case_clause')
            .map(caseOf),
        },
      ]
    case 'return_statement':
      return [returnOf(node, expressionOf)]
    case 'raise_statement':
      return [{ k: 'throw', value: expressionOf(named(node)[0]) }]
    case 'break_statement':
    case 'continue_statement':
      return [{ k: 'leave' }]
    case 'assert_statement':
      return named(node).map((part) => expression(expressionOf(part)))
    case 'global_statement':
      return [{ k: 'global', names: named(node).map((part) => part.text()) }]
    case 'nonlocal_statement':
    case 'pass_statement':
    case 'delete_statement':
      return []
    case 'block':
    case 'ERROR':
      return bodyOf(node)
    default:
      return [expression(expressionOf(node))]
  }
}

/** What follows a loop that was not broken off. */
const elseOf = (node: SyntaxNode): Statement[] =>
  named(node)
    .filter((part) => part.kind() === 'else_clause')
    .flatMap((part) => bodyOf(part.field('body')))

function withItem(node: SyntaxNode | undefined): Statement[] {
  if (!node) return []
  if (node.kind() !== 'as_pattern') return [expression(expressionOf(node))]
  const [value, target] = named(node)
  return [expression(assign(expressionOf(target), expressionOf(value), node))]
}

function ifOf(node: SyntaxNode, others: SyntaxNode[]): Statement {
  const [next, ...rest] = others
  return {
    k: 'if',
    test: expressionOf(node.field('condition')),
    yes: bodyOf(node.field('consequence')),
    no: !next ? [] : next.kind() === 'elif_clause' ? [ifOf(next, rest)] : bodyOf(next.field('body')),
  }
}

function tryOf(node: SyntaxNode): Statement {
  const clauses = named(node)
  const blockOf = (part: SyntaxNode) => bodyOf(named(part).findLast((each) => each.kind() === 'block'))
  const after = clauses.filter((part) => part.kind() === 'else_clause').flatMap(blockOf)
  return {
    k: 'try',
    body: [...bodyOf(node.field('body')), ...after],
    handlers: clauses.filter((part) => part.kind().startsWith('except')).map(blockOf),
    last: clauses.filter((part) => part.kind() === 'finally_clause').flatMap(blockOf),
  }
}

function caseOf(node: SyntaxNode): Case {
  const patterns = named(node).filter((part) => part.kind() === 'case_pattern')
  const constants = patterns.flatMap((pattern) => {
    const [inner] = named(pattern)
    if (!inner) return []
    return inner.kind() === 'union_pattern' ? named(inner).map(expressionOf) : [expressionOf(inner)]
  })
  return { tests: constants.length > 0 ? constants : null, body: bodyOf(node.field('consequence')), falls: false }
}

export function lambdaOf(node: SyntaxNode): Routine {
  const body = node.field('body')
  const parameters = node.field('parameters')
  return routineAt(node, {
    name: '',
    parameters: parameters ? named(parameters).flatMap(parameterOf) : [],
    body: () => returning(body, node, expressionOf),
  })
}

function routineOf(node: SyntaxNode, marks: string[], owner: string | null): Routine {
  const parameters = node.field('parameters')
  const routine = routineAt(node, {
    parameters: parameters ? named(parameters).flatMap(parameterOf) : [],
    body: () => bodyOf(node.field('body')),
    marks,
    owner,
  })
  return /^do_[A-Z]+$/.test(routine.name) ? ofHandler(routine) : routine
}

/** A method of what answers a request of HTTP by itself, as the standard library's server has it made. */
function ofHandler(method: Routine): Routine {
  const [self, ...others] = method.parameters
  return self ? { ...method, parameters: [{ ...self, type: 'BaseHTTPRequestHandler' }, ...others] } : method
}

const taken: Record<string, Parameter['takes']> = { dictionary_splat_pattern: 'names', list_splat_pattern: 'rest' }

function parameterOf(node: SyntaxNode): Parameter[] {
  const kind = node.kind()
  if (kind === 'keyword_separator' || kind === 'positional_separator') return []
  const name = kind === 'identifier' ? node : (node.field('name') ?? named(node)[0])
  if (!name) return []
  const otherwise = node.field('value')
  const type = node.field('type')
  const target: Expression = { k: 'name', name: name.text().replace(/^\*+/, ''), at: name }
  return [
    {
      target,
      type: type ? dotted(type).replace(/\[.*$/s, '') : null,
      marks: [],
      otherwise: otherwise ? expressionOf(otherwise) : null,
      ...(taken[kind] ? { takes: taken[kind] } : {}),
    },
  ]
}

function classOf(node: SyntaxNode): Statement {
  const name = node.field('name')?.text() ?? ''
  const inside = named(node.field('body') ?? node).flatMap((part) => statementOf(part, [], name))
  const bases = node.field('superclasses')
  const parents = bases ? named(bases).map(dotted) : []
  const methods = inside.flatMap((each) => (each.k === 'function' ? [each.fn] : []))
  return {
    k: 'class',
    name,
    parent: parents[0] ?? null,
    fields: inside.filter((each) => each.k !== 'function'),
    methods: parents.some((parent) => parent.endsWith('HTTPRequestHandler')) ? methods.map(ofHandler) : methods,
  }
}

function importsOf(node: SyntaxNode): [string, string][] {
  const from = dotted(node.field('module_name'))
  const parts = named(node).slice(from === '' ? 0 : 1)
  return parts.flatMap((part): [string, string][] => {
    const isAliased = part.kind() === 'aliased_import'
    const path = dotted(isAliased ? part.field('name') : part)
    if (isAliased) return [[part.field('alias')?.text() ?? '', from === '' ? path : `${from}.${path}`]]
    // `import a.b` binds `a`; its parts are then named in full.
    if (from === '') return [[path.split('.')[0] ?? '', path.split('.')[0] ?? '']]
    return [[path, `${from}.${path}`]]
  })
}
