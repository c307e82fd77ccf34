// The permitted transitions between statuses of an issue, and the statuses that only a person sets.

import type { IssueStatus } from '../../core/db/tables.generated.ts'
import { failedPrecondition } from '../../core/errors.ts'

const transitions: Record<IssueStatus, readonly IssueStatus[]> = {
  DRAFT: ['CREATED', 'IDENTIFIED', 'FALSE_POSITIVE'],
  CREATED: ['IDENTIFIED', 'IN_PROGRESS', 'FIX_ACCEPTED', 'RISK_ACCEPTED', 'FALSE_POSITIVE', 'SUPPRESSED'],
  IDENTIFIED: ['IN_PROGRESS', 'AWAITING_VALIDATION', 'FIX_ACCEPTED', 'RISK_ACCEPTED', 'FALSE_POSITIVE', 'SUPPRESSED'],
  IN_PROGRESS: ['IDENTIFIED', 'AWAITING_VALIDATION', 'FIX_ACCEPTED', 'RISK_ACCEPTED', 'FALSE_POSITIVE'],
  AWAITING_VALIDATION: ['IDENTIFIED', 'IN_PROGRESS', 'FIX_ACCEPTED', 'RISK_ACCEPTED', 'FALSE_POSITIVE'],
  FIX_ACCEPTED: ['IDENTIFIED'],
  RISK_ACCEPTED: ['IDENTIFIED'],
  FALSE_POSITIVE: ['IDENTIFIED'],
  SUPPRESSED: ['IDENTIFIED'],
}

/** Statuses that only a person sets, with a reason, and that no scan ever changes. */
export const personsWords: readonly IssueStatus[] = ['RISK_ACCEPTED', 'FALSE_POSITIVE', 'SUPPRESSED']

export const isPersonsWord = (status: IssueStatus): boolean => personsWords.includes(status)

/** The statuses that an issue may go to from `status`. */
export const permittedFrom = (status: IssueStatus): readonly IssueStatus[] => transitions[status]

/** FAILED_PRECONDITION, naming the permitted statuses, if an issue may not go from one status to the other. */
export function requireTransition(from: IssueStatus, to: IssueStatus): void {
  if (transitions[from].includes(to)) return
  throw failedPrecondition(`An issue that is ${from} can become ${transitions[from].join(', ')}, not ${to}`)
}
