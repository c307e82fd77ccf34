// One connected tool: its health, what is mapped to it, and the actions on it.

import { useState } from 'react'
import { Link } from 'react-router'
import { useChange } from '../../api/ask.ts'
import { useCompanyId } from '../../frame/company.ts'
import { say } from '../../frame/toasts.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { to } from '../../util/path-builder.ts'
import { type Integration, MakeTrackerCall, SyncNow } from './documents.ts'
import { Health } from './health.tsx'
import { type Hook, HookShown } from './hook-shown.tsx'
import styles from './integrations.module.css'
import { isKind, isTracker, type Kind, kinds, whereOf } from './kinds.ts'
import type { Mapped } from './mapped.ts'
import { Tested } from './tested.tsx'

/** The dialog that is open over the list of tools. `connectedId`: the integration that a consent has just created, whose next step is shown. */
export type Open =
  | { what: 'connect'; kind: Kind; integration?: Integration; connectedId?: string; addAnother?: boolean }
  | { what: 'map' | 'disconnect' | 'projects'; kind: Kind; integration: Integration }
  | { what: 'remap' | 'unmap'; mapped: Mapped }

type Props = {
  integration: Integration
  /** the loaded boards and lists of this integration */
  mapped: readonly Mapped[]
  mayNot: string | undefined
  setOpen: (open: Open) => void
  onTested: () => void
}

export function Connected({ integration, mapped, mayNot, setOpen, onTested }: Props) {
  const change = useChange()
  const [hook, setHook] = useState<Hook>()
  const { id, integrationType: kind } = integration
  if (!isKind(kind)) return null
  const { name } = kinds[kind]
  const sync = async () => {
    await change(SyncNow, { input: { integrationId: id } })
    say(`Sync with ${name} started. Results appear under Tracker sync log.`)
  }
  const makeCall = async () => {
    const { createTrackerWebhook } = await change(MakeTrackerCall, { input: { integrationId: id } })
    const webhook = createTrackerWebhook?.webhook
    if (!webhook) return say(`Webhook created. ${name} now reports card changes.`)
    const { url, userName, password, events } = webhook
    const values = [
      { name: 'URL', value: url },
      { name: 'User name', value: userName },
      { name: 'Password', value: password },
    ]
    setHook({ events, values })
  }
  return (
    <div className={styles.connected}>
      {whereOf(integration) && <p className="words">{whereOf(integration)}</p>}
      <Health of={integration} />
      <Mappings mapped={mapped} mayNot={mayNot} setOpen={setOpen} />
      <Tested integrationId={id} name={name} mayNot={mayNot} onTested={onTested}>
        <Button size="small" disabledReason={mayNot} onClick={() => setOpen({ what: 'connect', kind, integration })}>
          Edit…
        </Button>
        <Button
          size="small"
          disabledReason={mayNot}
          onClick={() => setOpen({ what: isTracker(kind) ? 'map' : 'projects', kind, integration })}
        >
          {isTracker(kind) ? 'Map a board…' : 'Projects…'}
        </Button>
        {isTracker(kind) && (
          <ActionButton size="small" aria-label={`Sync now with ${name}`} disabledReason={mayNot} action={sync}>
            Sync now
          </ActionButton>
        )}
        {isTracker(kind) && (
          <ActionButton
            size="small"
            aria-label={`Create webhook at ${name}`}
            hint="Card changes in the tracker then arrive immediately"
            disabledReason={mayNot}
            action={makeCall}
          >
            Create webhook
          </ActionButton>
        )}
        <Button
          size="small"
          tone="danger"
          aria-label={`Disconnect ${name}`}
          disabledReason={mayNot}
          onClick={() => setOpen({ what: 'disconnect', kind, integration })}
        >
          Disconnect
        </Button>
      </Tested>
      {hook && (
        <Dialog title={`Webhook at ${name}`} isOpen onClose={() => setHook(undefined)}>
          <HookShown tool={name} hook={hook} onClose={() => setHook(undefined)} />
        </Dialog>
      )}
    </div>
  )
}

type MappingsProps = { mapped: readonly Mapped[]; mayNot: string | undefined; setOpen: (open: Open) => void }

function Mappings({ mapped, mayNot, setOpen }: MappingsProps) {
  const companyId = useCompanyId()
  if (mapped.length === 0) return null
  return (
    <ul className={styles.mappings} aria-label="Mapped boards">
      {mapped.map((one) => {
        const of = `of ${one.where} for ${one.asset?.name ?? 'all assets'}`
        return (
          <li key={one.id}>
            <span className="words muted">
              {one.asset ? (
                <Link to={to.asset({ companyId, assetId: one.asset.id })}>{one.asset.name}</Link>
              ) : (
                'All assets'
              )}{' '}
              → {one.where}
            </span>
            <Button
              size="small"
              tone="quiet"
              aria-label={`Edit mapping ${of}`}
              disabledReason={mayNot}
              onClick={() => setOpen({ what: 'remap', mapped: one })}
            >
              Mapping…
            </Button>
            <Button
              size="small"
              tone="quiet"
              aria-label={`Delete mapping ${of}`}
              disabledReason={mayNot}
              onClick={() => setOpen({ what: 'unmap', mapped: one })}
            >
              Delete
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
