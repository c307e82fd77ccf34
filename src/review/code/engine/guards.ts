// What a condition establishes about outside data in each of its branches: that it is in a list, has a format, or has a prefix.

import type { Expression } from '../tree.ts'
import {
  check,
  equatePart,
  isExpression,
  nameEnding,
  nameOf,
  PLACES,
  partiesOf,
  refineBeginning,
  refineForm,
  refineFound,
  refineMembership,
  vouch,
} from './checks.ts'
import { assign, commonOf, type Environment, forked, guard, lookup } from './environment.ts'
import { pathsOf, read } from './expressions.ts'
import { EVERYTHING, type Reading } from './reading.ts'
import { constantValue } from './value.ts'

/** If one of these calls is true, the value that it checks is one of the expected ones. */
const listing =
  /^(?:includes|has|contains|containsKey|containsValue|in_array|array_key_exists|key_exists|hasOwnProperty|hasOwn|Contains|__contains__|some)$/
const forming =
  /^(?:test|match|matches|fullmatch|preg_match|MatchString|isdigit|isalnum|isalpha|isnumeric|isdecimal|is_numeric|is_int|ctype_\w+|isInteger|isSafeInteger|isUUID|isNumeric|filter_var|is_relative_to|url_has_allowed_host_and_scheme|is_safe_url|isIn|isAlphanumeric)$/
/** These names have other meanings as well, so they count as a check only on something known to be a regular expression. */
const ambiguous = /^(?:exec|search)$/
const judging = /^(?:is|validate|verify|check)_?(?:valid|safe|allowed|whitelist|allowlist|trusted|permitted|legal|ok)/i
const beginning = /^(?:startsWith|startswith|HasPrefix|str_starts_with|starts_with)$/
const leading = /^(?:IsLocal|isLocalUrl|isPathInside|pathIsInside|isSubpath|is_subpath|isSubPath)$/
const seeking = /^(?:indexOf|find|strpos|stripos|search|index|lastIndexOf|Index|str_contains|strstr)$/

const EQUAL = ['==', '===', 'eq', 'is']
const UNEQUAL = ['!=', '!==', '<>', 'is not']

const comparing = /^(?:equals|equalsIgnoreCase|contentEquals|strcmp|strncmp|EqualFold)$/

/** Adds to the environment what is known if the condition has the value `truth`. */
export function refine(reading: Reading, test: Expression, truth: boolean, environment: Environment): void {
  switch (test.k) {
    case 'not':
      refine(reading, test.value, !truth, environment)
      return
    case 'binary':
      refineBinary(reading, test, truth, environment)
      return
    case 'call':
      refineCall(reading, test, truth, environment)
      return
    case 'mixed':
      if (test.parts.length === 1 && test.parts[0]) refine(reading, test.parts[0], truth, environment)
      return
    case 'assign':
      refine(reading, test.value, truth, environment)
      return
    case 'name':
    case 'member':
      stage(reading, pathsOf(test, read(reading, test, environment)), null, truth, environment)
      return
    default:
      return
  }
}

function refineBinary(
  reading: Reading,
  test: Expression & { k: 'binary' },
  truth: boolean,
  environment: Environment,
): void {
  const { operator, left, right } = test
  if (operator === '&&' || operator === 'and' || operator === '||' || operator === 'or') {
    const isAnd = operator === '&&' || operator === 'and'
    // If a conjunction is true, both sides are; if a disjunction is false, neither is. Otherwise neither side is known.
    if (isAnd === truth) {
      refine(reading, left, truth, environment)
      refine(reading, right, truth, environment)
    } else {
      // Only one of the two is known to hold: keep what both establish. A name may still have either value.
      const [one, other] = [forked(environment), forked(environment)]
      refine(reading, left, truth, one)
      refine(reading, right, truth, other)
      environment.guards = commonOf(one.guards, other.guards)
    }
    return
  }
  if (operator === 'in' || operator === 'not in') {
    refineMembership(reading, left, right, truth === (operator === 'in'), environment)
    return
  }
  const isEqual = EQUAL.includes(operator)
  const isUnequal = UNEQUAL.includes(operator)
  if (isEqual || isUnequal) compare(reading, left, right, truth === isEqual, environment)
  const call = left.k === 'call' ? left : right.k === 'call' ? right : null
  const other = call === left ? right : left
  if ((isEqual || isUnequal) && truth === isEqual) {
    equatePart(reading, left, right, environment)
    nameEnding(reading, left, right, environment)
    refineType(reading, left, right, environment)
  }
  if (call && seeking.test(nameOf(call))) {
    const { constant } = read(reading, other, environment)
    if (constant === 0 && (isEqual || isUnequal)) {
      refineBeginning(reading, call, truth === isEqual, environment)
      return
    }
    const found = hasFound(operator, constant === -1 || constant === false, truth)
    if (found !== null) refineFound(reading, call, found, environment)
    return
  }
  if (call && (isEqual || isUnequal)) {
    const { constant } = read(reading, other, environment)
    const isDifference = constant === 0 && comparing.test(nameOf(call))
    if (constant === true || constant === false || constant === 1 || constant === 0 || constant === null)
      refineCall(reading, call, (truth === isEqual) === (Boolean(constant) || isDifference), environment)
    return
  }
  if ((isEqual || isUnequal) && truth === isEqual) equate(reading, left, right, environment)
}

