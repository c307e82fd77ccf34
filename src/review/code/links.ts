// Finds the pieces of a file that call functions defined in other pieces, so that they are read together.

/** How functions are defined: with a keyword, in a class with modifiers, or as a value that is assigned to a name. */
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

/** Groups the pieces that belong together by their indexes; each piece is in one group. */
export function linked(texts: readonly string[]): number[][] {
  if (texts.length < 2) return texts.map((_, at) => [at])
  const definers = new Map<string, number[]>()
  const defined = texts.map(definedIn)
  for (const [at, names] of defined.entries())
    for (const name of names) definers.set(name, [...(definers.get(name) ?? []), at].slice(-MOST_DEFINERS))
  const groups = openGroups(texts.length)
  for (const [at, text] of texts.entries())
    for (const name of calledIn(text))
      if (!defined[at]?.has(name)) for (const definer of definers.get(name) ?? []) groups.join(at, definer)
  return groups.all()
}

/** The most pieces that may define a function of the same name; the last ones count. */
const MOST_DEFINERS = 8

/** Disjoint sets that can be joined; each is identified by its smallest member. */
function openGroups(count: number) {
  const leaders = Array.from({ length: count }, (_, at) => at)
  function leaderOf(member: number): number {
    let at = member
    for (let next = leaders[at] ?? at; next !== at; next = leaders[at] ?? at) at = next
    leaders[member] = at
    return at
  }
  return {
    join: (one: number, other: number) => {
      const [first, second] = [leaderOf(one), leaderOf(other)]
      leaders[Math.max(first, second)] = Math.min(first, second)
    },
    all: (): number[][] => {
      const groups = new Map<number, number[]>()
      for (let at = 0; at < count; at++) {
        const leader = leaderOf(at)
        const group = groups.get(leader)
        if (group) group.push(at)
        else groups.set(leader, [at])
      }
      return [...groups.values()]
    },
  }
}
