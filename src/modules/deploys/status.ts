// Which status a deploy may go to from the one it has.

const statuses = ['PENDING', 'IN_REVIEW', 'REVIEWED', 'DISCARDED', 'ARCHIVED'] as const
export type DeployStatus = (typeof statuses)[number]

const transitions: Record<DeployStatus, readonly DeployStatus[]> = {
  PENDING: ['IN_REVIEW', 'REVIEWED', 'DISCARDED', 'ARCHIVED'],
  IN_REVIEW: ['PENDING', 'REVIEWED', 'DISCARDED'],
  REVIEWED: ['IN_REVIEW', 'ARCHIVED'],
  DISCARDED: ['PENDING', 'ARCHIVED'],
  ARCHIVED: [],
}

/** The statuses that a deploy of status `from` may take next. */
export const permittedFrom = (from: DeployStatus): readonly DeployStatus[] => transitions[from]
