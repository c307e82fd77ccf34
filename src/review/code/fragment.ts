// Makes a piece of code out of its file whole enough to be parsed: brackets that it closes are opened, those left open closed.

/** Code to be parsed, and how many lines stand before its first one. */
export type Fragment = { text: string; shift: number }

export type Bracketing = {
  /** how one-line comments begin */
  comments: readonly string[]
  quotes: readonly string[]
  /** what opens a function or class body around members that stand alone; null where members may stand alone */
  member: { looks: RegExp; head: string } | null
  head: string
}

const opens: Record<string, string> = { '}': '{', ')': '(', ']': '[' }
const closes: Record<string, string> = { '{': '}', '(': ')', '[': ']' }

type Unmatched = { closer: string; behind: string; at: number }

/** Brackets that the text closes without opening them, and those it leaves open; texts and comments are passed over. */
function unmatched(text: string, { comments, quotes }: Bracketing): { closed: Unmatched[]; left: string[] } {
  const closed: Unmatched[] = []
  const left: string[] = []
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? ''
    const comment = comments.find((each) => text.startsWith(each, at))
    if (comment) at = endOf(text, '\n', at)
    else if (text.startsWith('/*', at)) at = endOf(text, '*/', at) + 1
    else if (quotes.includes(letter)) at = endOfQuote(text, letter, at)
    else if (closes[letter]) left.push(letter)
    else if (opens[letter]) {
      if (left.at(-1) === opens[letter]) left.pop()
      else if (left.length === 0) closed.push({ closer: letter, behind: text.slice(at + 1, at + 40).trimStart(), at })
    }
  }
  return { closed, left }
}

const endOf = (text: string, end: string, from: number): number => {
  const at = text.indexOf(end, from)
  return at < 0 ? text.length : at
}

function endOfQuote(text: string, quote: string, from: number): number {
  const isLong = quote === '`'
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) return at
    else if (text[at] === '\n' && !isLong) return at
  }
  return text.length
}

function openerOf({ closer, behind }: Unmatched): string {
  if (closer === ')') return '__('
  if (closer === ']') return '['
  if (/^else\b/.test(behind)) return 'if (__) {'
  if (/^(?:catch|finally)\b/.test(behind)) return 'try {'
  if (/^while\b/.test(behind)) return 'do {'
  return '{'
}

/** The code with one line before it that opens what it closes, and one after it that closes what it opens. */
export function bracketed(text: string, bracketing: Bracketing): Fragment {
  const { closed, left } = unmatched(text, bracketing)
  const { member, head } = bracketing
  const memberAt = member ? (member.looks.exec(text)?.index ?? -1) : -1
  // What is closed first after a member is its class.
  const classAt = memberAt < 0 ? -1 : closed.filter(({ at }) => at < memberAt).length
  const openers = closed.map((each, index) => (index === classAt && member ? member.head : openerOf(each)))
  const isOpen = member !== null && classAt >= closed.length
  if (isOpen) openers.push(member.head)
  const after = [...left].reverse().map((letter) => closes[letter])
  return { text: `${head}${openers.reverse().join(' ')}\n${text}\n${after.join('')}${isOpen ? '}' : ''}`, shift: 1 }
}

/** Code that is told apart by its indentation: heads stand above the first line for the depths that later lines fall back to. */
export function indented(text: string): Fragment {
  const lines = text.split('\n')
  const depths: { depth: number; line: string }[] = []
  let first = -1
  let least = Number.POSITIVE_INFINITY
  for (const line of lines) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue
    const depth = line.length - line.trimStart().length
    if (first < 0) first = depth
    if (depth < least) {
      depths.push({ depth, line: line.trim() })
      least = depth
    }
  }
  if (first <= 0) return { text, shift: 0 }
  const indent =
    /^[ \t]*/.exec(lines.find((line) => line.trim() !== '' && !line.trimStart().startsWith('#')) ?? '')?.[0] ?? ''
  const heads = depths.slice(1).map(({ depth, line }) => `${indent.slice(0, depth)}${headFor(line)}`)
  if (least > 0) heads.push('if __:')
  return { text: `${[...heads].reverse().join('\n')}\n${text}`, shift: heads.length }
}

function headFor(line: string): string {
  if (/^(?:except|finally)\b/.test(line)) return 'try:'
  return 'if __:'
}
