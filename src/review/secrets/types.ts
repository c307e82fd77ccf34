// What a detector of secrets is, whichever way it detects them.

import type { Severity } from '../../reports/types.ts'

/** Where a secret stands in the text that was given, or in a line so many `below` it. */
export type Seen = { start: number; end: number; below?: number }

export type Place = {
  path: string
  /** the lines below on the same side, as many as asked for */
  below: (most: number) => readonly string[]
}

export type Detector = {
  id: string
  name: string
  severity: Severity
  /** of two at one place, the one of the lower rank is told: 0 a form of its own, 1 structure, 2 a form by its name, 3 chance */
  rank: 0 | 1 | 2 | 3
  /** One of them stands in each text that it finds something in, in any case. */
  keywords: readonly string[]
  /** The secrets in a line, or in the part of a long one around a keyword. */
  find: (text: string, place: Place) => Iterable<Seen>
}
