// Responses of operations to their own values, for each identity, in bounded memory.

import { startOf } from './own-copy.ts'
import type { Exchange, Identity, Operation } from './types.ts'

export type Seen = {
  keep: (operation: Operation, identity: string | null, exchange: Exchange) => void
  /** of the first identity that asked when `identity` is left out */
  find: (operation: Operation, identity?: Identity | null) => Exchange | undefined
}

/** Bytes of answers that are kept whole; what comes later is kept by its start. */
const MOST_BYTES = 40 * 1024 * 1024
const LONGEST_START = 8 * 1024

export function openSeen(): Seen {
  const kept = new Map<string, Exchange>()
  const first = new Map<string, Exchange>()
  let bytes = 0
  return {
    keep(operation, identity, exchange) {
      const room = bytes < MOST_BYTES ? 256 * 1024 : LONGEST_START
      const start = exchange.answer.body.length > room ? startOf(exchange, room) : exchange
      bytes += sizeOf(start)
      kept.set(keyOf(operation, identity), start)
      if (!first.has(operation.key)) first.set(operation.key, start)
    },
    find: (operation, identity) =>
      identity === undefined ? first.get(operation.key) : kept.get(keyOf(operation, identity?.name ?? null)),
  }
}

const keyOf = ({ key }: Operation, identity: string | null) => JSON.stringify([key, identity])

/** Bytes: the body is kept as such and as text. */
const sizeOf = ({ answer }: Exchange): number =>
  answer.headers.reduce((sum, [name, value]) => sum + name.length + value.length, answer.body.length * 2)
