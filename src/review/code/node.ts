// Wraps a node of the parser and caches its answers: each question crosses into native code, which costs more than the answer.

import type { SyntaxNode } from './tree.ts'

/** What the parser gives. */
export type ParsedNode = Pick<SyntaxNode, 'range'> & {
  kind: () => string
  text: () => string
  children: () => ParsedNode[]
  namedChildren: () => ParsedNode[]
  field: (name: string) => ParsedNode | null
  isNamed: () => boolean
}

/** State shared by the nodes of one tree: `left` is the number of characters that glimpses may still copy. */
type Allowance = { left: number; offset: number }

/** How many times the size of the code glimpses may copy. */
const MOST_COPIES = 20

/** `offset` is added to the lines of the nodes, so that they are lines of the file and not of the piece. */
export const knownRoot = (root: ParsedNode, code: string, offset: number): SyntaxNode =>
  new KnownNode(root, { left: MOST_COPIES * code.length, offset })

const moved = ({ start, end }: ReturnType<SyntaxNode['range']>, by: number) => ({
  start: { line: start.line + by, column: start.column },
  end: { line: end.line + by, column: end.column },
})

class KnownNode implements SyntaxNode {
  private readonly node: ParsedNode
  private readonly allowance: Allowance
  private knownKind: string | null = null
  private knownText: string | null = null
  private position: ReturnType<SyntaxNode['range']> | null = null
  private parts: readonly SyntaxNode[] | null = null

  constructor(node: ParsedNode, allowance: Allowance) {
    this.node = node
    this.allowance = allowance
  }

  kind(): string {
    this.knownKind ??= this.node.kind()
    return this.knownKind
  }

  text(): string {
    this.knownText ??= this.node.text()
    return this.knownText
  }

  glimpse(): string | null {
    if (this.allowance.left < 0) return null
    const text = this.text()
    this.allowance.left -= text.length
    return text
  }

  range(): ReturnType<SyntaxNode['range']> {
    this.position ??= moved(this.node.range(), this.allowance.offset)
    return this.position
  }

  namedChildren(): readonly SyntaxNode[] {
    this.parts ??= this.node.namedChildren().map((each) => this.known(each))
    return this.parts
  }

  children(): readonly SyntaxNode[] {
    return this.node.children().map((each) => this.known(each))
  }

  field(name: string): SyntaxNode | null {
    const found = this.node.field(name)
    return found && this.known(found)
  }

  isNamed(): boolean {
    return this.node.isNamed()
  }

  private known(node: ParsedNode): SyntaxNode {
    return new KnownNode(node, this.allowance)
  }
}
