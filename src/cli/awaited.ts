// Waits for what a pipeline's gate counts besides what is in: the review of the deploy's diff, and the imports of its branch.

import { setTimeout as delay } from 'node:timers/promises'
import { request } from './client.ts'
import { counted } from './output.ts'
import { plain } from './plain.ts'
import { openProgress } from './progress.ts'

const STATE = `query ($id: ID!, $imports: Boolean!) { deploy(id: $id) {
  review { state reason } gate @include(if: $imports) { unendedImports } } }`

/** Milliseconds between polls. */
const PAUSE = 500

type State = { review: { state: string; reason: string | null } | null; imports: string[] }

/**
 * Polls until the review and those of the imports have ended that have been sent by now, for at most `seconds` (0: does not wait). Says on
 * standard error that it is waiting, and what is missing from the verdict. True if the review counts, or if there is none.
 */
export async function awaitWhatCounts(id: string, seconds: number): Promise<boolean> {
  const progress = openProgress('Waiting')
  let state = await look(id, null)
  const began = performance.now()
  try {
    if (seconds > 0 && isUnderWay(state)) tell(`Waiting for ${whatOf(state)} (at most ${counted(seconds, 'second')})`)
    while (isUnderWay(state)) {
      const waited = (performance.now() - began) / 1000
      if (waited >= seconds) break
      progress.update(waited, seconds)
      await delay(PAUSE)
      state = await look(id, state.imports)
    }
  } finally {
    progress.stop()
  }
  return tellMissing(state)
}

/** `waiting` are the imports that are waited for; null for all of them. */
async function look(id: string, waiting: string[] | null): Promise<State> {
  const { review, gate } = (await request(STATE, { id, imports: waiting?.length !== 0 })).deploy
  const unended: string[] = gate?.unendedImports ?? []
  return { review, imports: waiting === null ? unended : waiting.filter((one) => unended.includes(one)) }
}

const isUnderReview = ({ review }: State): boolean => review !== null && !['DONE', 'FAILED'].includes(review.state)

const isUnderWay = (state: State): boolean => isUnderReview(state) || state.imports.length > 0

function whatOf(state: State): string {
  const review = isUnderReview(state) ? ["the review of the deploy's diff"] : []
  const imports = state.imports.length > 0 ? [`${counted(state.imports.length, 'import')} of the deploy's branch`] : []
  return [...review, ...imports].join(' and ')
}

function tellMissing({ review, imports }: State): boolean {
  for (const id of imports) tell(`Import ${id} has not ended; what its report brings is not counted`)
  if (review === null || review.state === 'DONE') return true
  const what = review.state === 'FAILED' ? `failed: ${plain(review.reason ?? '', 500)}` : 'has not finished'
  tell(`The review of the deploy's diff ${what}; what it would have found is not counted`)
  return false
}

const tell = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
