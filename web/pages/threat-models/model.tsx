// The page of one threat model: its facts, and its versions, each with its file and the requirements that came from it.

import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useAsk, useChange } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { AnsweredPage } from '../../frame/answered-page.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { to } from '../../util/path-builder.ts'
import { ThreatModelFile } from '../requirements/dialogs.tsx'
import { DeleteThreatModel, OneThreatModel, type ThreatModel } from './documents.ts'
import { ThreatModelDialog, VersionDialog } from './form.tsx'
import styles from './threat-models.module.css'
import { VersionRow } from './version.tsx'

/** The most versions that the contract lists. */
const MOST_LISTED = 100

export function Component() {
  const companyId = useCompanyId()
  const { artifactId = '' } = useParams()
  const answer = useAsk(OneThreatModel, { id: artifactId })
  return (
    <AnsweredPage
      title="Threat model"
      crumbs={[{ name: 'Threat models', path: to.threatModels({ companyId }) }]}
      of={answer}
    >
      {({ threatModelArtifact }) => (
        <Shown key={threatModelArtifact.id} model={threatModelArtifact} again={answer.again} />
      )}
    </AnsweredPage>
  )
}

function Shown({ model, again }: { model: ThreatModel; again: () => Promise<void> }) {
  const companyId = useCompanyId()
  return (
    <Page
      title={model.label}
      crumbs={[
        { name: 'Requirements', path: to.requirements({ companyId }) },
        { name: 'Threat models', path: to.threatModels({ companyId }) },
      ]}
      actions={<Actions model={model} again={again} />}
    >
      <div className={styles.model}>
        <p className="words">{model.description || 'No description.'}</p>
        <Facts
          facts={[
            { name: 'ID', fact: model.id },
            { name: 'Scope', fact: model.scopeText && <span className="words">{model.scopeText}</span> },
            { name: 'Assigned to', fact: model.assignee?.name },
            { name: 'Created', fact: <Moment at={model.createdAt} /> },
            { name: 'Updated', fact: <Moment at={model.updatedAt} /> },
          ]}
        />
        <section className="stack">
          <h2>Versions</h2>
          {model.versions.length === 0 && (
            <Empty title="No versions yet" command={`merlon threat-model import model.json --artifact ${model.id}`}>
              <p>Import a file, or add a version without creating requirements.</p>
            </Empty>
          )}
          <ol className={styles.versions}>
            {model.versions.map((version) => (
              <VersionRow key={version.id} artifactId={model.id} version={version} />
            ))}
          </ol>
          {model.versions.length === MOST_LISTED && <p className="muted">Only the newest {MOST_LISTED} are shown.</p>}
        </section>
      </div>
    </Page>
  )
}

function Actions({ model, again }: { model: ThreatModel; again: () => Promise<void> }) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const [open, setOpen] = useState<'model' | 'version' | 'file' | null>(null)
  const change = useChange()
  const navigate = useNavigate()
  const mayNot = whyNot(session, companyId, 'requirements:write')
  const remove = async () => {
    await change(DeleteThreatModel, { input: { id: model.id } })
    say('Threat model deleted.')
    navigate(to.threatModels({ companyId }))
  }
  const close = () => setOpen(null)
  const done = async () => {
    await again()
    close()
  }
  return (
    <>
      <Button tone="main" onClick={() => setOpen('file')} disabledReason={mayNot}>
        Import version…
      </Button>
      <Button onClick={() => setOpen('version')} disabledReason={mayNot}>
        Add version…
      </Button>
      <Button onClick={() => setOpen('model')} disabledReason={mayNot}>
        Edit…
      </Button>
      <DeleteButton
        what="threat model"
        description={`“${model.label}” is permanently deleted with its versions; requirements created from them stay.`}
        disabledReason={mayNot}
        action={remove}
      />
      {open === 'model' && <ThreatModelDialog companyId={companyId} model={model} onClose={close} onDone={done} />}
      {open === 'version' && <VersionDialog model={model} onClose={close} onDone={done} />}
      {open === 'file' && (
        <ThreatModelFile companyId={companyId} artifactId={model.id} onClose={close} onDone={again} />
      )}
    </>
  )
}
