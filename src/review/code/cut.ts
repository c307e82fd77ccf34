// Detects where a piece of code was cut out of a comment or of a multi-line string, so that its words are not read as code.

/** The delimiters of comments and multi-line strings; a string begins and ends with the same quote. */
type Quoting = { blocks: boolean; long: readonly string[] }

/** What was open before the piece, and the position after its end. `opener` is empty if the piece begins with code. */
type Beginning = { opener: string; end: number }

export const CODE: Beginning = { opener: '', end: 0 }

/** How the piece begins; in doubt, with code. */
export function beginningOf(text: string, { blocks, long }: Quoting): Beginning {
  if (blocks) {
    const end = endOfComment(text)
    if (end !== null) return { opener: '/*', end }
  }
  const first = firstQuote(text, long)
  return first && closes(text, first) ? { opener: first.quote, end: first.at + first.quote.length } : CODE
}

/** The position after the comment in which the piece begins; null if it does not begin in one. */
function endOfComment(text: string): number | null {
  for (const { index } of text.matchAll(/\*\/(?=[\s)\]},;]|$)/g)) {
    const line = text.slice(text.lastIndexOf('\n', index) + 1, index)
    if (!endsComment(line) && !opensComment(line)) continue
    return opensComment(text.slice(0, index)) ? null : index + 2
  }
  return opensComment(text) || !/\S/.test(text) || /^[ \t]*(?!\*(?:\s|$))\S/m.test(text) ? null : text.length
}

/** Whether a comment may end after this text, unlike a regular expression such as `/.*`, a glob, or a quoted string. */
const endsComment = (line: string): boolean =>
  /^[ \t]*\**$/.test(line) || (/\s\**$/.test(line) && !line.includes('/') && !/["`]/.test(line))

const opensComment = (text: string): boolean => /(?:^|[\s([{,;=}])\/\*/.test(text)

type Quote = { quote: string; at: number }

/** The first quote of a multi-line string that is not in a comment on its own line. */
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

/** How code goes on after the end of a string. */
const GOES_ON = /^[ \t]*(?:[)\],;%.]|\r?\n|$)/
/** What may stand before the beginning of a string, including its prefix letters or the tag function. */
const MAY_BEGIN =
  /(?:^|[=([{,:+%?&|>!]|\b(?:return|yield|in|case|await|throw|and|or|not|default))[ \t]*(?:[a-zA-Z]{0,2}|[\w$.]+)$/
const STARTS_CODE =
  /^[ \t]*(?:(?:async|def|class|return|import|from|if|for|with|try|raise|assert|pass)\b|@\w|[\w.]+[ \t]*[=([])/

/** Whether the first quote of the piece ends a string that began before it. */
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
