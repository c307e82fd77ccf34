// The common tree into which the syntax of every language is translated before flows are followed: expressions, statements, functions.

/** Where something stands: lines and columns from 0. The parser's nodes are such places. */
export type Place = { range: () => { start: { line: number; column: number } } }

export type Constant = string | number | boolean | null

/** An argument: by position, by name, or spread over the rest. */
export type Argument = { value: Expression; name?: string; spread?: boolean }

/** An entry of a map; a null key spreads the value. */
export type Entry = { key: Expression | null; value: Expression }

export type Expression =
  | { k: 'constant'; value: Constant; at: Place }
  | { k: 'name'; name: string; at: Place }
  | { k: 'member'; object: Expression; name: string; at: Place }
  /** a null key: a slice, or an element that is appended */
  | { k: 'index'; object: Expression; key: Expression | null; at: Place }
  | { k: 'call'; callee: Expression; arguments: Argument[]; isNew: boolean; at: Place }
  | { k: 'binary'; operator: string; left: Expression; right: Expression }
  | { k: 'not'; value: Expression }
  /** a text made of parts */
  | { k: 'text'; parts: Expression[] }
  | { k: 'choice'; test: Expression; yes: Expression; no: Expression }
  /** `operator` is '' for a plain assignment, else what stands before `=` */
  | { k: 'assign'; target: Expression; operator: string; value: Expression; type: string | null; at: Place }
  | { k: 'list'; items: Argument[] }
  /** `type` names what is made of it, where it does not become a plain map */
  | { k: 'map'; entries: Entry[]; type: string | null; at: Place }
  | { k: 'function'; fn: Routine }
  | { k: 'cast'; type: string; value: Expression }
  /** gives an element of what the function answers; its value is what comes back for it */
  | { k: 'yield'; value: Expression }
  /** names bound at once; a key of null takes what is left */
  | { k: 'pattern'; parts: { key: string | null; target: Expression; otherwise: Expression | null }[] }
  /** anything else: what comes of its parts, none of which is known to leave */
  | { k: 'mixed'; parts: Expression[] }

/** `takes`: of several arguments, those that are left, as a list, or those that are given by name, as a map. */
export type Parameter = {
  target: Expression
  type: string | null
  marks: string[]
  otherwise: Expression | null
  takes?: 'rest' | 'names'
}

/** A function, a method, a lambda. `marks` are its decorators and annotations, as dotted names. */
export type Routine = {
  name: string
  parameters: Parameter[]
  /** brought into the tree at the first call */
  body: () => Statement[]
  /** the whole of it, as it is written */
  text: () => string
  marks: string[]
  /** the class whose method it is */
  owner: string | null
  /** the name by which it knows the object that it is called on, where that is a name of its own */
  receiver?: string
  at: Place
}

export type Case = { tests: Expression[] | null; body: Statement[]; falls: boolean }

/** A local name and the dotted name that it stands for; `isRenamed` where a part of a module is given another name than its own. */
export type Imported = [local: string, path: string, isRenamed?: boolean]

export type Statement =
  | { k: 'expression'; value: Expression }
  | { k: 'if'; test: Expression; yes: Statement[]; no: Statement[] }
  | {
      k: 'loop'
      before: Statement[]
      test: Expression | null
      item: { target: Expression; of: Expression; keys: boolean } | null
      body: Statement[]
      /** whether the body runs at least once */
      once: boolean
    }
  | { k: 'switch'; value: Expression; cases: Case[] }
  | { k: 'return'; value: Expression | null; at: Place }
  | { k: 'throw'; value: Expression | null }
  | { k: 'leave' }
  /** names that stand for those of the whole program */
  | { k: 'global'; names: string[] }
  | { k: 'try'; body: Statement[]; handlers: Statement[][]; last: Statement[] }
  | { k: 'block'; body: Statement[] }
  | { k: 'function'; fn: Routine }
  | { k: 'class'; name: string; parent: string | null; fields: Statement[]; methods: Routine[] }
  | { k: 'import'; names: Imported[] }

/** What the parser gives; the part of its interface that is used. */
export type SyntaxNode = {
  range: () => { start: { line: number; column: number }; end: { line: number; column: number } }
  kind: () => string
  text: () => string
  /** the text, unless too much of the code was copied so already: nodes lie in nodes */
  glimpse: () => string | null
  children: () => readonly SyntaxNode[]
  namedChildren: () => readonly SyntaxNode[]
  field: (name: string) => SyntaxNode | null
  isNamed: () => boolean
}

/** Brings a parsed file, whole or in part, into the common tree. */
export type Lowering = (root: SyntaxNode) => Statement[]

export const mixed = (parts: Expression[]): Expression =>
  parts.length === 1 && parts[0] ? parts[0] : { k: 'mixed', parts }

export const assign = (
  target: Expression,
  value: Expression,
  at: Place,
  operator = '',
  type: string | null = null,
): Expression => ({ k: 'assign', target, operator, value, type, at })

/** A text of its parts; one that is a constant alone is that. */
export function textOf(parts: Expression[], at: Place): Expression {
  const [first] = parts
  if (!first) return { k: 'constant', value: '', at }
  return parts.length === 1 && first.k === 'constant' ? first : { k: 'text', parts }
}

/** A number that is known after a sign: below zero, with all its bits turned, or as it is; null for anything else. */
export function signed(operator: string | undefined, value: Expression): Expression | null {
  if (value.k !== 'constant' || typeof value.value !== 'number') return null
  if (operator === '-') return { ...value, value: -value.value }
  if (operator === '~') return { ...value, value: ~value.value }
  return operator === '+' ? value : null
}

export const expression = (value: Expression): Statement => ({ k: 'expression', value })

/** What is made at the first call and then kept. */
export function once<Thing>(make: () => Thing): () => Thing {
  let made: { thing: Thing } | null = null
  return () => {
    made ??= { thing: make() }
    return made.thing
  }
}
