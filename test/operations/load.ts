// Several clients that write continuously, with a journal of their answers.

import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { ask, isDone, type Outcome } from './client.ts'
import { type Home, issueOf, newWrite, type Write } from './writes.ts'

export type Journal = {
  /** the service confirmed the write */
  acknowledged: Write[]
  /** no answer, or UNAVAILABLE: the write may or may not have happened */
  open: Write[]
  /** answers that must never occur */
  wrong: string[]
  /** the longest time that a request took, in milliseconds */
  slowest: number
}

export const newJournal = (): Journal => ({ acknowledged: [], open: [], wrong: [], slowest: 0 })

type Load = {
  journal: Journal
  /** Waits until such a write is acknowledged, which can take a while on a busy machine. */
  acknowledges(isSuch?: (write: Write) => boolean): Promise<void>
  stop(): Promise<void>
}

/** One in this many writes has no Idempotency-Key. */
const WITHOUT_KEY = 4

/** Starts `clients` that each write one thing after another until stopped, whatever happens to the service. */
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
 * Repeats unacknowledged writes under the same keys; each must succeed, and then counts as acknowledged. Writes without
 * a key stay open.
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

/** milliseconds for which a separate database server may continue the statement of a killed process */
const MOST_GOING_ON = 20_000

/** Retries while the first attempt, whose client is gone, is still in progress in the database. */
async function askUntilEnded(home: Home, write: Write): Promise<Outcome> {
  for (const end = performance.now() + MOST_GOING_ON; ; await delay(50)) {
    const outcome = await ask(home.access, write.asked)
    const failure = outcome.kind === 'answered' ? outcome.failures[0] : undefined
    const isInProgress = failure?.extensions.code === 'CONFLICT' && failure.extensions.retryable
    if (!isInProgress || performance.now() > end) return outcome
  }
}
