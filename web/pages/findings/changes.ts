// What may have befallen findings since a moment, as it stands in the address and as the contract asks for it.

import type { VariablesOf } from '../../api/graphql.ts'
import { openStatuses, statuses } from '../../ui/status.tsx'
import type { Findings } from './documents.ts'

export const changes = ['none', 'fixed', 'reopened', 'late'] as const
export type Change = (typeof changes)[number]

export const changeWords: Record<Change, string> = {
  none: '',
  fixed: 'Fixed',
  reopened: 'Opened again',
  late: 'Past their date',
}

const closed = statuses.filter((status) => status !== 'DRAFT' && !openStatuses.some((open) => open === status))

/** Filters for findings that this befell since `since`, an empty moment: since ever. */
export function changedSince(change: Change, since: string): NonNullable<VariablesOf<typeof Findings>['filters']> {
  const range = { startDate: since || undefined }
  switch (change) {
    case 'none':
      return {}
    case 'fixed':
      return { statusChange: { to: ['FIX_ACCEPTED'], range } }
    case 'reopened':
      return { statusChange: { to: [...openStatuses], from: closed, range } }
    case 'late':
      return { slaDueAtRange: range }
  }
}
