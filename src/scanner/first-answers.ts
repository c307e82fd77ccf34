// An operation's first response, with other values if its own are refused.

import type { Context } from './check.ts'
import { changeJson } from './json-leaves.ts'
import { wordsNamed } from './named-words.ts'
import { isRefused, repaired } from './repaired.ts'
import { mayNameAccounts } from './resets.ts'
import type { Exchange, Operation, Point } from './types.ts'
import { isMadeUpValue } from './values.ts'

/** The most fields of a form that are given other values if it fails with its own. */
const MOST_FIELDS = 8
/** Values that a text may need instead of a word: a number, or nothing. */
const OTHER_VALUES = ['1', '']

/** The response to an operation. If the target fails on a form, with the first replaced value on which it does not fail. */
export async function answered(
  given: Operation,
  context: Context,
): Promise<{ operation: Operation; exchange: Exchange | null }> {
  const exchange = await context.attempt(given)
  const { source, body } = given
  // a number, an empty value, or a name from the refusal may identify a user
  if (exchange === null || !mayNameAccounts(given, context)) return { operation: given, exchange }
  if (isRefused(exchange, given) && source !== 'form') {
    const named = [400, 422].includes(exchange.answer.status) ? await withWordNamed(given, exchange, context) : null
    return named ?? (await repaired(given, exchange, context)) ?? { operation: given, exchange }
  }
  if ([400, 422].includes(exchange.answer.status))
    return (await withWordNamed(given, exchange, context)) ?? { operation: given, exchange }
  const isFailing = source === 'form' && exchange.answer.status >= 500
  if (!isFailing || (body?.type !== 'form' && body?.type !== 'multipart')) return { operation: given, exchange }
  const texts = body.fields.filter(
    ({ name, value, fileName }) => fileName === undefined && value !== '' && !given.tokens?.includes(name),
  )
  for (const field of texts.slice(0, MOST_FIELDS)) {
    for (const value of OTHER_VALUES) {
      const fields = body.fields.map((one) => (one === field ? { ...one, value } : one))
      const operation: Operation = { ...given, body: { ...body, fields } }
      const again = await context.attempt(operation)
      if (again && again.answer.status < 400) return { operation, exchange: again }
    }
  }
  return { operation: given, exchange }
}

/** Values without an example, for which a refusal may offer words. */
const MOST_REFUSED = 3

/** Places of values in which an accepted word is kept. */
const KEPT: ReadonlySet<Point['place']> = new Set(['query', 'header', 'cookie', 'json'])

/** The operation with a value replaced by a word from its refusal, if that is then accepted. */
async function withWordNamed(
  given: Operation,
  { text }: Exchange,
  context: Context,
): Promise<{ operation: Operation; exchange: Exchange } | null> {
  const words = wordsNamed(text)
  const refused = context
    .pointsOf(given)
    .filter(({ place, value, schema }) => KEPT.has(place) && typeof value === 'string' && isMadeUpValue(schema))
  for (const point of words.length > 0 ? refused.slice(0, MOST_REFUSED) : []) {
    for (const value of words) {
      const exchange = await context.attempt(given, [{ point, value }])
      if (exchange && exchange.answer.status < 400) return { operation: withValue(given, point, value), exchange }
    }
  }
  return null
}

function withValue(operation: Operation, point: Point, value: string): Operation {
  const parameters = operation.parameters.map((parameter) =>
    parameter.place === point.place && parameter.name === point.name ? { ...parameter, value } : parameter,
  )
  const { body } = operation
  const isInBody = body?.type === 'json' && point.place === 'json'
  return {
    ...operation,
    parameters,
    body: isInBody ? { ...body, value: changeJson(body.value, [{ point, value }]) } : body,
  }
}
