// Waits for the review of a deploy, so that a pipeline's gate counts what it finds.

import { setTimeout as delay } from 'node:timers/promises'
import { request } from './client.ts'
import { plain } from './commands/gate-markdown.ts'

const REVIEW = 'query ($id: ID!) { deploy(id: $id) { review { state reason } } }'

/** Milliseconds between two looks. */
const PAUSE = 500

/** Looks until the review has ended, `seconds` at most (0: not at all), and says on standard error where it does not count. */
export async function awaitReview(id: string, seconds: number): Promise<void> {
  if (seconds === 0) return
  const until = performance.now() + seconds * 1000
  for (;;) {
    const { deploy } = await request(REVIEW, { id })
    const { review } = deploy
    if (review === null || review.state === 'DONE') return
    if (review.state === 'FAILED') return note(`failed: ${plain(review.reason ?? '', 500)}`)
    if (performance.now() >= until) return note('has not ended')
    await delay(PAUSE)
  }
}

const note = (what: string): void => {
  process.stderr.write(`The review of the deploy's diff ${what}; what it would have found is not counted\n`)
}
