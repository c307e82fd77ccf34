// The requirements of a project: overall progress, and each requirement with its checks and activities.

import { useState } from 'react'
import { Link } from 'react-router'
import { useChange } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { say } from '../../frame/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { to } from '../../util/path-builder.ts'
import { StateWord } from '../requirements/states.tsx'
import { Activity } from './activity.tsx'
import { DeleteProjectRequirement, type ProjectAnswer, type ProjectRequirement } from './documents.ts'
import styles from './projects.module.css'
import { AddRequirementDialog, ChangeRequirementDialog } from './requirement-form.tsx'

type Props = {
  projectId: string
  progress: ProjectAnswer['project']['requirementsProgress']
  requirements: readonly ProjectRequirement[]
  again: () => Promise<void>
}

export function RequirementsOfProject({ projectId, progress, requirements, again }: Props) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const [isAdding, setAdding] = useState(false)
  const mayNot = whyNot(session, companyId, 'requirements:write')
  return (
    <section>
      <header className="row">
        <h2>
          Requirements{' '}
          {progress.total > 0 && (
            <span className="muted number">
              {progress.done} of {progress.total} done
            </span>
          )}
        </h2>
        <Button size="small" onClick={() => setAdding(true)} disabledReason={mayNot}>
          Add requirement…
        </Button>
      </header>
      {requirements.length === 0 && <p className="muted">No requirements yet.</p>}
      {requirements.map((requirement) => (
        <Requirement key={requirement.id} requirement={requirement} mayNot={mayNot} again={again} />
      ))}
      {isAdding && (
        <AddRequirementDialog
          companyId={companyId}
          projectId={projectId}
          onClose={() => setAdding(false)}
          onDone={again}
        />
      )}
    </section>
  )
}

type RequirementProps = { requirement: ProjectRequirement; mayNot: string | undefined; again: () => Promise<void> }

function Requirement({ requirement, mayNot, again }: RequirementProps) {
  const companyId = useCompanyId()
  const change = useChange()
  const [isChanging, setChanging] = useState(false)
  const { id, label, description, activities, checklist } = requirement
  const remove = async () => {
    await change(DeleteProjectRequirement, { input: { id } })
    say('Requirement deleted.')
    await again()
  }
  return (
    <article className={styles.requirement}>
      <header className="row">
        <h3>
          <Link to={to.requirement({ companyId, requirementId: id })}>{label}</Link>
        </h3>
        <span className={styles.end}>
          <Button
            size="small"
            aria-label={`Edit requirement ${label}`}
            onClick={() => setChanging(true)}
            disabledReason={mayNot}
          >
            Edit…
          </Button>
          <DeleteButton
            size="small"
            what="requirement"
            label={`Delete requirement ${label}…`}
            description={`“${label}” is permanently deleted with its checks and their waivers, its activities and their files.`}
            disabledReason={mayNot}
            action={remove}
          />
        </span>
      </header>
      {description && <p className="words muted">{description}</p>}
      <ul>
        {checklist.map((check) => (
          <li key={check.id} className="row">
            <StateWord of={check.state} /> {check.label}
          </li>
        ))}
        {activities.map((activity) => (
          <Activity key={activity.id} of={activity} mayNot={mayNot} again={again} />
        ))}
      </ul>
      {isChanging && (
        <ChangeRequirementDialog requirement={requirement} onClose={() => setChanging(false)} onDone={again} />
      )}
    </article>
  )
}