/** `typeof a === 'string'`: a string cannot be a query object; the other primitive types establish nothing else. */
function refineType(reading: Reading, left: Expression, right: Expression, environment: Environment): void {
  const [asked, type] = left.k === 'cast' ? [left, right] : [right, left]
  if (asked.k !== 'cast' || asked.type !== 'typeof' || type.k !== 'constant') return
  if (type.value === 'string') check(reading, [asked.value], ['nosql'], environment)
  if (type.value === 'number' || type.value === 'boolean') check(reading, [asked.value], ['*'], environment)
}

/** Handles a comparison of two values, one of which may be the environment that the program runs in, or a sender. */
function compare(
  reading: Reading,
  left: Expression,
  right: Expression,
  areEqual: boolean,
  environment: Environment,
): void {
  if (reading.book.staging.size() + reading.book.vouching.size() === 0) return
  const [one, other] = [read(reading, left, environment), read(reading, right, environment)]
  if (areEqual) for (const value of [one, other]) vouch(reading, value, environment)
  if (typeof other.constant === 'string') stage(reading, pathsOf(left, one), other.constant, areEqual, environment)
  if (typeof one.constant === 'string') stage(reading, pathsOf(right, other), one.constant, areEqual, environment)
}

/** Silences rules in code that does not run in production. `said` is what the name is compared with. */
function stage(
  reading: Reading,
  paths: readonly string[],
  said: string | null,
  holds: boolean,
  environment: Environment,
): void {
  const kinds = reading.book.staging.find(paths)
  const isProduction = /prod/i.test(said ?? paths.join(' '))
  if (kinds.length > 0 && holds !== isProduction) guard(environment, EVERYTHING, kinds)
}

/** Whether a search found something, judged by how its result compares with -1, false or a position; null if that does not tell. */
function hasFound(operator: string, isNothing: boolean, truth: boolean): boolean | null {
  if (isNothing && EQUAL.includes(operator)) return !truth
  if (isNothing && UNEQUAL.includes(operator)) return truth
  if (operator === '>=' || operator === '>') return truth
  return operator === '<' ? !truth : null
}

/** A name that equals a non-empty string has that value. */
function equate(reading: Reading, left: Expression, right: Expression, environment: Environment): void {
  for (const [name, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (name.k !== 'name') continue
    const { constant } = read(reading, other, environment)
    const known = lookup(environment, name.name)
    if (constant === undefined || constant === null || constant === '' || !known || known.constant !== undefined)
      continue
    assign(environment, name.name, constantValue(constant))
    return
  }
}

function refineCall(
  reading: Reading,
  call: Expression & { k: 'call' },
  truth: boolean,
  environment: Environment,
): void {
  const name = nameOf(call)
  const given = call.arguments.map(({ value }) => value)
  const object = call.callee.k === 'member' ? call.callee.object : null
  if (comparing.test(name)) {
    const [one, other] = object && given.length === 1 ? [object, given[0]] : given
    if (!one || !other || !truth) return
    equatePart(reading, one, other, environment)
    equate(reading, one, other, environment)
  } else if (listing.test(name)) {
    const first = given[0]
    if (object && first) refineMembership(reading, first, object, truth, environment)
    else if (first && given[1]) refineMembership(reading, first, given[1], truth, environment)
  } else if (forming.test(name) || judging.test(name)) refineForm(reading, call, truth, environment)
  else if (ambiguous.test(name) && partiesOf(call).some((each) => isExpression(reading, each, environment)))
    refineForm(reading, call, truth, environment)
  else if (seeking.test(name)) refineFound(reading, call, truth, environment)
  else if (leading.test(name) && truth) check(reading, partiesOf(call), PLACES, environment)
  else if (beginning.test(name)) refineBeginning(reading, call, truth, environment)
}
