// SQL injection that shows by the database's own error message.

import { isSettled, settle } from '../found.ts'
import { textValue } from '../probing.ts'
import type { PointCheck } from '../types.ts'
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
      if (!exchange || !error || error.text === usual) continue
      const again = await context.attempt(operation, [{ point, value: payload }])
      const harmless = await context.attempt(operation, [{ point, value: context.word() }])
      const isQuoteBlamed = harmless && sqlErrorIn(harmless.text)?.text !== error.text
      if (!again || !sqlErrorIn(again.text) || !isQuoteBlamed) continue
      settle(89, operation, point, context)
      return {
        detail: `A quote in the value makes ${error.engine} answer that the statement is broken.`,
        proof: [error.text],
        exchange,
      }
    }
    return null
  },
}
