// Sends malformed or unexpected documents, so that passive checks see whether the resulting fault is exposed.

import type { Context, OperationCheck } from '../check.ts'
import { quietly } from '../probing.ts'
import type { Operation } from '../types.ts'

/** All operations of one framework answer alike, so more operations would show nothing new. */
const MOST_OPERATIONS = 40

const asked = new WeakMap<Context, number>()

export const malformedDocuments: OperationCheck = {
  kind: 'operation',
  id: 'malformed-document',
  title: 'Malformed documents',
  cwes: [209],
  severity: 'MEDIUM',
  solution: '',
  profile: 'BALANCED',
  accepts: ({ body, isDestructive }) => !isDestructive && (body?.type === 'json' || body?.type === 'xml'),
  // it tells nothing itself: passive checks tell what these exchanges show
  async *probe(operation, context) {
    const before = asked.get(context) ?? 0
    if (before >= MOST_OPERATIONS) return
    asked.set(context, before + 1)
    const { method, url, headers, body } = context.requestOf(operation)
    for (const text of brokenOf(operation, body?.toString() ?? '')) {
      const sized = headers.map(([name, value]): readonly [string, string] =>
        /^content-length$/i.test(name) ? [name, String(Buffer.byteLength(text))] : [name, value],
      )
      await quietly(context.send({ method, url, headers: sized, body: text }, { operation, values: [text] }))
    }
  },
}

/** The document cut off before its end, and for operations other than updates also `null` and a list, which an update might store. */
function brokenOf({ body, kind }: Operation, text: string): string[] {
  const cut = text.trimEnd().slice(0, -1)
  if (body?.type === 'xml' || kind === 'update') return [cut]
  return [cut, 'null', '[]']
}
