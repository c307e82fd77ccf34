// The dialog that connects a tool in three steps (credential, what to include, test), or replaces a tool's credential.

import { type ReactNode, useState } from 'react'
import { say } from '../../frame/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Credential } from './credential.tsx'
import type { Integration } from './documents.ts'
import styles from './integrations.module.css'
import { isTracker, type Kind, kinds } from './kinds.ts'
import { MapPlace } from './mapping.tsx'
import { Follow } from './projects.tsx'
import { Tested } from './tested.tsx'
import { WouldDo } from './would-do.tsx'

type Props = {
  kind: Kind
  /** the integration being edited */
  integration: Integration | undefined
  /** an integration that a consent has just connected; the dialog continues with what to include */
  connectedId?: string | undefined
  /** whether to create another integration even if one of this kind exists */
  addAnother: boolean
  onClose: () => void
  onDone: () => void | Promise<void>
}

type At =
  | { step: 'credential' }
  | { step: 'include'; integrationId: string }
  | { step: 'test'; integrationId: string; configurationId?: string }

export default function Connect({ kind, integration, connectedId, addAnother, onClose, onDone }: Props) {
  const [at, setAt] = useState<At>(
    connectedId === undefined ? { step: 'credential' } : { step: 'include', integrationId: connectedId },
  )
  const { name } = kinds[kind]
  if (integration) {
    const changed = async () => {
      say(`${name} settings saved.`)
      await onDone()
    }
    return (
      <Dialog
        title={`Edit ${name}`}
        description="Leave a field empty to keep its current value."
        isOpen
        onClose={onClose}
      >
        <Credential kind={kind} integration={integration} addAnother={false} onClose={onClose} onSaved={changed} />
      </Dialog>
    )
  }
  return (
    <Dialog
      title={`Connect ${addAnother ? 'another ' : ''}${name}`}
      isOpen
      onClose={at.step === 'credential' ? onClose : onDone}
    >
      <Steps at={at.step} include={isTracker(kind) ? 'Board and mapping' : 'Projects'} />
      {at.step === 'credential' && (
        <Credential
          kind={kind}
          integration={undefined}
          addAnother={addAnother}
          onClose={onClose}
          onSaved={(integrationId) => setAt({ step: 'include', integrationId })}
        />
      )}
      {at.step === 'include' && (
        <Include
          kind={kind}
          integrationId={at.integrationId}
          onNext={(configurationId) =>
            setAt({ step: 'test', integrationId: at.integrationId, ...(configurationId && { configurationId }) })
          }
        />
      )}
      {at.step === 'test' && (
        <div className="stack">
          <p>Connected. Run a test to check that {name} accepts the stored credential.</p>
          <Tested integrationId={at.integrationId} name={name} mayNot={undefined} isMain />
          {at.configurationId && (
            <section>
              <h3>First sync preview</h3>
              <WouldDo configurationId={at.configurationId} />
            </section>
          )}
          <div className={styles.end}>
            <Button onClick={onDone}>Done</Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}

function Steps({ at, include }: { at: At['step']; include: string }) {
  const steps = { credential: 'Credential', include, test: 'Test' } satisfies Record<At['step'], ReactNode>
  return (
    <ol className={styles.way} aria-label="Steps">
      {Object.entries(steps).map(([step, name]) => (
        <li key={step} aria-current={step === at ? 'step' : undefined}>
          {name}
        </li>
      ))}
    </ol>
  )
}

type IncludeProps = { kind: Kind; integrationId: string; onNext: (configurationId?: string) => void }

function Include({ kind, integrationId, onNext }: IncludeProps) {
  const skip = () => onNext()
  return (
    <div className="stack">
      <p className="muted">
        Credential verified and saved.{' '}
        {isTracker(kind) ? 'Choose a board and map its states,' : 'Link a project to an asset,'} or do it later.
      </p>
      {isTracker(kind) ? (
        <MapPlace kind={kind} integrationId={integrationId} onMapped={onNext} />
      ) : (
        <Follow kind={kind} integrationId={integrationId} onDone={skip} />
      )}
      <div className={styles.end}>
        <Button tone="quiet" onClick={skip}>
          Skip
        </Button>
      </div>
    </div>
  )
}
