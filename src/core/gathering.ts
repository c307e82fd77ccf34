// Batches concurrent requests: while one round is running, the next one gathers, and it starts when the first has ended.

/** Makes one request; resolves when the round that it was part of has ended. */
export type Gather<Ask, Answer> = (ask: Ask) => Promise<Answer>

type Gathering<Ask, Answer> = {
  /** the most requests in a round */
  most: number
  /** Runs a round; returns an answer for each request, in their order. */
  run: (asks: readonly Ask[]) => Promise<readonly Answer[]>
  /** The names that a request holds exclusively: two requests that share one are never in the same round. */
  holds?: (ask: Ask) => readonly string[]
  /** Whether a failure was caused by a request, so that nothing was done and each is to be tried alone. */
  isRefusal: (error: unknown) => boolean
}

type Waiting<Ask, Answer> = {
  ask: Ask
  holds: readonly string[]
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/** Waits two turns of the event loop, so that requests that arrive in one turn, and ask in the next, share a round. On an idle service this takes no time. */
const soon = (next: () => void): void => void setImmediate(() => setImmediate(next))

/** Runs one round at a time: a single request does not wait, and under load each round takes everything that has gathered. */
export function openGather<Ask, Answer>({ most, run, holds, isRefusal }: Gathering<Ask, Answer>): Gather<Ask, Answer> {
  let waiting: Waiting<Ask, Answer>[] = []
  let isRunning = false

  const take = (): Waiting<Ask, Answer>[] => {
    const held = new Set<string>()
    const taken: Waiting<Ask, Answer>[] = []
    const left: Waiting<Ask, Answer>[] = []
    for (const one of waiting) {
      const goes = taken.length < most && !one.holds.some((name) => held.has(name))
      for (const name of one.holds) held.add(name)
      if (goes) taken.push(one)
      else left.push(one)
    }
    waiting = left
    return taken
  }

  const answer = async (round: readonly Waiting<Ask, Answer>[]): Promise<void> => {
    try {
      const answers = await run(round.map(({ ask }) => ask))
      for (const [at, { resolve }] of round.entries()) resolve(answers[at] as Answer)
    } catch (error) {
      if (round.length > 1 && isRefusal(error)) for (const one of round) await answer([one])
      else for (const { reject } of round) reject(error)
    }
  }

  const next = async (): Promise<void> => {
    await answer(take())
    isRunning = waiting.length > 0
    if (isRunning) soon(next)
  }

  return (ask) =>
    new Promise((resolve, reject) => {
      waiting.push({ ask, holds: holds?.(ask) ?? [], resolve, reject })
      if (isRunning) return
      isRunning = true
      soon(next)
    })
}
