// The enumerations of findings (status, severity, type, SLA state), in the order of display and of the database.

import type { IssueStatus, IssueType, SeverityCategory } from './db/tables.generated.ts'

/** Mildest first, as in the database. */
export const severities = [
  'NOTIFICATION',
  'LOW',
  'MEDIUM',
  'HIGH',
  'CRITICAL',
] as const satisfies readonly SeverityCategory[]

/** The types that tools report. */
export const findingTypes = [
  'SAST_FINDING',
  'SCA_FINDING',
  'DAST_FINDING',
  'IAC_FINDING',
  'SECRET_FINDING',
  'CONTAINER_FINDING',
  'MAST_FINDING',
] as const satisfies readonly IssueType[]

/** The types including those that people enter. */
export const issueTypes = [
  ...findingTypes,
  'NETWORK_VULNERABILITY',
  'SOURCE_CODE_VULNERABILITY',
  'WEB_VULNERABILITY',
] as const satisfies readonly IssueType[]

export const issueStatuses = [
  'CREATED',
  'DRAFT',
  'IDENTIFIED',
  'IN_PROGRESS',
  'AWAITING_VALIDATION',
  'FIX_ACCEPTED',
  'RISK_ACCEPTED',
  'FALSE_POSITIVE',
  'SUPPRESSED',
] as const satisfies readonly IssueStatus[]

/** The state of a finding with respect to its due date. */
export const slaStates = ['ON_TRACK', 'APPROACHING', 'BREACHED', 'RESOLVED'] as const

export type SlaState = (typeof slaStates)[number]
