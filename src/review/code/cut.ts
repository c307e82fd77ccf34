// Detects where a piece of code was cut out of a comment or of a multi-line string, so that its words are not read as code.

/** What stands around texts of several lines: a text in quotes begins and ends with the same. */
export type Quoting = { blocks: boolean; long: readonly string[] }

/** What was open where the piece begins, and the place behind its end; an empty `opener` where it begins with code. */
export type Beginning = { opener: string; end: number }

export const CODE: Beginning = { opener: '', end: 0 }

/** How the piece begins. What cannot be told begins with code. */
export function beginningOf(text: string, { blocks, long }: Quoting): Beginning {
  if (blocks) {
    const end = endOfComment(text)
    if (end !== null) return { opener: '/*', end }
  }
  const first = firstQuote(text, long)
  return first && closes(text, first) ? { opener: first.quote, end: first.at + first.quote.length } : CODE
}

/** Behind the comment that the piece begins in; null where it does not. */
function endOfComment(text: string): number | null {
  for (const { index } of text.matchAll(/\*\/(?=[\s)\]},;]|$)/g)) {
    const line = text.slice(text.lastIndexOf('\n', index) + 1, index)
    if (!endsComment(line) && !opensComment(line)) continue
    return opensComment(text.slice(0, index)) ? null : index + 2
  }
  return opensComment(text) || !/\S/.test(text) || /^[ \t]*(?!\*(?:\s|$))\S/m.test(text) ? null : text.length
}

/** Whether a comment may end behind this: no expression such as `/.*`, no pattern of paths, no text in quotes does. */
const endsComment = (line: string): boolean =>
  /^[ \t]*\**$/.test(line) || (/\s\**$/.test(line) && !line.includes('/') && !/["`]/.test(line))

const opensComment = (text: string): boolean => /(?:^|[\s([{,;=}])\/\*/.test(text)

type Quote = { quote: string; at: number }

/** The first quote of a long text that does not stand in a comment of its own line. */
function firstQuote(text: string, long: readonly string[]): Quote | null {
  let first: Quote | null = null
  for (const quote of long) {
    for (let at = text.indexOf(quote); at >= 0 && (!first || at < first.at); at = text.indexOf(quote, at + 1)) {
      if (text[at - 1] === '\\') continue
      const before = text.slice(text.lastIndexOf('\n', at) + 1, at)
      if (/(?:^|\s)(?:\/\/|#|\*)/.test(before)) continue
      first = { quote, at }
      break
    }
  }
  return first
}

/** Where code goes on in which a text ended. */
const GOES_ON = /^[ \t]*(?:[)\],;%.]|\r?\n|$)/
/** What may stand before a text that begins: with the letters that say of what kind it is, or the function that takes it. */
const MAY_BEGIN =
  /(?:^|[=([{,:+%?&|>!]|\b(?:return|yield|in|case|await|throw|and|or|not|default))[ \t]*(?:[a-zA-Z]{0,2}|[\w$.]+)$/
const STARTS_CODE =
  /^[ \t]*(?:(?:async|def|class|return|import|from|if|for|with|try|raise|assert|pass)\b|@\w|[\w.]+[ \t]*[=([])/

/** Whether the first quote of the piece ends a text that began before it. */
function closes(text: string, { quote, at }: Quote): boolean {
  const lineStart = text.lastIndexOf('\n', at) + 1
  const before = text.slice(lineStart, at)
  const after = text.slice(at + quote.length)
  if (!GOES_ON.test(after)) return false
  if (before.trim() !== '') return !MAY_BEGIN.test(before.trim()) || /^[ \t]*\)/.test(after)
  const above = text.slice(0, lineStart).trimEnd()
  if (above === '') return STARTS_CODE.test(after.replace(/^\s*\n/, ''))
  return !/(?:[=([{,+]|\)\s*(?:->.{1,80})?:|class\s.{1,80}:)$/.test(above.slice(above.lastIndexOf('\n') + 1))
}
