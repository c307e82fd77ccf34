// Checks whether other sites can read responses with the visitor's credentials: reflected origins, and null.

import type { OperationCheck } from '../check.ts'
import { headerOf } from '../http.ts'

export const origins: OperationCheck = {
  kind: 'operation',
  id: 'cross-origin-credentials',
  title: 'CORS allows any origin with credentials',
  cwes: [942],
  severity: 'MEDIUM',
  solution: 'Allow the origins that need access by their exact names; never reflect Origin together with credentials.',
  profile: 'BASIC',
  accepts: ({ kind }) => kind === 'read',
  async *probe(operation, context) {
    const host = new URL(operation.origin).hostname
    for (const origin of [
      `https://${context.word()}.example`,
      'null',
      `https://${host}.${context.word()}.example`,
      `https://${context.word()}${host}`,
    ]) {
      const request = context.requestOf(operation)
      const exchange = await context.send(
        { ...request, headers: [...request.headers, ['Origin', origin]] },
        { operation },
      )
      const allowed = headerOf(exchange.answer, 'access-control-allow-origin')
      const hasCredentials = /^true$/i.test(headerOf(exchange.answer, 'access-control-allow-credentials').trim())
      if (allowed !== origin || !hasCredentials) continue
      yield {
        detail: `The origin ${origin} is allowed, with credentials.`,
        proof: [`access-control-allow-origin: ${allowed}`, 'access-control-allow-credentials: true'],
        exchange,
        cause: operation.origin,
      }
      return
    }
  },
}
