// The changes that the list of findings can be filtered by, as the address names them and as the contract's filters express them.

import type { VariablesOf } from '../../api/graphql.ts'
import { openStatuses, statuses } from '../../ui/status.tsx'
import type { Findings } from './documents.ts'

export const changes = ['none', 'fixed', 'reopened', 'late'] as const
type Change = (typeof changes)[number]

export const changeWords: Record<Change, string> = {
  none: '',
  fixed: 'Fixed',
  reopened: 'Reopened',
  late: 'Overdue',
}

const closed = statuses.filter((status) => status !== 'DRAFT' && !openStatuses.some((open) => open === status))

/** The filters for findings that changed in this way since `since`; an empty `since` means at any time. */
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
