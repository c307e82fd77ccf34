// Limits how many requests of one company run at once; the others wait in order, without holding resources.

type Turns = <T>(whose: string, work: () => Promise<T>) => Promise<T>

/** At most `most` at once for each name. */
export function openTurns(most: number): Turns {
  const waiting = new Map<string, { running: number; next: (() => void)[] }>()

  return async (whose, work) => {
    const line = waiting.get(whose) ?? { running: 0, next: [] }
    waiting.set(whose, line)
    if (line.running < most) line.running += 1
    else await new Promise<void>((resolve) => line.next.push(resolve))
    try {
      return await work()
    } finally {
      const next = line.next.shift()
      if (next) next()
      else line.running -= 1
      if (line.running === 0) waiting.delete(whose)
    }
  }
}
