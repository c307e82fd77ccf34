// One version of a threat model: its author, its file to download, and, on request, the requirements that came from it.

import { Download } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAsk, useQuestion } from '../../api/ask.ts'
import { Failure } from '../../api/failure.ts'
import { useCompanyId } from '../../frame/company.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Moment } from '../../ui/moment.tsx'
import { saveText } from '../../util/download.ts'
import { to } from '../../util/path-builder.ts'
import { counted } from '../../util/words.ts'
import { type ThreatModel, VersionContent, VersionRequirements } from './documents.ts'
import { formatName } from './formats.ts'
import styles from './threat-models.module.css'

/** The most requirements that are listed here; the page of requirements has all of them. */
const MOST_WRITTEN = 50

type Version = ThreatModel['versions'][number]

export function VersionRow({ artifactId, version }: { artifactId: string; version: Version }) {
  const companyId = useCompanyId()
  const question = useQuestion()
  const [isOpen, setOpen] = useState(false)
  const { version: number, createdAt, diagramType, notes, author, sourceProject } = version
  const download = async () => {
    const { threatModelArtifact: model } = await question(VersionContent, { id: artifactId, version: number })
    if (!model.version) throw new Failure(`Version ${number} no longer exists.`, 'NOT_FOUND')
    const { diagramContent, architectureItems } = model.version
    const text = diagramContent ?? JSON.stringify(architectureItems, null, 2)
    saveText(text, `${model.label}-${number}.${isJson(text) ? 'json' : 'txt'}`)
  }
  return (
    <li className={styles.version}>
      <div className="row">
        <strong>Version {number}</strong>
        {diagramType && <span>{formatName(diagramType)}</span>}
        <span className="muted">
          {author?.name} <Moment at={createdAt} />
        </span>
        {sourceProject && (
          <Link to={to.project({ companyId, projectId: sourceProject.id })}>{sourceProject.label}</Link>
        )}
        <ActionButton size="small" aria-label={`Download version ${number}`} action={download}>
          <Download size={14} aria-hidden /> Download
        </ActionButton>
      </div>
      {notes && <p className="words muted">{notes}</p>}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="muted">Requirements of version {number}</summary>
        {isOpen && <RequirementsOf artifactId={artifactId} version={number} />}
      </details>
    </li>
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function RequirementsOf({ artifactId, version }: { artifactId: string; version: number }) {
  const companyId = useCompanyId()
  const answer = useAsk(VersionRequirements, { id: artifactId, version })
  return (
    <Answered of={answer} lines={3}>
      {({ threatModelArtifact }) => {
        const requirements = threatModelArtifact.version?.requirements ?? []
        return (
          <>
            {requirements.length === 0 && <p className="muted">No requirements were created from it.</p>}
            <ul>
              {requirements.slice(0, MOST_WRITTEN).map(({ id, label }) => (
                <li key={id}>
                  <Link to={to.requirement({ companyId, requirementId: id })}>{label}</Link>
                </li>
              ))}
            </ul>
            {requirements.length > MOST_WRITTEN && (
              <p className="muted">
                Showing {MOST_WRITTEN} of {counted(requirements.length, 'requirement')}.
              </p>
            )}
          </>
        )
      }}
    </Answered>
  )
}
