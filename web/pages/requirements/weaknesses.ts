// The list of findings that have a weakness which a check is about, as its address says it.

import type { CheckDetail } from './documents.ts'

export const weaknessesOf = ({ cwes }: CheckDetail): string => `cwe=${cwes.map(({ id }) => id).join(',')}`
