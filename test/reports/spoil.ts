// Damages reports in every way listed here, reproducibly for a given seed.

/** Numbers from 0 to below `below`, the same for the same seed (mulberry32). */
export function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

type Roll = (below: number) => number
type Spoiler = (report: Buffer, roll: Roll) => Buffer

const values: readonly string[] = [
  'null',
  'true',
  '-1',
  '1e999',
  '12345678901234567890',
  '""',
  '" "',
  '[]',
  '{}',
  '[[[[]]]]',
  '[null]',
  '{"text":{"text":{}}}',
  '{"__proto__":{"id":"x","name":"x"},"constructor":1,"toString":null,"hasOwnProperty":1}',
  '"__proto__"',
  '"\\u0000\\ud800"',
  '"9999-99-99T99:99:99Z"',
]

/** A JSON value that stands behind a colon or in a list, as far as it is one without further ones in it. */
const leaf = /("(?:\\.|[^"\\])*"|-?\d[\d.eE+-]*|true|false|null)(?=\s*[,}\]])/g
const property = /"(?:\\.|[^"\\])*"\s*:/g
const element = /<([A-Za-z][\w:.-]*)[^<>]*>/g

/** One match of the pattern, chosen by the dice, replaced by what is made of it. */
function replaced(report: Buffer, pattern: RegExp, roll: Roll, made: (match: string) => string): Buffer {
  const text = report.toString('latin1')
  const matches = [...text.matchAll(pattern)]
  const match = matches[roll(matches.length || 1)]
  if (match === undefined) return report
  return Buffer.from(text.slice(0, match.index) + made(match[0]) + text.slice(match.index + match[0].length), 'latin1')
}

const inserted = (report: Buffer, roll: Roll, bytes: Buffer): Buffer => {
  const at = roll(report.length + 1)
  return Buffer.concat([report.subarray(0, at), bytes, report.subarray(at)])
}

const isXml = (report: Buffer): boolean => report.subarray(0, 100).toString().trimStart().startsWith('<')

export const spoilers: Readonly<Record<string, Spoiler>> = {
  'bytes flipped': (report, roll) => {
    const copy = Buffer.from(report)
    for (let count = 1 + roll(8); count > 0; count--) copy[roll(copy.length)] = roll(256)
    return copy
  },
  'a piece taken out': (report, roll) => {
    const at = roll(report.length)
    return Buffer.concat([report.subarray(0, at), report.subarray(at + 1 + roll(200))])
  },
  'values of other types': (report, roll) => {
    let spoilt = report
    for (let count = 1 + roll(4); count > 0; count--) {
      const value = values[roll(values.length)] ?? 'null'
      spoilt = isXml(report)
        ? replaced(spoilt, />[^<>]*</g, roll, () => `>${value.replaceAll('<', '')}<`)
        : replaced(spoilt, leaf, roll, () => value)
    }
    return spoilt
  },
  'a huge text': (report, roll) => {
    const huge = 'x'.repeat(300_000)
    return isXml(report)
      ? replaced(report, />[^<>]*</g, roll, () => `>${huge}<`)
      : replaced(report, leaf, roll, () => `"${huge}"`)
  },
  'lists for objects': (report, roll) =>
    replaced(report, isXml(report) ? element : /\{/g, roll, (match) => `${match}[`),
  'a key twice': (report, roll) =>
    isXml(report)
      ? replaced(report, element, roll, (match) => match.replace('>', ' severity="x" severity="y">'))
      : replaced(report, property, roll, (match) => `${match}${values[roll(values.length)]},${match}`),
  'ten thousand levels': (report, roll) => {
    if (isXml(report)) return replaced(report, element, roll, (match) => match + '<a>'.repeat(10_000))
    const [opening, closing] = roll(2) === 0 ? ['[', ']'] : ['{"a":', '}']
    const nested = `${opening.repeat(10_000)}1${closing.repeat(10_000)}`
    return replaced(report, leaf, roll, () => nested)
  },
  'invalid UTF-8': (report, roll) => inserted(report, roll, Buffer.from([0xc3, 0x28, 0xff, 0xed, 0xa0, 0x80])),
  NULs: (report, roll) => inserted(report, roll, Buffer.alloc(3)),
  'a piece told again': (report, roll) => {
    const at = roll(report.length)
    return inserted(report, roll, report.subarray(at, at + roll(400)))
  },
}
