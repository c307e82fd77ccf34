// Tells placeholders for a secret from secrets: examples, patterns, references and words.

/** Shannon's entropy of a text in bits a character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  let sum = 0
  for (const count of counts.values()) sum -= (count / text.length) * Math.log2(count / text.length)
  return sum
}

/** Words that mark a value as a placeholder. */
const WORDS =
  /example|sample|placeholder|dummy|changeme|change[-_ ]?this|replace[-_ ]?(?:me|this|with)|insert[-_ ]?your|your[-_ ]|[-_]your|yourtoken|yoursecret|yourpassword|yourkey|redacted|<[^>]{1,100}>|\*{4}|\.\.\.|x{5}|0{8}|todo|fixme|not[-_ ]?a[-_ ]?real|fake|foobar|deadbeef|lorem|abc-def1|notsecret|my[-_ ]?(?:secret|token|password|api|key)|test[-_]?(?:secret|token|password|api|key)|(?:secret|token|password|key)[-_]?here/i

/** Digits and letters in their order, which people type where a secret would stand. */
const RUNS = ['0123456789', '1234567890', 'abcdefghij', '9876543210', 'qwertyuiop', 'abcd1234']

/** Placeholders that are substituted later: `${NAME}`, `{{ name }}`, `$(name)`, `%NAME%`, `#{name}`, `@name@`. */
const REFERENCE = /^\s*[$#%]?\{\{?|\$\{|\$\(|\{\{|%\w{1,60}%|#\{|^\$[A-Za-z_]|^@[\w.-]{1,60}@$|<%|%s(?![A-Za-z0-9])|%\(/

/** Whether a value in the place of a secret is an example of one. */
export function isPlaceholder(value: string): boolean {
  if (WORDS.test(value) || REFERENCE.test(value)) return true
  const lower = value.toLowerCase()
  return RUNS.some((run) => lower.includes(run)) || hasRepetition(lower)
}

/** A value of few characters, a quarter of which is one, or of one short piece again and again. */
function hasRepetition(value: string): boolean {
  if (new Set(value).size < Math.min(6, value.length / 2)) return true
  const same = /([a-z0-9])\1{7,}/.exec(value)
  if (same !== null && same[0].length * 4 >= value.length) return true
  const piece = /([a-z0-9]{1,8}?)\1{4,}/.exec(value)
  return piece !== null && piece[0].length * 2 >= value.length
}
