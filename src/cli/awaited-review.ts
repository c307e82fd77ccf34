// Waits for the review of a deploy's diff, so that a pipeline's gate counts what the review finds.

import { setTimeout as delay } from 'node:timers/promises'
import { request } from './client.ts'
import { counted } from './output.ts'
import { plain } from './plain.ts'
import { openProgress } from './progress.ts'

const REVIEW = 'query ($id: ID!) { deploy(id: $id) { review { state reason } } }'

/** Milliseconds between polls. */
const PAUSE = 500

/**
 * Polls until the review has ended, for at most `seconds` (0: does not wait). Says on standard error that it is waiting, and whether the review
 * is missing from the verdict. True if the review counts, or if there is none.
 */
export async function awaitReview(id: string, seconds: number): Promise<boolean> {
  const progress = openProgress('Waiting for the review')
  let began: number | null = null
  try {
    for (;;) {
      const { review } = (await request(REVIEW, { id })).deploy
      if (review === null || review.state === 'DONE') return true
      if (review.state === 'FAILED') return uncounted(`failed: ${plain(review.reason ?? '', 500)}`)
      const waited = began === null ? 0 : (performance.now() - began) / 1000
      if (waited >= seconds) return uncounted('has not finished')
      if (began === null) tell(`Waiting for the review of the deploy's diff (at most ${counted(seconds, 'second')})`)
      began ??= performance.now()
      progress.update(waited, seconds)
      await delay(PAUSE)
    }
  } finally {
    progress.stop()
  }
}

function uncounted(what: string): false {
  tell(`The review of the deploy's diff ${what}; what it would have found is not counted`)
  return false
}

const tell = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
