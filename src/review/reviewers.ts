// The reviewers that read a diff: one line each.

import { secrets } from './secrets/reviewer.ts'
import type { Reviewer } from './types.ts'

export const reviewers: readonly Reviewer[] = [secrets]
