// Several clients that write without pause, and a journal of their answers.

import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { ask, isDone, type Outcome } from './client.ts'
import { type Home, issueOf, newWrite, type Write } from './writes.ts'

export type Journal = {
  /** the service said that it is done */
  acknowledged: Write[]
  /** no answer, or one that said UNAVAILABLE: done or not done */
  open: Write[]
  /** what nobody may ever be answered */
  wrong: string[]
  /** the longest that a request took, milliseconds */
  slowest: number
}

export const newJournal = (): Journal => ({ acknowledged: [], open: [], wrong: [], slowest: 0 })

export type Load = {
  journal: Journal
  /** Waits until such a write was acknowledged, which on a busy machine takes its time. */
  acknowledges(isSuch?: (write: Write) => boolean): Promise<void>
  stop(): Promise<void>
}

/** One of so many writes goes without an Idempotency-Key. */
const WITHOUT_KEY = 4

/** Starts `clients` that write one thing after the other until stopped, whatever happens to the service. */
export function startLoad(home: Home, clients: number, journal = newJournal()): Load {
  const stopping = new AbortController()
  const issues: string[] = []
  let written = 0
  const client = async () => {
    while (!stopping.signal.aborted) {
      const write = newWrite(home, issues)
      written += 1
      if (written % WITHOUT_KEY > 0) write.asked.idempotencyKey = randomBytes(16).toString('hex')
      const outcome = await ask(home.access, write.asked)
      note(journal, write, outcome)
      if (outcome.kind === 'answered') issues.push(...[issueOf(outcome.data)].filter((id) => id !== undefined))
      if (!isDone(outcome)) await delay(20)
    }
  }
  const running = Array.from({ length: clients }, client)
  return {
    journal,
    async acknowledges(isSuch = () => true) {
      while (!journal.acknowledged.some(isSuch)) await delay(20)
    },
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

function note(journal: Journal, write: Write, outcome: Outcome): void {
  journal.slowest = Math.max(journal.slowest, outcome.took)
  if (isDone(outcome)) {
    journal.acknowledged.push(write)
    return
  }
  journal.open.push(write)
  if (outcome.kind === 'lost') return
  const failure = outcome.failures[0]
  if (failure && failure.extensions.code !== 'UNAVAILABLE') {
    journal.wrong.push(`${write.kind}: ${failure.extensions.code}: ${failure.message}`)
  }
}

/**
 * Sends again, under the same keys, what was not acknowledged; each must be answered, and is acknowledged then. What had no key
 * stays open.
 */
export async function retryOpen(home: Home, journal: Journal): Promise<number> {
  const open = journal.open.filter((write) => write.asked.idempotencyKey !== undefined)
  journal.open = journal.open.filter((write) => write.asked.idempotencyKey === undefined)
  for (const write of open) {
    const outcome = await askUntilEnded(home, write)
    if (isDone(outcome)) journal.acknowledged.push(write)
    else journal.wrong.push(`A retry of ${write.kind} was not done: ${JSON.stringify(outcome)}`)
  }
  return open.length
}

/** milliseconds that a server of its own may go on with the statement of a process that was killed */
const MOST_GOING_ON = 20_000

/** Asks again while the first time, which nobody waits for any more, is still in progress in the database. */
async function askUntilEnded(home: Home, write: Write): Promise<Outcome> {
  for (const end = performance.now() + MOST_GOING_ON; ; await delay(50)) {
    const outcome = await ask(home.access, write.asked)
    const failure = outcome.kind === 'answered' ? outcome.failures[0] : undefined
    const isInProgress = failure?.extensions.code === 'CONFLICT' && failure.extensions.retryable
    if (!isInProgress || performance.now() > end) return outcome
  }
}
