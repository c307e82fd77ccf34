// NoSQL injection: operators of a document database, or conditions of its scripts, in the place of a value.

import { likenessOf } from '../compare.ts'
import { isSettled, settle } from '../found.ts'
import { followsTruth, takesText, textValue } from '../probing.ts'
import type { Change, Exchange, Json, PointCheck, Sighting } from '../types.ts'

export const nosql: PointCheck = {
  kind: 'point',
  id: 'nosql-injection',
  title: 'NoSQL injection',
  cwes: [943],
  severity: 'HIGH',
  solution: 'Refuse values that are not of the type expected, before they reach a query of the database.',
  profile: 'BALANCED',
  accepts: (point) => takesText(point) && !['header', 'cookie', 'path', 'xml', 'multipart'].includes(point.place),
  async probe(point, operation, context) {
    // $ne in a change reaches other rows
    if (operation.kind === 'update' && context.profile !== 'DEEP') return null
    const word = context.word()
    const changeOf = (operator: string, value: Json): Change =>
      point.place === 'json' || point.place === 'variable'
        ? { point, value: { [operator]: value } }
        : { point, value, rename: `${point.name}[${operator}]` }
    const ask = (change: Change) => context.attempt(operation, [change])

    const random = await ask({ point, value: word })
    const notEqual = random && (await ask(changeOf('$ne', word)))
    if (
      random &&
      notEqual &&
      notEqual.answer.status < 400 &&
      !isAlike(random, notEqual, word) &&
      !/"errors"\s{0,5}:|CastError|must be a string/.test(notEqual.text)
    ) {
      const equal = await ask(changeOf('$eq', word))
      const unknown = await ask(changeOf('$zz', word))
      const again = await ask(changeOf('$ne', context.word()))
      const isOperator =
        equal &&
        unknown &&
        again &&
        isAlike(equal, random, word) &&
        !isAlike(unknown, notEqual, word) &&
        again.answer.status === notEqual.answer.status
      if (isOperator)
        return found(
          notEqual,
          'An object with $ne in place of the value is understood as a condition: $eq and an unknown operator answer otherwise.',
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
          'The answer follows the truth of a script condition in the value, three times each.',
        )
      }
    }
    return null
  },
}

const isAlike = (one: Exchange, other: Exchange, word: string) => likenessOf(one, other, [word]) > 0.97

const found = (exchange: Exchange, detail: string): Sighting => ({
  detail,
  proof: [exchange.text.slice(0, 200)],
  exchange,
})
