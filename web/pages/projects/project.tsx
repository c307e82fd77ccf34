// The page of one project: its goal, its assets, the progress of its requirements, and its history.

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
import { to } from '../../util/path-builder.ts'
import { wordsOf } from '../../util/words.ts'
import { DeleteProjects, OneProject } from './documents.ts'
import { FactsOfProject, StatusHistory } from './facts.tsx'
import { ProjectDialog } from './form.tsx'
import styles from './projects.module.css'
import { RequirementsOfProject } from './requirements.tsx'
import { StatusDialog } from './status-dialog.tsx'

export function Component() {
  const companyId = useCompanyId()
  const { projectId = '' } = useParams()
  const { session } = useSession()
  const [changing, setChanging] = useState<'status' | 'project' | null>(null)
  const answer = useAsk(OneProject, { companyId, id: projectId })
  const mayNot = whyNot(session, companyId, 'projects:write')
  const change = useChange()
  const navigate = useNavigate()
  const remove = async (id: string) => {
    await change(DeleteProjects, { input: { companyId, ids: [id] } }, ['Project'])
    say('Project deleted.')
    navigate(to.projects({ companyId }))
  }
  const crumbs = [{ name: 'Projects', path: to.projects({ companyId }) }]
  return (
    <AnsweredPage title="Project" crumbs={crumbs} of={answer}>
      {({ project, projectRequirements }) => (
        <Page
          title={project.label}
          crumbs={crumbs}
          count={wordsOf(project.status)}
          actions={
            <>
              <Button onClick={() => setChanging('status')} disabledReason={mayNot}>
                Change status…
              </Button>
              <Button onClick={() => setChanging('project')} disabledReason={mayNot}>
                Edit…
              </Button>
              <DeleteButton
                key={project.id}
                what="project"
                description="Its requirements and files are permanently deleted too; assets and their findings stay."
                disabledReason={mayNot}
                action={() => remove(project.id)}
              />
            </>
          }
        >
          <div className={styles.project}>
            <FactsOfProject of={project} />
            <RequirementsOfProject
              projectId={project.id}
              progress={project.requirementsProgress}
              requirements={projectRequirements}
              again={answer.again}
            />
            <StatusHistory of={project.statusHistory} />
          </div>
          {changing === 'status' && (
            <StatusDialog
              companyId={companyId}
              ids={[project.id]}
              status={project.status}
              onClose={() => setChanging(null)}
              onDone={answer.again}
            />
          )}
          {changing === 'project' && (
            <ProjectDialog
              key={project.id}
              companyId={companyId}
              project={project}
              onClose={() => setChanging(null)}
              onDone={async () => {
                await answer.again()
                setChanging(null)
              }}
            />
          )}
        </Page>
      )}
    </AnsweredPage>
  )
}
