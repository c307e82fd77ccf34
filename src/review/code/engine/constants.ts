// Evaluates constants: arithmetic, comparisons, and the few text functions on which branches depend.

import type { Constant } from '../tree.ts'

const MOST_TEXT = 4096

/** The POSIX names of a file's permission bits: read, write and execute, for owner, group and others. */
export const FILE_MODES: ReadonlyMap<string, number> = new Map(
  [
    ['USR', 64],
    ['GRP', 8],
    ['OTH', 1],
  ].flatMap(([whose, unit]): [string, number][] => [
    [`S_IR${whose}`, 4 * Number(unit)],
    [`S_IW${whose}`, 2 * Number(unit)],
    [`S_IX${whose}`, Number(unit)],
    [`S_IRWX${String(whose)[0]}`, 7 * Number(unit)],
  ]),
)

/** The result of a binary operation on constants; undefined if languages differ or an operand is unknown. */
export function fold(operator: string, left: Constant | undefined, right: Constant | undefined): Constant | undefined {
  if (left === undefined || right === undefined) return undefined
  if (operator === '==' || operator === '===' || operator === 'is' || operator === 'eq') return left === right
  if (operator === '!=' || operator === '!==' || operator === 'is not' || operator === '<>') return left !== right
  if (typeof left === 'number' && typeof right === 'number') return arithmetic(operator, left, right)
  if ((operator === '+' || operator === '.') && typeof left === 'string' && right !== null) {
    const text = left + String(right)
    return text.length > MOST_TEXT ? undefined : text
  }
  if ((operator === '+' || operator === '.') && typeof right === 'string' && left !== null) return String(left) + right
  return undefined
}

function arithmetic(operator: string, left: number, right: number): Constant | undefined {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return right === 0 ? undefined : left / right
    case '//':
      return right === 0 ? undefined : Math.floor(left / right)
    case '%':
      return right === 0 ? undefined : left % right
    case '>':
      return left > right
    case '<':
      return left < right
    case '>=':
      return left >= right
    case '<=':
      return left <= right
    case '&':
      return left & right
    case '&^':
      return left & ~right
    case '|':
      return left | right
    case '**':
      return left ** right
    default:
      return undefined
  }
}

/** Whether a constant is truthy; undefined if languages disagree. */
export function truth(value: Constant | undefined): boolean | undefined {
  if (value === undefined) return undefined
  if (value === '0') return undefined
  return Boolean(value)
}

/** The result of a string method on a known string; undefined for other methods. */
export function foldCall(name: string, text: Constant, given: readonly (Constant | undefined)[]): Constant | undefined {
  if (typeof text !== 'string') return undefined
  const [first, second] = given
  switch (name) {
    case 'charAt':
    case 'at':
      return typeof first === 'number' ? text.at(first) : undefined
    case 'length':
      return text.length
    case 'equals':
      return typeof first === 'string' ? text === first : undefined
    case 'equalsIgnoreCase':
      return typeof first === 'string' ? text.toLowerCase() === first.toLowerCase() : undefined
    case 'toLowerCase':
    case 'lower':
      return text.toLowerCase()
    case 'toUpperCase':
    case 'upper':
      return text.toUpperCase()
    case 'getBytes':
    case 'toCharArray':
    case 'encode':
    case 'toString':
      return text
    case 'intern':
      return text
    case 'trim':
    case 'strip':
      return text.trim()
    case 'isEmpty':
      return text === ''
    case 'contains':
    case 'includes':
      return typeof first === 'string' ? text.includes(first) : undefined
    case 'startsWith':
    case 'startswith':
      return typeof first === 'string' ? text.startsWith(first) : undefined
    case 'endsWith':
    case 'endswith':
      return typeof first === 'string' ? text.endsWith(first) : undefined
    case 'indexOf':
    case 'find':
      return typeof first === 'string' && given.length === 1 ? text.indexOf(first) : undefined
    case 'substring':
    case 'subSequence':
      return typeof first === 'number' && (second === undefined || typeof second === 'number') && given.length <= 2
        ? text.substring(first, second)
        : undefined
    default:
      return undefined
  }
}
