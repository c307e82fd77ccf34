// Tells which pieces of a file call functions that others of them define, so that they are read together.

/** Functions as languages define them: by a word, in a class with words before, as a value with a name. */
const DEFINED = [
  /\b(?:function\*?|def|func(?:[ \t]*\([^)\n]{0,80}\))?)[ \t]+&?(\w+)[ \t]*[([<]/g,
  /^[ \t]*(?:(?:public|private|protected|static|async|final|abstract|override|readonly)[ \t]+){1,5}(?:[\w<>[\].,?]+[ \t]+){0,3}(\w+)[ \t]*\(/gm,
  /\b(?:const|let|var)[ \t]+(\w+)[ \t]*=[ \t]*(?:async[ \t]*)?(?:function\b|\(|\w+[ \t]*=>)/g,
  /^[ \t]+(?:async[ \t]+)?(\w+)[ \t]*\([^()\n]{0,200}\)[^\n;=]{0,80}\{[ \t]*$/gm,
]

/** Words that stand before a parenthesis in most code, and are no functions. */
const WORDS = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'function',
  'return',
  'with',
  'elseif',
  'foreach',
  'constructor',
])

const definedIn = (text: string): Set<string> => {
  const names = new Set<string>()
  for (const expression of DEFINED)
    for (const [, name] of text.matchAll(expression)) if (name && !WORDS.has(name)) names.add(name)
  return names
}

const calledIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/(?<![\w$])([A-Za-z_]\w{0,80})[ \t]*\(/g)].map(([, name = '']) => name))

/** The places of pieces that belong together, each place in one group. */
export function linked(texts: readonly string[]): number[][] {
  const groups = texts.map((_, at) => [at])
  if (texts.length < 2) return groups
  const defined = texts.map(definedIn)
  const called = texts.map(calledIn)
  const groupOf = texts.map((_, at) => at)
  for (const [one, names] of defined.entries())
    for (const [other, calls] of called.entries()) {
      const [from = 0, into = 0] = [groupOf[other], groupOf[one]].sort((left = 0, right = 0) => right - left)
      if (
        from === into ||
        defined[other] === names ||
        ![...names].some((name) => calls.has(name) && !defined[other]?.has(name))
      )
        continue
      groups[into]?.push(...(groups[from] ?? []))
      groups[from] = []
      for (const [at, group] of groupOf.entries()) if (group === from) groupOf[at] = into
    }
  return groups.filter((group) => group.length > 0).map((group) => group.sort((left, right) => left - right))
}
