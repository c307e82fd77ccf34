/** Values that no argument expects. */
import type { Random } from './random.ts'

const strings = [
  '',
  ' ',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '0x1F',
  'null',
  'undefined',
  'true',
  '\u0000',
  'a\u0000b',
  '\u202Egnp.exe',
  'e\u0301'.repeat(40),
  '👩‍👩‍👧‍👦',
  'ﷺ',
  '\uFEFF',
  "' OR 1=1 --",
  '"; DROP TABLE issue; --',
  '$1',
  '%s%n',
  '../../../../etc/passwd',
  '<script>alert(1)</script>',
  '=HYPERLINK("http://localhost")',
  '\r\nSet-Cookie: a=b',
  '9999-99-99T99:99:99Z',
  '-271821-04-20T00:00:00.000Z',
  '00000000-0000-0000-0000-000000000000',
  '__proto__',
  'constructor',
  '{"$ne":null}',
  '()[]{}*+?.^$|\\',
] as const

// JSON texts, not values: several of them have no value that JSON.stringify would write this way.
const numbers = [
  '0',
  '-0',
  '-1',
  '1.5',
  '2147483647',
  '2147483648',
  '-2147483649',
  '9007199254740993',
  '18446744073709551616',
  `1${'0'.repeat(400)}`,
  '1e400',
  '-1e400',
  '1e-400',
  '0.1e1',
] as const

const surrogates = ['"\\ud800"', '"\\udfff"', '"a\\ud83dz"', '"\\udc00\\ud800"', '"\\u0000"', '"\\ufffe"'] as const

/** Any JSON text: a scalar of any kind, or a list or object of them up to `depth` levels. */
export function junkJson(random: Random, depth = 3): string {
  switch (random.int(depth > 0 ? 9 : 6)) {
    case 0:
      return random.pick(['null', 'true', 'false'])
    case 1:
    case 2:
      return random.pick(numbers)
    case 3:
    case 4:
      return JSON.stringify(random.pick(strings))
    case 5:
      return random.pick(surrogates)
    case 6:
      return `[${junkMembers(random, () => junkJson(random, depth - 1))}]`
    case 7:
      return `[[${junkJson(random, depth - 2)}]]`
    default:
      return `{${junkMembers(random, () => `${junkKey(random)}:${junkJson(random, depth - 1)}`)}}`
  }
}

/** Any GraphQL value, including enum names, undeclared variables, block strings, and objects with prototype names. */
export function junkLiteral(random: Random, depth = 3): string {
  switch (random.int(depth > 0 ? 10 : 8)) {
    case 0:
      return random.pick(['null', 'true', 'false', 'NaN', 'Infinity', 'LOW', 'constructor', '__proto__'])
    case 1:
    case 2:
      return random.pick([
        '0',
        '-1',
        '1.5',
        '2147483648',
        '9007199254740993',
        `1${'0'.repeat(400)}`,
        '1e400',
        '-1e-400',
      ])
    case 3:
    case 4:
      return JSON.stringify(random.pick(strings))
    case 5:
      return random.pick(['$undeclared', '$__proto__', '$a'])
    case 6:
      return random.pick(['""""""', '"""\n  a\n\n b """', '"""\\""" """'])
    case 7:
      return random.pick(['"\\uD800"', '"\\u{1F600}"', '"\\u{110000}"', '"\\uD83D\\uDE00"'])
    case 8:
      return `[${junkMembers(random, () => junkLiteral(random, depth - 1), ' ')}]`
    default:
      return `{${junkMembers(random, () => `${random.pick(keys)}: ${junkLiteral(random, depth - 1)}`, ' ')}}`
  }
}

/** JSON nested `levels` deep in lists or objects. */
export function nestedJson(random: Random, levels: number): string {
  if (random.onceIn(2)) return '['.repeat(levels) + ']'.repeat(levels)
  return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
}

const keys = ['id', 'perPage', 'page', '__proto__', 'constructor', 'prototype', 'toString', 'title'] as const

function junkKey(random: Random): string {
  return random.onceIn(4) ? JSON.stringify(random.pick(strings)) : `"${random.pick(keys)}"`
}

function junkMembers(random: Random, member: () => string, separator = ','): string {
  return Array.from({ length: random.int(4) }, member).join(separator)
}
