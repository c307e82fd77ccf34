// The dialogs over a company's connected tools: connect, map or disconnect one, and choose its projects.

import { useChange } from '../../api/ask.ts'
import { say } from '../../frame/toasts.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { lateDialog } from '../../ui/late.tsx'
import type { Open } from './connected.tsx'
import { Disconnect, Unmap } from './documents.ts'
import { kinds } from './kinds.ts'

const Connect = lateDialog(() => import('./connect.tsx'))
const Mapping = lateDialog(() => import('./mapping.tsx'))
const Remap = lateDialog(() => import('./remap.tsx'))
const Projects = lateDialog(() => import('./projects.tsx'))

type Props = {
  open: Open
  onClose: () => void
  /** Closes the dialog at once, and loads the list. */
  onDone: () => void
  /** Loads the list. */
  again: () => Promise<void>
}

export function IntegrationDialogs({ open, onClose, onDone, again }: Props) {
  const change = useChange()
  /** The dialog stays open until the list has the change. */
  const changed = async () => {
    await again()
    onClose()
  }
  switch (open.what) {
    case 'connect':
      return (
        <Connect
          kind={open.kind}
          integration={open.integration}
          connectedId={open.connectedId}
          addAnother={open.addAnother ?? false}
          onClose={onClose}
          onDone={open.integration ? changed : onDone}
        />
      )
    case 'map':
      return <Mapping kind={open.kind} integrationId={open.integration.id} onClose={onClose} onDone={onDone} />
    case 'projects':
      return <Projects kind={open.kind} integrationId={open.integration.id} onClose={onClose} onDone={changed} />
    case 'remap':
      return <Remap mapped={open.mapped} onClose={onClose} onDone={changed} />
    case 'unmap': {
      const unmap = async () => {
        await change(Unmap, { input: { id: open.mapped.id } })
        say('Mapping deleted.')
        await again()
      }
      return (
        <Confirm
          title="Delete mapping"
          description={`Cards in ${open.mapped.where} stay but are no longer synced.`}
          submit="Delete mapping"
          action={unmap}
          onClose={onClose}
        />
      )
    }
    case 'disconnect': {
      const { name } = kinds[open.kind]
      const disconnect = async () => {
        await change(Disconnect, { input: { id: open.integration.id } })
        say(`${name} disconnected.`)
        await again()
      }
      return (
        <Confirm
          title={`Disconnect ${name}`}
          description="Its credential and mappings are deleted. Imported data stays."
          submit="Disconnect"
          action={disconnect}
          onClose={onClose}
        />
      )
    }
  }
}
