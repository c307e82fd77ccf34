// What a scan covered completely, so that findings which it no longer sees there can be closed: operations, and places beside them.

import type { Check } from './check.ts'
import { placeOf } from './finding.ts'
import type { Exchange, Operation } from './types.ts'

/** `checks`: those that had come to their end where the operation was left alone after them; null: all that looked. */
export type Covered = { place: string; checks: readonly string[] | null }

export type Coverage = {
  /** Keeps what was asked beside operations, and answered. */
  noteAnswer: (exchange: Exchange, operation: Operation | undefined) => void
  /** Keeps that a check has come to its end at an operation. */
  noteLook: (check: Check, operation: Operation) => void
  /** An operation was not waited for as long as others, so that what makes it slow was not seen. */
  leaveOut: (operation: Operation) => void
  /** What somebody may see was asked as nobody, so that nothing was asked everything. */
  spoil: () => void
  /** Of these operations, of which some were left out. */
  of: (operations: readonly Operation[], left: ReadonlySet<string>) => Covered[]
}

const MOST_PLACES = 10_000

export function openCoverage(): Coverage {
  const places = new Set<string>()
  const looks = new Map<string, string[]>()
  const hurried = new Set<string>()
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
      hurried.add(key)
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
          .filter((place) => !hurried.has(place))
          .map((place) => ({ place, checks: left.has(place) ? (looks.get(place) ?? []) : null })),
        ...beside.map((place) => ({ place, checks: null })),
      ]
    },
  }
}
