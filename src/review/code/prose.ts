// Detects a piece that is the middle of a comment or a string, with neither end in sight, by a sentence where code should stand.

import type { SyntaxNode } from './tree.ts'

/** Words that most English sentences contain, and that are no keywords of the languages that are read. */
const COMMON = new Set(
  'an are be been but can does each has have how into it its may might must only our should so such than that the their them then there these they to used was we were when where which will would you your'.split(
    ' ',
  ),
)

const FEWEST_WORDS = 5

/** Characters that occur in code but not in sentences. */
const SIGNS = /["=;{}<>|&$\\#]|\w\(|\/[/*]|^[*@]/

/** Whether a line is a sentence or a part of one, and not code. */
export function isSentence(line: string): boolean {
  const text = line.trim().replace(/`[^`]*`/g, 'it')
  if (SIGNS.test(text)) return false
  const words = text.split(/ +/)
  const plain = words.filter((word) => /^\(?[A-Za-z][A-Za-z'’-]*\)?[.,:;!?]{0,2}$/.test(word))
  if (plain.length < FEWEST_WORDS || plain.length * 3 < words.length * 2) return false
  const common = new Set(
    plain.map((word) => word.replace(/[^A-Za-z]/g, '').toLowerCase()).filter((word) => COMMON.has(word)),
  )
  return common.size >= 2
}

/** Markup, which contains text between its tags. */
const MARKUP = /<\/\w|\/>/

/** Kinds of nodes whose text may be anything. */
const FREE = /comment|string|text|heredoc|nowdoc|template/

/** Whether there is a sentence where code should be; `first` is the line of the tree at which the code begins. */
export function isProse(root: SyntaxNode, code: string, first: number): boolean {
  if (MARKUP.test(code)) return false
  return code.split('\n').some((line, at) => {
    if (!isSentence(line)) return false
    const start = line.length - line.trimStart().length
    return !FREE.test(innermost(root, first + at, start, line.trimEnd().length).kind())
  })
}

/** The smallest node that covers the text of a line. */
function innermost(root: SyntaxNode, line: number, from: number, to: number): SyntaxNode {
  let node = root
  for (;;) {
    const inner = node.namedChildren().find((each) => {
      const { start, end } = each.range()
      const isBefore = start.line < line || (start.line === line && start.column <= from)
      return isBefore && (end.line > line || (end.line === line && end.column >= to))
    })
    if (!inner) return node
    node = inner
  }
}
