// Edits the mapping of a board or list, with a preview of what a synchronisation would then do.

import { useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { say } from '../../frame/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Remap as RemapDocument } from './documents.ts'
import type { Mapped } from './mapped.ts'
import { BoardMap, ListMap } from './states.tsx'
import { mapOf, mappingsOf, whyIncomplete } from './status-map.tsx'
import { WouldDo } from './would-do.tsx'

type Props = { mapped: Mapped; onClose: () => void; onDone: () => Promise<void> }

export default function Remap({ mapped, onClose, onDone }: Props) {
  const companyId = useCompanyId()
  const change = useChange()
  const [map, setMap] = useState(() => mapOf(mapped.statusMappings))
  const [previewed, setPreviewed] = useState<typeof map | null>(null)
  const whose = { companyId, integrationId: mapped.integrationId }
  const save = async () => {
    await change(RemapDocument, { input: { id: mapped.id, statusMappings: mappingsOf(map) } })
    say('The mapping is changed.')
    await onDone()
  }
  const incomplete = whyIncomplete(map)
  return (
    <Dialog
      title="Change the mapping"
      description={`Of ${mapped.where}; what changes from now on is told by it.`}
      isOpen
      onClose={onClose}
    >
      <Form action={save} submit="Check and change" onCancel={onClose} disabledReason={incomplete}>
        {mapped.board === null ? (
          <ListMap place={{ ...whose, listId: mapped.listId }} map={map} onChange={setMap} />
        ) : (
          <BoardMap place={{ ...whose, ...mapped.board }} map={map} onChange={setMap} />
        )}
        <p className="muted">
          The {mapped.board === null ? 'list' : 'board'} itself stays: cards that were made stand on it, and none is
          moved to another. To go on elsewhere, delete this mapping and map the other{' '}
          {mapped.board === null ? 'list' : 'board'}.
        </p>
        <section className="stack" aria-label="Preview">
          <div className="row">
            <Button size="small" disabledReason={incomplete} onClick={() => setPreviewed(map)}>
              What would a sync do?
            </Button>
            {previewed !== null && previewed !== map && <span className="muted">The mapping was changed since.</span>}
          </div>
          {previewed !== null && <WouldDo configurationId={mapped.id} statusMappings={mappingsOf(previewed)} />}
        </section>
      </Form>
    </Dialog>
  )
}
