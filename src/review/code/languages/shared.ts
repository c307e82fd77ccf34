// What the adapters of several languages make of a syntax node in the same way.

import { assign, type Expression, once, type Place, type Routine, type Statement, type SyntaxNode } from '../tree.ts'

/** How an adapter reads an expression, and a block or a single statement in its place. */
type Read = (node: SyntaxNode | null | undefined) => Expression
type ReadBody = (node: SyntaxNode | null | undefined) => Statement[]

/** The named children without comments. */
export const named = (node: SyntaxNode): SyntaxNode[] =>
  node.namedChildren().filter((child) => !child.kind().endsWith('comment'))

/** The named children of a node that has exactly so many; null otherwise, when only fields tell which is which. */
export function partsOf(node: SyntaxNode, count: number): readonly SyntaxNode[] | null {
  const parts = named(node)
  return parts.length === count && !parts.some((part) => part.kind() === 'ERROR') ? parts : null
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', 0: '\0', b: '\b', f: '\f', v: '\v' }

/** Text with the escapes replaced that all languages share. */
export const unquoted = (text: string): string =>
  text.includes('\\')
    ? text.replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))/gs, (_, x, u, letter) =>
        x || u ? String.fromCharCode(Number.parseInt(x ?? u, 16)) : (escapes[letter] ?? letter),
      )
    : text

/** The value of a string literal. */
export const stringConstant = (text: string): string =>
  /^["'`]/.test(text) ? unquoted(text.slice(1, /["'`]$/.test(text) ? -1 : undefined)) : text

/** A node's text without white space, for names. */
export const dotted = (node: SyntaxNode | null | undefined): string => node?.text().replace(/\s+/g, '') ?? ''

/** The operator before the `=` of an assignment. */
export const operatorOf = (node: SyntaxNode): string => (node.field('operator')?.text() ?? '=').replace(/=$/, '')

export const assignmentOf = (node: SyntaxNode, read: Read): Expression =>
  assign(read(node.field('left')), read(node.field('right')), node, operatorOf(node))

/** A variable that is incremented or decremented holds an unknown number. */
export const countedOf = (node: SyntaxNode, target: Expression): Expression =>
  assign(target, { k: 'mixed', parts: [] }, node)

export function binaryOf(node: SyntaxNode, read: Read): Expression {
  const [left, between, right, ...others] = node.children()
  if (left && between && right && others.length === 0 && between.kind() !== 'ERROR')
    return { k: 'binary', operator: signOf(between), left: read(left), right: read(right) }
  return {
    k: 'binary',
    operator: node.field('operator')?.text() ?? '',
    left: read(node.field('left')),
    right: read(node.field('right')),
  }
}

/** An operator's kind is the operator itself; one that is a word may be in upper case, so its text is used. */
const signOf = (node: SyntaxNode): string => (/^[a-z]/.test(node.kind()) ? node.text() : node.kind())

export const choiceOf = (node: SyntaxNode, read: Read): Expression => ({
  k: 'choice',
  test: read(node.field('condition')),
  yes: read(node.field('consequence')),
  no: read(node.field('alternative')),
})

/** `object` is the name of the field that is indexed. */
export const indexOf = (node: SyntaxNode, object: string, read: Read): Expression => ({
  k: 'index',
  object: read(node.field(object)),
  key: read(node.field('index')),
  at: node,
})

const CHAIN = /^(?!(?:true|false|null)\.)[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/

/** A chain of names with dots, read from its text alone; null for anything else. */
export function chainOf(node: SyntaxNode): Expression | null {
  const text = node.glimpse()
  if (text === null || !CHAIN.test(text)) return null
  const [first = '', ...names] = text.split('.')
  let chain: Expression = { k: 'name', name: first, at: node }
  let offset = first.length
  for (const name of names) {
    chain = { k: 'member', object: chain, name, at: behind(node, offset + 1) }
    offset += name.length + 1
  }
  return chain
}

/** The position `offset` characters after the beginning of a node, on its line. */
const behind = (node: SyntaxNode, offset: number): Place => ({
  range: () => {
    const { line, column } = node.range().start
    return { start: { line, column: column + offset } }
  },
})

/** The position of a member is that of its name. */
export const memberOf = (node: SyntaxNode, object: Expression, name: SyntaxNode | null): Expression => ({
  k: 'member',
  object,
  name: name?.text() ?? '',
  at: name ?? node,
})

/** A field of a class with an initial value. */
export const fieldGiven = (name: string, value: Expression, at: Place): Statement => ({
  k: 'expression',
  value: assign({ k: 'member', object: { k: 'name', name: 'this', at }, name, at }, value, at),
})

export const ifOf = (node: SyntaxNode, read: Read, readBody: ReadBody): Statement => ({
  k: 'if',
  test: read(node.field('condition')),
  yes: readBody(node.field('consequence')),
  no: readBody(node.field('alternative')),
})

type Loop = Extract<Statement, { k: 'loop' }>

export const loop = (body: Statement[], head: Partial<Omit<Loop, 'k' | 'body'>>): Statement => ({
  k: 'loop',
  before: [],
  test: null,
  item: null,
  once: false,
  ...head,
  body,
})

/** A `while` loop, or a `do` loop, whose body runs at least once. */
export const whileOf = (node: SyntaxNode, read: Read, readBody: ReadBody): Statement =>
  loop(readBody(node.field('body')), {
    test: read(node.field('condition')),
    once: node.kind() === 'do_statement',
  })

export function returnOf(node: SyntaxNode, read: Read): Statement {
  const [value] = named(node)
  return { k: 'return', value: value ? read(value) : null, at: node }
}

/** The function of a node. Its position is that of its name, because annotations may be lines above. */
export const routineAt = (
  node: SyntaxNode,
  { body, ...given }: Pick<Routine, 'parameters' | 'body'> & Partial<Pick<Routine, 'name' | 'marks' | 'owner'>>,
): Routine => {
  const name = node.field('name')
  return {
    name: name?.text() ?? '',
    marks: [],
    owner: null,
    ...given,
    body: once(body),
    text: () => node.text(),
    at: name ?? node,
  }
}

/** The body of a function that is a single expression. */
export const returning = (body: SyntaxNode | null, node: SyntaxNode, read: Read): Statement[] => [
  { k: 'return', value: read(body), at: body ?? node },
]
