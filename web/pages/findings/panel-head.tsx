// The head of a finding's panel: its severity, title and status, and what can be done with it.

import { Link2, Printer, X } from 'lucide-react'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { SeverityBadge } from '../../ui/severity.tsx'
import { StatusWord } from '../../ui/status.tsx'
import { putOnClipboard } from '../../util/clipboard.ts'
import { wordsOf } from '../../util/words.ts'
import { DeleteFindingsButton } from './delete.tsx'
import styles from './panel.module.css'
import type { FindingDetail } from './panel-documents.ts'

const COPY_LINK = 'Copy link to this finding'

type Props = {
  issue: FindingDetail
  decide: () => void
  assign: () => void
  print: () => void
  close: () => void
  onDeleted: () => void
}

export function PanelHead({ issue, decide, assign, print, close, onDeleted }: Props) {
  return (
    <header className={styles.head}>
      <div className="row">
        <SeverityBadge of={issue.severity} />
        <span className={`muted ${styles.about}`}>
          {wordsOf(issue.type)} · {issue.asset.name}
        </span>
        <span className={styles.corner}>
          <ActionButton
            tone="quiet"
            size="small"
            aria-label={COPY_LINK}
            hint={COPY_LINK}
            action={() => putOnClipboard(window.location.href, 'the link', 'copy it from the address bar')}
          >
            <Link2 size={16} aria-hidden />
          </ActionButton>
          <IconButton name="Print finding" size="small" onClick={print}>
            <Printer size={16} aria-hidden />
          </IconButton>
          <IconButton name="Close" size="small" onClick={close}>
            <X size={16} aria-hidden />
          </IconButton>
        </span>
      </div>
      <h2 className="words">{issue.title}</h2>
      <Actions issue={issue} decide={decide} assign={assign} onDeleted={onDeleted} />
      {issue.statusReason && <p className="words muted">{issue.statusReason}</p>}
    </header>
  )
}

function Actions({ issue, decide, assign, onDeleted }: Pick<Props, 'issue' | 'decide' | 'assign' | 'onDeleted'>) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const { id, title, status, assignedUsers } = issue
  return (
    <div className="row">
      <StatusWord of={status} />
      <Button
        size="small"
        onClick={decide}
        disabledReason={whyNot(session, companyId, 'issues:decide')}
        hint={
          <>
            Decide <kbd>d</kbd>
          </>
        }
      >
        Decide…
      </Button>
      <Button
        size="small"
        onClick={assign}
        disabledReason={whyNot(session, companyId, 'issues:write')}
        hint={
          <>
            Assign <kbd>a</kbd>
          </>
        }
      >
        Assign…
      </Button>
      <span className={styles.assigned}>
        <span className="words muted">
          {assignedUsers.length === 0
            ? 'Unassigned'
            : `Assigned to ${assignedUsers.map(({ name }) => name).join(', ')}`}
        </span>
        <span className={styles.corner}>
          {/* a key per finding, so that a question asked about one finding is not answered for the next one shown */}
          <DeleteFindingsButton key={id} companyId={companyId} ids={[id]} title={title} onDone={onDeleted} />
        </span>
      </span>
    </div>
  )
}
