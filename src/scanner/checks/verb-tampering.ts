// Checks for protected operations that another method reaches without credentials.

import type { Context, OperationCheck } from '../check.ts'
import { textLikeness } from '../compare.ts'
import { headerOf } from '../http.ts'
import { quietly } from '../probing.ts'
import { isTurnedAway } from '../session.ts'
import type { Exchange, Operation } from '../types.ts'
import { answerFor, hasErrors, isFine } from './ownership.ts'

type Way = { name: string; method: string; header?: readonly [name: string, value: string] }

const harmless: readonly Way[] = [
  { name: 'HEAD', method: 'HEAD' },
  { name: 'an unknown method', method: 'MERLON' },
]

/** Sent only where the address has no POST operation, which might write. */
const posted: readonly Way[] = [
  { name: 'POST', method: 'POST' },
  {
    name: 'POST with X-HTTP-Method-Override: GET',
    method: 'POST',
    header: ['X-HTTP-Method-Override', 'GET'],
  },
]

export const verbTampering: OperationCheck = {
  kind: 'operation',
  id: 'verb-tampering',
  title: 'Authentication bypass by HTTP verb tampering',
  cwes: [650, 287],
  severity: 'HIGH',
  solution: 'Check credentials for every method alike, and reject the methods that a URL is not meant for.',
  profile: 'BALANCED',
  accepts: ({ method }) => method === 'GET',
  async *probe(operation, context) {
    const [identity] = context.identities
    if (identity === undefined) return
    const open = await answerFor(context, operation, identity)
    if (!isFine(open) || hasErrors(open) || open.text.trim() === '') return
    const refused = await answerFor(context, operation, null)
    if (refused === null || !isRefused(refused)) return

    const isWritten = context.operations.some(({ method, path }) => method === 'POST' && path === operation.path)
    for (const way of isWritten ? harmless : [...harmless, ...posted]) {
      const first = await ask(way, operation, context)
      if (first === null || !opens(first, open)) continue
      const still = await context.attempt(operation, [], { identity: null })
      const again = await ask(way, operation, context)
      if (still === null || !isRefused(still) || again === null || !opens(again, open)) continue
      yield {
        detail: `Without credentials GET is refused (${still.answer.status}), but ${way.name} gets the response of ${identity.name}, twice.`,
        proof: [
          again.text === '' ? `content-length: ${headerOf(again.answer, 'content-length')}` : again.text.slice(0, 80),
        ],
        exchange: again,
        operation,
      }
      return
    }
  },
}

const isRefused = (exchange: Exchange): boolean => isTurnedAway(exchange) || exchange.answer.status === 403

function ask({ method, header }: Way, operation: Operation, context: Context): Promise<Exchange | null> {
  const request = context.requestOf(operation)
  const headers = [
    ...request.headers,
    ...(header ? [header] : []),
    ...(method === 'HEAD' ? [] : [['Content-Length', '0'] as const]),
  ]
  return quietly(context.send({ ...request, method, headers }, { identity: null, operation }))
}

/** Whether the content is the same; for HEAD, its length. */
function opens(exchange: Exchange, open: Exchange): boolean {
  if (!isFine(exchange) || hasErrors(exchange)) return false
  if (exchange.request.method === 'HEAD') {
    return (
      open.answer.body.length > 20 && headerOf(exchange.answer, 'content-length') === String(open.answer.body.length)
    )
  }
  return textLikeness(exchange.text, open.text) > 0.9
}
