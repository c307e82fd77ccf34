// Checks for SQL injection by the database's error messages.

import type { PointCheck } from '../check.ts'
import { isSettled, settle } from '../found.ts'
import { textValue } from '../probing.ts'
import { sqlInjection } from './sql-injection.ts'
import { sqlErrorIn } from './sql-messages.ts'

export const sqlErrors: PointCheck = {
  kind: 'point',
  id: 'sql-injection-error',
  ...sqlInjection,
  async probe(point, operation, context) {
    const baseline = await context.baseline(operation)
    if (!baseline || isSettled(89, operation, point, context)) return null
    const usual = sqlErrorIn(baseline.exchange.text)?.text
    for (const payload of [`${textValue(point)}'"(`, `'`, `"`, '\\', ')']) {
      const exchange = await context.attempt(operation, [{ point, value: payload }])
      const error = exchange && sqlErrorIn(exchange.text)
      if (!exchange || !error) continue
      const again = await context.attempt(operation, [{ point, value: payload }])
      if (!again || !sqlErrorIn(again.text)) continue
      // where the operation's own value fails alike, no plain one may
      const plain = usual === error.text ? [context.word(), String(context.number(3)), '1'] : [context.word()]
      const answers = await Promise.all(plain.map((value) => context.attempt(operation, [{ point, value }])))
      if (!answers.every((answer) => answer && sqlErrorIn(answer.text)?.text !== error.text)) continue
      settle(89, operation, point, context)
      return {
        detail: `A quote in the value causes a syntax error in ${error.engine}.`,
        proof: [error.text],
        exchange,
      }
    }
    return null
  },
}
