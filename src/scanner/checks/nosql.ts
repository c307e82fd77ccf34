// Checks for NoSQL injection: operators of a document database, or conditions of its scripts, in place of a value.

import type { PointCheck, Sighting } from '../check.ts'
import { likenessOf, steadyText } from '../compare.ts'
import { isSettled, settle } from '../found.ts'
import { followsTruth, takesText, textValue } from '../probing.ts'
import { mayNameAccounts } from '../resets.ts'
import type { Change, Exchange, Point } from '../types.ts'

export const nosql: PointCheck = {
  kind: 'point',
  id: 'nosql-injection',
  title: 'NoSQL injection',
  cwes: [943],
  severity: 'HIGH',
  solution: 'Reject values of an unexpected type before they reach a database query.',
  profile: 'BALANCED',
  accepts: (point) => takesText(point) && !['header', 'cookie', 'path', 'xml', 'multipart'].includes(point.place),
  async probe(point, operation, context) {
    // $ne in a change reaches other rows
    if (operation.kind === 'update' && context.profile !== 'DEEP') return null
    if (!mayNameAccounts(operation, context)) return null
    // a field of numbers answers a word with a fault, whether it stands alone or in an operator
    const fresh = () => (NUMBER.test(String(point.value)) ? likeIn(point, context.number(9)) : context.word())
    const word = fresh()
    const ask = (change: Change) => context.attempt(operation, [change])

    const random = await ask({ point, value: word })
    const another = random && (await ask({ point, value: fresh() }))
    // a page that is the same to the letter for any word tells a few rows by little
    const isExact = random !== null && another !== null && steady(random) === steady(another)
    const isAlike = (one: Exchange, other: Exchange) =>
      isExact && one.answer.status < 400
        ? one.answer.status === other.answer.status && steady(one) === steady(other)
        : likenessOf(one, other, [String(word)]) > 0.97
    for (const changeOf of random ? waysFor(point) : []) {
      const notEqual = await ask(changeOf('$ne', word))
      if (
        !random ||
        !notEqual ||
        notEqual.answer.status >= 400 ||
        isAlike(random, notEqual) ||
        /"errors"\s{0,5}:|CastError|must be a string/.test(notEqual.text)
      )
        continue
      const equal = await ask(changeOf('$eq', word))
      const unknown = await ask(changeOf('$zz', word))
      const again = await ask(changeOf('$ne', fresh()))
      const equalAgain = await ask(changeOf('$eq', word))
      const isOperator =
        equal &&
        unknown &&
        again &&
        equalAgain &&
        [equal, equalAgain].every((one) => isAlike(one, random)) &&
        !isAlike(unknown, notEqual) &&
        // not to the letter: who is let in gets another token each time
        again.answer.status === notEqual.answer.status &&
        !isAlike(again, random)
      if (isOperator)
        return found(
          notEqual,
          'An object with $ne instead of the value is evaluated as a condition: $eq and an unknown operator give other responses.',
        )
    }
    if (isSettled(89, operation, point, context) || operation.kind !== 'read') return null
    for (const quote of ["'", '"']) {
      const told = await followsTruth(
        { name: 'script', of: (l, r) => `${textValue(point)}${quote} && ${l}==${r} && ${quote}a${quote}==${quote}a` },
        point,
        operation,
        context,
      )
      const sql =
        told &&
        (await followsTruth(
          { name: 'sql', of: (l, r) => `${textValue(point)}${quote} AND ${quote}${l}${quote}=${quote}${r}` },
          point,
          operation,
          context,
        ))
      if (told && !sql) {
        settle(943, operation, point, context)
        return found(
          told.whenTrue,
          'The response follows the truth of a script condition in the value, three times each.',
        )
      }
    }
    return null
  },
}

const NUMBER = /^-?\d{1,15}$/

/** A number, or its digits if the value is a text. */
const likeIn = ({ value }: Point, digits: number): string | number =>
  typeof value === 'number' ? digits : String(digits)

/** An operator object in place of the value: as JSON, as bracketed field names, or as JSON text, which some services parse. */
function waysFor(point: Point): ((operator: string, value: string | number) => Change)[] {
  if (point.place === 'json' || point.place === 'variable')
    return [(operator, value) => ({ point, value: { [operator]: value } })]
  return [
    (operator, value) => ({ point, value: String(value), rename: `${point.name}[${operator}]` }),
    (operator, value) => ({ point, value: JSON.stringify({ [operator]: value }) }),
  ]
}

/** The text without the values that were sent. */
const steady = ({ text, values = [] }: Exchange): string =>
  steadyText(text, [...values, ...values.flatMap((value) => /^\{"\$\w+":"?(\w+)"?\}$/.exec(value)?.[1] ?? [])])

const found = (exchange: Exchange, detail: string): Sighting => ({
  detail,
  proof: [exchange.text.slice(0, 200)],
  exchange,
})
