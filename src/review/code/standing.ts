// Tells where in the code a word stands, as far as the signs around it show: as a part of a dotted name, or at the beginning of a name.

const WORD = /[A-Za-z_$][\w$]*/g

/** Statements whose words are all names of something that is brought in. */
const BRINGING = /^\s*(?:import|from|use|export|require)\b/

/** After a word: what calls it, gives it a value, or has it as a key. `=>` has it as a parameter. */
const TAKEN = /\s*(?:[(:`<"'!?]|=(?!>)|as\b)/y

/** After a word: the end of an item of a list. */
const ENDED = /[ \t]*(?:[,}):=\n\r]|$)/y

/** Adds to the words of the code those that stand as a part of a dotted name with `.`, those that begin a name with `^`. */
export function addPlaces(code: string, isCaseless: boolean, words: Set<string>): void {
  WORD.lastIndex = 0
  for (let found = WORD.exec(code); found; found = WORD.exec(code)) {
    const [word] = found
    const end = WORD.lastIndex
    if (word === '$' && isNoName(code, found.index)) continue
    const [asPart, first] = [`.${word}`, `^${word}`]
    if (!words.has(first) && !isBehindSign(code, found.index, isCaseless)) words.add(first)
    if (!words.has(asPart) && isPart(code, found.index, end)) words.add(asPart)
    WORD.lastIndex = end
  }
}

/** Whether a `$` begins a value within a template, or belongs to a regular expression. */
const isNoName = (code: string, at: number): boolean => /[{/'"|]/.test(code[at + 1] ?? '') || code[at - 1] === '|'

/** Whether the sign before the word makes it a member. In PHP, a dot joins texts. */
function isBehindSign(code: string, at: number, isCaseless: boolean): boolean {
  const sign = code[at - 1]
  if (sign === '.') return !isCaseless && code[at - 2] !== '.'
  return (sign === '>' && code[at - 2] === '-') || (sign === ':' && code[at - 2] === ':')
}

/**
 * Whether the word may be a part of a dotted name: a member, a key, what is called, brought in or taken apart. Texts count,
 * because a key may be in quotes. It says yes where the signs do not tell.
 */
function isPart(code: string, at: number, end: number): boolean {
  let before = at - 1
  while (before >= 0 && isBlank(code.charCodeAt(before))) before--
  const sign = code[before]
  if (sign === undefined || '.>:\'"`@#\\'.includes(sign)) return true
  if (isMatch(TAKEN, code, end)) return true
  const isItem = sign === '{' || sign === ',' || code.lastIndexOf('\n', at - 1) > before
  if (isItem && isMatch(ENDED, code, end)) return true
  const lineStart = code.lastIndexOf('\n', at - 1) + 1
  return BRINGING.test(code.slice(lineStart, at))
}

const isBlank = (code: number) => code === 32 || (code >= 9 && code <= 13)

function isMatch(expression: RegExp, code: string, from: number): boolean {
  expression.lastIndex = from
  return expression.test(code)
}
