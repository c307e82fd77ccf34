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
  const { session } = useSession()
  const [open, setOpen] = useState<'model' | 'version' | 'file' | null>(null)
  const change = useChange()
  const navigate = useNavigate()
  const mayNot = whyNot(session, companyId, 'requirements:write')
  const remove = async () => {
    await change(DeleteThreatModel, { input: { id: model.id } })
    say('The threat model is deleted.')
    navigate(to.threatModels({ companyId }))
  }
  const done = async () => {
    await again()
    setOpen(null)
  }
  return (
    <Page
      title={model.label}
      crumbs={[
        { name: 'Requirements', path: to.requirements({ companyId }) },
        { name: 'Threat models', path: to.threatModels({ companyId }) },
      ]}
      actions={
        <>
          <Button tone="main" onClick={() => setOpen('file')} disabledReason={mayNot}>
            Import a version…
          </Button>
          <Button onClick={() => setOpen('version')} disabledReason={mayNot}>
            Add a version…
          </Button>
          <Button onClick={() => setOpen('model')} disabledReason={mayNot}>
            Change…
          </Button>
          <DeleteButton
            what="the threat model"
            description={`“${model.label}” goes for good, with its versions; requirements that came of them stay.`}
            disabledReason={mayNot}
            action={remove}
          />
        </>
      }
    >
      <div className={styles.model}>
        <p className="words">{model.description || 'Nothing was said of it.'}</p>
        <Facts
          facts={[
            { name: 'Number', fact: model.id },
            { name: 'Scope', fact: model.scopeText && <span className="words">{model.scopeText}</span> },
            { name: 'Assigned to', fact: model.assignee?.name },
            { name: 'Added', fact: <Moment at={model.createdAt} /> },
            { name: 'Changed', fact: <Moment at={model.updatedAt} /> },
          ]}
        />
        <section className="stack">
          <h2>Versions</h2>
          {model.versions.length === 0 && (
            <p className="muted">There is no version yet: import a file, or add one as it is.</p>
          )}
          <ol className={styles.versions}>
            {model.versions.map((version) => (
              <VersionRow key={version.id} artifactId={model.id} version={version} />
            ))}
          </ol>
          {model.versions.length === MOST_LISTED && <p className="muted">The newest {MOST_LISTED} are shown.</p>}
        </section>
      </div>
      {open === 'model' && (
        <ThreatModelDialog companyId={companyId} model={model} onClose={() => setOpen(null)} onDone={done} />
      )}
      {open === 'version' && <VersionDialog model={model} onClose={() => setOpen(null)} onDone={done} />}
      {open === 'file' && (
        <ThreatModelFile companyId={companyId} artifactId={model.id} onClose={() => setOpen(null)} onDone={again} />
      )}
    </Page>
  )
}
