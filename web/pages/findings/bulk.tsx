// The actions on the findings chosen in the list: decide on them, merge duplicates, delete.

import { useState } from 'react'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { BulkBar } from '../../table/bulk-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { lateDialog } from '../../ui/late.tsx'
import { counted } from '../../util/words.ts'
import { DeleteFindingsButton } from './delete.tsx'
import type { FindingRow } from './documents.ts'

const MergeDialog = lateDialog(() => import('./merge.tsx'))

/** The most findings that the contract merges in one request. */
const MOST_MERGED = 100

type Props = {
  companyId: string
  ids: readonly string[]
  /** The rows of those chosen findings that are loaded in the list. */
  rows: readonly FindingRow[]
  onDecide: () => void
  mayNotDecide: string | undefined
  /** How many findings match the filters, if that is more than are chosen. */
  all: string | null
  onDecideAll: () => void
  mayNotDecideAll: string | undefined
  onNone: () => void
  onMerged: () => void
  onDeleted: () => void
}

export function Bulk(props: Props) {
  const { companyId, ids, rows, onDecide, mayNotDecide, onNone, onMerged, onDeleted } = props
  const { all, onDecideAll, mayNotDecideAll } = props
  const { session } = useSession()
  const [isMerging, setMerging] = useState(false)
  const mayNotMerge = whyNot(session, companyId, 'issues:write') ?? whyNotMerged(ids, rows)
  return (
    <BulkBar chosen={counted(ids.length, 'finding')} onNone={onNone}>
      <Button
        size="small"
        tone="main"
        onClick={onDecide}
        disabledReason={mayNotDecide}
        hint={
          <>
            Decide <kbd>d</kbd>
          </>
        }
      >
        Decide…
      </Button>
      <Button size="small" onClick={() => setMerging(true)} disabledReason={mayNotMerge}>
        Merge…
      </Button>
      <DeleteFindingsButton
        companyId={companyId}
        ids={ids}
        title={ids.length === 1 ? rows[0]?.title : undefined}
        unseen={ids.length - rows.length}
        onDone={onDeleted}
      />
      {all !== null && (
        <Button size="small" tone="quiet" onClick={onDecideAll} disabledReason={mayNotDecideAll}>
          Decide on all {all}…
        </Button>
      )}
      {isMerging && (
        <MergeDialog
          companyId={companyId}
          rows={rows}
          onClose={() => setMerging(false)}
          onDone={() => {
            setMerging(false)
            onMerged()
          }}
        />
      )}
    </BulkBar>
  )
}

function whyNotMerged(ids: readonly string[], rows: readonly FindingRow[]): string | undefined {
  if (ids.length < 2) return 'Select the other findings to merge.'
  if (ids.length > MOST_MERGED + 1)
    return `At most ${counted(MOST_MERGED, 'finding')} can be merged into another at once.`
  if (rows.length < ids.length) return 'Some of the selected findings are not in this list.'
  if (new Set(rows.map(({ asset }) => asset.id)).size > 1) return 'Only findings of the same asset can be merged.'
  return undefined
}
