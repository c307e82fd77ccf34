// The words of a piece of code, among which the names of patterns are looked up.

/**
 * `words` has an annotation also with its `@`, and the name of an element also with its `<`. `lower` is one text of all
 * words in lower case, including those that are joined by `-`; a word may occur in it twice.
 */
export type Text = { code: string; words: ReadonlySet<string>; lower: string }

/** Words, with what makes them marks or elements; after a star, as comments have it, `@` marks nothing. */
const TOKENS = /(?:(?:\*[ \t]*)?@[\w$.-]*|<\s*)?[A-Za-z_$][\w$-]*/g

/** Syntax for which PHP's patterns use the name of a function. */
const standing: readonly [string, string][] = [
  ['<?=', 'echo'],
  ['`', 'shell_exec'],
  ['require', 'include'],
  ['include_once', 'include'],
]

/** `isCaseless`: for PHP, whose function names are case-insensitive. */
export function textOf(code: string, isCaseless: boolean): Text {
  const joined: string[] = []
  const words = new Set<string>()
  for (const token of new Set<string>(code.match(TOKENS) ?? [])) addToken(token, joined, words)
  if (isCaseless) addStanding(code, words)
  return { code, words, lower: [...joined, ...words].join(' ').toLowerCase() }
}

function addToken(token: string, joined: string[], words: Set<string>): void {
  const sign = token.startsWith('@') ? '@' : token.startsWith('<') ? '<' : ''
  const bare = sign === '' ? token.replace(/^\*[ \t]*@/, '') : token.slice(1).trimStart()
  for (const name of bare.includes('.') ? bare.split('.') : [bare]) {
    if (sign !== '') words.add(sign + name)
    if (name.includes('-')) joined.push(name)
    for (const word of name.includes('-') ? name.split('-') : [name]) words.add(word)
  }
}

function addStanding(code: string, words: Set<string>): void {
  for (const word of [...words]) if (/^[A-Z]/.test(word)) words.add(word.toLowerCase())
  // A property of a class, which other code and the patterns name without the `$`.
  for (const [, name] of code.matchAll(/\b(?:public|protected|private|static|var)\s+(?:\??\w+\s+)?\$(\w+)/g))
    if (name) words.add(name)
  // A function or a class whose name is in a variable.
  if (/\$\w+\s*\(|\bnew\s+\$/.test(code)) words.add('call_user_func')
  for (const [sign, word] of standing) if (code.includes(sign)) words.add(word)
}

/** Joins several texts into one. */
export function joinedText(texts: readonly Text[]): Text {
  const [first, ...others] = texts
  if (first && others.length === 0) return first
  return {
    code: texts.map(({ code }) => code).join('\n'),
    words: new Set(texts.flatMap(({ words }) => [...words])),
    lower: texts.map(({ lower }) => lower).join(' '),
  }
}
