// What the adapters of several languages need of a syntax node.

import type { SyntaxNode } from '../tree.ts'

/** The named children without comments. */
export const named = (node: SyntaxNode): SyntaxNode[] =>
  node.namedChildren().filter((child) => !child.kind().endsWith('comment'))

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', 0: '\0', b: '\b', f: '\f', v: '\v' }

/** Text with its escapes undone, as far as all languages share them. */
export const unquoted = (text: string): string =>
  text.includes('\\')
    ? text.replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))/gs, (_, x, u, letter) =>
        x || u ? String.fromCharCode(Number.parseInt(x ?? u, 16)) : (escapes[letter] ?? letter),
      )
    : text

/** What a literal in single or double quotes says. */
export const stringConstant = (text: string): string =>
  /^["'`]/.test(text) ? unquoted(text.slice(1, /["'`]$/.test(text) ? -1 : undefined)) : text

/** A node's text without white space, for names. */
export const dotted = (node: SyntaxNode | null | undefined): string => node?.text().replace(/\s+/g, '') ?? ''
