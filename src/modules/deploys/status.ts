// The permitted transitions between statuses of a deploy.

const statuses = ['PENDING', 'IN_REVIEW', 'REVIEWED', 'DISCARDED', 'ARCHIVED'] as const
export type DeployStatus = (typeof statuses)[number]

const transitions: Record<DeployStatus, readonly DeployStatus[]> = {
  PENDING: ['IN_REVIEW', 'REVIEWED', 'DISCARDED', 'ARCHIVED'],
  IN_REVIEW: ['PENDING', 'REVIEWED', 'DISCARDED'],
  REVIEWED: ['IN_REVIEW', 'ARCHIVED'],
  DISCARDED: ['PENDING', 'ARCHIVED'],
  ARCHIVED: [],
}

/** The statuses to which a deploy may go from `from`. */
export const permittedFrom = (from: DeployStatus): readonly DeployStatus[] => transitions[from]
