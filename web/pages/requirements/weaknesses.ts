// The search parameters for the list of findings that have one of a check's weaknesses.

import type { CheckDetail } from './documents.ts'

export const weaknessesOf = ({ cwes }: CheckDetail): string => `cwe=${cwes.map(({ id }) => id).join(',')}`
