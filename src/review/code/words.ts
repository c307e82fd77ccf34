// Tells by the words of a piece of code whether any rule can have something to say of it, so that most code is never parsed.

/** What a kind of pattern looks for: whole words, and parts of words where a pattern leaves the rest open. */
export type Words = { whole: Set<string>; parts: Set<string> }

/** `given`: the sinks of rules that harm with what a caller gives, for which no word of a source is needed; `made` is what such code looks like. */
export type Trigger = {
  sources: Words
  sinks: Words
  flaws: Words
  given: { made: RegExp; words: Words }[]
  /** whether functions go by any case */
  isCaseless: boolean
}

export const openWords = (): Words => ({ whole: new Set(), parts: new Set() })

export const openTrigger = (isCaseless: boolean): Trigger => ({
  sources: openWords(),
  sinks: openWords(),
  flaws: openWords(),
  given: [],
  isCaseless,
})

/** Adds the words of which one stands in every name that the pattern matches. */
export function addWords(words: Words, pattern: string): void {
  const isLoose = pattern.startsWith('~')
  const names = partsOf(pattern.replace(/^~/, '').replaceAll('()', '')).reverse()
  for (const name of names) {
    const isOpen = isLoose || name.includes('*')
    // As a part of words a sign alone, `_` or `$`, would stand in nearly every text.
    const found = name.match(/[A-Za-z_$][\w$-]*/g)?.filter((word) => !isOpen || /[A-Za-z]/.test(word))
    if (!found?.length) continue
    for (const word of found) {
      if (isOpen || word.includes('-')) words.parts.add(word.toLowerCase())
      else words.whole.add(word)
    }
    return
  }
}

/** The pattern cut at dots outside of parentheses. */
function partsOf(pattern: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of pattern.replace(/^new /, '')) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (letter === '.' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  // `(a|b.c)`: of an alternative with several parts the last one stands in the name.
  return parts.map((part) =>
    part
      .split(/[|()]/)
      .map((each) => each.slice(each.lastIndexOf('.') + 1))
      .join(' '),
  )
}

const speaks = ({ whole, parts }: Words, tokens: ReadonlySet<string>, lower: string): boolean => {
  for (const token of tokens) if (whole.has(token)) return true
  for (const part of parts) if (lower.includes(part)) return true
  return false
}

/** Whether the text has the word of something at fault by itself, or words of both a source and a sink. */
export function isWorthReading(trigger: Trigger, text: string): boolean {
  const tokens = tokensOf(text, trigger)
  const lower = text.toLowerCase()
  if (speaks(trigger.flaws, tokens, lower)) return true
  if (trigger.given.some(({ made, words }) => made.test(text) && speaks(words, tokens, lower))) return true
  return speaks(trigger.sources, tokens, lower) && speaks(trigger.sinks, tokens, lower)
}

/** The same of a part of a larger piece, to which outside data may come from around it. */
export function mayHarm(trigger: Trigger, text: string): boolean {
  const tokens = tokensOf(text, trigger)
  const lower = text.toLowerCase()
  return speaks(trigger.sinks, tokens, lower) || speaks(trigger.flaws, tokens, lower)
}

/** What stands for a function that patterns name. */
const standing: readonly [string, string][] = [
  ['<?=', 'echo'],
  ['`', 'shell_exec'],
  ['require', 'include'],
  ['include_once', 'include'],
]

function tokensOf(text: string, { isCaseless }: Trigger): Set<string> {
  const tokens = new Set<string>(text.match(/[A-Za-z_$][\w$]*/g) ?? [])
  if (isCaseless) for (const token of [...tokens]) if (/^[A-Z]/.test(token)) tokens.add(token.toLowerCase())
  // A property of a PHP class, which other code and the patterns name without its sign.
  for (const [, name] of text.matchAll(/\b(?:public|protected|private|static|var)\s+(?:\??\w+\s+)?\$(\w+)/g))
    if (name) tokens.add(name)
  // PHP: a function or a class that goes by what a variable says.
  if (isCaseless && /\$\w+\s*\(|\bnew\s+\$/.test(text)) tokens.add('call_user_func')
  for (const [sign, word] of standing) if (text.includes(sign)) tokens.add(word)
  return tokens
}
