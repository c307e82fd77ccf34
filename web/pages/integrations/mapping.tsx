// The dialog that maps an asset's findings to a tracker and their statuses to its states, and previews the first synchronisation.

import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Board } from './board.tsx'
import type { Kind } from './kinds.ts'
import { TaskList } from './task-list.tsx'
import { WouldDo } from './would-do.tsx'

type Props = { kind: Kind; integrationId: string; onClose: () => void; onDone: () => void }

export default function Mapping({ kind, integrationId, onClose, onDone }: Props) {
  const [configurationId, setConfigurationId] = useState<string>()
  if (configurationId !== undefined) {
    return (
      <Dialog title="First sync preview" isOpen onClose={onDone}>
        <div className="stack">
          <WouldDo configurationId={configurationId} />
          <Button tone="main" onClick={onDone}>
            Done
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title="Map a board" isOpen onClose={onClose}>
      <MapPlace kind={kind} integrationId={integrationId} onClose={onClose} onMapped={setConfigurationId} />
    </Dialog>
  )
}

type PlaceProps = {
  kind: Kind
  integrationId: string
  onClose?: () => void
  onMapped: (configurationId: string) => void
}

/** The form for a board or for a list, depending on the tracker. */
export const MapPlace = ({ kind, ...rest }: PlaceProps) =>
  kind === 'BOARDS_TRACKER' ? <Board {...rest} /> : <TaskList {...rest} />
