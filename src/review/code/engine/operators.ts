// The values of operators: concatenated texts, numbers, one of two alternatives.

import type { Expression } from '../tree.ts'
import { fold, truth } from './constants.ts'
import { become, type Environment, forked, merge, unguarded } from './environment.ts'
import { read, readPart } from './expressions.ts'
import { filledIn } from './formats.ts'
import { refine } from './guards.ts'
import { quoted } from './harmless.ts'
import type { Reading } from './reading.ts'
import {
  allFlows,
  called,
  constantValue,
  flowing,
  isOutside,
  join,
  nothing,
  numeric,
  UNKNOWN,
  unite,
  type Value,
} from './value.ts'

const plain =
  /^(?:int|integer|long|short|byte|float|double|bool|boolean|number|char|Integer|Long|Double|Boolean|u?int\d+|float\d+|real)$/

/** Numbers and booleans carry no outside data. */
export const castTo = (type: string, value: Value): Value => {
  if (type === 'typeof') return nothing
  if (plain.test(type))
    return value.constant === undefined ? flowing(numeric(allFlows(value))) : constantValue(value.constant)
  return value
}

export function binary(reading: Reading, expression: Expression & { k: 'binary' }, environment: Environment): Value {
  const { operator } = expression
  const isText = operator === '+' || operator === '.' || operator === '..'
  const left = (isText ? readPart : read)(reading, expression.left, environment)
  if (isLogical(operator)) return logical(reading, operator, expression, left, environment)
  const right = (isText || operator === '%' ? readPart : read)(reading, expression.right, environment)
  const folded = fold(operator, left.constant, right.constant)
  if (folded !== undefined) return constantValue(folded)
  if (isText) return text([left, right])
  if (operator === '%' || operator === '/') {
    // Python's `%` with a format, or `/` with the parts of a path.
    const flows = unite(left.flows, allFlows(operator === '%' ? filledIn(reading, left, right) : right))
    return {
      ...nothing,
      flows,
      paths: left.paths,
      prefix: operator === '%' ? formatPrefix(left) : left.flows.some(isOutside) ? null : UNKNOWN,
      opening: operator === '%' ? formatPrefix(left) : null,
    }
  }
  // Flags that are combined keep the names of all of them.
  if (operator === '|' && left.flows.length + right.flows.length === 0)
    return called([...new Set([...left.paths, ...right.paths])].slice(0, MOST_FLAGS))
  return arithmetic.test(operator) ? flowing(numeric(unite(left.flows, right.flows))) : nothing
}

/** The most names that one combination of flags keeps. */
const MOST_FLAGS = 64

const arithmetic = /^[-*|&^]|^\/\/|^<<|^>>/

const formatPrefix = ({ constant }: Value): string | null =>
  typeof constant === 'string' ? constant.slice(0, Math.max(constant.search(/[%{]/), 0)) : null

const isLogical = (operator: string) => ['||', '&&', 'or', 'and', '??', '?:'].includes(operator)

function logical(
  reading: Reading,
  operator: string,
  expression: Expression & { k: 'binary' },
  left: Value,
  environment: Environment,
): Value {
  const known = operator === '??' ? undefined : truth(left.constant)
  const isAnd = operator === '&&' || operator === 'and'
  if (known !== undefined && known !== isAnd) return left
  const apart = forked(environment)
  refine(reading, expression.left, isAnd, apart)
  const right = read(reading, expression.right, apart)
  merge(environment, apart)
  if (known !== undefined) return right
  return join(left, right)
}

/** Whether what follows this text is outside of quotes, as far as the text is known. */
const isBare = (prefix: string): boolean =>
  prefix !== '' && !/\ufffc|['"]$/.test(prefix) && [...prefix.matchAll(/['"]/g)].length % 2 === 0

/** The value of concatenated strings. */
export function text(parts: readonly Value[]): Value {
  let constant: string | undefined = ''
  let prefix = ''
  let opening: string | null = null
  let isOpen = true
  let between = ''
  let flows: Value['flows'] = []
  for (const part of parts) {
    const own = isOpen && isBare(prefix) ? allFlows(part) : quoted(allFlows(part))
    if (own.length > 0 && part.constant === undefined) {
      // A caller may give the beginning as well: then what stands between is what tells of the rest.
      if (opening !== null && /^["']?$/.test(opening) && between !== '') opening += UNKNOWN + between
      opening ??= prefix + (part.opening ?? '')
      between = ''
    } else between += part.constant === undefined ? UNKNOWN : String(part.constant)
    if (isOpen) {
      if (part.constant !== undefined) prefix += String(part.constant)
      else if (!own.some(isOutside)) prefix += part.prefix ?? UNKNOWN
      else {
        prefix += part.prefix ?? ''
        isOpen = false
      }
    }
    flows = unite(flows, own)
    constant = constant === undefined || part.constant === undefined ? undefined : constant + String(part.constant)
  }
  if (constant !== undefined) return constantValue(constant)
  return { ...nothing, flows, prefix, opening }
}

export function choice(reading: Reading, expression: Expression & { k: 'choice' }, environment: Environment): Value {
  const known = truth(read(reading, expression.test, environment).constant)
  const [yes, no] = [forked(environment), forked(environment)]
  refine(reading, expression.test, true, yes)
  refine(reading, expression.test, false, no)
  if (known === true) return settled(environment, yes, read(reading, expression.yes, yes))
  if (known === false) return settled(environment, no, read(reading, expression.no, no))
  const value = join(
    unguarded(read(reading, expression.yes, yes), yes),
    unguarded(read(reading, expression.no, no), no),
  )
  merge(yes, no)
  return settled(environment, yes, value)
}

function settled(environment: Environment, way: Environment, value: Value): Value {
  become(environment, way)
  return value
}
