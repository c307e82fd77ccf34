// Reads short JavaScript expressions from their text alone, because asking the parser for each of their nodes costs more than reading them.

import { type Argument, assign, type Entry, type Expression, type Place, type SyntaxNode, signed } from '../tree.ts'
import { stringConstant } from './shared.ts'

/** The most characters of an expression that is read from its text. */
const LONGEST = 400

/** Syntax that is left to the parser: functions, templates, regular expressions, comments, elements, types, characters outside of ASCII. */
const MORE = /[`#@\\]|=>|\/[/*]|\?\?|\?\.[([]|\*\*|\+\+|--|>>>|[^\n -~]|<[^<>]*>/

/** Words that are not names, or that may begin other syntax. */
const WORDS = new Set(
  'as async await break case catch class const continue debugger default delete do else enum export extends finally for function get if import in instanceof let of return satisfies set static super switch throw try typeof var void while with yield'.split(
    ' ',
  ),
)

const TOKEN =
  /\s*(?:([A-Za-z_$][\w$]*)|(\d+(?:\.\d+)?(?![\w.$]))|("[^"\n]*"|'[^'\n]*')|(===|!==|==|!=|<=|>=|&&|\|\||<<|>>|[-+*%&|^]=|\?\.|[-+*/%&|^<>=!~?:.,()[\]{}]))/y

/** Precedence of operators; a higher one binds tighter. */
const BINDING: Record<string, number> = {
  '||': 1,
  '&&': 2,
  '|': 3,
  '^': 4,
  '&': 5,
  '==': 6,
  '!=': 6,
  '===': 6,
  '!==': 6,
  '<': 7,
  '>': 7,
  '<=': 7,
  '>=': 7,
  in: 7,
  instanceof: 7,
  '<<': 8,
  '>>': 8,
  '+': 9,
  '-': 9,
  '*': 10,
  '/': 10,
  '%': 10,
}

/** Unary operators that are words, with the type of their result. */
const WORDED: Record<string, string> = { typeof: 'typeof', void: 'boolean', delete: 'boolean' }

const CONSTANTS: Record<string, boolean | null> = { true: true, false: false, null: null }

type Kind = 'name' | 'number' | 'string' | 'sign' | 'end'
type Token = { kind: Kind; text: string; at: number }

export const unaryOf = (operator: string, value: Expression): Expression =>
  operator === '!'
    ? { k: 'not', value }
    : (signed(operator, value) ?? { k: 'cast', type: WORDED[operator] ?? 'number', value })

/** Thrown for syntax that is left to the parser. */
class More extends Error {}
const more = new More()

/** The expression, with the positions that its nodes would have; null if it takes the parser to read it. */
export function shortExpression(node: SyntaxNode): Expression | null {
  const text = node.glimpse()
  if (text === null || text.length > LONGEST || MORE.test(text)) return null
  try {
    const tokens = tokensOf(text)
    return tokens && new Reader(node, text, tokens).whole()
  } catch (error) {
    if (error instanceof More) return null
    throw error
  }
}

function tokensOf(text: string): Token[] | null {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  const end = text.trimEnd().length
  for (let from = 0; from < end; from = TOKEN.lastIndex) {
    TOKEN.lastIndex = from
    const found = TOKEN.exec(text)
    if (!found) return null
    const [whole, name, number, string, sign] = found
    const said = name ?? number ?? string ?? sign ?? ''
    const kind = name ? 'name' : number ? 'number' : string ? 'string' : 'sign'
    tokens.push({ kind, text: said, at: from + whole.length - said.length })
  }
  return tokens
}

const END: Token = { kind: 'end', text: '', at: 0 }

class Reader {
  private readonly node: SyntaxNode
  private readonly text: string
  private readonly tokens: readonly Token[]
  private next = 0

  constructor(node: SyntaxNode, text: string, tokens: readonly Token[]) {
    this.node = node
    this.text = text
    this.tokens = tokens
  }

  whole(): Expression {
    const value = this.assignment()
    if (this.next < this.tokens.length) throw more
    return value
  }

  private peek(): Token {
    return this.tokens[this.next] ?? END
  }

  private take(): Token {
    return this.tokens[this.next++] ?? END
  }

  private isNext(sign: string): boolean {
    const { kind, text } = this.peek()
    return kind === 'sign' && text === sign
  }

  /** Takes the sign if it is the next one. */
  private has(sign: string): boolean {
    const isNext = this.isNext(sign)
    if (isNext) this.next += 1
    return isNext
  }

  private expect(sign: string): void {
    if (!this.has(sign)) throw more
  }

  /** The position `offset` characters after the beginning of the node. */
  private placeAt(offset: number): Place {
    const { node, text } = this
    if (offset === 0) return node
    return {
      range: () => {
        const { line, column } = node.range().start
        const before = text.slice(0, offset)
        const lineStart = before.lastIndexOf('\n') + 1
        if (lineStart === 0) return { start: { line, column: column + offset } }
        return { start: { line: line + before.split('\n').length - 1, column: offset - lineStart } }
      },
    }
  }

  private assignment(): Expression {
    const { at } = this.peek()
    const target = this.choice()
    const { kind, text } = this.peek()
    if (kind !== 'sign' || !/^[-+*%&|^]?=$/.test(text)) return target
    if (target.k !== 'name' && target.k !== 'member' && target.k !== 'index') throw more
    this.next += 1
    return assign(target, this.assignment(), this.placeAt(at), text.slice(0, -1))
  }

  private choice(): Expression {
    const test = this.binary(1)
    if (!this.has('?')) return test
    const yes = this.assignment()
    this.expect(':')
    return { k: 'choice', test, yes, no: this.assignment() }
  }

  private binary(least: number): Expression {
    let left = this.unary()
    for (;;) {
      const { kind, text } = this.peek()
      const isOperator = (kind === 'sign' || kind === 'name') && Object.hasOwn(BINDING, text)
      const binding = isOperator ? BINDING[text] : undefined
      if (binding === undefined || binding < least) return left
      this.next += 1
      left = { k: 'binary', operator: text, left, right: this.binary(binding + 1) }
    }
  }

  private unary(): Expression {
    const { kind, text } = this.peek()
    const isUnary = kind === 'sign' ? /^[-+~!]$/.test(text) : kind === 'name' && Object.hasOwn(WORDED, text)
    if (!isUnary) return this.postfix()
    this.next += 1
    return unaryOf(text, this.unary())
  }

  private postfix(): Expression {
    const { at } = this.peek()
    let value = this.isName('new') ? this.made() : this.primary()
    for (;;) {
      if (this.has('.') || this.has('?.')) value = this.member(value)
      else if (this.has('[')) {
        value = { k: 'index', object: value, key: this.assignment(), at: this.placeAt(at) }
        this.expect(']')
      } else if (this.has('('))
        value = {
          k: 'call',
          callee: value,
          arguments: this.items(')'),
          isNew: false,
          at: value.k === 'member' ? value.at : this.placeAt(at),
        }
      else return value
    }
  }

  private member(object: Expression): Expression {
    const name = this.take()
    if (name.kind !== 'name') throw more
    return { k: 'member', object, name: name.text, at: this.placeAt(name.at) }
  }

  private isName(name: string): boolean {
    const { kind, text } = this.peek()
    return kind === 'name' && text === name
  }

  /** `new a.B(…)`; `new` without arguments is left to the parser. */
  private made(): Expression {
    const { at } = this.take()
    let callee = this.primary()
    if (callee.k !== 'name') throw more
    while (this.has('.')) callee = this.member(callee)
    this.expect('(')
    const place = callee.k === 'member' ? callee.at : this.placeAt(at)
    return { k: 'call', callee, arguments: this.items(')'), isNew: true, at: place }
  }

  private primary(): Expression {
    const { kind, text, at } = this.take()
    if (kind === 'string') return { k: 'constant', value: stringConstant(text), at: this.placeAt(at) }
    if (kind === 'number') return { k: 'constant', value: Number(text), at: this.placeAt(at) }
    if (kind === 'name') {
      if (WORDS.has(text) || text === 'new') throw more
      const constant = CONSTANTS[text]
      if (Object.hasOwn(CONSTANTS, text)) return { k: 'constant', value: constant ?? null, at: this.placeAt(at) }
      return { k: 'name', name: text, at: this.placeAt(at) }
    }
    if (text === '(') {
      const value = this.assignment()
      this.expect(')')
      return value
    }
    if (text === '[') return { k: 'list', items: this.items(']') }
    if (text === '{' && at > 0) return this.map(at)
    throw more
  }

  /** Expressions with commas between them, up to the sign that closes them. */
  private items(end: ')' | ']'): Argument[] {
    const items: Argument[] = []
    while (!this.has(end)) {
      const spread = this.spreads()
      items.push({ value: this.assignment(), spread })
      if (!this.isNext(end)) this.expect(',')
    }
    return items
  }

  private spreads(): boolean {
    if (!this.has('.')) return false
    this.expect('.')
    this.expect('.')
    return true
  }

  private map(at: number): Expression {
    const entries: Entry[] = []
    while (!this.has('}')) {
      entries.push(this.entry())
      if (!this.isNext('}')) this.expect(',')
    }
    return { k: 'map', entries, type: null, at: this.placeAt(at) }
  }

  private entry(): Entry {
    if (this.spreads()) return { key: null, value: this.assignment() }
    const { kind, text, at } = this.take()
    const place = this.placeAt(at)
    if (this.has(':')) {
      if (kind !== 'name' && kind !== 'string') throw more
      const key: Expression = { k: 'constant', value: kind === 'name' ? text : stringConstant(text), at: place }
      return { key, value: this.assignment() }
    }
    if (kind !== 'name' || WORDS.has(text) || Object.hasOwn(CONSTANTS, text)) throw more
    return { key: { k: 'constant', value: text, at: place }, value: { k: 'name', name: text, at: place } }
  }
}
