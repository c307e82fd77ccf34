// The values of a ticket's enums, in the order in which people look for them.

import type { EnumOf } from '../../api/graphql.ts'

export const types = [
  'BUG',
  'FEATURE_REQUEST',
  'PROJECT_REQUEST',
  'SUPPORT_REQUEST',
] as const satisfies readonly EnumOf<'TicketTypeEnum'>[]
export const statuses = [
  'OPEN',
  'IN_PROGRESS',
  'WAITING',
  'RESOLVED',
  'CLOSED',
] as const satisfies readonly EnumOf<'TicketStatus'>[]
export const priorities = ['P1', 'P2', 'P3'] as const satisfies readonly EnumOf<'TicketPriorityEnum'>[]
export const impacts = ['HIGH', 'MEDIUM', 'LOW'] as const satisfies readonly EnumOf<'TicketImpactEnum'>[]
