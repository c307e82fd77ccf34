// Limits the size of an answer: its texts are counted once it is complete, before it is serialised.

/**
 * Characters of one answer, its names and texts. A page of 1,000 whole findings has some 2,000,000; but the longest text of a
 * finding has 100,000, and may be asked for under several aliases.
 */
export const MOST_CHARACTERS = 32 * 1024 * 1024

/** Whether an answer has more characters than `most`; stops counting there. */
export function isLarger(data: unknown, most: number): boolean {
  let left = most
  const walk = (value: unknown): void => {
    if (typeof value === 'string') left -= value.length
    else if (Array.isArray(value)) walkAll(value)
    else if (typeof value === 'object' && value !== null) walkMembers(value as Record<string, unknown>)
  }
  const walkAll = (values: readonly unknown[]): void => {
    for (const value of values) {
      if (left < 0) return
      walk(value)
    }
  }
  // `for … in` builds no list and takes a third of the time of Object.keys; this runs for every answer
  const walkMembers = (record: Record<string, unknown>): void => {
    for (const name in record) {
      if (left < 0) return
      left -= name.length
      walk(record[name])
    }
  }
  walk(data)
  return left < 0
}
