// The words of a piece of code, among which the names of patterns are looked up.

/** `lower` has the words in lower case, with those that are joined by `-`, each of them once or twice. */
export type Text = { code: string; words: ReadonlySet<string>; lower: string }

/** What stands for a function that patterns name. */
const standing: readonly [string, string][] = [
  ['<?=', 'echo'],
  ['`', 'shell_exec'],
  ['require', 'include'],
  ['include_once', 'include'],
]

export function textOf(code: string, isCaseless: boolean): Text {
  const tokens = new Set<string>(code.match(/[A-Za-z_$][\w$-]*/g) ?? [])
  const words = new Set<string>()
  for (const token of tokens) for (const word of token.includes('-') ? token.split('-') : [token]) words.add(word)
  if (isCaseless) for (const word of [...words]) if (/^[A-Z]/.test(word)) words.add(word.toLowerCase())
  // A property of a PHP class, which other code and the patterns name without its sign.
  for (const [, name] of code.matchAll(/\b(?:public|protected|private|static|var)\s+(?:\??\w+\s+)?\$(\w+)/g))
    if (name) words.add(name)
  // PHP: a function or a class that goes by what a variable says.
  if (isCaseless && /\$\w+\s*\(|\bnew\s+\$/.test(code)) words.add('call_user_func')
  for (const [sign, word] of standing) if (code.includes(sign)) words.add(word)
  return { code, words, lower: [...tokens, ...words].join(' ').toLowerCase() }
}

/** All of them as one. */
export function joinedText(texts: readonly Text[]): Text {
  const [first, ...others] = texts
  if (first && others.length === 0) return first
  return {
    code: texts.map(({ code }) => code).join('\n'),
    words: new Set(texts.flatMap(({ words }) => [...words])),
    lower: texts.map(({ lower }) => lower).join(' '),
  }
}
