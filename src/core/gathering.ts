// What many ask for at the same time is done together: while one round is under way the next one gathers, and it goes when that has ended.

/** Asks for one thing and answers when the round that it went with has ended. */
export type Gather<Ask, Answer> = (ask: Ask) => Promise<Answer>

export type Gathering<Ask, Answer> = {
  /** asks of one round at most */
  most: number
  /** Does all of a round; an answer for each, in their order. */
  run: (asks: readonly Ask[]) => Promise<readonly Answer[]>
  /** Names of what an ask holds: two that share one never go in the same round. */
  holds?: (ask: Ask) => readonly string[]
  /** Whether a failure says something of the asks, so that nothing was done and each is to be tried alone. */
  isRefusal: (error: unknown) => boolean
}

type Waiting<Ask, Answer> = {
  ask: Ask
  holds: readonly string[]
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/** After two turns of the event loop: what arrives in a turn is read, and asks, in the next, so that all of it goes along. Of a service at rest they take no time. */
const soon = (next: () => void): void => void setImmediate(() => setImmediate(next))

/** One round at a time: who comes alone waits for nobody, and of those who come faster than they are answered each round takes all. */
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
