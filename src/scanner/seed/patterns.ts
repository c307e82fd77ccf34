// A text that matches a description's pattern: the only one possible, or a shortest one of the simplest kind.

/** Patterns beyond that are for programs; a text of theirs would say nothing. */
const LONGEST_PATTERN = 200
const LONGEST_TEXT = 200

type Part = { text: string; least: number; most: number }

/** A text for the pattern of at least so many characters; null where it has more than letters, classes, groups and counts. */
export function textOfPattern(pattern: string, minLength = 0): string | null {
  if (pattern.length > LONGEST_PATTERN) return null
  const reader = { text: pattern.replace(/^\^/, '').replace(/(?<!\\)\$$/, ''), at: 0 }
  const parts = readChoice(reader)
  if (parts === null || reader.at < reader.text.length) return null
  const counts = parts.map(({ least, most }) => Math.max(least, Math.min(most, 1)))
  const growing = parts.findIndex(({ text, most }, index) => text.length === 1 && most > (counts[index] ?? 0))
  const length = parts.reduce((sum, { text }, index) => sum + text.length * (counts[index] ?? 0), 0)
  if (growing >= 0 && length < minLength) {
    counts[growing] = Math.min(parts[growing]?.most ?? 0, (counts[growing] ?? 0) + minLength - length)
  }
  const made = parts.map(({ text }, index) => text.repeat(Math.min(counts[index] ?? 0, LONGEST_TEXT))).join('')
  return made.length > LONGEST_TEXT ? null : made
}

type Reader = { text: string; at: number }

/** The parts of the first of several choices; what the others are is passed over. */
function readChoice(reader: Reader): Part[] | null {
  const first = readParts(reader)
  while (first !== null && reader.text[reader.at] === '|') {
    reader.at += 1
    if (readParts(reader) === null) return null
  }
  return first
}

function readParts(reader: Reader): Part[] | null {
  const parts: Part[] = []
  while (reader.at < reader.text.length && !'|)'.includes(reader.text[reader.at] ?? '')) {
    const text = readOne(reader)
    if (text === null) return null
    const [least, most] = readCount(reader)
    parts.push({ text, least, most })
  }
  return parts
}

const SHORTHANDS: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ', D: 'a', W: '-', S: 'a' }

/** One letter, class or group, as the text that it stands for. */
function readOne(reader: Reader): string | null {
  const letter = reader.text[reader.at] ?? ''
  reader.at += 1
  if (letter === '(') return readGroup(reader)
  if (letter === '[') return readClass(reader)
  if (letter === '.') return 'a'
  if (letter === '\\') {
    const escaped = reader.text[reader.at] ?? ''
    reader.at += 1
    return SHORTHANDS[escaped] ?? (/[^A-Za-z0-9]/.test(escaped) ? escaped : null)
  }
  return /[*+?{}^$\]]/.test(letter) ? null : letter
}

function readGroup(reader: Reader): string | null {
  if (reader.text[reader.at] === '?') {
    if (!reader.text.startsWith('?:', reader.at)) return null
    reader.at += 2
  }
  const inner = readChoice(reader)
  if (inner === null || reader.text[reader.at] !== ')') return null
  reader.at += 1
  const text = inner
    .map(({ text: one, least, most }) => one.repeat(Math.min(Math.max(least, Math.min(most, 1)), LONGEST_TEXT)))
    .join('')
  // groups within groups would grow by each of them
  return text.length > LONGEST_TEXT ? null : text
}

/** Of a class its first letter, or the first of its first range; one that says what it is not has no first. */
function readClass(reader: Reader): string | null {
  const end = /(?<!\\)\]/.exec(reader.text.slice(reader.at + 1))
  if (end === null || reader.text[reader.at] === '^') return null
  const inner = reader.text.slice(reader.at, reader.at + 1 + end.index)
  reader.at += inner.length + 1
  // a letter tells more than a digit or a sign that goes along with it
  if (/a-z/.test(inner)) return 'a'
  if (/A-Z/.test(inner)) return 'A'
  if (/0-9|\\d/.test(inner)) return '1'
  return inner.startsWith('\\') ? (SHORTHANDS[inner[1] ?? ''] ?? inner[1] ?? null) : (inner[0] ?? null)
}

/** How often at least and at most. */
function readCount(reader: Reader): [least: number, most: number] {
  const rest = reader.text.slice(reader.at)
  const found = /^(?:([*+?])|\{(\d{1,4})(,?)(\d{0,4})\})\??/.exec(rest)
  if (found === null) return [1, 1]
  reader.at += found[0].length
  const [, sign, least = '0', comma, most] = found
  if (sign !== undefined) return sign === '?' ? [0, 1] : [sign === '+' ? 1 : 0, LONGEST_TEXT]
  return [Number(least), comma === '' ? Number(least) : most ? Number(most) : LONGEST_TEXT]
}

/** Ways in which a pattern can be gone through that take long on a text that nearly fits. */
const SLOW = /\)[*+{?]|\\[1-9]|\(\?[^:]/
/** Counts that are not fixed, and choices: each may be gone through in as many ways as the text has letters. */
const LOOSE = /[*+|]|(?<!\()\?|,\d{0,4}\}/g
const MOST_LOOSE = 3
const LONGEST_TRIED = 64

/** Whether a text fits; null where finding out might take long. */
export function fitsPattern(pattern: string, text: string): boolean | null {
  if (pattern.length > LONGEST_PATTERN || text.length > LONGEST_TRIED || SLOW.test(pattern)) return null
  if ((pattern.match(LOOSE)?.length ?? 0) > MOST_LOOSE) return null
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return null
  }
}
