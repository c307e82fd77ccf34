// The reviewers that read a diff: one line each.

import { code } from './code/reviewer.ts'
import { dependencies } from './dependencies/reviewer.ts'
import { secrets } from './secrets/reviewer.ts'
import { sensitive } from './sensitive/reviewer.ts'
import type { Reviewer } from './types.ts'

export const reviewers: readonly Reviewer[] = [secrets, dependencies, code, sensitive]
