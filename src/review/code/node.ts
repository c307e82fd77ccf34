// A node of the parser that is asked for each thing once: every question to it leaves the engine of JavaScript, which costs more than the answer.

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

/** Characters that glimpses may still copy. */
type Allowance = { left: number }

/** Times that the code may be copied by glimpses. */
const MOST_COPIES = 20

export const knownRoot = (root: ParsedNode, code: string): SyntaxNode =>
  new KnownNode(root, { left: MOST_COPIES * code.length })

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
    this.position ??= this.node.range()
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
