// The enumerations of findings (status, severity, type, SLA state), each in the order in which it is shown and as the database has it.

import type { IssueStatus, IssueType, SeverityCategory } from './db/tables.generated.ts'

/** Mildest first, as the database orders them. */
export const severities = [
  'NOTIFICATION',
  'LOW',
  'MEDIUM',
  'HIGH',
  'CRITICAL',
] as const satisfies readonly SeverityCategory[]

/** What tools report. */
export const findingTypes = [
  'SAST_FINDING',
  'SCA_FINDING',
  'DAST_FINDING',
  'IAC_FINDING',
  'SECRET_FINDING',
  'CONTAINER_FINDING',
  'MAST_FINDING',
] as const satisfies readonly IssueType[]

/** What people write down too. */
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

/** How a finding stands towards the time until which it is due. */
export const slaStates = ['ON_TRACK', 'APPROACHING', 'BREACHED', 'RESOLVED'] as const

export type SlaState = (typeof slaStates)[number]
