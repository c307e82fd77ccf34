// The operations and other places that a scan covered completely, so that findings that it no longer sees there can be closed.

import type { Check } from './check.ts'
import { placeOf } from './finding.ts'
import type { Exchange, Operation } from './types.ts'

/** `checks`: those that finished before the operation was abandoned; null: all that looked. */
export type Covered = { place: string; checks: readonly string[] | null }

export type Coverage = {
  /** Notes a response to a request outside the operations. */
  noteAnswer: (exchange: Exchange, operation: Operation | undefined) => void
  /** Notes that a check has finished with an operation. */
  noteLook: (check: Check, operation: Operation) => void
  /** Excludes an operation of which the checks saw too little: none that measures time, or nothing but that it asks to sign in. */
  leaveOut: (operation: Operation) => void
  /** Nothing counts as covered any more: operations were sent anonymously because a session ended, or the target was down. */
  spoil: () => void
  /** What was covered of these operations; `left` are the keys of abandoned ones. */
  of: (operations: readonly Operation[], left: ReadonlySet<string>) => Covered[]
}

const MOST_PLACES = 10_000

export function openCoverage(): Coverage {
  const places = new Set<string>()
  const looks = new Map<string, string[]>()
  const leftOut = new Set<string>()
  let isSpoilt = false
  return {
    noteAnswer(exchange, operation) {
      const isRefused = exchange.answer.status === 429 || exchange.answer.status >= 500
      const isBeside = operation === undefined || operation.isBeside
      if (!isBeside || isRefused || places.size >= MOST_PLACES) return
      places.add(placeOf(exchange))
      if (operation) places.add(operation.key)
    },
    noteLook({ id }, { key }) {
      const known = looks.get(key)
      if (known) known.push(id)
      else looks.set(key, [id])
    },
    leaveOut({ key }) {
      leftOut.add(key)
    },
    spoil() {
      isSpoilt = true
    },
    of(operations, left) {
      if (isSpoilt) return []
      const keys = new Set(operations.map(({ key }) => key))
      const beside = [...places].filter((place) => !keys.has(place))
      return [
        ...[...keys]
          .filter((place) => !leftOut.has(place))
          .map((place) => ({ place, checks: left.has(place) ? (looks.get(place) ?? []) : null })),
        ...beside.map((place) => ({ place, checks: null })),
      ]
    },
  }
}
