// SQL injection that shows by the database's own error message.

import type { PointCheck } from '../types.ts'
import { sqlErrorIn } from './sql-messages.ts'

export const sqlErrors: PointCheck = {
  kind: 'point',
  id: 'sql-injection-error',
  title: 'SQL injection',
  cwes: [89],
  severity: 'HIGH',
  solution: 'Pass values to the database as parameters of a prepared statement, never as part of its text.',
  profile: 'BALANCED',
  accepts: ({ place }) => place !== 'file',
  async probe(point, operation, context) {
    const baseline = await context.baseline(operation)
    if (!baseline || sqlErrorIn(baseline.exchange.text)) return null
    for (const payload of [`'"(`, '\\', `${String(point.value ?? '')}'`]) {
      const exchange = await context.attempt(operation, [{ point, value: payload }])
      const error = exchange && sqlErrorIn(exchange.text)
      if (!exchange || !error) continue
      const again = await context.attempt(operation, [{ point, value: payload }])
      const normal = await context.attempt(operation)
      if (!again || !sqlErrorIn(again.text) || (normal && sqlErrorIn(normal.text))) continue
      return {
        detail: `A quote in the value makes ${error.engine} answer with a syntax error.`,
        proof: [error.text],
        exchange,
      }
    }
    return null
  },
}
