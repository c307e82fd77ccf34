// The actions on the projects chosen in the list: change the status of all, or delete all; each applies to all of them or none.

import { useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { say } from '../../frame/toasts.tsx'
import { BulkBar, notShown } from '../../table/bulk-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { count, counted } from '../../util/words.ts'
import { DeleteProjects } from './documents.ts'
import { StatusDialog } from './status-dialog.tsx'

/** The most projects that the contract changes in one request. */
const MOST_AT_ONCE = 1_000

type Props = {
  companyId: string
  ids: readonly string[]
  /** How many of them the current filters hide. */
  unseen: number
  onNone: () => void
  onDone: () => Promise<void>
}

export function BulkOfProjects({ companyId, ids, unseen, onNone, onDone }: Props) {
  const { session } = useSession()
  const change = useChange()
  const [isChanging, setChanging] = useState(false)
  const isOne = ids.length === 1
  const many = counted(ids.length, 'project')
  const beyond = notShown(ids.length, unseen)
  const mayNot =
    whyNot(session, companyId, 'projects:write') ??
    (ids.length > MOST_AT_ONCE ? `At most ${count(MOST_AT_ONCE)} can be changed at once.` : undefined)
  const remove = async () => {
    await change(DeleteProjects, { input: { companyId, ids: [...ids] } }, ['Project'])
    say(isOne ? 'Project deleted.' : `${many} deleted.`)
    await onDone()
  }
  return (
    <BulkBar chosen={many} onNone={onNone}>
      <Button size="small" tone="main" onClick={() => setChanging(true)} disabledReason={mayNot}>
        Change status…
      </Button>
      <DeleteButton
        size="small"
        what={isOne ? 'project' : many}
        description={`Requirements and files are permanently deleted too; assets and their findings stay.${beyond}`}
        disabledReason={mayNot}
        action={remove}
      />
      {isChanging && (
        <StatusDialog companyId={companyId} ids={ids} onClose={() => setChanging(false)} onDone={onDone} />
      )}
    </BulkBar>
  )
}
