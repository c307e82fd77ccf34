// Shared by the tests of the identity rule: observations, known findings, and the rule's answers.

import type { Candidate, Extent, Observed } from '../../src/modules/issues/findings/evidence.ts'
import { matchBucket } from '../../src/modules/issues/findings/identity.ts'

export const place = (
  path: string | null,
  line: number | null,
  column: number | null = null,
  token: string | null = null,
) => ({
  path,
  line,
  column,
  token,
})

export const observed = (more: Partial<Observed> = {}): Observed => ({
  toolId: null,
  fingerprint: null,
  partialFingerprint: null,
  place: place('a.ts', 10),
  snippet: null,
  ...more,
})

export const known = (issueId: string, more: Partial<Candidate> = {}): Candidate => ({
  issueId,
  isOwnBranch: true,
  isOpen: true,
  toolId: null,
  fingerprint: null,
  partialFingerprint: null,
  place: place('a.ts', 10),
  snippetHash: null,
  isMapped: false,
  isTouched: false,
  isGone: false,
  seen: 'ELSEWHERE',
  ...more,
})

export const code = (hash: string, isLong = false) => ({ hash, isLong })

export const answer = (all: Observed[], candidates: Candidate[], extent: Extent = 'WHOLE') =>
  matchBucket(all, candidates, extent).map(({ matchedBy, candidate }) => [matchedBy, candidate?.issueId ?? null])
