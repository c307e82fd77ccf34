// What a gate does not know about a deploy, in the sentences that every presentation of its verdict uses.

import type { Id } from '../../core/ids.ts'
import type { Shortfall } from '../reviews/service.ts'
import type { Decision, Rule } from './gate.ts'
import type { Merging, Reading } from './store-facts.ts'

/** The same fact in a few words and as a sentence. */
export type Unknown = { short: string; sentence: string }

/** In the order in which they are shown; empty if everything is known. `review` is null for a complete review, or if there was to be none. */
export function unknownOf(
  { lineage, diffState, diffReason, merge = null }: Reading & Partial<Merging>,
  review: Omit<Shortfall, 'deployId'> | null,
  rules: readonly Rule[],
): Unknown[] {
  const unknown: Unknown[] = []
  const add = (short: string, sentence: string, reason: string | null) =>
    unknown.push({ short, sentence: reason ? `${sentence}: ${ended(reason)}` : `${sentence}.` })
  if (diffState === 'NOT_A_DIFF') add('the diff cannot be read', 'The diff could not be read', diffReason)
  if (diffState === 'TRUNCATED') add('the diff was read only in part', 'The diff was read only in part', diffReason)
  if (review?.state === 'FAILED') {
    add('the review of the diff failed', 'The review of the diff failed', review.reason)
  } else if (review && review.state !== 'DONE') {
    add('the review of the diff has not finished', 'The review of the diff has not finished', null)
  }
  if (review?.isUnchecked) {
    const why =
      'because no advisories have been imported. An administrator can import them with merlon advisories import'
    add('dependencies were not checked', `Dependencies were not checked, ${why}`, null)
  }
  if (lineage !== null && rules.some(({ subject }) => subject === 'TOUCHED')) {
    const why = `because findings were not carried through it (${lineage})`
    add('what it touched is unknown', `What it touched is unknown, ${why}`, null)
  }
  if (merge && !merge.isReported) {
    const there = merge.name === '' ? 'the unnamed branch' : merge.name
    add(
      'the default branch was not scanned',
      `Nothing was ever reported on ${there}, so everything on this branch counts as unmerged`,
      null,
    )
  }
  return unknown
}

/** How many imports are named. */
const NAMED = 5

/** Reports that are still being imported, by their imports. */
export function importsUnknown(imports: readonly Id[]): Unknown[] {
  if (imports.length === 0) return []
  const short = 'reports are still being imported'
  if (imports.length === 1) {
    return [{ short, sentence: `Import ${imports[0]} has not ended, and what its report brings is not counted yet.` }]
  }
  const named = imports.slice(0, NAMED)
  const rest = imports.length > NAMED ? `${imports.length - NAMED} more` : named.pop()
  const which = `${named.join(', ')} and ${rest}`
  return [{ short, sentence: `Imports ${which} have not ended, and what their reports bring is not counted yet.` }]
}

/** A deploy whose file is not a diff never passes; but if it blocks, enough is known. */
export const isJudged = (decision: Decision, { diffState }: Reading): boolean =>
  decision === 'BLOCK' || diffState !== 'NOT_A_DIFF'

const ended = (sentence: string): string => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)
