// The dialogs over the list of findings: exporting, and deciding on some findings or on all that match the filters.

import { lateDialog } from '../../ui/late.tsx'
import type { Deciding } from './decide.tsx'
import type { askedBy } from './filters.ts'

const DecideAllDialog = lateDialog(() => import('./decide-all.tsx'))
const DecideDialog = lateDialog(() => import('./decide.tsx'))
const ExportDialog = lateDialog(() => import('./export-dialog.tsx'))

/** The findings that are decided on, or which of the other dialogs is open. */
export type Open = Deciding | 'all' | 'export'

type Props = {
  open: Open
  companyId: string
  filters: ReturnType<typeof askedBy>['filters']
  /** How many match, such as `12 findings`; null until known. */
  shown: string | null
  chosenIds: readonly string[]
  onClose: () => void
  onDecided: () => void
}

export function ListDialogs({ open, companyId, filters, shown, chosenIds, onClose, onDecided }: Props) {
  const shared = { companyId, onClose }
  if (open === 'export') return <ExportDialog {...shared} filters={filters ?? {}} shown={shown} chosenIds={chosenIds} />
  if (open === 'all') return <DecideAllDialog {...shared} filters={filters ?? {}} onDone={onDecided} />
  return <DecideDialog {...shared} deciding={open} onDone={onDecided} />
}
