// All detectors of secrets, and the filter that selects those with something to look for.

import { assigned } from './assigned.ts'
import { detectorOf } from './compile.ts'
import { encoded } from './encoded.ts'
import { compileKeywords, type KeywordFilter } from './keywords.ts'
import { kinds } from './kinds/index.ts'
import { passwords } from './passwords.ts'
import { structured } from './structured.ts'
import type { Detector } from './types.ts'

export const detectors: readonly Detector[] = [
  ...kinds.map(detectorOf),
  ...structured,
  ...passwords,
  ...encoded,
  assigned,
]

const byKeyword = new Map<string, number[]>()
for (const [index, { keywords }] of detectors.entries()) {
  for (const keyword of keywords) {
    const key = keyword.toLowerCase()
    byKeyword.set(key, [...(byKeyword.get(key) ?? []), index])
  }
}

const keywords = [...byKeyword.keys()]

/** The hits of all keywords in bytes. */
export const findKeywords: KeywordFilter = compileKeywords(keywords)

/** The detectors that a keyword calls, by its number in the hits. */
export const calledBy: readonly (readonly number[])[] = keywords.map((keyword) => byKeyword.get(keyword) ?? [])
