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
    say('Mapping saved.')
    await onDone()
  }
  const incomplete = whyIncomplete(map)
  return (
    <Dialog
      title="Edit mapping"
      description={`${mapped.where}. Applies to changes from now on.`}
      isOpen
      onClose={onClose}
    >
      <Form action={save} submit="Verify and save" onCancel={onClose} disabledReason={incomplete}>
        {mapped.board === null ? (
          <ListMap place={{ ...whose, listId: mapped.listId }} map={map} onChange={setMap} />
        ) : (
          <BoardMap place={{ ...whose, ...mapped.board }} map={map} onChange={setMap} />
        )}
        <p className="muted">
          The {mapped.board === null ? 'list' : 'board'} cannot be changed, because its existing cards are not moved. To
          use another {mapped.board === null ? 'list' : 'board'}, delete this mapping and map that one.
        </p>
        <section className="stack" aria-label="Preview">
          <div className="row">
            <Button size="small" disabledReason={incomplete} onClick={() => setPreviewed(map)}>
              Preview sync
            </Button>
            {previewed !== null && previewed !== map && (
              <span className="muted">Mapping changed since this preview.</span>
            )}
          </div>
          {previewed !== null && <WouldDo configurationId={mapped.id} statusMappings={mappingsOf(previewed)} />}
        </section>
      </Form>
    </Dialog>
  )
}
